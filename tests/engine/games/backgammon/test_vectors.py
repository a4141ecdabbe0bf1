"""Cases made by programs that share no code with this one (tests/vectors): the boards after each distinct turn."""

import pytest
from harness.thinning import one_of
from harness.vectors import vectors

from engine.games.backgammon import GAME

CASES = vectors("backgammon")
BOARD = slice(5, 31)
GROUPS = 10


@pytest.mark.parametrize("group", range(GROUPS))
def test_results(group: int) -> None:
    for case in CASES[group::GROUPS]:
        state = GAME.decode(case["position"])
        found = sorted(GAME.encode(after)[BOARD] for _, after in GAME.turns(state))
        assert found == sorted(case["results"] or [case["position"][BOARD]]), case["position"]


@one_of("group", range(GROUPS))
def test_every_turn_survives_its_text(group: int) -> None:
    for case in CASES[group::GROUPS]:
        state = GAME.decode(case["position"])
        assert GAME.encode(state) == case["position"]
        texts = set()
        for steps, after in GAME.turns(state):
            text = GAME.format(state, steps)
            at = state
            for step in GAME.parse(state, text):
                at = GAME.apply(at, step)
            assert at == after, (case["position"], text)
            assert GAME.format(state, GAME.parse(state, text)) == text
            texts.add(text)
        assert len(texts) == len(GAME.turns(state)), case["position"]
        assert ("pass" in texts) == (case["results"] == [])


def test_there_are_cases_of_every_kind() -> None:
    assert len(CASES) == 1500
    assert {"one_die_only", "larger_die", "no_move", "partial_doubles_3", "one_order_only", "wins_game"} <= {
        tag for case in CASES for tag in case["tags"]
    }
