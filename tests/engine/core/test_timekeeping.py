"""Games with a clock: for whom it runs, and how a game is lost when time is up."""

import pytest
from fakes.timed import noted, opened, played, refused

from engine.core.clock import LAG
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Entry, Header, Kind
from engine.core.table import Table
from engine.core.timekeeping import ABORT_TURNS, uncounted
from engine.registry import find

# --- the clock of a game ---------------------------------------------------------------------------------------------


def test_the_clock_runs_for_whoever_is_to_act() -> None:
    table = played(1)
    assert table.clock is not None
    assert (table.clock.running, table.deadline) == (1, HOUR + DAY)
    assert opened("").clock is None
    assert opened("").deadline is None


def test_an_offer_does_not_stop_the_clock() -> None:
    table = played(1).make_offer(1, "draw", 2 * HOUR)
    assert table.deadline == HOUR + DAY
    assert table.answer(0, 3 * HOUR, accept=False).deadline == HOUR + DAY


def test_roll_and_play_share_an_allowance_and_luck_takes_no_time() -> None:
    table = opened("10m", options=(("heap", 60),))
    assert table.deadline is None
    table = noted(table, MINUTE, Kind.CHANCE, -1, "3")
    assert table.deadline == 11 * MINUTE
    table = table.play(0, "2", 2 * MINUTE)
    assert table.deadline is None
    table = noted(table, 5 * MINUTE, Kind.CHANCE, -1, "1")
    assert table.clock is not None
    assert (table.deadline, table.clock.banks) == (15 * MINUTE, (9 * MINUTE, 10 * MINUTE))
    table = table.append(Entry(5 * MINUTE, Kind.FORCED, 1, "1")).append(Entry(6 * MINUTE, Kind.CHANCE, -1, "2"))
    assert table.clock is not None
    assert (table.deadline, table.clock.banks) == (15 * MINUTE, (9 * MINUTE, 10 * MINUTE))


def test_a_game_that_is_over_has_no_deadline() -> None:
    table = played(1).resign(1, 2, 2 * HOUR)
    assert table.deadline is None
    assert table.counts
    assert refused(table.time_out, 9 * DAY) == "table.over"


def test_a_conditional_move_is_a_turn_like_any() -> None:
    table = opened().play(0, "1", HOUR, conditional=True)
    assert str(table.record.entries[-1]) == f"{HOUR} conditional 0 1"
    assert table.state == opened().play(0, "1", HOUR).state
    assert table.offer_takeback(0, HOUR).answer(1, HOUR, accept=True).state == opened().state


# --- time is up, the game is lost ------------------------------------------------------------------------------------


def test_time_up_loses_and_is_dated_when_it_was() -> None:
    table = played(ABORT_TURNS)
    due = ABORT_TURNS * HOUR + DAY + LAG
    assert refused(table.time_out, due - 1) == "table.time_left"
    over = table.time_out(due + 5 * DAY)
    assert str(over.record.entries[-1]) == f"{due} timeout 0"
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == (1, "end.time")
    assert over.counts
    assert refused(over.time_out, due + 6 * DAY) == "table.over"


def test_a_time_out_is_never_dated_before_the_last_entry() -> None:
    late = 9 * DAY
    table = noted(played(ABORT_TURNS), late, Kind.AWAY, 1, f"{late} {10 * DAY}")
    assert table.time_out(late).record.entries[-1].at == late


def test_time_up_after_few_turns_aborts() -> None:
    over = played(ABORT_TURNS - 1).time_out(9 * DAY)
    assert over.outcome is not None
    assert (over.outcome.points, over.outcome.reason) == ((0, 0), "end.aborted")
    assert not over.counts


def test_a_loss_by_time_may_be_uncounted() -> None:
    table = played(ABORT_TURNS)
    over = table.append(uncounted(table.time_out(9 * DAY).record.entries[-1]))
    assert over.record.entries[-1].body == "uncounted"
    assert over.outcome is not None
    assert over.outcome.winner == 1
    assert not over.counts


def test_the_points_lost_by_time_are_the_least_that_could_be_resigned() -> None:
    game = find("backgammon")
    start = Table.open(game, Header("backgammon", 1, "b1", 0, clock="1d/move", timeout_policy="loss"))
    rolls = iter(["31", "42", "53", "61", "65"])
    table = start.settle(0, lambda _: next(rolls))
    for number in range(ABORT_TURNS):
        seat = table.to_act
        assert seat is not None
        steps, _ = game.turns(table.state)[0]
        table = table.play(seat, game.format(table.state, steps), number).settle(number, lambda _: next(rolls))
    late = table.to_act
    over = table.time_out(9 * DAY)
    assert over.outcome is not None
    assert late is not None
    assert over.outcome.winner == 1 - late
    assert abs(over.outcome.points[0]) == game.resign_values(table.state, late)[0]


def test_nothing_is_taken_once_time_is_up() -> None:
    table = played(2)
    offered = table.make_offer(1, "draw", 3 * HOUR)
    late = 2 * HOUR + DAY + LAG
    assert table.play(0, "1", late - 1).clock is not None
    assert refused(table.play, 0, "1", late) == "table.time_up"
    assert refused(table.append, Entry(late, Kind.PLAY, 0, "1")) == "table.time_up"
    assert refused(table.resign, 0, 1, late) == "table.time_up"
    assert refused(table.make_offer, 1, "draw", late) == "table.time_up"
    assert refused(table.offer_takeback, 1, late) == "table.time_up"
    assert refused(offered.answer, 0, late, accept=True) == "table.time_up"
    assert refused(table.resume, 0, late) == "table.time_up"
    assert refused(table.claim, 1, "win", late) == "table.time_up"


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        (Entry(2 * DAY, Kind.TIMEOUT, 1), "table.time_left"),
        (Entry(DAY, Kind.TIMEOUT, 0), "table.time_left"),
        (Entry(2 * DAY, Kind.TIMEOUT, 0, "perhaps"), "table.bad_entry"),
    ],
)
def test_a_time_out_that_is_none_is_refused(entry: Entry, key: str) -> None:
    assert refused(played(2).append, entry) == key
