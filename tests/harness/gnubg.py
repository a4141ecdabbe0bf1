"""GNU Backgammon as the judge: scripts in its own Python, one process for many files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

DEBIAN: Final = "/usr/games/gnubg"
"""Debian's games are not on every path."""
IMPORTS: Final = """
gnubg.command("set jacoby " + asked["jacoby"])
for name in asked["files"]:
    gnubg.command("import mat " + name)
    told.append(gnubg.match(analysis=0, boards=1, statistics=0))
"""
IDS: Final = """
for command in asked["commands"]:
    gnubg.command(command)
    told.append(gnubg.gnubgid())
"""
PLAYS: Final = """
for setting in ("delay 0", "automatic roll on", "rng mersenne", "jacoby on", "seed 7"):
    gnubg.command("set " + setting)
for player in "01":
    gnubg.command("set player " + player + " gnubg")
    for kind in ("chequer", "cubedecision"):
        gnubg.command("set player " + player + " " + kind + " evaluation plies 0")
        gnubg.command("set player " + player + " " + kind + " evaluation cubeful on")
for name, length in asked["matches"]:
    gnubg.command("set automatic game " + ("on" if length else "off"))
    gnubg.command("new match %d" % length if length else "new session")
    for _ in range(0 if length else 2):
        gnubg.command("new game")
    gnubg.command("export match mat " + name)
    told.append(gnubg.match(analysis=0, boards=1, statistics=0))
"""
_USUAL: Final = re.compile(
    r" GNU Backgammon  Position ID| +Match ID| \+1[23]-|[ v^]\||Will (not )?use the Jacoby rule|\s*$"
)
"""The lines of a board, and the answer to a setting."""
_FRAME: Final = """
import gnubg, json
with open({asked!r}, encoding="utf-8") as file:
    asked = json.load(file)
gnubg.command("set display off")
told = []
print("BEGIN")
{script}
print("END")
with open({told!r}, "w", encoding="utf-8") as file:
    json.dump(told, file)
"""


def gnubg_path() -> str | None:
    """Returns the path of GNU Backgammon: `ABAKBOT_GNUBG`, else the one on the path or in Debian's place for games."""
    return os.environ.get("ABAKBOT_GNUBG") or shutil.which("gnubg") or (DEBIAN if Path(DEBIAN).exists() else None)


NEEDS_GNUBG = pytest.mark.skipif(
    gnubg_path() is None and not os.environ.get("CI"), reason="no GNU Backgammon is installed: see ABAKBOT_GNUBG"
)


def run(folder: Path, script: str, **asked: Any) -> tuple[list[Any], str]:
    """Runs a script, and returns its value of `told` and the output of the program meanwhile, without boards."""
    path = gnubg_path()
    assert path is not None, "GNU Backgammon (Debian's package gnubg) must be installed"
    questions, answers, program = folder / "asked.json", folder / "told.json", folder / "script.py"
    questions.write_text(json.dumps(asked), encoding="utf-8")
    program.write_text(_FRAME.format(asked=str(questions), told=str(answers), script=script), encoding="utf-8")
    done = subprocess.run(
        [path, "-t", "-q", "-p", str(program)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
    )
    printed = done.stdout.decode("utf-8", errors="replace") + done.stderr.decode("utf-8", errors="replace")
    assert answers.exists(), printed
    told: list[Any] = json.loads(answers.read_text(encoding="utf-8"))
    said = printed.partition("BEGIN\n")[2].partition("END\n")[0].splitlines()
    return told, "\n".join(line for line in said if not _USUAL.match(line))


def import_all(folder: Path, texts: Sequence[str], *, jacoby: str = "on") -> tuple[list[Any], str]:
    """Imports each text as a match with GNU Backgammon. Returns the matches and its complaints."""
    names = []
    for number, text in enumerate(texts):
        file = folder / f"{number}.mat"
        file.write_text(text, encoding="utf-8")
        names.append(str(file))
    return run(folder, IMPORTS, files=names, jacoby=jacoby)
