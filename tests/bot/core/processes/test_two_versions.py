"""Two releases at once on one PostgreSQL and one gateway, as in a rolling upgrade: people play through both."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import pytest
from fakes.clock import Clock
from fakes.luck import SeededLuck
from harness.bot import Room, private, told, wired
from harness.discord import PATIENT, menus, until
from harness.health import held_port
from harness.origins import is_of_game, shows
from harness.players import Greedy
from harness.process import TESTS, BotProcess, plainly
from harness.revisions import LATER, later
from sqlalchemy import text as sql

from bot.core.client import SYNC_LOOK
from bot.core.storage.database import Database
from bot.core.translations import language
from bot.games.repository import GameRepository
from bot.games.service import GameService
from engine.core.record import Kind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from harness.discord import Seat

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

pytestmark = [pytest.mark.changes_schema, pytest.mark.long, pytest.mark.thorough]

EN = language("en")
RELEASE: Final = "999.0"


class Newer:
    """Starts the later release."""

    def __init__(self, folder: Path) -> None:
        self._folder = later(folder)

    async def __call__(self, given: Mapping[str, str]) -> int:
        script, paths = str(TESTS / "fakes" / "newer_bot.py"), os.pathsep.join(map(str, (TESTS.parent, TESTS)))
        environment = {**os.environ, **given, "PYTHONPATH": paths}
        command = (sys.executable, script, str(self._folder), RELEASE)
        return (await asyncio.create_subprocess_exec(*command, env=environment, cwd=TESTS.parent)).pid


class Upgrade:
    """A server on each of two shards, the two who play in both, and what is stored, read past the bots."""

    def __init__(self, server: Server, database: Database) -> None:
        self.server, self.database = server, database
        self.games = GameService(GameRepository(database), SeededLuck(1), Clock())
        self.player = Greedy(patience=99)
        self.played: dict[str, list[str]] = {}
        """The turns that were sent, by game."""
        self.failed: list[Any] = []
        """What got no answer."""
        self.registered: list[list[str]] = []
        """The commands each time that they were registered."""
        world = server.world
        world.shards = 2
        guilds = {(guild >> 22) % 2: guild for guild in (world.guild_id, *(world.add_guild(f"G{n}") for n in range(3)))}
        first = world.add_channel("games", guilds[0])
        room = Room.of(server).elsewhere(first)
        self.rooms = [room, room.elsewhere(world.add_channel("games", guilds[1]))]
        world.subscribe(self._note)
        replace = world.registered.replace

        def noted(commands: Any, guild_id: int | None = None) -> Any:
            self.registered.append([one["name"] for one in commands])
            return replace(commands, guild_id)

        world.registered.replace = noted  # type: ignore[method-assign]

    def _note(self, event: dict[str, Any]) -> None:
        if event["type"] == "interaction" and event["state"] == "failed":
            self.failed.append(event)

    def served(self, *shards: int) -> bool:
        """Returns whether each of these shards is connected once."""
        sessions = self.server.gateway.sessions.values()
        return sorted(one.shard for one in sessions if one.socket is not None) == list(shards)

    async def live(self, room: Room) -> LiveGame:
        """Returns the game of a channel, as it is stored."""
        found = await self.games.latest_at(room.channel_id)
        assert found is not None
        return await self.games.newest(found.id)

    async def shown(self, room: Room) -> LiveGame:
        """Returns the game of a channel, once its board is shown."""
        async with asyncio.timeout(PATIENT):
            while (live := await self.live(room)).shown_seq < live.seq:  # noqa: ASYNC110  the database tells nobody
                await asyncio.sleep(0.01)
        assert shows(room.board) == (live.id, live.seq)
        return live

    async def begin(self, room: Room) -> None:
        message = await room.challenge("abalone")
        await room.ben.press("b:accept_challenge:", message)
        await self.shown(room)

    def next_turn(self, live: LiveGame) -> str:
        text = live.game.format(live.state, self.player.turn(live.game, live.state))
        self.played.setdefault(live.id, []).append(text)
        return text

    async def type(self, room: Room) -> None:
        """Plays the next turn of a game, by the command in its own server."""
        live = await self.live(room)
        await room.type(live, self.next_turn(live))
        assert (await self.shown(room)).seq > live.seq

    async def tap(self, room: Room, through: Room) -> None:
        """Plays the next turn of a game, in another server."""
        live = await self.live(room)
        picker = await self.picker(live, through, self.next_turn(live))
        await through.confirm(through.to_move(live), picker)
        assert (await self.shown(room)).seq > live.seq

    async def picker(self, live: LiveGame, through: Room, turn: str) -> dict[str, Any]:
        """Chooses the turn in a picker in that server, and returns the picker."""
        who = through.to_move(live)
        await who.slash("abak next")
        for _ in self.rooms:
            if any(one["custom_id"].startswith(f"b:move:{live.id}:") for one in wired(private(who))):
                break
            await who.press("b:next:", private(who))
        await who.press(f"b:move:{live.id}:", private(who))
        picker = private(who)
        await through.tap_steps(live, picker, live.game.parse(live.state, turn))
        return picker

    async def confirm_twice(self, room: Room) -> None:
        """Confirms the next turn of a game in both servers at the same moment."""
        live = await self.live(room)
        who, turn = room.to_move(live), self.next_turn(live)
        pickers = [await self.picker(live, through, turn) for through in self.rooms]
        seats = [who.at(through.channel_id) for through in self.rooms]
        pressed = zip(seats, pickers, strict=True)
        await asyncio.gather(*(seat.press("b:confirm:", picker) for seat, picker in pressed))
        assert (await self.shown(room)).seq > live.seq

    async def check(self) -> None:
        """Checks that each turn was accepted, shown and announced once, and that everybody got an answer."""
        for room in self.rooms:
            live = await self.shown(room)
            assert [entry.body for entry in live.entries if entry.kind is Kind.PLAY] == self.played[live.id]
            boards = [shows(board) for board in room.boards]
            assert boards == [(live.id, seq) for seq in range(live.seq + 1)]
            assert [shows(message) for _, message in room.pings if is_of_game(message)] == boards
        assert self.failed == []


async def confirms_always(who: Seat) -> bool:
    """Opens the settings and returns whether each turn is to be confirmed."""
    key = "preference.user.confirm"
    chosen = EN("panel.chosen", title=EN(key), choice=EN(f"{key}.always"))
    panel = await open_page(who)
    return chosen in [one["label"] for menu in menus(panel) for one in menu["options"] if one.get("default")]


async def open_page(who: Seat) -> dict[str, Any]:
    await who.slash("abak settings")
    await who.press("b:page_user:me:0:play", private(who))
    return who.fresh(private(who))


async def ready(process: BotProcess) -> None:
    """Waits until a process has started; it may be a spare."""
    async with asyncio.timeout(60), aiohttp.ClientSession() as session:
        while True:
            with contextlib.suppress(aiohttp.ClientConnectionError):
                async with session.get(f"{address(process)}/readyz") as answer:
                    if answer.status == HTTPStatus.OK:
                        return
            await asyncio.sleep(0.1)


async def serves(process: BotProcess, release: str, shard: int) -> None:
    """Waits until a process says that it is of that release and serves that shard alone."""
    async with asyncio.timeout(60), aiohttp.ClientSession() as session:
        while True:
            with contextlib.suppress(aiohttp.ClientConnectionError):
                async with session.get(f"{address(process)}/metrics") as answer:
                    shown = await answer.text()
                assert f'version="{release}"' in shown
                if re.findall(r'abakbot_shard_up{shard="(.)"} 1', shown) == [str(shard)]:
                    return
            await asyncio.sleep(0.1)


def address(process: BotProcess) -> str:
    return f"http://127.0.0.1:{process.given['HEALTH_PORT']}"


@asynccontextmanager
async def with_page(process: BotProcess) -> AsyncIterator[BotProcess]:
    """Runs the process with a page of its metrics."""
    with held_port() as port:
        process.given["HEALTH_PORT"] = str(port)
        async with process:
            yield process


async def test_people_play_through_both_releases_until_the_older_one_ends(
    stand_in: Server, postgres_url: str, tmp_path: Path
) -> None:
    later = Newer(tmp_path / "later")
    async with (
        Database(postgres_url) as database,
        with_page(BotProcess(stand_in, postgres_url, plainly, several=True)) as older,
        with_page(BotProcess(stand_in, postgres_url, later, several=True)) as newer,
        with_page(BotProcess(stand_in, postgres_url, later, several=True)) as another,
    ):
        upgrade = Upgrade(stand_in, database)
        first, second = upgrade.rooms
        await older.start()
        await until(lambda: upgrade.served(0, 1), "the older one serves both shards", seconds=60)
        for room in upgrade.rooms:
            await upgrade.begin(room)
            await upgrade.type(room)
        assert not await confirms_always(first.ana)  # and now this is in its memory
        await newer.start()
        await until(
            lambda: upgrade.served(0, 1) and len(stand_in.gateway.identifies) == 3, "they share them", seconds=60
        )
        for process, release, shard in ((older, metadata.version("abakbot"), 0), (newer, RELEASE, 1)):
            await serves(process, release, shard)
        assert (await database.fetch(sql("SELECT version_num FROM alembic_version"))).scalar() == LATER
        for _ in range(3):
            for room, other in ((first, second), (second, first)):
                await upgrade.type(room)
                await upgrade.tap(room, through=other)
        await second.ana.choose("always", menu="m:set_user:me:0:confirm", message=await open_page(second.ana))
        await until(lambda: confirms_always(first.ana), "the other release knows it")
        for room in upgrade.rooms:
            await until_turn_of(room.ana, upgrade, room)
            await upgrade.confirm_twice(room)
        assert len(upgrade.registered) == 1, "the commands stay as they are while the older release runs"
        await another.start()
        await ready(another)
        await older.stop()
        await until(lambda: upgrade.served(0, 1), "the newer ones serve both shards", seconds=60)
        for room in upgrade.rooms:
            await upgrade.type(room)
        await until(lambda: len(upgrade.registered) == 2, "the newer commands are registered", seconds=SYNC_LOOK / 2)
        for room in upgrade.rooms:
            await room.ana.slash("later mood")
            assert told(room.ana) == "calm"
        await upgrade.check()
        before, after = upgrade.registered
        assert set(after) - set(before) == {"later"}


async def until_turn_of(who: Seat, upgrade: Upgrade, room: Room) -> None:
    """Plays until it is their turn."""
    if room.to_move(await upgrade.live(room)).user_id != who.user_id:
        await upgrade.type(room)
