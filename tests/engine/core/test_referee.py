"""Whole random games with a clock, checked by a referee who goes through the record minute by minute.

The referee shares nothing with the clock: it asks the zone data for the local time of each minute.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from fakes.toy import Nim
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core.clock import TimeControl
from engine.core.hours import HOUR, MINUTE, Hours
from engine.core.record import Entry, Header, Kind, Record
from engine.core.table import Table

NIM = Nim()
ZONES = ("Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Chatham")
STARTS = tuple(
    int(datetime(2026, month, day, tzinfo=UTC).timestamp()) // 60
    for month, day in ((3, 6), (3, 27), (4, 3), (9, 25), (10, 2), (10, 23), (10, 30))
)
"""In minutes since 1970: each a day or two before some of the zones change their clocks."""
SPAN = 40 * 24 * 60
SPECS = ("1d/move", "26h+4h", "23h 3h/move", "6h", "2d+1h 90m/move")


@cache
def offsets_of(zone: str, start: int) -> tuple[tuple[int, int], ...]:
    """Returns a zone's UTC offsets as a record holds them, found by asking every quarter of an hour."""
    found: list[tuple[int, int]] = []
    for minute in range(start - 2 * 24 * 60, start + SPAN, 15):
        offset = datetime.fromtimestamp(minute * 60, ZoneInfo(zone)).utcoffset()
        assert offset is not None
        minutes = offset.days * 24 * 60 + offset.seconds // 60
        if not found or found[-1][1] != minutes:
            found.append((minute * MINUTE if found else 0, minutes))
    return tuple(found)


@cache
def local(zone: str, minute: int) -> tuple[int, int]:
    """Returns the weekday and minute of the day there."""
    moment = datetime.fromtimestamp(minute * 60, ZoneInfo(zone))
    return moment.weekday(), moment.hour * 60 + moment.minute


# --- a random game ---------------------------------------------------------------------------------------------------


def random_game(seed: int) -> tuple[Table, tuple[str, str], list[Table]]:
    """Plays random turns and absences at whole minutes. Also returns both zones, and the table after each entry."""
    luck = random.Random(seed)
    start, zones = luck.choice(STARTS), (luck.choice(ZONES), luck.choice(ZONES))
    header = Header(
        "nim",
        1,
        "r1",
        start * MINUTE,
        (("dice", "no"), ("heap", 60)),
        clock=luck.choice(SPECS),
        timeout_policy="claim",
    )
    seen = [Table.open(NIM, header)]

    def note(kind: Kind, seat: int, body: str) -> None:
        seen.append(seen[-1].append(Entry(now, kind, seat, body)))

    now = turn_began = before_that = 0
    for _ in range(luck.randint(3, 24)):
        table, seat = seen[-1], luck.randint(0, 1)
        if table.resuming is not None and now >= table.resuming.at:
            table = table.end_pause()
            seen.append(table)
        act = luck.choice(("play", "play", "play", "hours", "away", "back", "credit", "pause", "resume", "give"))
        assert table.clock is not None
        if act == "play" and table.to_act is not None:
            seen.append(table.play(table.to_act, "1", now))
            turn_began, before_that = now, turn_began
        elif act == "hours":
            begin, length = luck.randrange(1440), luck.randint(1, 720)
            rest = luck.choice((None, (begin, (begin + length) % 1440)))
            weekend = tuple(sorted(luck.sample(range(7), luck.randint(0, 3))))
            note(Kind.HOURS, seat, str(Hours(rest, weekend, offsets_of(zones[seat], start))))
        elif act == "away":
            begin = now + luck.randint(0, 900) * MINUTE
            note(Kind.AWAY, seat, f"{begin} {begin + luck.randint(1, 3000) * MINUTE}")
        elif act == "back" and any(begin < now < end for begin, end in table.clock.away[seat]):
            (begin, _), *_ = ((begin, end) for begin, end in table.clock.away[seat] if begin < now < end)
            note(Kind.AWAY, seat, f"{begin} {now}")
        elif act == "credit" and now > before_that:
            begin = luck.randrange(before_that, now, MINUTE)
            note(Kind.CREDIT, -1, f"{begin} {luck.randrange(begin + MINUTE, now + MINUTE, MINUTE)}")
        elif act == "pause" and not table.paused:
            asked = table.make_offer(seat, "pause", now)
            seen += [asked, asked.answer(1 - seat, now, accept=True)]
        elif act == "resume" and table.paused and (table.resuming is None or table.resuming.seat != seat):
            seen.append(table.resume(seat, now))
        elif act == "give" and table.outcome is None:
            seen.append(table.give(seat, now))
        now += luck.choice((0, 1, 30, 200, 700)) * MINUTE
    return seen[-1], zones, seen


# --- the referee -----------------------------------------------------------------------------------------------------


