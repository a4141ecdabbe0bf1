"""Tests when the bot counts as away: by shard, with any process noticing first and any number of shards before."""

import asyncio

import pytest
from fakes.clock import START, Clock
from fakes.process import Process, noted
from sqlalchemy import select, update

from bot.clocks.heartbeats.repository import KEPT_MS, UNUSED_MS, HeartbeatRepository, Outage
from bot.clocks.heartbeats.service import GAP_MS, HEARTBEAT_MS, HeartbeatService, shard_of
from bot.clocks.heartbeats.tables import heartbeats
from bot.core.storage.database import Database
from bot.core.storage.faults import commit_status
from bot.games.stored import Place
from bot.games.tables import games
from engine.core.hours import HOUR, MINUTE

GUILDS = [shard << 22 for shard in range(4)]
"""Servers of the shards 0 to 3, out of four."""


@pytest.fixture
def store(database: Database) -> HeartbeatRepository:
    return HeartbeatRepository(database)


async def test_steady_beats_are_no_outage(store: HeartbeatRepository, clock: Clock) -> None:
    heartbeats = HeartbeatService(store, clock)
    for _ in range(5):
        assert await heartbeats.record([0]) == []
        clock.at += HEARTBEAT_MS
    assert await heartbeats.outages(GUILDS[0], 0) == []


@pytest.mark.both_databases
@pytest.mark.parametrize(("gap", "noted"), [(GAP_MS, 0), (GAP_MS + 1, 1)])
async def test_a_gap_is_an_outage_from_the_last_beat_to_the_new_one(
    store: HeartbeatRepository, clock: Clock, gap: int, noted: int
) -> None:
    heartbeats = HeartbeatService(store, clock)
    await heartbeats.record([0])
    clock.at += gap
    outages = [Outage(0, 1, START, START + gap)][:noted]
    assert await heartbeats.record([0]) == outages
    assert await heartbeats.record([0]) == []
    assert await heartbeats.outages(GUILDS[0], START) == outages
    assert await heartbeats.outages(GUILDS[0], START + gap) == []


@pytest.mark.both_databases
async def test_a_shard_is_away_alone(store: HeartbeatRepository, clock: Clock) -> None:
    heartbeats = HeartbeatService(store, clock, shard_count=4)
    await heartbeats.record(range(4))
    for _ in range(10):
        clock.at += HEARTBEAT_MS
        await heartbeats.record([0, 2, 3])
    assert await heartbeats.record(range(4)) == [Outage(1, 4, START, clock.at)]
    assert [len(await heartbeats.outages(guild, 0)) for guild in GUILDS] == [0, 1, 0, 0]
    assert [len(await heartbeats.outages(guild, 0)) for guild in (None, GUILDS[1] * 5)] == [0, 1]


async def test_the_first_shard_holds_direct_messages() -> None:
    assert [shard_of(None, 4), shard_of(5 << 22, 4), shard_of((5 << 22) + 12345, 4)] == [0, 1, 1]


async def test_a_clock_set_back_is_no_outage_and_takes_no_beat_back(store: HeartbeatRepository, clock: Clock) -> None:
    heartbeats = HeartbeatService(store, clock)
    await heartbeats.record([0])
    clock.at -= 1_000_000
    assert await heartbeats.record([0]) == []
    clock.at = START + GAP_MS
    assert await heartbeats.record([0]) == []


# --- other numbers of shards --------------------------------------------------------------------------------------


async def test_with_more_shards_the_newest_heartbeat_stands_for_each(store: HeartbeatRepository, clock: Clock) -> None:
    await HeartbeatService(store, clock, shard_count=1).record([0])
    clock.at += 60_000
    more = HeartbeatService(store, clock, shard_count=2)
    assert await more.record([0]) == [Outage(0, 2, START, clock.at)]
    for _ in range(4):
        clock.at += HEARTBEAT_MS
        await more.record([0])
    # the second connects later: its servers were away for longer
    assert await more.record([0, 1]) == [Outage(1, 2, START, clock.at)]


