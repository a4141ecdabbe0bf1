"""The order of typed steps: what was chosen is what is recorded, and a refusal names what forbids the sequence."""

import random

import pytest
from harness.walks import walk

from engine.core.errors import RuleError
from engine.games.abak import GAME

TRAPS = "ABAKID=11/D/E/1/s/9:-:0:0:1:32:0:0:0:0:10"
"""A black soldier alone on 10, the druid on 13, the even wounded on 12 (abak.md, Worked cases)."""
WASTES = "ABAKID=S/4/ss/8/S/2/ss/6:-:0:0:1:32:0:0:0:0:10"
"""24/22 would leave the 3 unplayed; 10/7 is blocked."""


@pytest.mark.parametrize("text", ["13/10^ 12/10", "12/10* 13/10"])
def test_where_the_order_matters_it_is_recorded_as_chosen(text: str) -> None:
    state = GAME.decode(TRAPS)
    typed = text.replace("^", "").replace("*", "")
    assert GAME.format(state, GAME.parse(state, typed)) == text


def test_every_recorded_turn_leads_where_the_chosen_steps_lead() -> None:
    """In any order that the steps were chosen, also half-way through the turn."""
    rng, seen = random.Random(2), 0
    for state in walk(GAME, rng, turns=60):
        after, steps = state, []
        while GAME.to_act(after) == GAME.to_act(state):
            steps.append(rng.choice(GAME.legal(after)))
            after = GAME.apply(after, steps[-1])
            replayed = state
            for step in GAME.parse(state, GAME.format(state, steps)):
                replayed = GAME.apply(replayed, step)
            assert replayed == after
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("text", ["24/22 10/7", "10/7 24/22"])
def test_a_sequence_is_refused_for_the_step_that_no_stone_may_make(text: str) -> None:
    state = GAME.decode(WASTES)
    with pytest.raises(RuleError) as refused:
        GAME.parse(state, text)
    assert (refused.value.key, refused.value.params["point"]) == ("abak.blocked", 7)


def test_a_step_that_wastes_dice_is_refused_for_that() -> None:
    with pytest.raises(RuleError, match=r"abak\.more_dice"):
        GAME.parse(GAME.decode(WASTES), "24/22")
