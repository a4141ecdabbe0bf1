"""Games with a clock: time-outs, claims, pauses, other clocks, absence; and the record that holds it all."""

import subprocess
import sys
from pathlib import Path

import pytest
from fakes.toy import Nim

from engine.core.clock import LAG, ClockSpec
from engine.core.errors import CorruptRecord, RuleError
from engine.core.hours import DAY, HOUR, MINUTE, Hours
from engine.core.record import Entry, Header, Kind, Record, dump, load
from engine.core.table import Table, verify
from engine.core.timekeeping import ABANDONED, ABORT_TURNS, lost_on_time, uncounted
from engine.registry import find

NIM = Nim()
MONDAY = 1_774_224_000_000
HEAP = (("dice", "no"), ("heap", 60))


def opened(clock: str = "1d/move", timeout: str = "loss", options: tuple[tuple[str, str | int], ...] = HEAP) -> Table:
    return Table.open(NIM, Header("nim", 1, "n1", MONDAY, options, clock=clock, timeout=timeout if clock else ""))


def played(turns: int, clock: str = "1d/move", timeout: str = "loss") -> Table:
    """A turn an hour, the next is that of ``turns % 2``."""
    table = opened(clock, timeout)
    for number in range(turns):
        table = table.play(number % 2, "1", (number + 1) * HOUR)
    return table


def noted(table: Table, at: int, kind: Kind, seat: int, body: str) -> Table:
    return table.append(Entry(at, kind, seat, body))


def refused(command: object, *arguments: object, **more: object) -> str:
    with pytest.raises(RuleError) as raised:
        command(*arguments, **more)  # type: ignore[operator]
    return raised.value.key


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


def test_a_planned_turn_is_a_turn_like_any() -> None:
    table = opened().play(0, "1", HOUR, planned=True)
    assert str(table.record.entries[-1]) == f"{HOUR} planned 0 1"
    assert table.state == opened().play(0, "1", HOUR).state
    assert table.ask_back(0, HOUR).answer(1, HOUR, accept=True).state == opened().state


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
    over = played(ABORT_TURNS).time_out(9 * DAY, counted=False)
    assert over.record.entries[-1].body == "uncounted"
    assert over.outcome is not None
    assert over.outcome.winner == 1
    assert not over.counts


def test_the_points_lost_by_time_are_the_least_that_could_be_resigned() -> None:
    game = find("backgammon")
    start = Table.open(game, Header("backgammon", 1, "b1", 0, clock="1d/move", timeout="loss"))
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
    assert abs(over.outcome.points[0]) == game.concessions(table.state, late)[0]


def test_nothing_is_taken_once_time_is_up() -> None:
    table = played(2)
    offered = table.make_offer(1, "draw", 3 * HOUR)
    late = 2 * HOUR + DAY + LAG
    assert table.play(0, "1", late - 1).clock is not None
    assert refused(table.play, 0, "1", late) == "table.time_up"
    assert refused(table.append, Entry(late, Kind.PLAY, 0, "1")) == "table.time_up"
    assert refused(table.resign, 0, 1, late) == "table.time_up"
    assert refused(table.make_offer, 1, "draw", late) == "table.time_up"
    assert refused(table.ask_back, 1, late) == "table.time_up"
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


# --- time is up, the other decides -----------------------------------------------------------------------------------


def overdue(turns: int = ABORT_TURNS, *, counted: bool = True) -> Table:
    return played(turns, "1d", "claim").time_out(9 * DAY, counted=counted)


def test_the_other_may_claim_the_win_or_a_draw() -> None:
    table = overdue()
    assert table.outcome is None
    assert (table.overdue, table.deadline) == (0, None)
    assert table.may_claim(1, 9 * DAY)
    assert not table.may_claim(0, 9 * DAY)
    won, drawn = table.claim(1, "win", 9 * DAY), table.claim(1, "draw", 9 * DAY)
    assert won.outcome is not None
    assert drawn.outcome is not None
    assert (won.outcome.winner, won.outcome.reason, won.counts) == (1, "end.time", True)
    assert (drawn.outcome.points, drawn.outcome.reason, drawn.counts) == ((0, 0), "end.time_draw", True)
    assert not won.may_claim(1, 9 * DAY)


def test_who_is_late_may_still_play_and_has_nothing_left() -> None:
    table = overdue().play(0, "1", 10 * DAY)
    assert table.overdue is None
    assert table.clock is not None
    assert table.clock.banks[0] == 0
    assert table.deadline is not None
    assert not table.may_claim(1, 11 * DAY)


