"""What both may agree on for a clock: pauses, another time control, taking back."""

from fakes.timed import NIM, noted, opened, overdue, paused, played, refused

from engine.core.clock import TimeControl
from engine.core.hours import DAY, HOUR
from engine.core.record import Kind
from engine.core.table import Table


def test_a_pause_by_agreement_stops_the_clock_until_someone_resumes() -> None:
    table = paused()
    assert table.paused
    assert table.deadline is None
    assert table.offer is None
    assert refused(table.time_out, 99 * DAY) == "table.time_left"
    assert not table.may_claim(1, 99 * DAY)
    for seat in (0, 1):
        resumed = table.resume(seat, 9 * DAY)
        assert not resumed.paused
        assert resumed.deadline == 9 * DAY + DAY - 2 * HOUR
    played_on = table.play(0, "1", 9 * DAY)
    assert not played_on.paused
    assert played_on.deadline == 10 * DAY


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
    assert table.resume(0, DAY).deadline == 2 * DAY