@dataclass
class Referee:
    """Keeps a game's time by its record alone, minute by minute, knowing all absence from the outset."""

    record: Record
    zones: tuple[str, str]
    banks: list[int] = field(default_factory=list)
    spent: int = 0
    seat: int = 0
    standing: bool = False
    turn_began: int = 0
    hours: Hours = field(default_factory=Hours)

    def __post_init__(self) -> None:
        spec = TimeControl.parse(self.record.header.clock)
        self.banks = [spec.bank // MINUTE] * 2
        self.per_turn, self.increment = spec.per_turn // MINUTE, spec.increment // MINUTE
        self.live = self.banks[0] + self.per_turn < 24 * 60
        self.start = self.record.header.started // MINUTE
        self.credits: list[tuple[int, int]] = []
        self.away: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for entry in self.record.entries:
            if entry.kind in {Kind.AWAY, Kind.CREDIT}:
                begin, end = (int(word) // MINUTE for word in entry.body.split())
                if entry.kind is Kind.CREDIT:
                    self.credits.append((begin, end))
                else:
                    self.away[entry.seat][begin] = end

    def off(self, minute: int) -> bool:
        if self.live:
            return any(begin <= minute < end for begin, end in self.credits)
        weekday, of_day = local(self.zones[self.seat], self.start + minute)
        begin, end = self.hours.rest or (0, 0)
        resting = begin <= of_day < end if begin <= end else of_day >= begin or of_day < end
        return (
            resting
            or weekday in self.hours.weekend
            or any(begin <= minute < end for begin, end in (*self.away[self.seat].items(), *self.credits))
        )

    def minutes(self, begin: int, end: int) -> Iterator[int]:
        return (minute for minute in range(begin, end) if not self.standing and not self.off(minute))

    def keep(self) -> None:
        now, newest = 0, [Hours(), Hours()]
        for entry in self.record.entries:
            self.spent += sum(1 for _ in self.minutes(now, entry.at // MINUTE))
            now = entry.at // MINUTE
            if entry.kind is Kind.HOURS:
                newest[entry.seat] = Hours.parse(entry.body)
                if entry.seat == self.seat and self.turn_began == now:
                    self.hours = newest[entry.seat]
            elif entry.kind is Kind.PLAY:
                from_bank = max(0, self.spent - self.per_turn)
                self.banks[self.seat] = max(0, self.banks[self.seat] - from_bank) + self.increment
                self.seat, self.spent, self.standing, self.turn_began = 1 - self.seat, 0, self.standing, now
                self.hours = newest[self.seat]
            elif entry.kind is Kind.GIVE:
                count, unit = int(entry.body[:-1]), entry.body[-1]
                self.banks[1 - entry.seat] += count * {"m": 1, "d": 24 * 60}[unit]
            elif entry.kind in {Kind.ACCEPT, Kind.RESUME}:
                self.standing = entry.kind is Kind.ACCEPT

    @property
    def left(self) -> int:
        return max(0, self.banks[self.seat] + self.per_turn - self.spent)

    def deadline(self) -> int:
        """Goes on from the last entry until nothing is left."""
        minute, left = self.record.entries[-1].at // MINUTE, self.left
        while left:
            left -= not self.off(minute)
            minute += 1
        return minute


@examples(30)
@given(st.integers(0, 2**32))
def test_a_referee_who_counts_minutes_agrees(seed: int) -> None:
    table, zones, _ = random_game(seed)
    if not table.record.entries:
        return
    referee = Referee(table.record, zones)
    referee.keep()
    now = table.record.entries[-1].at
    clock = table.clock
    assert clock is not None
    assert clock.turn is not None
    assert clock.turn.seat == referee.seat
    assert [bank // MINUTE for bank in clock.banks] == referee.banks
    assert clock.left(referee.seat, now) == referee.left * MINUTE
    if table.paused:
        assert table.deadline is None
    elif referee.left:
        assert table.deadline == referee.deadline() * MINUTE
    else:
        assert table.deadline is not None
        assert table.deadline <= now


@examples(30)
@given(st.integers(0, 2**32))
def test_a_game_with_a_clock_replays_from_its_text(seed: int) -> None:
    table, _, seen = random_game(seed)
    assert Table.replay(NIM, table.record) == table
    assert [stage.seq for stage in seen] == list(range(table.seq + 1))


@pytest.mark.parametrize("zone", ZONES)
def test_the_zones_change_their_clocks_within_the_games(zone: str) -> None:
    changes = {len(offsets_of(zone, start)) for start in STARTS}
    assert max(changes) == (1 if zone == "Asia/Kathmandu" else 2)


def test_the_referee_is_no_yes_man() -> None:
    table = Table.open(NIM, Header("nim", 1, "r2", STARTS[0] * MINUTE, (("heap", 9), ("dice", "no")), clock="1d+1h"))
    referee = Referee(table.play(0, "1", 5 * HOUR).record, ("Europe/Madrid", "Europe/Madrid"))
    referee.keep()
    assert referee.banks == [20 * 60, 24 * 60]
    assert (referee.seat, referee.left, referee.deadline()) == (1, 24 * 60, 29 * 60)