async def test_an_old_number_of_shards_is_not_away_since_it_was_in_use(
    store: HeartbeatRepository, clock: Clock
) -> None:
    one, two = HeartbeatService(store, clock, shard_count=1), HeartbeatService(store, clock, shard_count=2)
    await one.record([0])
    clock.at += 1000
    for _ in range(100):
        await two.record([0, 1])
        clock.at += HEARTBEAT_MS
    assert await one.record([0]) == []
    assert await one.outages(GUILDS[0], 0) == []


async def test_a_shard_that_was_away_when_their_number_changed_is_not_forgotten(
    store: HeartbeatRepository, clock: Clock
) -> None:
    two, one = HeartbeatService(store, clock, shard_count=2), HeartbeatService(store, clock, shard_count=1)
    await two.record([0, 1])
    for _ in range(10):
        clock.at += HEARTBEAT_MS
        await two.record([0])
    cut_off = Outage(1, 2, START, clock.at)
    clock.at += HEARTBEAT_MS
    assert await one.record([0]) == [cut_off]
    clock.at += HEARTBEAT_MS
    assert await one.record([0]) == []
    assert await one.outages(GUILDS[0], 0) == []
    assert await one.outages(GUILDS[1], 0) == [cut_off]


# --- several processes -------------------------------------------------------------------------------------------


@pytest.mark.both_databases
async def test_of_two_processes_that_come_back_at_once_one_notes_it(database_url: str, clock: Clock) -> None:
    databases = [Database(database_url), Database(database_url)]
    first, second = (HeartbeatService(HeartbeatRepository(database), clock) for database in databases)
    await first.record([0])
    clock.at += 60_000
    await asyncio.gather(first.record([0]), second.record([0]))
    assert await first.outages(GUILDS[0], 0) == [Outage(0, 1, START, clock.at)]
    for database in databases:
        await database.close()


@pytest.mark.both_databases
async def test_while_one_process_beats_another_may_be_away(store: HeartbeatRepository, clock: Clock) -> None:
    first, second = HeartbeatService(store, clock), HeartbeatService(store, clock)
    await first.record([0])
    for _ in range(10):
        clock.at += HEARTBEAT_MS
        await second.record([0])
    assert await first.record([0]) == []


# --- what nothing needs any more ---------------------------------------------------------------------------------


async def rows(store: HeartbeatRepository) -> list[tuple[int, int]]:
    """Returns the number of shards and the shard of each heartbeat."""
    async with store.database.reading() as connection:
        found = await connection.execute(select(heartbeats.c.shard_count, heartbeats.c.shard))
        return sorted((row.shard_count, row.shard) for row in found)


@pytest.mark.both_databases
async def test_heartbeats_of_a_number_of_shards_that_is_not_used_go_after_a_day(
    store: HeartbeatRepository, clock: Clock
) -> None:
    one, two = HeartbeatService(store, clock, shard_count=1), HeartbeatService(store, clock, shard_count=2)
    await two.record([0, 1])
    clock.at += UNUSED_MS + 1
    await one.forget()  # it has none of its own: those of the others show how long the bot was away
    assert await rows(store) == [(2, 0), (2, 1)]
    assert await one.record([0]) == [Outage(0, 1, START, clock.at)]
    await one.forget()
    assert await rows(store) == [(1, 0)]


async def test_heartbeats_of_a_number_of_shards_that_another_process_uses_stay(
    store: HeartbeatRepository, clock: Clock
) -> None:
    one, two = HeartbeatService(store, clock, shard_count=1), HeartbeatService(store, clock, shard_count=2)
    await two.record([0, 1])
    clock.at += UNUSED_MS
    await two.record([0])  # the other shard is away
    await one.record([0])
    clock.at += UNUSED_MS
    await one.record([0])
    await one.forget()
    assert await rows(store) == [(1, 0), (2, 0), (2, 1)]