def test_a_claim_needs_a_cause() -> None:
    table = played(ABORT_TURNS, "1d", "claim")
    assert refused(table.claim, 1, "win", HOUR) == "table.no_claim"
    assert refused(overdue().claim, 0, "win", 9 * DAY) == "table.no_claim"
    assert refused(overdue().claim, 1, "more", 9 * DAY) == "table.bad_entry"
    assert refused(overdue().time_out, 99 * DAY) == "table.time_left"


@pytest.mark.parametrize("what", ["win", "draw"])
def test_a_claim_after_few_turns_aborts(what: str) -> None:
    over = overdue(ABORT_TURNS - 1).claim(0, what, 9 * DAY)
    assert over.outcome is not None
    assert over.outcome.reason == "end.aborted"
    assert not over.counts


def test_an_uncounted_time_out_makes_an_uncounted_claim() -> None:
    assert not overdue(counted=False).claim(1, "win", 9 * DAY).counts
    played_on = overdue(counted=False).play(0, "1", 9 * DAY)
    assert played_on.counts
    assert played_on.resign(1, 1, 9 * DAY).counts


def test_a_claim_may_be_uncounted_where_it_is_won() -> None:
    over = overdue().claim(1, "win", 9 * DAY)
    assert lost_on_time(over) == 0
    late = overdue().append(uncounted(over.record.entries[-1]))
    assert str(late.record.entries[-1]) == f"{9 * DAY} claim 1 win uncounted"
    assert (late.outcome, late.counts, lost_on_time(late)) == (over.outcome, False, None)
    assert Table.replay(NIM, load(dump(late.record))) == late
    assert lost_on_time(overdue().claim(1, "draw", 9 * DAY)) is None
    assert lost_on_time(overdue()) is None
    assert refused(overdue().claim, 1, "draw uncounted", 9 * DAY) == "table.bad_entry"
    lost = played(ABORT_TURNS).time_out(9 * DAY)
    assert lost_on_time(lost) == 0
    assert uncounted(lost.record.entries[-1]) == played(ABORT_TURNS).time_out(9 * DAY, counted=False).record.entries[-1]


def test_without_a_clock_a_game_is_abandoned_after_thirty_days() -> None:
    table = played(ABORT_TURNS, "")
    last = ABORT_TURNS * HOUR
    table = table.make_offer(0, "draw", last + 5)
    assert not table.may_claim(1, last + ABANDONED - 1)
    assert refused(table.claim, 1, "win", last + ABANDONED - 1) == "table.no_claim"
    assert table.may_claim(1, last + ABANDONED)
    assert not table.may_claim(0, last + ABANDONED)
    over = table.claim(1, "win", last + ABANDONED)
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason, over.counts) == (1, "end.abandoned", True)
    drawn = table.claim(1, "draw", last + ABANDONED).outcome
    assert drawn is not None
    assert drawn.reason == "end.abandoned_draw"
    assert refused(table.time_out, last + ABANDONED) == "table.time_left"
    assert refused(table.append, Entry(last + ABANDONED, Kind.TIMEOUT, 0)) == "table.no_clock"
    assert opened("").may_claim(1, ABANDONED)


def test_without_a_clock_neither_vacation_nor_outages_count_as_staying_away() -> None:
    table, last = played(ABORT_TURNS, ""), ABORT_TURNS * HOUR
    due, at = last + ABANDONED, last + ABANDONED
    table = noted(table, at, Kind.AWAY, 0, f"0 {last + DAY}")  # a day of it since
    table = noted(table, at, Kind.CREDIT, -1, f"{last + 12 * HOUR} {last + 36 * HOUR}")  # half a day more
    table = noted(table, at, Kind.AWAY, 1, f"{last} {last + 9 * DAY}")  # who waits
    assert refused(table.claim, 1, "win", due + 36 * HOUR - 1) == "table.no_claim"
    assert table.may_claim(1, due + 36 * HOUR)
    longer = noted(table, at, Kind.AWAY, 0, f"{at} {at + 5 * DAY}")
    assert not longer.may_claim(1, due + 36 * HOUR)
    assert longer.may_claim(1, due + 5 * DAY + 36 * HOUR)
    assert noted(longer, at + DAY, Kind.AWAY, 0, f"{at} {at + DAY}").may_claim(1, due + DAY + 36 * HOUR)
    assert Table.replay(NIM, load(dump(longer.record))) == longer
    # what is known is known to a clock that they agree on, and after a takeback
    timed = longer.make_offer(0, "adjourn 1d/move", at).answer(1, at, accept=True)
    assert timed.deadline == at + 6 * DAY
    back = longer.ask_back(0, at).answer(1, at, accept=True)
    assert (back.away, back.credits) == (longer.away, longer.credits)


