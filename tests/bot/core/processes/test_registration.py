"""The commands are sent to Discord once, however often and in how many processes the bot starts."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest
from harness.bot import bot_running
from harness.discord import until

from bot.core import client
from bot.core.processes import registration
from bot.core.processes.link import Link
from bot.core.processes.membership import SharedShards
from bot.core.processes.tables import command_registrations
from bot.core.storage.database import Database
from bot.core.storage.faults.outages import DatabaseUnavailable

if TYPE_CHECKING:
    from bot.sandbox.server import Server


@pytest.fixture
def sent(stand_in: Server, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many commands were sent each time."""
    counts: list[int] = []
    registered = stand_in.world.registered
    replace = registered.replace

    def counted(commands: Any, guild_id: int | None) -> Any:
        counts.append(len(commands))
        return replace(commands, guild_id)

    monkeypatch.setattr(registered, "replace", counted)
    return counts


async def start(server: Server, url: str) -> None:
    async with bot_running(server, url):
        pass


async def test_only_what_has_changed_is_sent_again(stand_in: Server, sqlite_url: str, sent: list[int]) -> None:
    for _ in range(2):
        await start(stand_in, sqlite_url)
    assert len(sent) == 1
    async with Database(sqlite_url) as database, database.writing_once() as connection:
        await connection.execute(command_registrations.update().values(digest="of another version"))
    await start(stand_in, sqlite_url)
    assert len(sent) == 2
    registered = stand_in.world.registered
    registered.delete(int(registered.of(None)[0]["id"]), None)  # by hand, or by another program
    await start(stand_in, sqlite_url)
    assert sent == [sent[0]] * 3


async def test_two_processes_that_start_at_once_send_them_once(
    stand_in: Server, postgres_url: str, sent: list[int]
) -> None:
    stand_in.world.faults.delay("PUT /applications", 0.3)
    async with AsyncExitStack() as stack:
        starting = [asyncio.ensure_future(stack.enter_async_context(bot_running(stand_in, postgres_url))) for _ in "ab"]
        await asyncio.gather(*starting)
    assert len(sent) == 1


async def test_they_are_sent_later_though_the_database_was_away_meanwhile(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    away: list[int] = []

    async def unavailable(*_: object) -> None:
        away.append(1)
        if len(away) < 3:
            raise DatabaseUnavailable

    async with bot_running(stand_in, sqlite_url) as bot:
        monkeypatch.setattr(client, "SYNC_PAUSE", 0.05)
        monkeypatch.setattr(client, "register", unavailable)
        async with asyncio.timeout(15):
            await bot._sync_later()
        assert len(away) == 3


@pytest.mark.parametrize(
    "error", [DatabaseUnavailable(), asyncpg.InterfaceError("connection is closed"), RuntimeError()], ids=repr
)
async def test_a_database_that_is_away_when_they_are_first_sent_does_not_end_the_bot(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, sent: list[int], error: Exception
) -> None:
    stored = registration._stored

    async def away_once(*_: object) -> Any:
        monkeypatch.setattr(registration, "_stored", stored)
        raise error

    monkeypatch.setattr(client, "SYNC_PAUSE", 0.05)
    monkeypatch.setattr(registration, "_stored", away_once)
    async with bot_running(stand_in, sqlite_url):
        await until(lambda: sent, "they are sent later")
    assert len(sent) == 1


async def test_a_registration_that_takes_long_does_not_hold_up_the_start(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    """Another process registers, and Discord lets it wait."""
    monkeypatch.setattr(registration, "PATIENCE", 0.5)
    link = Link(postgres_url)
    try:
        async with SharedShards(link).registering(), asyncio.timeout(20):
            async with bot_running(stand_in, postgres_url, faults=1) as bot:
                with pytest.raises(TimeoutError, match=r"not done after 0\.5 seconds"):
                    await registration.register(bot.tree, bot.services.database, bot.runner.membership)
            assert sent == []
        async with bot_running(stand_in, postgres_url):
            assert len(sent) == 1
    finally:
        await link.close()
