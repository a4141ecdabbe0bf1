"""A transaction that only writes takes one round trip to PostgreSQL, and is whole or not at all."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from harness.proxy import proxied
from sqlalchemy import bindparam, delete, func, insert, literal, select, text, update
from sqlalchemy.exc import IntegrityError

from bot.core.storage.database import Conflict, Database
from bot.core.storage.writing.locks import lock_users
from bot.core.storage.writing.writes import TOGETHER, Bound, query_with_writes, write
from bot.players.tables import player_names

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from harness.proxy import Proxy
    from sqlalchemy import Insert

KEY = "pk_player_names"


def named(user_id: int, name: str = "Ana") -> Insert:
    return insert(player_names).values(user_id=user_id, name=name, seen=1)


async def stored(database: Database) -> dict[int, str]:
    query = select(player_names.c.user_id, player_names.c.name)
    async with database.reading_once() as connection:
        return {row.user_id: row.name for row in await connection.execute(query)}


def conflict(violated: str) -> Conflict | None:
    return Conflict() if violated == KEY else None


@pytest.fixture
async def far(postgres_url: str) -> AsyncIterator[tuple[Proxy, Database]]:
    """A database behind a proxy that counts, with a connection that has prepared what is asked below."""
    async with proxied(postgres_url) as (proxy, url), Database(url) as database:
        for _ in range(2):
            async with database.writing() as connection:
                await write(connection, named(0), delete(player_names))
            async with database.writing() as connection:
                await write(connection, delete(player_names))
            await stored(database)
        proxy.statements.clear()
        yield proxy, database


async def test_all_that_waits_goes_out_with_the_commit(far: tuple[Proxy, Database]) -> None:
    proxy, database = far
    async with database.writing() as connection:
        await write(connection, named(0), delete(player_names).where(player_names.c.user_id == 7))
        assert proxy.statements == []
    assert len([trip for trip in proxy.statements if not trip[0].startswith("prepare")]) == 1
    assert not [trip for trip in proxy.statements if trip[0].startswith(("BEGIN", "COMMIT"))]
    assert await stored(database) == {0: "Ana"}


async def test_a_read_is_one_round_trip(far: tuple[Proxy, Database]) -> None:
    proxy, database = far
    await stored(database)
    assert len(proxy.statements) == 1


async def test_a_statement_sees_what_was_written_before_it(database: Database) -> None:
    async with database.writing() as connection:
        await write(connection, named(1))
        await write(connection, named(2, "Ben"))
        changed = await connection.execute(update(player_names).where(player_names.c.user_id == 2).values(name="Bea"))
        assert changed.rowcount == 1
        await write(connection, named(3, "Cem"))
    assert await stored(database) == {1: "Ana", 2: "Bea", 3: "Cem"}


@pytest.mark.parametrize("reads", [False, True])
async def test_of_a_refused_write_nothing_is_left(database: Database, reads: bool) -> None:
    async with database.writing() as connection:
        await connection.execute(named(2))
    with pytest.raises(Conflict):  # noqa: PT012
        async with database.writing() as connection:
            await write(connection, named(1))
            await write(connection, named(2), refused=conflict)
            if reads:
                await connection.execute(select(player_names))
    assert await stored(database) == {2: "Ana"}


async def test_without_a_reason_of_its_own_the_error_is_the_database_s(database: Database) -> None:
    async with database.writing() as connection:
        await connection.execute(named(2))
    with pytest.raises(IntegrityError):
        async with database.writing() as connection:
            await write(connection, named(2))
    async with database.writing() as connection:  # the connection is as good as new
        await write(connection, named(3))
    assert set(await stored(database)) == {2, 3}


async def test_an_exception_keeps_back_what_waits(database: Database) -> None:
    with pytest.raises(LookupError):  # noqa: PT012
        async with database.writing() as connection:
            await write(connection, named(1))
            raise LookupError
    assert await stored(database) == {}


async def test_where_one_statement_is_allowed_a_second_is_refused(database: Database) -> None:
    with pytest.raises(RuntimeError, match="second statement"):  # noqa: PT012
        async with database.reading_once() as connection:
            await connection.execute(select(player_names))
            await connection.execute(select(player_names))
    assert await stored(database) == {}


# --- with a query ----------------------------------------------------------------------------------------------------


async def test_a_query_takes_along_what_waits(far: tuple[Proxy, Database]) -> None:
    proxy, database = far
    async with database.writing() as connection:
        await write(connection, named(1), named(2, "Ben"))
        found = await query_with_writes(connection, select(literal(7)))
        assert found.scalar_one() == 7
        asked = [one.split()[0] for trip in proxy.statements for one in trip if not one.startswith("prepare")]
        assert asked == ["BEGIN", "WITH"]
    assert await stored(database) == {1: "Ana", 2: "Ben"}


async def test_a_query_with_nothing_to_take_along_is_as_it_is(database: Database) -> None:
    async with database.writing() as connection:
        assert (await query_with_writes(connection, select(literal(7)))).scalar_one() == 7
    assert await stored(database) == {}


async def test_what_is_refused_with_a_query_says_so(database: Database) -> None:
    async with database.writing() as connection:
        await write(connection, named(1))

    async def again() -> None:
        async with database.writing() as connection:
            await write(connection, named(2))
            await write(connection, named(1, "Ben"), refused=conflict)
            await query_with_writes(connection, select(literal(7)))

    with pytest.raises(Conflict):
        await again()
    assert await stored(database) == {1: "Ana"}


async def test_what_waits_is_locked_before_users(postgres_url: str) -> None:
    """Else two transactions could wait for one another: PostgreSQL would begin with the query."""
    rename = update(player_names).where(player_names.c.user_id == 1).values(name="Bea")
    async with Database(postgres_url) as database:
        async with database.writing() as connection:
            await write(connection, named(1))

        async def rename_and_lock() -> None:
            async with database.writing() as connection:
                await write(connection, rename)
                await lock_users(connection, (7,))

        async with database.writing() as other:
            await other.execute(rename)
            waiting = asyncio.create_task(rename_and_lock())
            async with asyncio.timeout(30):
                while not await somebody_waits_for_a_row(database):  # noqa: ASYNC110  the database tells nobody
                    await asyncio.sleep(0.01)
            assert not waiting.done()
            assert await other.scalar(select(func.pg_try_advisory_xact_lock(7))), "the user is not locked yet"
        await waiting


async def somebody_waits_for_a_row(database: Database) -> bool:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'"
    async with database.reading_once() as connection:
        return bool(await connection.scalar(text(query)))


def thousands() -> list[Bound]:
    add = insert(player_names).values({column.name: bindparam(column.name) for column in player_names.c})
    return [Bound(add, {"user_id": user_id, "name": "Ana", "seen": 1}) for user_id in range(1, 3_001)]


async def test_thousands_of_writes_go_out_in_parts(database: Database) -> None:
    """PostgreSQL takes 32,767 values in one statement, and the time to make it grows with the square."""
    async with database.writing() as connection:
        for one in thousands():
            await write(connection, one)
    assert len(await stored(database)) == 3_000


async def test_thousands_of_writes_of_one_call_go_out_in_parts(far: tuple[Proxy, Database]) -> None:
    proxy, database = far
    async with database.writing() as connection:
        await write(connection, *thousands())
    assert max(one.count("INSERT") for trip in proxy.statements for one in trip) <= TOGETHER + 1
    assert len(await stored(database)) == 3_000
