"""Tests the players that the machine is only measured against."""

import random
from typing import Any

import pytest

from benchmarks.levels import played
from benchmarks.newcomer import newcomer
from benchmarks.safe_random import safe_random
from engine.ai.apb.clearing import wins
from engine.registry import find

EJECTS_NEXT = "wbb2/6/7/8/9/8/7/6/w4 b {} 0"
"""Black can push a white marble off; it has no other move of more than a marble's worth."""


def test_a_newcomer_makes_a_point_rather_than_leave_a_blot() -> None:
    game = find("backgammon")
    opening = game.decode("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", {})
    found = newcomer(game)(opening, frozenset())
    made = next(
        after for moves, after in game.turns(opening) if {(m.source, m.target) for m in moves} == {(8, 5), (6, 5)}
    )
    assert found == made


def test_a_newcomer_ejects_but_repeats_no_position() -> None:
    game = find("abalone")
    state = game.decode(EJECTS_NEXT.format(0), {})
    found = newcomer(game)(state, frozenset())
    assert found.ejected == (1, 0)
    assert newcomer(game)(state, frozenset({found})).ejected == (0, 0)


@pytest.mark.parametrize("key", ["backgammon", "abak", "apb"])
def test_newcomers_end_their_games(key: str) -> None:
    game = find(key)
    outcome = played(game, (newcomer(game), newcomer(game)), random.Random(1))
    assert outcome is not None
    assert outcome.has_result


def test_safe_chance_wins_at_once_or_leaves_no_win() -> None:
    game = find("apb")
    turn = safe_random(random.Random(1))
    state = game.start(game.settle_options({}))
    won = False
    for _ in range(100):
        could = wins(state)
        state = turn(state, frozenset())
        won = game.to_act(state) is None
        assert won or not could
        if won:
            break
    assert won


@pytest.mark.thorough  # numba compiles it
def test_the_usual_negamax_takes_a_win_and_searches_no_more_than_it_may() -> None:
    pytest.importorskip("numba", reason="numba is an extra: pip install -e '.[fast]'")
    from benchmarks.negamax import Negamax

    game: Any = find("abalone")
    search = Negamax(game.decode(EJECTS_NEXT.format(5), {}), 5000, frozenset())
    assert search.ranked(30, 0)[0][1].ejects
    start = Negamax(game.start(game.settle_options({})), 5000, frozenset())
    assert start.ranked(30, 0)
    assert start.nodes[0] == 5000
