"""Laws of every format: damaged files are refused, the documentation's examples are read, keys are complete."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from harness.matches import NAMES, random_game, random_match

from engine import exchange
from engine.core.errors import RuleError
from engine.exchange import FORMATS, Games
from engine.exchange.decisions import replayed_game
from engine.kits.cube import ON
from engine.registry import GAMES

ROOT = Path(__file__).parents[3]
SPEAKERS = {"RuleError", "BadNotation", "_PointsDiffer"}
SIGNS = '0123456789:/*()[]";- \nabxXSsDw?'


def samples(form: str) -> list[str]:
    """Returns a text of each game that the format knows."""
    rng = random.Random(17)
    found = []
    for key in FORMATS[form].games or tuple(GAMES):
        dice = key in {"backgammon", "abak"}
        record = random_game(key, rng, {"cube": ON} if dice else {}, most=25)
        found.append(exchange.write(record, form, NAMES))
    if form in {"mat", "record", "json", "xgid"}:
        found.append(exchange.write(random_match(rng, 2), form))
    return found


def damaged(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    until = min(len(text), at + rng.choice((1, 1, 1, 2, 5, 40)))
    lines = text.split("\n")
    line = rng.randrange(len(lines))
    return rng.choice(
        (
            text[:at] + text[until:],
            text[:at] + rng.choice(SIGNS) + text[until:],
            text[:at] + text[at:until] * 2 + text[until:],
            text[:at],
            "\n".join(lines[:line] + lines[line + 1 :]),
            "\n".join([*lines[:line], lines[rng.randrange(len(lines))], *lines[line:]]),
        )
    )


@pytest.mark.parametrize("form", FORMATS)
def test_a_damaged_file_is_read_or_refused(form: str) -> None:
    rng = random.Random(form)
    refused = 0
    for text in samples(form):
        for _ in range(40):
            spoilt = text
            for _ in range(rng.randrange(1, 4)):
                spoilt = damaged(spoilt, rng) or text
            try:
                content = exchange.read(spoilt, rng.choice((form, None)))
            except RuleError:
                refused += 1
            else:
                exchange.write(content, "json" if hasattr(content, "games") else "position")
    assert refused > 5


def test_the_examples_of_the_documentation_are_read() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    mat, apgn, positions = blocks
    assert [exchange.detect(text) for text in (mat, apgn)] == ["mat", "apgn"]
    match, games = exchange.read(mat), exchange.read(apgn)
    ours, theirs = (text.partition(" Game 1")[2].split() for text in (exchange.write(match, "mat"), mat))
    assert ours == theirs
    assert isinstance(games, Games)
    outcome = replayed_game(games.games[0]).table.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.points) == ("end.resigned", (1, -1))
    assert [exchange.detect(line) for line in positions.splitlines()] == ["xgid", "gnubgid", "abakid"]
    named = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert named == set(FORMATS)
