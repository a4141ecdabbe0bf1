"""The counts of the rule books: ``id``, ``position`` and ``perft DEPTH COUNT`` lines in tests/perft."""

from pathlib import Path

import pytest

from engine.core.search import perft
from engine.registry import GAMES, find

FILES = Path(__file__).parents[1] / "perft"


def cases() -> list[tuple[str, str, str, int, int]]:
    found = []
    for path in sorted(FILES.glob("*.perft")):
        name = position = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            word, _, rest = line.strip().partition(" ")
            if word == "id":
                name = rest
            elif word == "position":
                position = rest
            elif word == "perft":
                depth, count = rest.split()
                found.append((path.stem, name, position, int(depth), int(count)))
            elif word and not word.startswith("#"):
                raise AssertionError(f"{path.name}: {line}")
    return found


CASES = cases()


@pytest.mark.parametrize(
    ("game", "name", "position", "depth", "count"), CASES, ids=[f"{c[0]}-{c[1]}-{c[3]}" for c in CASES]
)
def test_counts(game: str, name: str, position: str, depth: int, count: int) -> None:
    rules = find(game)
    state = rules.decode(position)
    assert perft(rules, state, depth) == count, name


def test_every_game_has_counts() -> None:
    assert {case[0] for case in CASES} == set(GAMES)
