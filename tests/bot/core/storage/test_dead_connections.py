"""Connections to PostgreSQL that carry nothing any more: no reset tells the bot so."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING

import pytest
from harness.bot import Room, told
from harness.discord import PATIENT, until
from harness.health import serving
from harness.proxy import proxied
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_connection

from bot import health as health_pages
from bot.clocks.heartbeats.service import GAP_MS, HEARTBEAT_MS
from bot.clocks.worker import DeadlineWorker
from bot.core.storage import connecting, migrate
from bot.core.storage.database import Database
from bot.core.storage.faults.outages import DatabaseUnavailable
from bot.settings import POSTGRES_CONNECTIONS

if TYPE_CHECKING:
    from harness.discord import Seat
    from sqlalchemy import Connection

    from bot.sandbox.server import Server

pytestmark = pytest.mark.long

PATIENCE = 0.5
FASTER = 2
"""By how much everything that has to do with the database waits shorter than it really does."""

FAREWELL = 2
"""Seconds for which SQLAlchemy tries to take leave of a dead connection."""


async def answered(database: Database) -> None:
    """Asks until the database answers. Raises TimeoutError: without time limits, the first question never ends."""
    async with asyncio.timeout(PATIENT):
        while True:
            with contextlib.suppress(Exception):  # whatever the driver raises meanwhile
                if await database.is_ready():
                    return
            await asyncio.sleep(0.05)


async def test_a_query_on_a_dead_connection_ends_and_the_next_one_gets_another(postgres_url: str) -> None:
    async with proxied(postgres_url) as (proxy, url):
        database = await Database.open(url, 3, patience=PATIENCE)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(3):
                    group.create_task(database.is_ready())
            proxy.drop()
            await answered(database)
        finally:
            await database.close()


async def test_a_start_does_not_wait_for_ever_on_a_connection_that_dies(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = migrate.check_writable

    def die(connection: Connection) -> None:
        proxy.drop()
        look(connection)

    async with proxied(postgres_url) as (proxy, url):
        monkeypatch.setattr(migrate, "check_writable", die)
        with pytest.raises(DatabaseUnavailable, match="no answer in time"):
            async with asyncio.timeout(PATIENT):
                await Database.open(url, 1, patience=PATIENCE)


async def test_a_dead_connection_in_a_transaction_does_not_hold_it_for_ever(postgres_url: str) -> None:
    async with proxied(postgres_url) as (proxy, url):
        database = await Database.open(url, 2, patience=PATIENCE)
        try:
            with pytest.raises(DatabaseUnavailable):  # noqa: PT012
                async with asyncio.timeout(PATIENT), database.writing() as connection:
                    await connection.exec_driver_sql("SELECT 1")
                    proxy.drop()
                    await connection.exec_driver_sql("SELECT 2")
            await answered(database)
        finally:
            await database.close()


async def test_a_server_that_answers_nothing_at_all_is_back_as_soon_as_it_answers(postgres_url: str) -> None:
    async with proxied(postgres_url) as (proxy, url):
        database = await Database.open(url, 2, patience=PATIENCE)
        try:
            proxy.drop(new=True)
            with pytest.raises(DatabaseUnavailable):
                await database.is_ready()
            proxy.drop()
            await answered(database)
        finally:
            async with asyncio.timeout(PATIENT):
                await database.close()


async def test_a_database_that_does_not_answer_at_the_start_is_named(postgres_url: str) -> None:
    async with proxied(postgres_url) as (proxy, url):
        proxy.drop(new=True)
        with pytest.raises(DatabaseUnavailable, match="no answer in time"):
            await Database.open(url, 2, patience=PATIENCE)


# --- the whole bot ---------------------------------------------------------------------------------------------------


def test_a_dead_connection_holds_nobody_up_for_longer_than_a_quarter_of_a_minute() -> None:
    assert connecting.LONGEST_QUERY * connecting.PATIENCE <= 15


@pytest.fixture
def faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot waits FASTER times shorter for its database, and keeps time in so much shorter steps."""
    monkeypatch.setattr(Database, "open", partial(Database.open, patience=connecting.PATIENCE / FASTER))
    monkeypatch.setattr(connecting, "TRUSTED", connecting.TRUSTED / FASTER)

    async def take_leave(self: AsyncAdapt_asyncpg_connection) -> None:
        await self._connection.close(timeout=FAREWELL // FASTER)

    monkeypatch.setattr(AsyncAdapt_asyncpg_connection, "_terminate_graceful_close", take_leave)
    monkeypatch.setattr("bot.health.PATIENCE", health_pages.PATIENCE / FASTER)
    for name in ("limit", "retry"):
        monkeypatch.setattr(DeadlineWorker, name, getattr(DeadlineWorker, name) / FASTER)
    for module in ("worker", "service"):
        monkeypatch.setattr(f"bot.clocks.{module}.HEARTBEAT_MS", HEARTBEAT_MS // FASTER)
    monkeypatch.setattr("bot.clocks.heartbeats.service.GAP_MS", GAP_MS // FASTER)


async def ask(who: Seat) -> None:
    """Sends a command that needs the database, and waits for its answer for longer than others do."""
    sent = await who.world.slash(who.user_id, who.channel_id, "abak games", {})
    await sent.settled(PATIENT)


@pytest.mark.usefixtures("faster")
async def test_a_bot_whose_connections_are_dead_refuses_a_command_and_comes_back(
    stand_in: Server, postgres_url: str
) -> None:
    async with proxied(postgres_url) as (proxy, url), serving(stand_in, url) as health:
        room = Room.of(stand_in)
        await asyncio.gather(*(health.ready() for _ in range(POSTGRES_CONNECTIONS)))  # all connections are open
        proxy.drop()
        asked = asyncio.create_task(ask(room.ana))
        await health.until(503, "heartbeat")
        await asked
        assert told(room.ana) == room.say("error.no_database")
        await health.until(200, seconds=2 * PATIENT)
        await ask(room.ana)
        assert told(room.ana) != room.say("error.no_database")
        assert health.lines("database_unavailable")


@pytest.mark.usefixtures("faster")
async def test_a_bot_without_its_database_says_so_to_players_and_to_the_host(
    stand_in: Server, postgres_url: str
) -> None:
    async with proxied(postgres_url) as (proxy, url), serving(stand_in, url) as health:
        room = Room.of(stand_in)
        proxy.drop(new=True)
        await health.until(503, "database", "heartbeat")
        for _ in range(2):
            await ask(room.ana)
            assert told(room.ana) == room.say("error.no_database")
        proxy.drop()
        await health.until(200, seconds=2 * PATIENT)
        await ask(room.ana)
        assert told(room.ana) != room.say("error.no_database")
        assert health.lines("database_unavailable")
        await until(lambda: health.lines("database_available"), "the end of the outage is noticed")
        assert sum(line["refused"] for line in health.lines("database_available")) == 2
