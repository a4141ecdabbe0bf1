"""Tests how a game begins, how the dice are rolled, and how it ends (abak.md, backgammon.md)."""

from __future__ import annotations

import pytest
from harness.abak import FAR, Place, played

from engine.core.errors import IllegalMove
from engine.core.game import CHANCE
from engine.games.abak import GAME, PASS
from engine.kits.dice import OPENINGS, Roll


def test_the_opening_is_one_die_a_side() -> None:
    state = GAME.start({})
    assert GAME.to_act(state) == CHANCE
    assert list(GAME.legal(state)) == list(OPENINGS)
    assert {GAME.weight(state, roll) for roll in OPENINGS} == {1}
    assert GAME.apply(state, Roll(4, 4)) == state
    white, black = GAME.apply(state, Roll(5, 2)), GAME.apply(state, Roll(2, 5))
    assert (white.turn, white.dice, white.opening) == (0, (5, 2), False)
    assert (black.turn, black.dice, black.opening) == (1, (5, 2), False)


def test_rolls_have_their_weights(place: Place) -> None:
    state = place(FAR | {8: "S"})
    assert sum(GAME.weight(state, roll) for roll in GAME.legal(state)) == 36
    assert GAME.apply(state, Roll(3, 3)).dice == (3, 3, 3, 3)
    for roll in (Roll(1, 2), Roll(7, 1)):
        with pytest.raises(IllegalMove, match=r"abak\.no_such_roll"):
            GAME.apply(state, roll)
    with pytest.raises(IllegalMove, match=r"abak\.roll_first"):
        GAME.apply(state, PASS)
    with pytest.raises(IllegalMove, match=r"abak\.roll_first"):
        GAME.parse(state, "8/5")


ARMY = "sssssssssggkdeo"
ENDS = {
    "single": ({19: "sss"}, "-", 1, "10", 1),
    "gammon": ({18: "sssss", 17: "ssss", 16: "ggkde", 15: "o"}, "-", 2, "10", 2),
    "backgammon, in the home": ({1: "sssss", 17: "ssss", 16: "ggkde", 15: "o"}, "-", 3, "10", 3),
    "backgammon, on the bar": ({18: "sssss", 17: "ssss", 16: "ggkde"}, "o", 3, "10", 3),
    "single, though on the bar": ({18: "sssss"}, "o", 1, "10", 1),
}


@pytest.mark.parametrize(("board", "bar", "level", "rest", "points"), ENDS.values(), ids=list(ENDS))
def test_the_end_counts(place: Place, board: dict[int, str], bar: str, level: int, rest: str, points: int) -> None:
    last = place(board | {2: "S"}, 21, bar=bar, rest=rest)
    after = played(last, "2/off")
    assert GAME.to_act(after) is None
    assert not GAME.legal(after)
    assert not GAME.turns(after)
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert outcome.points == (points, -points)
    assert outcome.reason == {1: "end.single", 2: "end.gammon", 3: "end.backgammon"}[level]
    assert GAME.outcome(after._replace(fields=after.fields.__class__(cube="2"))).points == (4 * points, -4 * points)
    with pytest.raises(IllegalMove, match=r"abak\.over"):
        GAME.apply(after, PASS)
    with pytest.raises(IllegalMove, match=r"abak\.over"):
        GAME.parse(after, "2/off")


def test_black_wins_likewise(place: Place) -> None:
    after = played(place({23: "s", 24: "SS", 3: "SS"}, 21, turn=1), "2/off")
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert outcome.points == (-1, 1)


def test_what_can_be_resigned_for(place: Place) -> None:
    assert GAME.resign_values(GAME.start({}), 0) == (1, 2, 3)
    assert GAME.resign_values(place(FAR | {8: "S"}), 0) == (1,)