@pytest.mark.both_databases
async def test_outages_go_when_they_are_a_year_old(store: HeartbeatRepository, clock: Clock) -> None:
    service = HeartbeatService(store, clock)
    await service.record([0])
    clock.at += HOUR
    first = await service.record([0])
    clock.at += HOUR
    second = await service.record([0])
    clock.at = first[0].until + KEPT_MS - 1
    await service.forget()
    assert await service.outages(None, 0) == first + second
    clock.at += 1
    await service.forget()
    assert await service.outages(None, 0) == second


@pytest.mark.both_databases
async def test_an_outage_stays_for_a_game_that_has_not_been_given_its_time(process: Process) -> None:
    """Its clock has stood nearly all the time: players may rest for half of each day, and take vacations."""
    await process.deadlines.run_once([0])
    live = await process.nim("90d", (11, 22), Place(1, 5), played=4)
    await process.live(MINUTE)
    process.clock.at += HOUR
    await process.heartbeats.record([0])
    (outage,) = await process.heartbeats.outages(1, 0)
    async with process.database.writing() as connection:
        late = {"deadline": process.clock.at + 2 * KEPT_MS}
        await connection.execute(update(games).where(games.c.id == live.id).values(late))
    await process.pass_time(KEPT_MS)
    await process.heartbeats.forget()
    assert await process.heartbeats.outages(1, 0) == [outage]
    live = await process.games.tick(live.id)
    assert [line.partition("credit")[2] for line in noted(live)] == [f" * {MINUTE} {MINUTE + HOUR}"]
    await process.heartbeats.forget()
    assert await process.heartbeats.outages(1, 0) == []


# --- moves -------------------------------------------------------------------------------------------------------


async def test_a_move_that_arrives_ends_an_outage(store: HeartbeatRepository, clock: Clock) -> None:
    heartbeats = HeartbeatService(store, clock)
    await heartbeats.record([0])
    clock.at += 60_000
    assert not heartbeats.is_recorded_for(GUILDS[0])
    await heartbeats.awake(GUILDS[0])
    assert heartbeats.is_recorded_for(GUILDS[0])
    assert await heartbeats.outages(GUILDS[0], 0) == [Outage(0, 1, START, clock.at)]


async def test_what_ends_an_outage_is_nothing_that_a_user_has_saved(store: HeartbeatRepository, clock: Clock) -> None:
    """Else a turn that was not stored would be called saved: both are written for the same command."""
    counted = commit_status.watch()
    await HeartbeatService(store, clock).awake(GUILDS[0])
    assert (counted.committed, counted.unknown) == (0, 0)


async def test_a_move_in_a_recorded_shard_writes_nothing(
    store: HeartbeatRepository, clock: Clock, database: Database
) -> None:
    heartbeats = HeartbeatService(store, clock)
    await heartbeats.record([0])
    clock.at += GAP_MS
    await database.close()
    await heartbeats.awake(GUILDS[0])
    await heartbeats.record([0])
    assert await heartbeats.outages(GUILDS[0], 0) == []


@pytest.mark.both_databases
async def test_while_the_database_is_away_nothing_beats(store: HeartbeatRepository, clock: Clock) -> None:
    heartbeats = HeartbeatService(store, clock)
    await heartbeats.record([0])
    writing = store.database.writing

    def away() -> None:
        raise ConnectionError

    for _ in range(10):
        clock.at += HEARTBEAT_MS
        store.database.writing = away  # type: ignore[method-assign,assignment]
        with pytest.raises(ConnectionError):
            await heartbeats.record([0])
        store.database.writing = writing  # type: ignore[method-assign]
    assert not heartbeats.is_recorded_for(GUILDS[0])
    assert await heartbeats.record([0]) == [Outage(0, 1, START, clock.at)]
