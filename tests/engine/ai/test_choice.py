"""Tests the choice among the candidates."""

from collections import Counter
from typing import Any

from fakes.toy import Heap, Nim

from engine.ai.choice import WORST, choose
from engine.ai.contract import Candidate, Limit, Player, no_limit

SEEDS = 400


class Cautious(Player[Heap, int]):
    temperatures = (0.2, 0.0)

    def candidates(
        self, state: Heap, limit: Limit = no_limit, earlier: frozenset[Heap] = frozenset()
    ) -> list[Candidate[int]]:
        raise NotImplementedError


def chosen(level: int, *values: float) -> Counter[int]:
    """Counts how often each candidate is chosen, over many seeds. The candidates have these values."""
    candidates = [Candidate((number,), value) for number, value in enumerate(values)]
    machine, state = Cautious(Nim(), level), Heap(21)
    return Counter(choose(machine, state, candidates, str(seed)).steps[0] for seed in range(SEEDS))


def test_without_temperature_the_best_is_played() -> None:
    assert chosen(2, 0.1, 0.09, 0.0) == {0: SEEDS}


def test_the_worse_a_candidate_the_rarer_it_is_played() -> None:
    found = chosen(1, 0.0, -0.1, -0.3)
    assert found[0] > found[1] > found[2] > 0


def test_what_loses_too_much_is_never_played() -> None:
    found: Any = chosen(1, 0.0, -0.2 * WORST - 0.01, -0.2)
    assert found[1] == 0 < found[2]


def test_a_won_game_is_not_thrown_away() -> None:
    assert chosen(1, 1.0, 0.8) == {0: SEEDS}
    assert chosen(1, 0.9, 0.7, 0.2).keys() == {0}
