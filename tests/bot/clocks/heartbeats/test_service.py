"""When the bot was away: lane by lane, whoever notices it first, and however many lanes there were before."""

import asyncio

import pytest
from fakes.clock import START, Clock

from bot.clocks.heartbeats.repository import Outage, PulseStore
from bot.clocks.heartbeats.service import BEAT_MS, GAP_MS, Pulse, lane_of
from bot.core.database import Database

GUILDS = [lane << 22 for lane in range(4)]
"""Servers of the lanes 0 to 3, out of four."""


@pytest.fixture
def store(database: Database) -> PulseStore:
    return PulseStore(database)


async def test_steady_beats_are_no_outage(store: PulseStore, clock: Clock) -> None:
    pulse = Pulse(store, clock)
    for _ in range(5):
        assert await pulse.beat([0]) == []
        clock.at += BEAT_MS
    assert await pulse.outages(GUILDS[0], 0) == []


@pytest.mark.parametrize(("gap", "noted"), [(GAP_MS, 0), (GAP_MS + 1, 1)])
async def test_a_gap_is_an_outage_from_the_last_beat_to_the_new_one(
    store: PulseStore, clock: Clock, gap: int, noted: int
) -> None:
    pulse = Pulse(store, clock)
    await pulse.beat([0])
    clock.at += gap
    outages = [Outage(0, 1, START, START + gap)][:noted]
    assert await pulse.beat([0]) == outages
    assert await pulse.beat([0]) == []
    assert await pulse.outages(GUILDS[0], START) == outages
    assert await pulse.outages(GUILDS[0], START + gap) == []


async def test_a_lane_is_away_alone(store: PulseStore, clock: Clock) -> None:
    pulse = Pulse(store, clock, lanes=4)
    await pulse.beat(range(4))
    for _ in range(10):
        clock.at += BEAT_MS
        await pulse.beat([0, 2, 3])
    assert await pulse.beat(range(4)) == [Outage(1, 4, START, clock.at)]
    assert [len(await pulse.outages(guild, 0)) for guild in GUILDS] == [0, 1, 0, 0]
    assert [len(await pulse.outages(guild, 0)) for guild in (None, GUILDS[1] * 5)] == [0, 1]


async def test_the_first_lane_holds_direct_messages() -> None:
    assert [lane_of(None, 4), lane_of(5 << 22, 4), lane_of((5 << 22) + 12345, 4)] == [0, 1, 1]


async def test_a_clock_set_back_is_no_outage_and_takes_no_beat_back(store: PulseStore, clock: Clock) -> None:
    pulse = Pulse(store, clock)
    await pulse.beat([0])
    clock.at -= 1_000_000
    assert await pulse.beat([0]) == []
    clock.at = START + GAP_MS
    assert await pulse.beat([0]) == []


# --- other numbers of lanes --------------------------------------------------------------------------------------


async def test_with_more_lanes_the_newest_beat_stands_for_each(store: PulseStore, clock: Clock) -> None:
    await Pulse(store, clock, lanes=1).beat([0])
    clock.at += 60_000
    more = Pulse(store, clock, lanes=2)
    assert await more.beat([0]) == [Outage(0, 2, START, clock.at)]
    for _ in range(4):
        clock.at += BEAT_MS
        await more.beat([0])
    # the second connects later: its servers were away for longer
    assert await more.beat([0, 1]) == [Outage(1, 2, START, clock.at)]


async def test_an_old_number_of_lanes_is_not_away_since_it_was_in_use(store: PulseStore, clock: Clock) -> None:
    one, two = Pulse(store, clock, lanes=1), Pulse(store, clock, lanes=2)
    await one.beat([0])
    clock.at += 1000
    for _ in range(100):
        await two.beat([0, 1])
        clock.at += BEAT_MS
    assert await one.beat([0]) == []
    assert await one.outages(GUILDS[0], 0) == []


async def test_a_lane_that_was_away_when_their_number_changed_is_not_forgotten(store: PulseStore, clock: Clock) -> None:
    two, one = Pulse(store, clock, lanes=2), Pulse(store, clock, lanes=1)
    await two.beat([0, 1])
    for _ in range(10):
        clock.at += BEAT_MS
        await two.beat([0])
    cut_off = Outage(1, 2, START, clock.at)
    clock.at += BEAT_MS
    assert await one.beat([0]) == [cut_off]
    clock.at += BEAT_MS
    assert await one.beat([0]) == []
    assert await one.outages(GUILDS[0], 0) == []
    assert await one.outages(GUILDS[1], 0) == [cut_off]


# --- several processes -------------------------------------------------------------------------------------------


async def test_of_two_processes_that_come_back_at_once_one_notes_it(database_url: str, clock: Clock) -> None:
    databases = [Database(database_url), Database(database_url)]
    first, second = (Pulse(PulseStore(database), clock) for database in databases)
    await first.beat([0])
    clock.at += 60_000
    await asyncio.gather(first.beat([0]), second.beat([0]))
    assert await first.outages(GUILDS[0], 0) == [Outage(0, 1, START, clock.at)]
    for database in databases:
        await database.close()


async def test_while_one_process_beats_another_may_be_away(store: PulseStore, clock: Clock) -> None:
    first, second = Pulse(store, clock), Pulse(store, clock)
    await first.beat([0])
    for _ in range(10):
        clock.at += BEAT_MS
        await second.beat([0])
    assert await first.beat([0]) == []


# --- moves -------------------------------------------------------------------------------------------------------


async def test_a_move_that_arrives_ends_an_outage(store: PulseStore, clock: Clock) -> None:
    pulse = Pulse(store, clock)
    await pulse.beat([0])
    clock.at += 60_000
    assert not pulse.beats_for(GUILDS[0])
    await pulse.awake(GUILDS[0])
    assert pulse.beats_for(GUILDS[0])
    assert await pulse.outages(GUILDS[0], 0) == [Outage(0, 1, START, clock.at)]


async def test_a_move_in_a_lane_that_beats_writes_nothing(store: PulseStore, clock: Clock, database: Database) -> None:
    pulse = Pulse(store, clock)
    await pulse.beat([0])
    clock.at += GAP_MS
    await database.close()
    await pulse.awake(GUILDS[0])
    await pulse.beat([0])
    assert await pulse.outages(GUILDS[0], 0) == []


async def test_while_the_database_is_away_nothing_beats(store: PulseStore, clock: Clock) -> None:
    pulse = Pulse(store, clock)
    await pulse.beat([0])
    writing = store.database.writing

    def away() -> None:
        raise ConnectionError

    for _ in range(10):
        clock.at += BEAT_MS
        store.database.writing = away  # type: ignore[method-assign,assignment]
        with pytest.raises(ConnectionError):
            await pulse.beat([0])
        store.database.writing = writing  # type: ignore[method-assign]
    assert not pulse.beats_for(GUILDS[0])
    assert await pulse.beat([0]) == [Outage(0, 1, START, clock.at)]
