"""Tests the measurement of mistakes, with a judge that says what the test wants."""

import random
from collections.abc import Sequence
from itertools import islice
from typing import Any

from benchmarks.levels import Machine
from benchmarks.mistakes import BEST, GNU, KINDS, Decision, decision, decisions, losses
from engine.games.backgammon import GAME, State

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


class Judge:
    """Likes the turns in the order of the list, at 2-ply the other way round, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def judge(self, states: Sequence[State], plies: int = 0) -> list[float]:
        self.asked.append(len(states))
        return [(-number if plies else number) / 10 for number in range(len(states))]

    def __call__(self, state: State) -> State:
        return GAME.turns(state)[0][1]


def test_the_best_turns_are_judged_and_the_loss_is_against_the_best_of_them() -> None:
    judge: Any = Judge()
    found = decision(judge, GAME.decode(OPENING, {}))
    afters = [GAME.encode(after) for _, after in GAME.turns(GAME.decode(OPENING, {}))]
    assert [*found.judged] == afters[:BEST]
    assert (found.gnu, found.loss(found.gnu)) == (afters[0], 0.5)
    assert found.loss(afters[BEST - 1]) == 0


def test_a_turn_that_was_not_judged_is_judged_once() -> None:
    judge: Any = Judge()
    machine = Machine(GAME, 7)
    state = GAME.decode(OPENING, {})
    other = next(text for text in map(GAME.encode, (after for _, after in GAME.turns(state))) if "A" in text)
    asked = Decision(OPENING, {other: -0.2}, other)
    assert losses(judge, [machine], asked) == {7: 0.2, GNU: 0.0}
    assert losses(judge, [machine], asked) == {7: 0.2, GNU: 0.0}
    assert judge.asked == [1]


def test_decisions_have_a_choice_and_a_kind() -> None:
    judge: Any = Judge()
    kinds = set()
    for found in islice(decisions(judge, random.Random(1)), 60):
        assert len(found.judged) > 1
        kinds.add(KINDS[found.kind])
    assert len(kinds) > 1
    assert Decision(OPENING, {}, "").kind == KINDS.index("both at the back")
