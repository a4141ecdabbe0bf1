"""Time runs out in several processes at once: one of them says so."""

import asyncio

import pytest
from fakes.process import Process, timeouts

from bot.clocks.service import LEASE_MS
from bot.games.live import LiveGame
from bot.games.stored import Place
from engine.core.clock import LAG
from engine.core.errors import Refused
from engine.core.hours import HOUR

pytestmark = pytest.mark.both_databases

ANN, BOB = 11, 22
HERE = Place(1, 5)


async def test_what_one_process_has_leased_another_leaves_alone(process: Process, other: Process) -> None:
    await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.pass_time(2 * HOUR)
    now = process.clock.at
    due = [one.games.repository.lease(now, now + LEASE_MS, [0], 1, 50) for one in (process, other)]
    assert sorted(map(len, await asyncio.gather(*due))) == [0, 1]
    assert await other.games.repository.lease(now + LEASE_MS - 1, now + 9 * LEASE_MS, [0], 1, 50) == []
    assert len(await other.games.repository.lease(now + LEASE_MS, now + 9 * LEASE_MS, [0], 1, 50)) == 1


async def test_who_dies_after_the_lease_leaves_the_game_to_others(process: Process, other: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.pass_time(2 * HOUR)
    await process.games.repository.lease(process.clock.at, process.clock.at + LEASE_MS, [0], 1, 50)  # and no more
    await other.live(LEASE_MS - 1)
    assert timeouts(await other.games.newest(live.id)) == []
    await other.live(1)
    assert timeouts(await other.games.newest(live.id)) == [f"{HOUR + LAG} timeout 0"]


async def test_two_processes_that_tick_at_once_write_one_entry(process: Process, other: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    heard: list[LiveGame] = []
    for one in (process, other):
        one.games.subscribe(heard.append)
    await process.pass_time(2 * HOUR)
    other.heartbeats._last |= process.heartbeats._last
    both = await asyncio.gather(process.games.tick(live.id), other.games.tick(live.id))
    assert [timeouts(one) for one in both] == [[f"{HOUR + LAG} timeout 0"]] * 2
    assert len(heard) == 1


async def test_a_move_and_a_tick_at_once(process: Process, other: Process) -> None:
    """Whichever comes first: the move came too late, and says so."""
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.pass_time(2 * HOUR)
    other.heartbeats._last |= process.heartbeats._last
    move, _ = await asyncio.gather(
        process.games.play(live.id, ANN, live.seq, "1"), other.games.tick(live.id), return_exceptions=True
    )
    assert isinstance(move, Refused)
    assert move.key in {"table.time_up", "table.over", "table.stale"}
    assert len(timeouts(await other.games.newest(live.id))) == 1
