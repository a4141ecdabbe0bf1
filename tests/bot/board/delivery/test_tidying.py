"""Old boards are tidied in a queue of their own: no board waits for one, and none is forgotten."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.bot import Room, bot_running, milliseconds, private, wired
from harness.discord import PATIENT, is_ephemeral, text, until
from harness.origins import ON_BOARDS
from harness.scene import FIRST, SECOND

from bot.board.delivery import posting, publisher, service, tidying
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery, OldBoard
from bot.core.translations import language
from bot.games.stored import Place
from bot.players.service import PreferenceService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN: Final = language("en")
LIMITED: Final = {"status": 429, "retry_after": 20}
FAILING: Final = {"status": 500, "times": 1000}


async def shows_seq(room: Room, number: int) -> None:
    """Waits until the channel has so many boards."""
    await until(lambda: len(room.boards) == number, "the board is shown")


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
        assert wired(room.ana.fresh(room.boards[0])), "the first board still waits"
        for task in bot.service(BoardPublisher).old_boards._at_work.values():
            task.cancel()


@asynccontextmanager
async def opened(server: Server, url: str) -> AsyncIterator[Room]:
    """Yields a room whose game has begun. In the end, old boards that are still in the queue are left."""
    async with bot_running(server, url) as bot:
        room = Room.of(server, bot)
        await room.begin("apb")
        await bot.service(BoardPublisher).idle()
        try:
            yield room
        finally:
            for task in bot.service(BoardPublisher).old_boards._at_work.values():
                task.cancel()


def edit(message: dict[str, Any]) -> str:
    """Returns the request that edits a message."""
    return f"PATCH /channels/{message['channel_id']}/messages/{message['id']}"


async def offer(room: Room) -> None:
    """Lets Ana offer a draw."""
    await room.ana.slash("abak draw")
    await room.ana.press("b:draw:", private(room.ana))


async def recorded(room: Room) -> LiveGame:
    """Returns the game, once its newest board is recorded."""
    assert room.bot is not None
    await room.bot.service(BoardPublisher).wait_until_posted(room.ana.user_id, PATIENT)
    live = await room.present()
    assert live.shown_seq == live.seq
    assert str(live.message_id) == room.board["id"]
    assert entries(room.board) == live.seq
    return live


def entries(board: dict[str, Any]) -> int:
    """Returns the number of entries that a board shows."""
    found = ON_BOARDS.search(str(board["components"]))
    assert found is not None
    return int(found[2])


@pytest.mark.parametrize("fault", [LIMITED, FAILING], ids=["limited", "failing"])
async def test_an_offer_does_not_wait_for_old_boards(stand_in: Server, sqlite_url: str, fault: dict[str, Any]) -> None:
    """It edits the board, and discord.py may let that wait while it repeats the edit of the old one."""
    async with opened(stand_in, sqlite_url) as room:
        stand_in.world.faults.fail_next(edit(room.board), **fault)
        await room.ana.slash("abak move play", notation=FIRST)
        await shows_seq(room, 2)
        first, pings = int(room.boards[0]["id"]), len(room.pings)
        await offer(room)
        await recorded(room)
        assert room.bot is not None
        assert first in room.bot.service(BoardPublisher).old_boards._at_work, "the old board still waits"
        assert EN("story.offer_draw", seat=EN("side.white")) in text(room.board)
        assert [user_id for user_id, _ in room.pings[pings:]] == [room.ben.user_id]


@pytest.mark.parametrize("fault", [LIMITED, FAILING], ids=["limited", "failing"])
async def test_a_board_that_cannot_be_edited_in_time_is_a_new_message(
    stand_in: Server, sqlite_url: str, fault: dict[str, Any]
) -> None:
    """The server has chosen one message that is edited with every turn."""
    async with opened(stand_in, sqlite_url) as room:
        assert room.bot is not None
        await room.bot.service(PreferenceService).set_server(stand_in.world.guild_id, "old_board", "edit")
        first, pings = room.board, len(room.pings)
        stand_in.world.faults.fail_next(edit(first), **fault)
        await room.ana.slash("abak move play", notation=FIRST)
        await shows_seq(room, 2)
        await recorded(room)
        assert [user_id for user_id, _ in room.pings[pings:]] == [room.ben.user_id]
        stand_in.world.faults.clear()
        await until(lambda: not wired(room.ana.fresh(first)), "the first board is tidied")
        await room.ben.slash("abak move play", notation=SECOND)
        live = await recorded(room)
        assert (len(room.boards), live.seq) == (2, 2)


async def test_an_edit_that_arrives_too_late_leaves_one_board_with_buttons(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "EDITED", 0.2)
    async with opened(stand_in, sqlite_url) as room:
        assert room.bot is not None
        first, pings = room.board, len(room.pings)
        stand_in.world.faults.delay(edit(first), 1.0)
        await offer(room)
        await shows_seq(room, 2)
        await until(lambda: entries(room.ana.fresh(first)) == entries(room.board), "the edit arrives")
        live = await room.shown()
        assert [bool(wired(board)) for board in room.boards] == [False, True]
        assert [user_id for user_id, _ in room.pings[pings:]] == [live.awaited]


async def test_a_board_in_place_of_an_edit_is_not_sent_twice(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It arrives, and the bot does not know; so what was given up is tried once more."""
    monkeypatch.setattr(posting, "EDITED", 0.2)
    monkeypatch.setattr(publisher, "RETRIES", (0.01, 0.01))
    async with opened(stand_in, sqlite_url) as room:
        pings, world = len(room.pings), stand_in.world
        world.faults.delay(edit(room.board), 1.0)
        world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, lost=True)
        await offer(room)
        await shows_seq(room, 2)
        await recorded(room)
        await room.shown()
        assert [bool(wired(board)) for board in room.boards] == [False, True]
        assert len(room.pings) == pings + 1


async def test_nobody_is_called_again_by_a_board_in_place_of_an_edit(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board was edited, its ping arrived, and the bot does not know: it takes its time for the same edit."""
    monkeypatch.setattr(posting, "EDITED", PATIENT)
    monkeypatch.setattr(publisher, "RETRIES", (0.01, 0.01))
    async with opened(stand_in, sqlite_url) as room:
        pings, world = len(room.pings), stand_in.world
        world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, lost=True)

        def slow(event: dict[str, Any]) -> None:
            if event["type"] == "message_create" and not is_ephemeral(event["message"]) and not world.faults.delays:
                world.faults.delay(edit(room.board), 1.0)
                monkeypatch.setattr(posting, "EDITED", 0.2)

        world.subscribe(slow)
        await offer(room)
        await recorded(room)
        assert world.faults.delays
        assert len(room.boards) == 1
        assert len(room.pings) == pings + 1


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

        async def all_tidied() -> bool:
            await old_boards.sweep()
            await old_boards.idle()
            return not await all_old(delivery)

        await until(all_tidied, "every old board is tidied")


async def all_old(delivery: BoardDelivery) -> list[OldBoard]:
    """Returns every old board in the database, whether due or not."""
    return await delivery.store.old(2**62, 1000)
