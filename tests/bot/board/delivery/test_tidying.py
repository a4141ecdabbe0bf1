"""Old boards are tidied in a queue of their own: no board waits for one, and none is forgotten."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from harness.bot import Room, bot_running, milliseconds, wired
from harness.discord import until
from harness.scene import FIRST, SECOND

from bot.board.delivery import service, tidying
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery, OldBoard
from bot.games.stored import Place

if TYPE_CHECKING:
    import pytest

    from bot.sandbox.server import Server


async def shows_seq(room: Room, number: int) -> None:
    """Waits until the channel has so many boards; well before discord.py gives up a request that fails (25 s)."""
    await until(lambda: len(room.boards) == number, "the board is shown", seconds=8)


async def test_boards_do_not_wait_for_old_ones_that_cannot_be_tidied(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        await room.begin("apb")
        await bot.service(BoardPublisher).idle()
        stand_in.world.faults.fail_next("PATCH /", status=500, times=1000)
        first = room.boards[0]
        await room.ana.slash("abak move play", notation=FIRST)
        await shows_seq(room, 2)
        await room.ben.slash("abak move play", notation=SECOND)
        await shows_seq(room, 3)
        assert wired(room.ana.fresh(first))
        waiting = bot.service(BoardPublisher).old_boards._at_work
        await until(lambda: len(waiting) == 2, "both old boards are in the queue")
        for task in waiting.values():
            task.cancel()  # after 25 s it would give up by itself
        await bot.service(BoardPublisher).idle()
        assert len(await all_old(bot.service(BoardDelivery))) == 2  # they are kept for later
    stand_in.world.faults.clear()
    later = milliseconds() + service.TIDYING_LEASE_MS
    async with bot_running(stand_in, sqlite_url, now=lambda: later) as room.bot:
        await until(lambda: not any(map(wired, room.boards[:2])), "they are tidied after a restart")


async def test_a_rate_limit_of_old_boards_is_not_one_of_new_ones(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        await room.begin("apb")
        await bot.service(BoardPublisher).idle()
        stand_in.world.faults.fail_next("PATCH /", status=429, retry_after=20)
        await room.ana.slash("abak move play", notation=FIRST)
        await shows_seq(room, 2)
        await room.ben.slash("abak move play", notation=SECOND)
        await shows_seq(room, 3)
        for task in bot.service(BoardPublisher).old_boards._at_work.values():
            task.cancel()


async def test_the_queue_is_bounded_and_the_rest_waits_in_the_database(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidying, "LONGEST", 3)
    async with bot_running(stand_in, sqlite_url) as bot:
        old_boards, delivery = bot.service(BoardPublisher).old_boards, bot.service(BoardDelivery)
        stand_in.world.faults.delay("DELETE /channels", 0.05)
        place = Place(stand_in.world.guild_id, stand_in.world.add_channel("games"))
        for number in range(1, 11):
            await old_boards.store(OldBoard(number, place, removed=True))
            assert len(old_boards._at_work) <= 3
        monkeypatch.setattr(delivery, "now", lambda: milliseconds() + service.TIDYING_LEASE_MS)
        async with asyncio.timeout(20):
            while await all_old(delivery):
                await old_boards.sweep()
                await old_boards.idle()


async def all_old(delivery: BoardDelivery) -> list[OldBoard]:
    """Every old board in the database, whether due or not."""
    return await delivery.store.old(2**62, 1000)
