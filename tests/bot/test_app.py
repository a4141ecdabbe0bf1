"""The bot put together, started and taken apart."""

from __future__ import annotations

import asyncio
import gc
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import discord
import pytest
import structlog
from discord.gateway import DiscordWebSocket
from discord.http import Route
from harness.bot import TOKEN, Room, bot_running, told
from harness.discord import until

from bot import app
from bot.board import pictures
from bot.core.translations import language
from bot.moves import suggestions
from bot.sandbox.validation.commands import CHARACTERS, characters
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.sandbox.server import Server

ROOT = Path(__file__).parents[2]
EN = language("en")
NOWHERE = "postgresql://a:b@127.0.0.1:9/games"


def settings_of(server: Server, url: str) -> Settings:
    return Settings.load(
        discord_token=TOKEN,
        discord_api_base=server.api_base,
        discord_gateway_url=server.gateway_url,
        database_url=url,
    )


# --- the app ---------------------------------------------------------------------------------------------------------


def test_discords_addresses_are_left_alone_unless_others_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    before = (Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)
    app.set_discord_addresses(Settings.load())
    assert before == (Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)
    app.set_discord_addresses(
        Settings.load(discord_api_base="http://127.0.0.1:1/api/v10/", discord_gateway_url="ws://127.0.0.1:1/x")
    )
    assert Route.BASE == "http://127.0.0.1:1/api/v10"
    assert str(DiscordWebSocket.DEFAULT_GATEWAY) == "ws://127.0.0.1:1/x"


async def test_pictures_are_made_ready_beside_the_loop_once_the_bot_is_ready(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def warm() -> None:
        begun.set()
        go_on.wait(10)

    monkeypatch.setattr(pictures.registry, "warm", warm)
    try:
        async with bot_running(stand_in, sqlite_url) as bot:
            await until(begun.is_set, "the pictures are being made ready")
            room = Room.of(stand_in, bot)
            await room.begin("apb")
            assert not go_on.is_set()
            go_on.set()
    finally:
        go_on.set()


async def test_pictures_that_cannot_be_made_ready_do_not_stop_the_bot(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def warm() -> None:
        raise RuntimeError("made by the test")

    monkeypatch.setattr(pictures.registry, "warm", warm)
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        await Room.of(stand_in, bot).begin("apb")


async def test_a_wrong_token_is_refused(stand_in: Server, sqlite_url: str) -> None:
    stand_in.world.token = "another"
    with pytest.raises(discord.LoginFailure):
        async with app.running(settings_of(stand_in, sqlite_url)):
            pass


async def test_a_connection_that_ends_for_good_ends_the_bot_and_says_why(stand_in: Server, sqlite_url: str) -> None:
    running = asyncio.create_task(app.run(settings_of(stand_in, sqlite_url)))
    await until(lambda: stand_in.gateway.sessions, "the bot is connected")
    await until(gc.get_freeze_count, "what is loaded is left out of the search for garbage")
    gc.unfreeze()  # that was this process
    stand_in.world.token = "another"
    stand_in.world.faults.invalidate()
    with pytest.raises(discord.ConnectionClosed) as ended:
        await asyncio.wait_for(running, 30)
    assert ended.value.code == 4004


async def test_the_first_start_says_where_it_made_a_new_database(
    stand_in: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_of(stand_in, f"sqlite:///{tmp_path / 'games.sqlite3'}")
    monkeypatch.setattr(app, "log", structlog.get_logger())  # an earlier start may have tied the other to its output
    with structlog.testing.capture_logs() as lines:
        for _ in range(2):
            async with app.running(settings):
                pass
    (line,) = [line for line in lines if line["event"] == "new_database"]
    assert line["place"] == str(tmp_path / "games.sqlite3")


# --- the client ------------------------------------------------------------------------------------------------------


async def test_commands_are_registered_in_every_language(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url):
        slashes = [command for command in stand_in.world.commands if command.get("type", 1) == 1]
    assert "abak" in {command["name"] for command in slashes}

    def check(part: dict) -> None:
        assert re.fullmatch(r"[-_\w]{1,32}", part["name"])
        for field in ("name_localizations", "description_localizations"):
            assert set(part[field]) >= {"es-ES", "es-419"}, part["name"]
        assert part["description_localizations"]["es-ES"] != part["description"]
        if part["type"] == discord.AppCommandOptionType.string.value and "choices" not in part:
            assert part["max_length"] <= 2000  # what is quoted back fits into an answer
        for option in part.get("options", ()):
            check(option)

    for command in slashes:
        assert len(command["options"]) <= 25
        assert characters(command) <= CHARACTERS  # Discord counts each text at its longest translation
        check({**command, "type": None})


async def test_commands_are_offered_where_they_make_sense(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url):
        offered = {command["name"]: command["contexts"] for command in stand_in.world.commands}
        installed = {tuple(command["integration_types"]) for command in stand_in.world.commands}
    server, bot_dm = 0, 1
    assert offered == {"abak": [server, bot_dm], "tournament": [server], "Challenge": [server]}
    assert installed == {(0,)}  # to servers


async def test_what_is_typed_is_shortened_before_anything_reads_it(stand_in: Server, sqlite_url: str) -> None:
    """A long text would be parsed again and again: 605 ms for APB's ``e4`` two thousand times."""
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        read: list[str] = []

        def readable(_game: object, _state: object, typed: str) -> tuple[tuple[()], str]:
            read.append(typed)
            return (), ""

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(suggestions, "readable", readable)
            await room.to_move(live).choices("abak move play", "notation", notation="e4 " * 2000)
        assert [len(text) for text in read] == [300]


async def test_commands_are_left_as_they_are_where_that_is_set(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, sync_commands=False):
        assert stand_in.world.commands == []
        assert not [entry for entry in stand_in.world.log if entry.method == "PUT"]


async def test_the_bot_asks_for_little(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        [session] = stand_in.gateway.sessions.values()
        assert session.intents == discord.Intents(guilds=True).value
        assert await bot.connected()
    assert not await bot.connected()


async def test_a_command_that_is_registered_otherwise_is_answered(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        [abak] = [command for command in stand_in.world.commands if command["name"] == "abak"]
        [move] = [option for option in abak["options"] if option["name"] == "move"]
        [play] = [option for option in move["options"] if option["name"] == "play"]
        play["options"][0]["name"] = "text"  # as an earlier version had it
        await room.ana.slash("abak move play", text="e4")
        assert told(room.ana) == EN("error.command")
        play["options"][0] |= {"name": "notation", "type": 4}  # and of another type
        await room.ana.slash("abak move play", notation=4)
        assert told(room.ana) == EN("error.command")
