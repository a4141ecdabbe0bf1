"""Tests the features and values of positions for the players of games with points."""

from typing import Any

import pytest
from fakes.xgid import xgid
from harness.chances import before_rolls, points_player

from engine.ai.cube import Stakes
from engine.ai.points import RESULTS
from engine.games.abak.board import seen_from
from engine.registry import find

KEYS = ("backgammon", "abak")


def mirrored(state: Any) -> Any:
    """Returns the same position with the sides exchanged."""
    if hasattr(state, "white"):
        return state._replace(white=state.black, black=state.white, turn=1 - state.turn)
    columns = tuple(column.swapcase() for column in seen_from(state.columns, 1))
    bar, off = (tuple(text.swapcase() for text in reversed(pair)) for pair in (state.bar, state.off))
    return state._replace(columns=columns, bar=bar, off=off, turn=1 - state.turn)


@pytest.mark.parametrize("key", KEYS)
def test_both_sides_are_seen_alike(key: str) -> None:
    found = points_player(key, 5)
    for state in before_rolls(find(key), 3)[::3]:
        mover = 1 - state.turn
        assert found.chances(state, mover) == found.chances(mirrored(state), 1 - mover)


@pytest.mark.parametrize("key", KEYS)
def test_features_are_numbered_within_the_weights(key: str) -> None:
    found = points_player(key, 5)
    assert len(found.model.weights) == found.size
    seen = set()
    for seed in range(4):
        for state in before_rolls(find(key), seed):
            numbers = [number for number, _ in found.features(state, 1 - state.turn)]
            assert 0 <= min(numbers) <= max(numbers) < found.size
            seen.update(numbers)
    assert len(seen) > found.size / 3


@pytest.mark.parametrize("key", KEYS)
def test_chances_are_probabilities_and_gammons_are_wins(key: str) -> None:
    found = points_player(key, 5)
    for state in before_rolls(find(key), 5):
        chances = found.chances(state, 1 - state.turn)
        assert 0 <= chances.gammon <= chances.win <= 1
        assert 0 <= chances.gammoned <= 1 - chances.win + 1e-9


# Black, to play, has fifteen checkers on its last points unless it says otherwise; White has borne off nearly all.
@pytest.mark.parametrize(
    ("white", "black", "points"),
    [
        ({1: 2}, {1: 12, 2: 2}, 1),
        ({1: 2}, {12: 15}, 2),  # a gammon is sure
        ({1: 2}, {1: 14, 7: 1}, None),  # nobody knows whether it is one
        ({1: 2}, {1: 2}, None),
        ({1: 2, 24: 1}, {1: 14, 2: 1}, None),  # it may still hit
    ],
)
def test_a_race_is_resigned_where_it_is_lost_for_sure(
    white: dict[int, int], black: dict[int, int], points: int | None
) -> None:
    game = find("backgammon")
    state = game.decode(xgid(white, black, "0:0:-1:00:0:0:0:0:10"), {"cube": "on"})
    assert points_player("backgammon", 5).resign(state, -1.0) == points


def test_results_are_worth_their_points() -> None:
    money = Stakes(points=1, middle=0, unit=1, gammon=2, gammoned=2, backgammon=3, backgammoned=3)
    assert {points: money.equity(won) for points, won in RESULTS.items()} == {1: 1, 2: 2, 3: 3}
    assert {points: money.equity(won.turned()) for points, won in RESULTS.items()} == {1: -1, 2: -2, 3: -3}