@pytest.mark.parametrize(
    "line",
    ["9000 away * 0 5", "9000 away 0 5 5", "9000 away 0 x 5", "9000 credit 0 0 5", "9000 credit * 0 9001"],
)
def test_malformed_absence_is_refused_without_a_clock_too(line: str) -> None:
    assert (
        refused(opened("").append, load(dump(Record(opened("").record.header)) + line).entries[0]) == "table.bad_entry"
    )


# --- by agreement ----------------------------------------------------------------------------------------------------


def paused() -> Table:
    return played(2).make_offer(0, "pause", 3 * HOUR).answer(1, 4 * HOUR, accept=True)


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
    assert adjourned.clock.spec == ClockSpec(per_turn=3 * DAY)
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
    table = opened("10h+1h").play(0, "1", HOUR).ask_back(0, 2 * HOUR).answer(1, 3 * HOUR, accept=True)
    assert table.clock is not None
    # seat 0 has used an hour and gained one, seat 1 has used two and not finished its turn
    assert table.clock.banks == (10 * HOUR, 8 * HOUR)
    assert table.deadline == 13 * HOUR
    assert opened().make_offer(0, "pause", 0).answer(1, 0, accept=True).paused


def test_taking_back_within_a_pause_does_not_end_it() -> None:
    table = paused().ask_back(0, 5 * HOUR).answer(1, 6 * HOUR, accept=True)
    assert table.paused
    assert table.deadline is None
    assert table.resume(0, DAY).deadline == 2 * DAY


# --- absence ---------------------------------------------------------------------------------------------------------


def test_absence_is_noted_for_the_seat_it_concerns() -> None:
    table = noted(played(2), 2 * HOUR, Kind.HOURS, 0, "1320-420 - 0")
    table = noted(table, 3 * HOUR, Kind.HOURS, 1, "- 5,6 60")
    table = noted(table, 3 * HOUR, Kind.AWAY, 1, f"{-HOUR} {DAY}")
    table = noted(table, 4 * HOUR, Kind.CREDIT, -1, f"{3 * HOUR} {4 * HOUR}")
    assert table.clock is not None
    assert table.clock.hours == (Hours((1320, 420)), Hours(weekend=(5, 6), offsets=((0, 60),)))
    assert table.clock.away == ((), ((-HOUR, DAY),))
    assert table.clock.credits == ((3 * HOUR, 4 * HOUR),)
    # the turn began with the rest hours, at 2: off until 7, and from 22 until 7
    assert table.deadline == DAY + 16 * HOUR
    returned = noted(table, 5 * HOUR, Kind.AWAY, 1, f"{-HOUR} {5 * HOUR}")
    assert returned.clock is not None
    assert returned.clock.away[1] == ((-HOUR, 5 * HOUR),)
    called_off = noted(table, 5 * HOUR, Kind.AWAY, 1, f"{-HOUR} {-HOUR}")
    assert called_off.clock is not None
    assert called_off.clock.away[1] == ()


def test_absence_is_noted_even_when_time_is_up() -> None:
    table = noted(played(2), 9 * DAY, Kind.CREDIT, -1, f"{3 * HOUR} {8 * DAY}")
    assert table.deadline == 2 * HOUR + DAY + 8 * DAY - 3 * HOUR


@pytest.mark.parametrize(
    "line",
    [
        "9000 hours * -",
        "9000 away * 0 5",
        "9000 away 0 5 5",
        "9000 away 0 6 5",
        "9000 away 0 5",
        "9000 away 0 x 5",
        "9000 credit 0 0 5",
        "9000 credit * 5 5",
        "9000 credit * 0 9001",
        "9000 credit *",
        "9000 credit * 1 2 3",
    ],
)
def test_malformed_absence_is_refused_and_makes_a_record_corrupt(line: str) -> None:
    header = opened().record.header
    record = load(dump(Record(header)) + line + "\n")
    assert refused(opened().append, record.entries[0]) == "table.bad_entry"
    with pytest.raises(CorruptRecord, match=r"table\.bad_entry"):
        Table.replay(NIM, record)


