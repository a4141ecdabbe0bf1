"""Races between a few checkers, in both games with points."""

import pytest
from harness.chances import points_player

from engine.ai.bearoff import first, mean
from engine.registry import find

RACES = [
    ("backgammon", "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10", 19),
    ("abak", "ABAKID=s/18/S/2/S/1:-:0:0:1:00:0:0:0:0:10", 19),
    # The even wounded needs a 6, or within the home first a 2 or 4: 2-2, 4-4, 4-2, 4-3, 5-2, 5-4.
    ("abak", "ABAKID=s/17/E/5:-:0:0:1:00:0:0:0:0:10", 11 + 2 + 8),
]


@pytest.mark.parametrize(("key", "text", "rolls"), RACES)
def test_what_ends_with_this_roll_is_counted_exactly(key: str, text: str, rolls: int) -> None:
    state = find(key).decode(text)
    assert points_player(key, 5).chances(state, 1).turned().win == pytest.approx(rolls / 36)


def test_the_mean_number_of_rolls() -> None:
    rolls = points_player("backgammon", 5).rolls_left(find("backgammon").decode(RACES[0][1]))
    assert rolls is not None
    white, black = rolls
    assert black[:2] == (0.0, 1.0)
    assert white[1] == pytest.approx(19 / 36)
    assert mean(white) == pytest.approx(2 - 19 / 36, abs=0.01)
    assert sum(white) == pytest.approx(1)
    assert first(white, black) == white[1]
    assert first((1.0,), black) == 1.0
