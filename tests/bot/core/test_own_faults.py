"""A fault of ours is owned up to, and stops nothing else."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import pytest
from discord import http
from harness.boards import assert_shown_once
from harness.bot import SPANISH, Room, bot_running, told
from harness.discord import until
from harness.scene import FIRST

from bot.board.delivery import posting, publisher
from bot.core import client, workers
from bot.core.processes.tables import command_registrations
from bot.games.service import GameService

if TYPE_CHECKING:
    from bot.sandbox.server import Server

RETRIED: Final = 5
"""How often discord.py sends a request that fails with 500 or 502, with pauses between."""


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_fault_of_ours_is_owned_up_to_in_one_sentence(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("made by the test")

    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        live = await room.begin("apb")
        with monkeypatch.context() as patched:
            patched.setattr(bot.service(GameService), "play", broken)
            await room.type(live, FIRST)
        assert told(room.ana) == room.say("error.ours")
        assert await room.present() == live
        await room.type(live, FIRST)
        assert_shown_once(room, await room.shown())


async def test_a_board_that_cannot_be_made_stops_no_other(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "FIRST_PAUSE", 50)
    monkeypatch.setattr(publisher, "SWEEP", 0.1)
    make = posting.board.message
    attempts = 0

    async def broken_once(*given: Any) -> Any:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise RuntimeError("made by the test")
        return await make(*given)

    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        monkeypatch.setattr(posting.board, "message", broken_once)
        await room.type(live, FIRST)
        await until(lambda: len(room.boards) == 2, "the sweep has shown it")
        assert_shown_once(room, await room.shown())
    assert attempts == 2


@pytest.mark.parametrize(
    ("failing", "requests"),
    [
        ({"status": 403, "code": 50001}, 1),
        ({"status": 500}, RETRIED),
        pytest.param({"status": 502}, RETRIED, marks=pytest.mark.thorough),
        ({"status": 503}, 1),
    ],
    ids=str,
)
async def test_commands_that_cannot_be_registered_stop_nothing(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, failing: dict[str, int], requests: int
) -> None:
    """Commands of an earlier start go on; the bot tries again until Discord takes the new ones."""
    monkeypatch.setattr(client, "SYNC_PAUSE", 0.1)
    monkeypatch.setattr(http, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": lambda _: asyncio.sleep(0)}))
    async with bot_running(stand_in, sqlite_url) as bot, bot.services.database.writing() as connection:
        await connection.execute(command_registrations.update().values(digest="of an older version"))
    faults = stand_in.world.faults

    def registered() -> int:
        """Returns Discord's last answer to the commands."""
        return [one.status for one in stand_in.world.log if one.path.endswith("/commands") and one.method == "PUT"][-1]

    faults.fail_next("PUT /applications", **failing, times=2 * requests)
    async with bot_running(stand_in, sqlite_url, faults=2) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await room.type(live, FIRST)
        assert_shown_once(room, await room.shown())
        await until(lambda: faults.failures == [], "it was tried again")
        await until(lambda: registered() == 200, "Discord has taken them")


async def test_a_menu_of_a_person_whom_discord_does_not_name_is_no_fault_of_ours(room: Room) -> None:
    (menu,) = [one for one in room.server.world.commands if one["type"] == 2]
    data = {"id": menu["id"], "name": menu["name"], "type": 2, "target_id": str(room.ben.user_id)}
    for resolved in ({}, {"resolved": {"members": {str(room.ben.user_id): {}}}}):
        sent = room.server.world.user_client._new("slash", 2, room.ana.user_id, room.channel_id, data | resolved)
        await room.server.world.interactions.send(sent)
        await sent.settled()
        assert told(room.ana) == room.say("error.command")


@pytest.mark.parametrize("value", ["", "x", "1.5", "9" * 5000, 7, None, [], {}], ids=repr)
async def test_typing_goes_on_beside_an_option_that_is_none(room: Room, value: Any) -> None:
    """Discord checks the options only when the command is sent."""
    world = room.server.world
    (command,) = [one for one in world.commands if one["name"] == "abak"]
    typed = {"name": "time", "type": 3, "value": "3d", "focused": True}
    given = [{"name": "opponent", "type": 6, "value": value}, {"name": "beavers", "type": 10, "value": value}, typed]
    options = [{"name": "challenge", "type": 1, "options": given}]
    data = {"id": command["id"], "name": "abak", "type": 1, "options": options}
    sent = world.user_client._new("autocomplete", 4, room.ana.user_id, room.channel_id, data)
    await world.interactions.send(sent)
    assert sent.choices


@pytest.mark.parametrize("value", [["x"], {}, 7, None], ids=repr)
async def test_what_is_typed_and_no_text_is_answered_with_nothing(room: Room, value: Any) -> None:
    world = room.server.world
    (command,) = [one for one in world.commands if one["name"] == "abak"]
    given = [
        {"name": "game", "type": 3, "value": "apb"},
        {"name": "layout", "type": 3, "value": value, "focused": True},
    ]
    options = [{"name": "challenge", "type": 1, "options": given}]
    data = {"id": command["id"], "name": "abak", "type": 1, "options": options}
    sent = world.user_client._new("autocomplete", 4, room.ana.user_id, room.channel_id, data)
    await world.interactions.send(sent)
    assert sent.choices == []


async def test_a_person_of_whom_discord_says_nothing_is_no_fault_of_ours(room: Room) -> None:
    """It may say something else of the same id."""
    world, place = room.server.world, str(room.channel_id)
    (command,) = [one for one in world.commands if one["name"] == "abak"]
    channel = world.channels[room.channel_id] | {"permissions": "0"}
    for value, resolved in (
        (str(room.ben.user_id), {}),
        (str(room.ben.user_id), {"members": {str(room.ben.user_id): {}}}),
        (place, {"channels": {place: channel}}),
    ):
        options = [{"name": "profile", "type": 1, "options": [{"name": "user", "type": 6, "value": value}]}]
        data = {"id": command["id"], "name": "abak", "type": 1, "options": options, "resolved": resolved}
        sent = world.user_client._new("slash", 2, room.ana.user_id, room.channel_id, data)
        await world.interactions.send(sent)
        await sent.settled()
        assert told(room.ana) == room.say("error.command")
