"""The worked example of the page about dice: its commands are executed, and its record is one of the bot's."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.core.chance import commitment
from engine.core.record import load
from engine.core.rolls import Verification
from engine.kits.dice import OPENINGS, ROLLS, Roll, weight
from engine.registry import find

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / name for name in ("dice.md", "dice.es.md")]
pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
with_tools = pytest.mark.skipif(
    not (os.environ.get("CI") or (shutil.which("openssl") and shutil.which("sha256sum"))),
    reason="needs openssl and sha256sum",
)


def blocks(page: Path, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@with_tools
@pages
def test_the_commands_of_the_page_answer_as_it_says(page: Path, tmp_path: Path) -> None:
    (record,) = blocks(page, "text")
    (tmp_path / "example.record").write_text(record)
    found = "".join(blocks(page, "console"))
    asked = re.findall(r"^\$ (.*)\n(.*)\n", found, re.MULTILINE)
    assert len(asked) == len(found.splitlines()) / 2 == 5
    for command, answer in asked:
        said = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S607
        assert said.stdout == f"{answer}\n", command


@pages
def test_the_example_is_a_record_whose_second_roll_is_the_one_of_the_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    (written,) = blocks(page, "text")
    record = load(written)
    opening, roll, *_ = Verification(find(record.header.game, record.header.version), record).rolls()
    console = blocks(page, "console")
    assert roll.secret in console[0]
    assert commitment(roll.secret) == opening.secret
    assert opening.promised == record.header.commitment
    assert opening.promised in console[1]
    assert roll.message in console[3]
    remainder = int(console[4].splitlines()[-1])
    high, low = roll.outcome
    row = re.search(rf"^\| \*\*{high}\*\* \|(.*)\|$", text, re.MULTILINE)
    assert row is not None
    assert str(remainder) in row[1].split("|")[int(low) - 1].split(", ") or f" {remainder}" in row[1]
    assert written.splitlines()[int(re.findall(r"(?:line|línea) (\d+)", text)[0]) - 1].split(" ")[3] == roll.outcome


@pages
def test_the_table_gives_the_dice_of_every_remainder(page: Path) -> None:
    rows = re.findall(r"^\| \*\*(\d)\*\* \|(.*)\|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    found = {
        int(remainder): Roll(int(high), low)
        for high, cells in rows
        for low, cell in enumerate(cells.split("|"), 1)
        for remainder in cell.split(",")
        if remainder.strip()
    }
    drawn = [roll for roll in ROLLS for _ in range(weight(roll, opening=False))]
    assert [found[remainder] for remainder in range(36)] == drawn
    for game in (find("abak"), find("backgammon")):
        state = game.start(game.settle_options({}))
        assert list(game.legal(state)) == list(OPENINGS)
        for step in ((OPENINGS[2]), game.turns(game.apply(state, OPENINGS[2]))[0][0]):
            for one in step if isinstance(step, tuple) and not isinstance(step, Roll) else (step,):
                state = game.apply(state, one)
        assert list(game.legal(state)) == list(ROLLS)
    assert [Roll(remainder // 6 + 1, remainder % 6 + 1) for remainder in range(36)] == list(OPENINGS)
