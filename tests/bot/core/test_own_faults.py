"""A fault of ours is owned up to, and stops nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
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


async def test_commands_that_cannot_be_registered_stop_nothing(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that an earlier start has registered go on; it is tried again until Discord takes them."""
    monkeypatch.setattr(client, "SYNC_PAUSE", 0.1)
    async with bot_running(stand_in, sqlite_url) as bot, bot.services.database.writing_once() as connection:
        await connection.execute(command_registrations.update().values(digest="of an older version"))
    faults = stand_in.world.faults
    faults.fail_next("PUT /applications", status=403, code=50001, times=2)
    async with bot_running(stand_in, sqlite_url, faults=2) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await room.type(live, FIRST)
        assert_shown_once(room, await room.shown())
        await until(lambda: faults.failures == [], "it was tried again")
