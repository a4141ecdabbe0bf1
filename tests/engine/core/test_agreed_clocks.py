"""Tests agreements about the clock: pauses, another time control, taking back."""

from fakes.timed import NIM, noted, opened, overdue, paused, played, refused

from engine.core.clock import TimeControl
from engine.core.game import CHANCE
from engine.core.hours import DAY, HOUR
from engine.core.progress import Resuming
from engine.core.record import Entry, Kind, dump, load
from engine.core.table import Table


def test_a_pause_by_agreement_stops_the_clock_until_both_want_to_go_on() -> None:
    table = paused()
    assert table.paused
    assert table.deadline is None
    assert table.offer is None
    assert refused(table.time_out, 99 * DAY) == "table.time_left"
    assert not table.may_claim(1, 99 * DAY)
    for seat in (0, 1):
        asked = table.resume(seat, 9 * DAY)
        assert asked.paused
        assert asked.deadline is None
        assert asked.resuming == Resuming(seat, 10 * DAY)
        assert refused(asked.resume, seat, 9 * DAY) == "table.resume_asked"
        resumed = asked.resume(1 - seat, 9 * DAY + HOUR)
        assert not resumed.paused
        assert resumed.resuming is None
        assert resumed.deadline == 9 * DAY + HOUR + DAY - 2 * HOUR


def test_a_pause_ends_a_day_after_one_asks() -> None:
    asked = paused().resume(0, 9 * DAY)
    assert refused(asked.append, Entry(10 * DAY - 1, Kind.RESUME, CHANCE)) == "table.resume_asked"
    assert refused(asked.append, Entry(10 * DAY, Kind.RESUME, 0)) == "table.resume_asked"
    assert refused(paused().append, Entry(10 * DAY, Kind.RESUME, CHANCE)) == "table.resume_asked"
    assert refused(paused().end_pause) == "table.not_paused"
    resumed = asked.end_pause()
    assert resumed.record.entries[-1] == Entry(10 * DAY, Kind.RESUME, CHANCE)
    assert resumed.deadline == 10 * DAY + DAY - 2 * HOUR
    again = resumed.make_offer(0, "pause", 10 * DAY).answer(1, 10 * DAY, accept=True)
    assert again.resuming is None


def test_a_turn_within_a_pause_does_not_end_it() -> None:
    table = paused().play(0, "1", 9 * DAY)
    assert table.paused
    assert table.deadline is None
    resumed = table.resume(0, 10 * DAY).resume(1, 10 * DAY)
    assert resumed.deadline == 11 * DAY  # the turn of seat 1 began within the pause and has cost nothing
    twice = table.play(1, "1", 10 * DAY).resume(0, 20 * DAY).resume(1, 20 * DAY)
    assert twice.deadline == 21 * DAY  # a new turn of seat 0, with all its time


