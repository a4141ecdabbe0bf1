"""The documentation: its links lead somewhere, its commands exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.services.absence import BUDGET_DAYS, LONGEST_DAYS, SHORTEST
from bot.services.preferences import DEFAULTS
from bot.services.pulse import GAP_MS
from bot.services.quiet import LEAST, SPENT
from bot.ui.clocks import readings
from engine.core.clock import LAG, MOST, SECOND
from engine.core.hours import DAY, HOUR, LONGEST_REST
from engine.core.timekeeping import ABANDONED, ABORT_TURNS

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path) if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_files_that_are_named_exist(page: Path) -> None:
    """From the root, or from the bot's own folder."""
    inner = re.findall(r"`(?:python )?([a-z_]+/[\w./-]*)`", page.read_text(encoding="utf-8"))
    assert len(inner) > 2
    assert [path for path in inner if not ((ROOT / path).exists() or (ROOT / "bot" / path).exists())] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"\babakbot (run|sandbox|settings|health|migrate|[a-z]+)`", text)) <= set(main.commands)


def test_the_readme_has_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    starting = [block.strip() for block in blocks if block.startswith("python3 -m venv")]
    assert [block.count("\n") for block in starting] == [0, 0]
    assert starting[0].endswith("abakbot sandbox")
    assert starting[1].endswith("scripts/check")


def test_the_engine_answers_as_the_readme_says() -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "engine", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for call in ("games", "start", "legal", "play", "perft", "verify"):
        assert call in asked.stdout
        assert f"`{call}" in text


@pytest.mark.parametrize("name", ["time.md", "time.es.md"])
def test_the_time_rules_are_those_of_the_code(name: str) -> None:
    """The figures of the page, in the order in which it gives them."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    figures = (
        MOST["bank"] // DAY,
        MOST["per_turn"] // DAY,
        LAG // SECOND,
        GAP_MS // SECOND,
        LONGEST_REST // 60,
        SHORTEST // DAY,
        LONGEST_DAYS,
        BUDGET_DAYS,
        DEFAULTS["server"]["vacation"],
        ABORT_TURNS,
        ABANDONED // DAY,
        SPENT,
        LEAST // HOUR,
    )
    text = text[text.index("`s`:") :]
    for figure in figures:
        found = re.search(rf"\b{figure}\b", text)
        assert found, figure
        text = text[found.start() :]


def test_the_time_controls_of_the_pages_are_read_as_the_tables_say() -> None:
    """Each as it is written in that language; and those in words."""
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("time.md", "time.es.md")]
    tables = [re.findall(r"^\| `([^`]+)`", page, re.MULTILINE) for page in pages]
    meant = ["3d/move", "3d+12h", "10m", "10m+5s", "10m 5s/move"]
    assert [[readings(written)[0] for written in table] for table in tables] == [meant, meant]
    for page in pages:
        weeks, minutes = re.findall(r"`(2 [^`]+|10 [^`]+)`", page)
        assert (readings(weeks)[0], readings(minutes)[0]) == ("14d/move", "10m+5s")
        units = re.findall(r" `([a-z]{1,3})`", page)
        assert [readings(f"20{unit}+1h")[0] if unit in "dhms" else readings(f"4{unit}/move")[0] for unit in units] == [
            "28d/move",
            "20d+1h",
            "20h+1h",
            "20m+1h",
            "20s+1h",
        ]
