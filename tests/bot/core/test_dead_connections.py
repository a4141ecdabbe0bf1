"""Connections to PostgreSQL that carry nothing any more: no reset tells the bot so."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from harness.proxy import proxied

from bot.core.storage.database import Database
from bot.core.storage.faults.outages import DatabaseUnavailable

PATIENCE = 0.5
LONG = 20.0


async def answered(database: Database) -> None:
    """Asks until the database answers. Raises TimeoutError: without time limits, the first question never ends."""
    async with asyncio.timeout(LONG):
        while True:
            with contextlib.suppress(Exception):  # whatever the driver raises meanwhile
                if await database.answers():
                    return
            await asyncio.sleep(0.05)


async def test_a_query_on_a_dead_connection_ends_and_the_next_one_gets_another(postgres_url: str) -> None:
    async with proxied(postgres_url) as (proxy, url):
        database = await Database.open(url, 3, patience=PATIENCE)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(3):
                    group.create_task(database.answers())
            proxy.drop()
            await answered(database)
        finally:
            await database.close()


async def test_a_dead_connection_in_a_transaction_does_not_hold_it_for_ever(postgres_url: str) -> None:
    async with proxied(postgres_url) as (proxy, url):
        database = await Database.open(url, 2, patience=PATIENCE)
        try:
            with pytest.raises(DatabaseUnavailable):  # noqa: PT012
                async with asyncio.timeout(LONG), database.writing() as connection:
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
                await database.answers()
            proxy.drop()
            await answered(database)
        finally:
            async with asyncio.timeout(LONG):
                await database.close()


async def test_a_database_that_does_not_answer_at_the_start_is_named(postgres_url: str) -> None:
    async with proxied(postgres_url) as (proxy, url):
        proxy.drop(new=True)
        with pytest.raises(ConnectionError, match="the database does not answer"):
            await Database.open(url, 2, patience=PATIENCE)
