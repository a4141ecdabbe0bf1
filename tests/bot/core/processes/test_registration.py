"""The commands are sent to Discord once, however often and in how many processes the bot starts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest
from harness import known_commands
from harness.bot import bot_running
from harness.discord import until
from sqlalchemy import select

from bot.core import client
from bot.core.client import AbakBot
from bot.core.processes import registration
from bot.core.processes.link import Link
from bot.core.processes.membership import SharedShards
from bot.core.processes.registration import Registration
from bot.core.processes.tables import command_registrations
from bot.core.storage.database import Database
from bot.core.storage.faults.outages import DatabaseUnavailable

if TYPE_CHECKING:
    from bot.sandbox.server import Server


@pytest.fixture(autouse=True)
def by_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bot registers its commands itself, and they are not those of other tests."""
    monkeypatch.setattr(known_commands, "register", lambda _: False)
    monkeypatch.setattr(known_commands, "note", lambda _: None)


@pytest.fixture
def sent(stand_in: Server, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collects the number of commands of each request."""
    counts: list[int] = []
    commands = stand_in.world.registered
    replace = commands.replace

    def counted(payload: Any, guild_id: int | None) -> Any:
        counts.append(len(payload))
        return replace(payload, guild_id)

    monkeypatch.setattr(commands, "replace", counted)
    return counts


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Registration]:
    """Collects the registrations that have checked whether to register the commands again, each at its end."""
    found: list[Registration] = []
    look_again = Registration.look_again

    async def noted(self: Registration) -> None:
        await look_again(self)
        found.append(self)

    monkeypatch.setattr(Registration, "look_again", noted)
    return found


async def looked_again(looks: list[Registration], *processes: AbakBot) -> None:
    """Waits until each of these has looked again: twice, as the first look may have begun before."""
    seen = len(looks)
    await until(lambda: all(looks[seen:].count(bot._registration) > 1 for bot in processes), "they look again")


async def start(server: Server, url: str) -> None:
    async with bot_running(server, url):
        pass


async def test_only_what_has_changed_is_sent_again(stand_in: Server, sqlite_url: str, sent: list[int]) -> None:
    for _ in range(2):
        await start(stand_in, sqlite_url)
    assert len(sent) == 1
    async with Database(sqlite_url) as database, database.writing() as connection:
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
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, looks: list[Registration]
) -> None:
    away: list[int] = []

    async def unavailable(*_: object) -> None:
        away.append(1)
        if len(away) < 3:
            raise DatabaseUnavailable

    async with bot_running(stand_in, sqlite_url) as bot:
        monkeypatch.setattr(client, "SYNC_PAUSE", 0.05)
        monkeypatch.setattr(client, "SYNC_LOOK", 0.05)
        monkeypatch.setattr(bot._registration, "register", unavailable)
        syncing = asyncio.create_task(bot._keep_synced(synced=False))
        await until(lambda: looks, "they are sent, and it looks again")
        assert len(away) == 3
        syncing.cancel()


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
    link = Link(postgres_url)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(registration, "PATIENCE", 0.5)
            async with SharedShards(link).registering(), bot_running(stand_in, postgres_url, faults=1) as bot:
                with pytest.raises(TimeoutError, match=r"not done after 0\.5 seconds"):
                    await bot._registration.register()
            assert sent == []
        async with bot_running(stand_in, postgres_url):
            assert len(sent) == 1
    finally:
        await link.close()


# --- processes of several releases -----------------------------------------------------------------------------------

Release = Callable[[str], AbstractAsyncContextManager[AbakBot]]


@pytest.fixture
def release(stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Release:
    """Starts a process of that release, which has commands of its own."""
    monkeypatch.setattr(client, "SYNC_LOOK", 0.1)
    now, digest = [""], registration._digest

    async def digest_of_release(tree: Any) -> str:
        return now[0] + await digest(tree)

    monkeypatch.setattr(registration, "_digest", digest_of_release)

    def start(name: str) -> AbstractAsyncContextManager[AbakBot]:
        now[0] = name
        return bot_running(stand_in, postgres_url)

    return start


async def registered(database: Database, release: str) -> None:
    """Waits until the commands of that release are registered."""

    async def is_registered() -> bool:
        return str((await database.fetch(select(command_registrations.c.digest))).scalar()).startswith(release)

    await until(is_registered, "the commands are registered")


async def test_in_a_rolling_upgrade_the_commands_change_once_when_the_last_older_process_ends(
    release: Release, postgres_url: str, sent: list[int], looks: list[Registration]
) -> None:
    async with Database(postgres_url) as database, AsyncExitStack() as newer:
        async with release("old"), AsyncExitStack() as crashing:
            await crashing.enter_async_context(release("old"))
            first = await newer.enter_async_context(release("new"))
            await crashing.aclose()
            async with release("old"):  # it is started again, after all newer ones
                second = await newer.enter_async_context(release("new"))
                await looked_again(looks, first, second)
            assert len(sent) == 1
            await registered(database, "old")
        await registered(database, "new")
        async with release("old") as forgotten:  # by whoever upgraded
            await looked_again(looks, forgotten)
        assert len(sent) == 2
        await registered(database, "new")


async def test_who_goes_back_to_an_older_release_gets_its_commands_back(
    release: Release, postgres_url: str, sent: list[int]
) -> None:
    async with Database(postgres_url) as database, AsyncExitStack() as older:
        async with release("new"):
            await older.enter_async_context(release("old"))
            await registered(database, "new")
        await registered(database, "old")
    assert len(sent) == 2


async def test_a_process_whose_connection_was_opened_anew_still_counts(
    release: Release, postgres_url: str, sent: list[int], looks: list[Registration]
) -> None:
    link = Link(postgres_url)
    try:
        async with release("old") as old:
            membership: Any = old.runner.membership
            await link.fetch("SELECT pg_terminate_backend($1)", membership._link._before["pid"])
            await until(lambda: membership._link.opened == 2, "it is opened anew")
            async with release("new") as new:
                await looked_again(looks, new)
            assert len(sent) == 1
    finally:
        await link.close()