def test_hours_that_cannot_be_read_are_refused() -> None:
    assert refused(opened().append, Entry(0, Kind.HOURS, 0, "always")) == "hours.text"


def test_rest_needs_a_clock() -> None:
    assert refused(opened("").append, Entry(9, Kind.HOURS, 0, "-")) == "table.no_clock"


# --- the record ------------------------------------------------------------------------------------------------------


def eventful() -> Table:
    """A game with an entry of every kind that a clock brings."""
    table = noted(opened("1d+2h", "claim"), 0, Kind.HOURS, 0, "1320-420 5,6 60 1774746000000:120")
    table = noted(table, 0, Kind.HOURS, 1, "-").play(0, "1", HOUR)
    table = noted(table, 2 * HOUR, Kind.AWAY, 1, f"{2 * HOUR} {DAY}").play(1, "2", 30 * HOUR, planned=True)
    table = noted(table, 31 * HOUR, Kind.CREDIT, -1, f"{29 * HOUR} {31 * HOUR}")
    table = table.make_offer(0, "pause", 31 * HOUR).answer(1, 32 * HOUR, accept=True).resume(1, 40 * HOUR)
    table = table.make_offer(1, "adjourn 2d/move", 41 * HOUR).answer(0, 42 * HOUR, accept=True)
    return table.play(0, "3", 2 * DAY).play(1, "3", 3 * DAY).time_out(30 * DAY).claim(1, "win", 31 * DAY)


def test_a_record_with_every_kind_of_time_reads_as_it_is_written() -> None:
    table = eventful()
    assert {entry.kind for entry in table.record.entries} >= set(Kind) - {
        Kind.CHANCE,
        Kind.FORCED,
        Kind.DECLINE,
        Kind.RESIGN,
    }
    assert load(dump(table.record)) == table.record
    assert Table.replay(NIM, load(dump(table.record))) == table
    assert verify(NIM, table.record) == 0
    assert "clock: 1d+2h\ntimeout: claim\n" in dump(table.record)


def test_a_record_without_a_clock_says_nothing_of_it() -> None:
    assert "clock" not in dump(opened("").record)
    assert "timeout" not in dump(opened("").record)


def test_the_command_line_verifies_a_game_with_a_clock(tmp_path: Path) -> None:
    table = Table.open(find("abalone"), Header("abalone", 1, "a1", MONDAY, clock="10m", timeout="loss"))
    table = noted(table, 0, Kind.HOURS, 0, "1320-420 - 60").play(0, "c3d4", MINUTE)
    table = noted(table, 3 * MINUTE, Kind.CREDIT, -1, f"{MINUTE} {2 * MINUTE}").time_out(DAY)
    path = tmp_path / "game.txt"
    path.write_text(dump(table.record), encoding="utf-8")
    asked = [sys.executable, "-m", "engine", "verify", str(path)]
    found = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert found.stdout == "4 entries replayed, 0 rolls verified\n"


@pytest.mark.parametrize(("clock", "timeout", "key"), [("soon", "loss", "clock.text"), ("1d", "war", "table.timeout")])
def test_a_header_with_a_bad_clock_is_refused(clock: str, timeout: str, key: str) -> None:
    header = Header("nim", 1, "n2", 0, HEAP, clock=clock, timeout=timeout)
    assert refused(Table.open, NIM, header) == key
    with pytest.raises(CorruptRecord):
        Table.replay(NIM, Record(header))


def test_who_is_late_and_rolls_is_late_until_the_move_is_made() -> None:
    """Roll and play share an allowance: what is used up is used up, and is told once."""
    game = find("backgammon", 1)
    header = Header("backgammon", 1, "b1", MONDAY, (("cube", "on"),), clock="1d/move", timeout="claim")
    table = noted(Table.open(game, header), 0, Kind.CHANCE, -1, "61").play(0, "8/7 8/2", HOUR)
    table = table.time_out(2 * DAY).play(1, "roll", 3 * DAY)
    table = noted(table, 3 * DAY, Kind.CHANCE, -1, "32")
    assert table.overdue == 1
    assert table.may_claim(0, 3 * DAY)
    assert refused(table.time_out, 4 * DAY) == "table.time_left"
    table = table.play(1, "13/10 13/11", 4 * DAY)
    assert table.overdue is None
    assert table.deadline == 5 * DAY
    assert Table.replay(game, load(dump(table.record))) == table
