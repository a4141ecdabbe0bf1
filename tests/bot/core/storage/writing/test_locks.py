"""Users are locked until a transaction ends, and in one order, so that transactions never wait for each other."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from harness.discord import until
from sqlalchemy import event, text

from bot.core.storage.database import Database
from bot.core.storage.writing.locks import lock_user, lock_users

WAITING = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
ANA, BEN, CHI = 11, 22, 33


@pytest.fixture
async def postgres(postgres_url: str) -> AsyncIterator[Database]:
    async with Database(postgres_url) as database:
        yield database


async def locked(database: Database, users: Iterable[int]) -> None:
    """A transaction of its own that locks users, and ends."""
    async with database.writing() as connection:
        await lock_users(connection, users)


@asynccontextmanager
async def kept_waiting(database: Database, user: int, *others: list[int]) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Locks a user for as long as the block lasts; meanwhile others wait, who come in this order."""
    tasks: list[asyncio.Task[None]] = []
    async with database.writing() as connection:
        await lock_user(connection, user)
        for users in others:
            tasks.append(asyncio.create_task(locked(database, users)))
            await until(lambda: are_waiting(database, len(tasks)), "the one who came last waits")
        yield tasks


async def are_waiting(database: Database, number: int) -> bool:
    return (await database.fetch(WAITING)).scalar() == number


async def test_a_user_is_locked_until_the_transaction_ends(postgres: Database) -> None:
    async with kept_waiting(postgres, ANA, [ANA]) as (other,):
        await locked(postgres, [BEN])  # of whom nobody has a lock
        assert not other.done()
    await other


async def test_two_that_name_the_same_users_in_another_order_do_not_block_each_other(postgres: Database) -> None:
    """In the order given, the second would hold Chi and Ben and want Ana, whom the first gets, who then wants Ben."""
    async with kept_waiting(postgres, ANA, [ANA, BEN, CHI], [CHI, BEN, ANA]) as both:
        pass
    await asyncio.gather(*both)


async def test_who_waits_for_one_user_has_locked_none_that_comes_later(postgres: Database) -> None:
    async with kept_waiting(postgres, BEN, [CHI, BEN]):
        await locked(postgres, [CHI])
        assert await are_waiting(postgres, 1)


async def test_nothing_is_asked_for_no_user_nor_on_sqlite(sqlite_url: str, postgres: Database) -> None:
    """There a transaction that writes is alone anyway."""
    async with Database(sqlite_url) as sqlite:
        for database, users in ((sqlite, [ANA, BEN]), (postgres, [])):
            async with database.writing() as connection:
                asked: list[str] = []
                engine = database.engine.sync_engine
                event.listen(engine, "before_cursor_execute", lambda *given, asked=asked: asked.append(given[2]))
                await lock_users(connection, users)
                assert asked == []
