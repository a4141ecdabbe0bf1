"""Ladders: who may challenge whom, and what becomes of the order."""

import pytest

from engine.tournament.formats import ladder
from engine.tournament.formats.ladder import DAY, LadderRules
from engine.tournament.model import Entrant, Pairing, Result

ORDER = (10, 20, 30, 40, 50, 60)
RULES = LadderRules(reach=3, again_days=7, idle_days=30)


def may(challenger: int, opponent: int, running: tuple[int, ...] = (), last_met: int | None = None) -> str:
    return ladder.may_challenge(ORDER, RULES, running, last_met, challenger, opponent, 100 * DAY)


@pytest.mark.parametrize(
    ("challenger", "opponent", "why"),
    [
        (40, 30, ""),
        (40, 10, ""),
        (50, 10, "ladder.too_far"),
        (30, 40, "ladder.not_above"),
        (30, 30, "ladder.yourself"),
        (70, 30, "ladder.not_on_it"),
        (30, 70, "ladder.opponent_not_on_it"),
    ],
)
def test_one_challenges_upwards_within_reach(challenger: int, opponent: int, why: str) -> None:
    assert may(challenger, opponent) == why


def test_who_plays_is_not_challenged() -> None:
    assert may(40, 30, running=(40,)) == "ladder.busy"
    assert may(40, 30, running=(30,)) == "ladder.opponent_busy"
    assert may(40, 30, running=(10, 20)) == ""


def test_two_wait_before_they_meet_again() -> None:
    assert may(40, 30, last_met=93 * DAY + 1) == "ladder.met_lately"
    assert may(40, 30, last_met=93 * DAY) == ""


@pytest.mark.parametrize(
    ("first", "second", "result", "after"),
    [
        (50, 20, Result.FIRST_WINS, (10, 50, 20, 30, 40, 60)),
        (20, 50, Result.SECOND_WINS, (10, 50, 20, 30, 40, 60)),
        (50, 20, Result.FIRST_WINS_BY_FORFEIT, (10, 50, 20, 30, 40, 60)),
        (60, 50, Result.FIRST_WINS, (10, 20, 30, 40, 60, 50)),
        (50, 20, Result.SECOND_WINS, ORDER),
        (50, 20, Result.DRAW, ORDER),
        (50, 20, Result.BOTH_FORFEIT, ORDER),
        (50, 20, None, ORDER),
        (99, 20, Result.FIRST_WINS, ORDER),
    ],
)
def test_the_winner_from_below_takes_the_place(
    first: int, second: int, result: Result | None, after: tuple[int, ...]
) -> None:
    assert ladder.after(ORDER, Pairing(1, 0, 1, first, second, result=result)) == after


@pytest.mark.parametrize(
    ("idle", "after"),
    [
        ((), ORDER),
        ((10,), (20, 10, 30, 40, 50, 60)),
        ((10, 20), (30, 10, 20, 40, 50, 60)),
        ((20, 50), (10, 30, 20, 40, 60, 50)),
        ((60,), ORDER),
        ((50, 60), ORDER),
        (ORDER, ORDER),
    ],
)
def test_the_idle_sink_by_one_place(idle: tuple[int, ...], after: tuple[int, ...]) -> None:
    now = 100 * DAY
    last = {one: 70 * DAY if one in idle else 70 * DAY + 1 for one in ORDER}
    assert ladder.idle_ones(ORDER, last, RULES, now) == idle
    assert ladder.idle(ORDER, last, RULES, now) == after
    assert ladder.idle(ORDER, last, LadderRules(idle_days=0), now) == ORDER


def test_joining_and_leaving() -> None:
    assert ladder.join(ORDER, 70) == (*ORDER, 70)
    assert ladder.leave(ORDER, 20) == (10, 30, 40, 50, 60)
    with pytest.raises(ValueError, match="already"):
        ladder.join(ORDER, 20)


def test_the_order_by_results_alone() -> None:
    entrants = [Entrant(one, seed) for seed, one in enumerate(ORDER, start=1)]
    rows = [Pairing(1, 0, 2, 60, 40, result=Result.FIRST_WINS), Pairing(1, 0, 1, 40, 10, result=Result.FIRST_WINS)]
    assert ladder.order(entrants, rows) == (60, 40, 10, 20, 30, 50)


@pytest.mark.parametrize("rules", [{"reach": 0}, {"again_days": -1}, {"idle_days": -1}])
def test_rules_that_cannot_be(rules: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="no rules"):
        LadderRules(**rules)