def test_given_time_is_the_others_at_once_and_for_good() -> None:
    table = played(2)
    given = table.give(1, 3 * HOUR)
    assert given.record.entries[-1] == Entry(3 * HOUR, Kind.GIVE, 1, "1d")
    assert (table.deadline, given.deadline) == (2 * HOUR + DAY, 2 * HOUR + 2 * DAY)
    assert Table.replay(NIM, load(dump(given.record))) == given
    # half a day of it is used, the other half is left
    later = given.play(0, "1", 2 * HOUR + 36 * HOUR)
    assert later.clock is not None
    assert later.clock.banks == (DAY // 2, 0)
    assert later.give(1, 2 * DAY).play(1, "1", 2 * DAY).deadline == 2 * DAY + DAY + DAY // 2 + DAY
    assert opened("10m").give(0, 0).record.entries[-1].body == "15s"
    assert opened("2h").give(0, 0).record.entries[-1].body == "10m"


def test_time_is_not_given_without_a_clock_nor_without_end() -> None:
    assert refused(opened("").give, 0, 0) == "table.no_clock"
    assert refused(overdue().give, 1, 9 * DAY) == "table.time_up"
    table = opened("89d")
    assert refused(table.give(0, 0).give, 0, 0) == "table.enough_time"
    for body in ("0s", "24h", "-1d", "", "much"):
        assert refused(noted, opened(), 0, Kind.GIVE, 0, body) in {
            "table.bad_entry",
            "table.enough_time",
            "clock.text",
        }


def test_a_pause_needs_a_clock_that_runs() -> None:
    assert refused(opened("").make_offer, 0, "pause", 0) == "table.no_clock"
    assert refused(paused().make_offer, 0, "pause", 5 * HOUR) == "table.paused"
    assert refused(opened().resume, 0, 0) == "table.not_paused"
    assert not played(2).make_offer(0, "pause", 3 * HOUR).answer(1, 4 * HOUR, accept=False).paused


def test_an_adjourned_game_goes_on_with_another_clock() -> None:
    table = played(3, "10h+1d").make_offer(0, "adjourn 3 D / Move", 4 * HOUR)
    assert table.record.entries[-1].body == "adjourn 3d/move"
    adjourned = table.answer(1, 5 * HOUR, accept=True)
    assert adjourned.clock is not None
    assert adjourned.clock.spec == TimeControl(per_turn=3 * DAY)
    assert adjourned.deadline == 5 * HOUR + 3 * DAY
    assert table.answer(1, 5 * HOUR, accept=False).clock == table.clock
    assert paused().make_offer(0, "adjourn 2d", 5 * HOUR).answer(1, DAY, accept=True).deadline == 3 * DAY


def test_a_live_clock_heeds_no_time_off_that_is_known_and_another_does_again() -> None:
    table = noted(noted(opened(), 0, Kind.HOURS, 1, "60-600 - 0"), 0, Kind.AWAY, 1, f"{DAY} {3 * DAY}").play(0, "1", 0)
    assert table.deadline == 3 * DAY + 18 * HOUR
    live = table.make_offer(0, "adjourn 10h", HOUR).answer(1, HOUR, accept=True)
    assert live.deadline == 11 * HOUR
    assert noted(live, 2 * HOUR, Kind.CREDIT, -1, f"{HOUR} {2 * HOUR}").deadline == 12 * HOUR
    assert noted(live, 2 * HOUR, Kind.AWAY, 1, f"{2 * HOUR} {DAY}").deadline == 11 * HOUR
    calm = live.make_offer(1, "adjourn 1d/move", 2 * HOUR).answer(0, 2 * HOUR, accept=True)
    assert calm.deadline == 3 * DAY + 19 * HOUR
    assert Table.replay(NIM, calm.record) == calm


def test_an_adjournment_changes_something() -> None:
    assert refused(played(2).make_offer, 0, "adjourn 24h/move", 3 * HOUR) == "table.same_clock"
    assert refused(played(2).make_offer, 0, "adjourn soon", 3 * HOUR) == "clock.text"
    untimed = opened("").make_offer(0, "adjourn 1d/move", HOUR).answer(1, 2 * HOUR, accept=True)
    assert untimed.deadline == DAY + 2 * HOUR


def test_an_agreed_clock_clears_what_was_overdue() -> None:
    table = overdue().make_offer(1, "adjourn 3d/move", 9 * DAY).answer(0, 10 * DAY, accept=True)
    assert table.overdue is None
    assert table.deadline == 13 * DAY


def test_time_spent_on_a_turn_taken_back_stays_spent() -> None:
    table = opened("10h+1h").play(0, "1", HOUR).offer_takeback(0, 2 * HOUR).answer(1, 3 * HOUR, accept=True)
    assert table.clock is not None
    # seat 0 has used an hour and gained one, seat 1 has used two and not finished its turn
    assert table.clock.banks == (10 * HOUR, 8 * HOUR)
    assert table.deadline == 13 * HOUR
    assert opened().make_offer(0, "pause", 0).answer(1, 0, accept=True).paused


def test_taking_back_within_a_pause_does_not_end_it() -> None:
    table = paused().offer_takeback(0, 5 * HOUR).answer(1, 6 * HOUR, accept=True)
    assert table.paused
    assert table.deadline is None
    assert table.resume(0, DAY).resume(1, DAY).deadline == 2 * DAY
