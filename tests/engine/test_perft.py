"""The counts of the rule books: ``id``, ``position`` and ``perft DEPTH COUNT`` lines in
tests/perft/KEY-VERSION.perft.
"""

from pathlib import Path

import pytest

from engine.core.search import perft
from engine.registry import RULES, find

FILES = Path(__file__).parents[1] / "perft"
MANY = 500_000
"""Positions whose count takes long. In Abak those of MANY positions are thorough: each takes fifteen seconds."""
SEVERAL = 120_000
"""In Abalone, of which many layouts have counts, those of so many are thorough."""


def cases() -> list[tuple[str, int, str, str, int, int]]:
    found = []
    for path in sorted(FILES.glob("*.perft")):
        key, _, version = path.stem.partition("-")
        name = position = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            word, _, rest = line.strip().partition(" ")
            if word == "id":
                name = rest
            elif word == "position":
                position = rest
            elif word == "perft":
                depth, count = rest.split()
                found.append((key, int(version), name, position, int(depth), int(count)))
            elif word and not word.startswith("#"):
                raise AssertionError(f"{path.name}: {line}")
    return found


CASES = cases()


def slow(game: str, count: int) -> tuple[pytest.MarkDecorator, ...]:
    if game == "abalone" and count > SEVERAL:
        return (pytest.mark.thorough,)
    if count <= MANY:
        return ()
    return (pytest.mark.thorough,) if game == "abak" else (pytest.mark.long,)


@pytest.mark.parametrize(
    ("game", "version", "name", "position", "depth", "count"),
    [pytest.param(*case, marks=slow(case[0], case[-1])) for case in CASES],
    ids=[f"{c[0]}-{c[1]}-{c[2]}-{c[4]}" for c in CASES],
)
def test_counts(game: str, version: int, name: str, position: str, depth: int, count: int) -> None:
    rules = find(game, version)
    state = rules.decode(position)
    assert perft(rules, state, depth) == count, name


def test_every_version_of_every_game_has_counts() -> None:
    assert {case[:2] for case in CASES} == set(RULES)
