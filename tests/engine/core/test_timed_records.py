"""The record of a game with a clock: absence that is noted in it, and all of it as it is written and read."""

import subprocess
import sys
from pathlib import Path

import pytest
from fakes.timed import HEAP, MONDAY, NIM, noted, opened, played, refused

from engine.core.errors import CorruptRecord
from engine.core.hours import DAY, HOUR, MINUTE, Hours
from engine.core.record import Entry, Header, Kind, Record, dump, load
from engine.core.rolls import verify
from engine.core.table import Table
from engine.registry import find

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
    """Returns a game with an entry of every kind that a clock brings."""
    table = noted(opened("1d+2h", "claim"), 0, Kind.HOURS, 0, "1320-420 5,6 60 1774746000000:120")
    table = noted(table, 0, Kind.HOURS, 1, "-").play(0, "1", HOUR)
    table = noted(table, 2 * HOUR, Kind.AWAY, 1, f"{2 * HOUR} {DAY}").play(1, "2", 30 * HOUR, conditional=True)
    table = noted(table, 31 * HOUR, Kind.CREDIT, -1, f"{29 * HOUR} {31 * HOUR}")
    table = table.make_offer(0, "pause", 31 * HOUR).answer(1, 32 * HOUR, accept=True).resume(1, 39 * HOUR)
    table = table.resume(0, 40 * HOUR).give(1, 40 * HOUR)
    table = table.make_offer(1, "adjourn 2d/move", 41 * HOUR).answer(0, 42 * HOUR, accept=True)
    table = table.make_offer(0, "draw", 43 * HOUR).withdraw(0, 44 * HOUR)
    return table.play(0, "3", 2 * DAY).play(1, "3", 3 * DAY).time_out(30 * DAY).claim(1, "win", 31 * DAY)


def test_a_record_with_every_kind_of_time_reads_as_it_is_written() -> None:
    table = eventful()
    assert {entry.kind for entry in table.record.entries} >= set(Kind) - {
        Kind.CHANCE,
        Kind.FORCED,
        Kind.AUTOMATIC,
        Kind.DECLINE,
        Kind.RESIGN,
        Kind.LEAVE,
        Kind.ADJUDICATE,
    }
    assert load(dump(table.record)) == table.record
    assert Table.replay(NIM, load(dump(table.record))) == table
    assert verify(NIM, table.record) == 0
    assert "clock: 1d+2h\ntimeout_policy: claim\n" in dump(table.record)


def test_a_record_without_a_clock_says_nothing_of_it() -> None:
    assert "clock" not in dump(opened("").record)
    assert "timeout" not in dump(opened("").record)


def test_the_command_line_verifies_a_game_with_a_clock(tmp_path: Path) -> None:
    table = Table.open(find("abalone"), Header("abalone", 1, "a1", MONDAY, clock="10m", timeout_policy="loss"))
    table = noted(table, 0, Kind.HOURS, 0, "1320-420 - 60").play(0, "c3d4", MINUTE)
    table = noted(table, 3 * MINUTE, Kind.CREDIT, -1, f"{MINUTE} {2 * MINUTE}").time_out(DAY)
    path = tmp_path / "game.txt"
    path.write_text(dump(table.record), encoding="utf-8")
    asked = [sys.executable, "-m", "engine", "verify", str(path)]
    found = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert found.stdout == "4 entries replayed, 0 rolls verified\n"


@pytest.mark.parametrize(
    ("clock", "timeout", "key"), [("soon", "loss", "clock.text"), ("1d", "war", "table.timeout_policy")]
)
def test_a_header_with_a_bad_clock_is_refused(clock: str, timeout: str, key: str) -> None:
    header = Header("nim", 1, "n2", 0, HEAP, clock=clock, timeout_policy=timeout)
    assert refused(Table.open, NIM, header) == key
    with pytest.raises(CorruptRecord):
        Table.replay(NIM, Record(header))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_who_leaves_loses_whoever_is_to_act(seat: int) -> None:
    left = played(4).leave(seat, 5 * HOUR)
    assert left.outcome is not None
    assert (left.outcome.winner, left.outcome.reason) == (1 - seat, "end.left")
    assert Table.replay(NIM, load(dump(left.record))) == left
    assert refused(lambda: left.leave(seat, 6 * HOUR)) == "table.over"


def test_a_game_that_is_left_early_is_aborted() -> None:
    left = played(2).leave(0, 3 * HOUR)
    assert left.outcome is not None
    assert left.outcome.reason == "end.aborted"
