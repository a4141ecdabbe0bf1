"""Tests which process holds which shard, also when connections to PostgreSQL die."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest
import structlog
from harness.bot import bot_running
from harness.discord import PATIENT, until
from harness.proxy import proxied

from bot.core.processes.identifying import SharedTurns
from bot.core.processes.link import Link
from bot.core.processes.membership import SharedShards

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bot.sandbox.server import Server

PATIENCE, FENCE, STALE = 1.5, 4.0, 7.0
PAUSE = 3.0
"""Seconds between two identifies of a bucket."""


@pytest.fixture
async def process(postgres_url: str) -> AsyncIterator[Callable[..., SharedShards]]:
    """One more process; over another URL, if one is given."""
    async with AsyncExitStack() as stack:

        def make(url: str = postgres_url) -> SharedShards:
            link = Link(url, patience=PATIENCE)
            stack.push_async_callback(link.close)
            return SharedShards(link, fence=FENCE, stale=STALE)

        yield make


async def test_a_shard_has_one_holder(process: Callable[..., SharedShards]) -> None:
    one, two = process(), process()
    assert await one.join(3, fixed=False) == 3
    assert await two.join(5, fixed=False) == 3, "the others' number holds"
    assert await one.take(0)
    assert not await two.take(0)
    for each in (one, two):
        await each.look()
        assert (each.processes, each.share, each.free) == (2, 2, {1, 2})
    await one.release(0)
    assert await two.take(0)


async def test_another_fixed_number_waits_until_the_others_are_gone(process: Callable[..., SharedShards]) -> None:
    one, two = process(), process()
    await one.join(3, fixed=True)
    with structlog.testing.capture_logs() as lines:
        joining = asyncio.create_task(two.join(4, fixed=True))
        await until(lambda: joining.done() or lines, "it has seen the others")
    assert not joining.done()
    assert [line["event"] for line in lines] == ["other_number_of_shards"]
    await one._link.close()
    async with asyncio.timeout(PATIENT):
        assert await joining == 4


async def test_locks_that_were_lost_with_their_connection_are_taken_again(
    process: Callable[..., SharedShards],
) -> None:
    one, two = process(), process()
    await one.join(2, fixed=True)
    await one.take(1)
    await two.join(2, fixed=True)
    await two._link.fetch("SELECT pg_terminate_backend($1)", one._link._before["pid"])
    await until(lambda: one._link._connection is None, "it notices")
    await one.look()
    assert (one.held, one.processes, one.free) == ({1}, 2, {0})


async def test_who_leaves_counts_no_more(process: Callable[..., SharedShards]) -> None:
    one, two = process(), process()
    for each in (one, two):
        await each.join(3, fixed=True)
    await one.take(0)
    await one.leave()
    await two.look()
    assert (two.processes, two.share, two.free) == (1, 3, {0, 1, 2})


async def test_a_question_that_nobody_waits_for_any_more_costs_no_lock(process: Callable[..., SharedShards]) -> None:
    one = process()
    await one.join(2, fixed=True)
    await one.take(1)
    asking = asyncio.create_task(one._link.fetch("SELECT pg_sleep(0.2)"))
    await asyncio.sleep(0.05)
    asking.cancel()
    await one.look()
    assert one.held == {1}
    assert one._link.opened == 1


async def test_a_dead_connection_is_replaced_and_its_locks_are_kept(
    process: Callable[..., SharedShards], postgres_url: str
) -> None:
    async with proxied(postgres_url) as (proxy, url):
        one = process(url)
        await one.join(2, fixed=True)
        await one.take(1)
        proxy.drop()
        with pytest.raises(TimeoutError):
            await one.look()
        await one.look()
        assert one.held == {1}


@pytest.mark.parametrize("moment", ["idle", "in a question"])
async def test_who_is_cut_off_stops_before_its_locks_are_free(
    process: Callable[..., SharedShards], postgres_url: str, moment: str
) -> None:
    async with proxied(postgres_url) as (proxy, url):
        one, two = process(url), process()
        for each in (one, two):
            await each.join(1, fixed=True)
        await one.take(0)
        await one.look()
        assert not one.must_stop()
        if moment != "idle":  # PostgreSQL waits for the rest of a question, and takes this for work
            asking = asyncio.create_task(one._link._connection.fetch("SELECT 1 + 1"))
            await asyncio.sleep(0)
            asking.add_done_callback(lambda done: done.cancelled() or done.exception())
        proxy.drop(new=True)
        stopped = taken = 0.0
        async with asyncio.timeout(PATIENT):
            while not stopped or not taken:
                await two.look()
                stopped = stopped or (time.monotonic() if one.must_stop() else 0)
                taken = taken or (time.monotonic() if await two.take(0) else 0)
                await asyncio.sleep(0.02)
        assert stopped < taken


async def test_an_only_process_goes_on_without_its_database(
    process: Callable[..., SharedShards], postgres_url: str
) -> None:
    async with proxied(postgres_url) as (proxy, url):
        one = process(url)
        await one.join(1, fixed=True)
        await one.look()
        proxy.drop(new=True)
        one._link.answered_at -= 2 * FENCE  # so long ago
        assert not one.must_stop()


async def test_a_bot_that_is_cut_off_leaves_its_shards_to_another(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in.world.shards = 3
    monkeypatch.setattr("bot.core.processes.runner.POLL", 0.1)
    monkeypatch.setattr("bot.core.processes.membership.FENCE", FENCE)
    monkeypatch.setattr("bot.core.processes.membership.STALE", STALE)
    monkeypatch.setattr("bot.core.processes.link.PATIENCE", PATIENCE)
    async with (
        proxied(postgres_url) as (proxy, url),
        bot_running(stand_in, postgres_url) as other,
        bot_running(stand_in, url, faults=range(2)) as cut_off,  # a worker may need the database meanwhile
    ):
        await until(lambda: len(other.runner.shards) == 2 and len(cut_off.runner.shards) == 1, "they share")
        proxy.drop(new=True)
        await until(lambda: cut_off.runner.is_spare, "it gives its shard up")
        assert len(other.runner.shards) == 2
        await until(lambda: len(other.runner.shards) == 3, "the other takes it")
        proxy.drop()
        await until(lambda: len(cut_off.runner.shards) == 1, "it is back, and they share again")
        assert len(other.runner.shards) == 2


async def test_turns_to_identify_are_those_of_all_processes(postgres_url: str) -> None:
    async with AsyncExitStack() as stack:
        links = [Link(postgres_url) for _ in range(2)]
        for link in links:
            stack.push_async_callback(link.close)
        one, two = (SharedTurns(link, PAUSE) for link in links)
        taken: list[int] = []
        for turns, bucket in ((one, 0), (two, 1), (two, 0)):
            await turns.take(bucket)
            (row,) = await links[0].fetch("SELECT taken_at FROM identify_turns WHERE bucket = $1", bucket)
            taken.append(row["taken_at"])
        first, another_bucket, second = taken  # by PostgreSQL's clock
        assert another_bucket - first < PAUSE * 1000 / 2
        assert second - first >= PAUSE * 1000
