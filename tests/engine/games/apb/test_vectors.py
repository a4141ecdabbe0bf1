"""Cases made by a program that shares no code with this one (tests/vectors)."""

import pytest
from harness.vectors import vectors

from engine.games.apb import GAME, PASS

CASES = vectors("apb")


def test_there_are_cases() -> None:
    assert len(CASES) == 500


@pytest.mark.parametrize("part", range(10))
def test_every_step_leads_to_the_rows_given(part: int) -> None:
    for case in CASES[part::10]:
        state = GAME.decode(case["position"])
        assert GAME.encode(state) == case["position"]
        results = {
            str(step): GAME.encode(GAME.apply(state, step)).split()[0] for step in GAME.legal(state) if step != PASS
        }
        assert results == case["results"], case["position"]


@pytest.mark.parametrize("part", range(5))
def test_the_texts_of_their_steps_are_read_back(part: int) -> None:
    for case in CASES[part::5]:
        state = GAME.decode(case["position"])
        for step in GAME.legal(state):
            text = GAME.format(state, (step,))
            assert GAME.parse(state, text) == (step,)
            assert GAME.parse(state, str(step)) == (step,)
