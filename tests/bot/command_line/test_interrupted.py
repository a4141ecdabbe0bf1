"""A command that is told to end takes back what it has half done."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest
from harness.rows import fill_every_table

from bot.core.storage.backups import write_backup
from bot.core.storage.database import Database

if TYPE_CHECKING:
    from pathlib import Path

STOPPED_WHILE_IT_COPIES: Final = """
import asyncio, os, signal, sys
from bot.__main__ import main
from bot.core.storage import backups, copying

async def copy_rows(source, target, tell):
    await copy(source, target, tell)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.sleep(300)

def copy_file(database, file):
    file.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGTERM)

if sys.argv[1] == "ignored":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
copy, backups.copy_rows, backups._copy_file = copying.copy_rows, copy_rows, copy_file
main(sys.argv[2:])
"""


def below(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


@pytest.mark.parametrize("ctrl_c", ["heard", "ignored"])
@pytest.mark.parametrize("command", ["restore", "backup"])
async def test_sigterm_leaves_nothing_half_done(command: str, ctrl_c: str, tmp_path: Path) -> None:
    """Also in the background of a shell, whose jobs ignore Ctrl+C."""
    full, given, temporary = tmp_path / "full.sqlite3", tmp_path / "given.backup", tmp_path / "temporary"
    temporary.mkdir()
    async with await Database.open(f"sqlite:///{full}") as database:
        await fill_every_table(database)
        await write_backup(f"sqlite:///{full}", given)
    url, file = ("sqlite:///new.sqlite3", given.name) if command == "restore" else (f"sqlite:///{full}", "new.backup")
    before = below(tmp_path)
    done = subprocess.run(  # noqa: ASYNC221  nothing else runs here
        [sys.executable, "-c", STOPPED_WHILE_IT_COPIES, ctrl_c, command, file],
        cwd=tmp_path,
        env={**os.environ, "DATABASE_URL": url, "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (1, "Aborted!")
    assert below(tmp_path) == before
