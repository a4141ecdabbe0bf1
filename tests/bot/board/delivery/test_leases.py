"""Several processes on one database: each board is posted by one of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from fakes.luck import SeededLuck
from fakes.unshown import unshown
from harness.bot import Room, bot_running, milliseconds
from harness.discord import PATIENT, until
from harness.match import begin_match
from harness.origins import shows
from harness.scene import FIRST

from bot.app import assemble
from bot.board.delivery import publisher, service
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.core.services import Sources
from bot.core.storage.database import Database
from bot.core.workers import Pace
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.settings import Settings
from engine.match.match import Terms

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

pytestmark = pytest.mark.both_databases

GAMES = 24


async def opened(database_url: str, room: Room, channels: Sequence[int]) -> list[LiveGame]:
    """Stores a game in each channel, as a process that died before it posted the boards."""
    database = await Database.open(database_url, 2)
    settings = Settings.load(discord_token="token", database_url=database_url)
    services = assemble(database, Sources(SeededLuck(1), lambda: 0, milliseconds), settings)
    players, guild_id = (room.ana.user_id, room.ben.user_id), room.server.world.guild_id
    try:
        return [
            await services[GameService].open(NewGame("apb", {}, Place(guild_id, channel_id), "en"), players)
            for channel_id in channels
        ]
    finally:
        await database.close()


def posts(server: Server) -> Counter[str]:
    """Counts the attempts to post a message in each channel."""
    sent = (entry.path for entry in server.world.log if entry.method == "POST")
    return Counter(path for path in sent if path.endswith("/messages"))


async def test_two_processes_post_no_board_twice(stand_in: Server, database_url: str) -> None:
    room = Room.of(stand_in)
    channels = [stand_in.world.add_channel(f"games-{number}") for number in range(GAMES)]
    live = await opened(database_url, room, channels)
    async with bot_running(stand_in, database_url) as first, bot_running(stand_in, database_url) as second:
        database = first.services.database

        async def all_shown() -> bool:
            await asyncio.gather(first.service(BoardPublisher).sweep(), second.service(BoardPublisher).sweep())
            return not await unshown(database)

        await until(all_shown, "every board is shown")
        for process in (first, second):
            await process.service(BoardPublisher).idle()
        assert posts(stand_in) == {f"/channels/{channel_id}/messages": 1 for channel_id in channels}
        # what one process has just committed is its own matter, however often the other looks for boards to show
        stand_in.world.faults.delay("POST /channels", 0.05)
        for game in live[:6]:
            await first.service(GameService).play(game.id, game.to_act or 0, None, FIRST)
            await second.service(BoardPublisher).sweep()
        for process in (first, second):
            await process.service(BoardPublisher).idle()
        assert sum(posts(stand_in).values()) == GAMES + 6


async def test_a_board_that_takes_long_stays_leased(
    stand_in: Server, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RENEWAL", 0.05)
    now = Clock(milliseconds())
    async with (
        bot_running(stand_in, database_url, now=now) as first,
        bot_running(stand_in, database_url, now=now) as second,
    ):
        room = Room.of(stand_in, first)
        sending, sent = asyncio.Event(), asyncio.Event()
        send, renew, renewed = first.http.send_message, first.service(BoardDelivery).renew, list[int]()

        async def slowly(*given: Any, **named: Any) -> Any:
            sending.set()
            await sent.wait()
            return await send(*given, **named)

        async def noted(game_ids: Collection[str]) -> None:
            before = now()
            await renew(game_ids)
            renewed.append(before)

        monkeypatch.setattr(first.http, "send_message", slowly)
        monkeypatch.setattr(first.service(BoardDelivery), "renew", noted)
        await opened(database_url, room, [room.channel_id])
        now.at = milliseconds() + service.LEASE_MS  # the lease of the process that died has ended
        await first.service(BoardPublisher).sweep()
        await asyncio.wait_for(sending.wait(), PATIENT)
        try:
            for _ in range(4):
                now.at += service.LEASE_MS * 2 // 3
                await second.service(BoardPublisher).sweep()
                await second.service(BoardPublisher).idle()
                await until(lambda: now() in renewed, "the lease is renewed")
        finally:
            sent.set()
        await first.service(BoardPublisher).idle()
        assert sum(posts(stand_in).values()) == 1


async def test_a_board_that_waits_for_a_card_stays_leased(
    stand_in: Server, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first board of a match's next game waits as long as the card of the game before fails."""
    monkeypatch.setattr(publisher, "RENEWAL", 0.05)
    now = Clock(milliseconds())
    async with bot_running(stand_in, database_url, now=now) as bot:
        room = Room.of(stand_in, bot)
        first = await begin_match(room, Terms(best_of=3), "abalone")
        games, boards = bot.service(GameService), bot.service(BoardPublisher)
        other = BoardDelivery(service.BoardRepository(bot.services.database), now)
        sent, send = asyncio.Event(), bot.http.send_message
        renew, renewed = bot.service(BoardDelivery).renew, list[int]()

        async def slowly(*given: Any, **named: Any) -> Any:
            await sent.wait()
            return await send(*given, **named)

        async def noted(game_ids: Collection[str]) -> None:
            before = now()
            await renew(game_ids)
            renewed.append(before)

        monkeypatch.setattr(bot.http, "send_message", slowly)
        monkeypatch.setattr(bot.service(BoardDelivery), "renew", noted)
        await games.resign(first.id, room.ana.user_id, 1)
        await until(lambda: any(task.waits for task in boards._tasks.values()), "the next game waits for the card")
        try:
            for _ in range(4):
                now.at += service.LEASE_MS * 2 // 3
                await until(lambda: now() in renewed, "the lease of the card is renewed")
                assert await other.due() == []
        finally:
            sent.set()
        await until(lambda: len(room.boards) == 3, "the card and the next board are shown")
        second = await room.shown()
        assert [shows(board) for board in room.boards] == [(first.id, 0), (first.id, 1), (second.id, 0)]
        await boards.idle()
        assert not boards._tasks


async def test_a_board_that_was_leased_and_not_begun_is_forgotten_so_that_its_lease_ends(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look at the boards that takes too long is cut off while it waits for its turn with Discord."""
    room, now, asked = Room.of(stand_in), Clock(milliseconds()), list[float]()
    await opened(sqlite_url, room, [room.channel_id])

    async def cut_off(_: Pace, units: float = 1.0) -> None:
        asked.append(units)
        raise TimeoutError

    with monkeypatch.context() as slow:
        slow.setattr(Pace, "wait", cut_off)
        async with bot_running(stand_in, sqlite_url, now=now) as bot:
            await until(lambda: bool(asked), "the board is leased, and waits")
            boards = bot.service(BoardPublisher)
            assert not boards._tasks
            assert room.boards == []
            slow.undo()
            now.at += service.LEASE_MS + 1
            await boards.sweep()
            await boards.idle()
            assert len(room.boards) == 1


async def test_the_board_of_a_process_that_died_is_shown_when_its_lease_ends(
    stand_in: Server, database_url: str
) -> None:
    room, now = Room.of(stand_in), milliseconds()
    (live,) = await opened(database_url, room, [room.channel_id])
    database = await Database.open(database_url, 2)
    await BoardDelivery(service.BoardRepository(database), lambda: now).lease(live.id)
    await database.close()
    async with bot_running(stand_in, database_url, now=lambda: now) as bot:
        await bot.service(BoardPublisher).sweep()
        await bot.service(BoardPublisher).idle()
        assert room.boards == []
        now += service.LEASE_MS
        await bot.service(BoardPublisher).sweep()
        await until(lambda: len(room.boards) == 1, "the board is shown")
