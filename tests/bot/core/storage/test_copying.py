"""Copying one database into another: however long it takes, and never into one that holds something else."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from harness.proxy import proxied
from harness.rows import ROWS, fill_every_table
from harness.storage import new
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.engine import make_url

from bot.__main__ import main
from bot.core.storage import connecting, copying
from bot.core.storage.backups import restore_backup, silent, write_backup
from bot.core.storage.copying import copy_rows, differing_tables, reading_long, table_with_more, with_keys_of
from bot.core.storage.database import Database
from bot.core.storage.tables import all_tables
from bot.games.tables import games
from bot.players.tables import player_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import Delete, Insert, Table, Update
    from sqlalchemy.ext.asyncio import AsyncConnection

pytestmark = pytest.mark.both_databases

PATIENCE = 2.0
"""Seconds after which PostgreSQL here ends an idle transaction."""
LONGER = 1.5 * PATIENCE
HOLDS_MORE = (
    "The database of URL holds something else already, in the table player_names. Nothing was copied."
    " Name a new, empty database."
)
ITSELF = "URL is the database of DATABASE_URL itself. Name another one.\n"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    milliseconds = str(round(1000 * PATIENCE))
    monkeypatch.setitem(connecting.SERVER_SETTINGS, "idle_in_transaction_session_timeout", milliseconds)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the games of an SQLite database takes longer than that."""
    quick = copying.digest

    async def digest(connection: AsyncConnection, table: Table) -> tuple[int, int]:
        if connection.dialect.name == "sqlite" and table is games:
            await asyncio.sleep(LONGER)
        return await quick(connection, table)

    monkeypatch.setattr(copying, "digest", digest)


def dawdle(table: str, rows: int) -> None:
    """Makes the source wait for the target."""
    assert rows == ROWS
    if table == games.name:
        time.sleep(LONGER)


@pytest.mark.usefixtures("impatient")
async def test_a_database_waits_for_a_slow_target(postgres_url: str, sqlite_url: str) -> None:
    async with Database(postgres_url) as source, Database(sqlite_url) as target:
        await fill_every_table(source)
        await copy_rows(source, target, dawdle)
        assert await differing_tables(source, target) == []


@pytest.mark.usefixtures("impatient", "slow")
async def test_a_database_waits_for_a_slow_comparison(
    sqlite_url: str, postgres_url: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    async with Database(sqlite_url) as source, Database(postgres_url) as target:
        await fill_every_table(source)
        await copy_rows(source, target, silent)
        assert await differing_tables(target, source) == []
    await write_backup(sqlite_url, tmp_path / "games.backup")
    await restore_backup(tmp_path / "games.backup", empty_postgres_url)


async def test_the_first_rows_of_a_large_table_come_at_once(postgres_url: str) -> None:
    """They are not sorted, which takes longer than a query may."""
    async with Database(postgres_url) as database, reading_long(database) as connection:
        for table in all_tables():
            query = select(table).order_by(*table.primary_key).compile(database.engine.sync_engine)
            plan = list(await connection.scalars(text(f"EXPLAIN {query}")))
            assert "Sort" not in " ".join(plan), plan


# --- into what --------------------------------------------------------------------------------------------------------


def name(user_id: int, called: str) -> Insert:
    return insert(player_names).values(user_id=user_id, name=called, seen=1)


async def apply(database: Database, *changes: Insert | Update | Delete) -> None:
    async with database.writing() as connection:
        for change in changes:
            await connection.execute(change)


async def names(url: str) -> list[tuple[Any, ...]]:
    async with Database(url) as database, database.reading() as connection:
        rows = await connection.execute(select(player_names).order_by(player_names.c.user_id))
        return [tuple(row) for row in rows]


def copy(source: str, target: str) -> tuple[int, str]:
    done = CliRunner(env={"DATABASE_URL": source}).invoke(main, ["db", "copy", target])
    return done.exit_code, done.output


TARGETS: dict[str, Sequence[Insert]] = {
    "somebody else": [name(2, "Ben")],
    "the same one with another name": [name(1, "Ben")],
    "one more": [name(1, "Ana"), name(2, "Ben")],
}


@pytest.mark.parametrize("content", TARGETS)
@pytest.mark.parametrize("direction", ["to_postgresql", "to_sqlite"])
def test_databases_are_not_mixed(content: str, direction: str, sqlite_url: str, postgres_url: str) -> None:
    source, target = (sqlite_url, postgres_url) if direction == "to_postgresql" else (postgres_url, sqlite_url)

    async def fill() -> None:
        async with Database(source) as first, Database(target) as second:
            await apply(first, name(1, "Ana"))
            await apply(second, *TARGETS[content])

    asyncio.run(fill())
    before = asyncio.run(names(target))
    code, said = copy(source, target)
    assert (code, "in the table player_names. Nothing was copied." in said) == (1, True), said
    assert asyncio.run(names(target)) == before
    assert asyncio.run(names(source)) == [(1, "Ana", 1)]


async def test_a_file_is_not_copied_onto_itself(sqlite_url: str, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite3"
    link.symlink_to(str(make_url(sqlite_url).database))
    for target in (sqlite_url, f"sqlite:///{link}"):
        assert await asyncio.to_thread(copy, sqlite_url, target) == (1, ITSELF)


async def test_a_database_of_a_server_is_not_copied_onto_itself(postgres_url: str) -> None:
    async with proxied(postgres_url) as (_, other_name):
        for target in (postgres_url, other_name):
            assert await asyncio.to_thread(copy, postgres_url, target) == (1, ITSELF)


async def test_a_target_may_hold_rows_of_the_source(
    database_url: str, empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None, all or some, in pages of tables with each kind of key: so a copy that was interrupted can be continued."""
    monkeypatch.setattr(copying, "PAGE", 2)
    async with Database(database_url) as source, await Database.open(empty_postgres_url) as target:
        await fill_every_table(source)
        assert await table_with_more(source, target) is None
        await copy_rows(source, target, silent)
        assert await table_with_more(source, target) is None
        await apply(target, delete(player_names).where(player_names.c.user_id == 10**6 + 1))
        assert await table_with_more(source, target) is None
        await apply(source, update(player_names).values(name="renamed"))
        assert await table_with_more(source, target) == player_names.name
    assert (await asyncio.to_thread(copy, database_url, empty_postgres_url))[0] == 1


async def test_a_finished_copy_is_left_as_it_is_however_often_it_is_repeated(sqlite_url: str, tmp_path: Path) -> None:
    """A bot may have played on it, and have deleted what it no longer needs."""
    target = new(tmp_path)
    async with Database(sqlite_url) as source:
        await fill_every_table(source)
    for _ in range(2):
        assert (await asyncio.to_thread(copy, sqlite_url, target))[0] == 0
    async with Database(target) as played_on:
        await apply(played_on, delete(player_names).where(player_names.c.user_id == 10**6 + 1))
        code, said = await asyncio.to_thread(copy, sqlite_url, target)
        assert (code, said.splitlines()[-1]) == (1, HOLDS_MORE)
        assert len((await played_on.fetch(select(player_names))).all()) == ROWS - 1
    await (await Database.open(target)).close()  # it is not marked as unfinished


async def test_each_row_is_looked_up(sqlite_url: str) -> None:
    """Reading a whole table for each page of it would never end for a large one."""
    async with Database(sqlite_url) as database:
        await fill_every_table(database)
        async with database.reading() as connection:
            for table in all_tables():
                query = with_keys_of((await connection.execute(select(table))).all(), table)
                given = query.compile(connection.engine.sync_engine, compile_kwargs={"literal_binds": True})
                plan = [row.detail for row in await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {given}")]
                assert any(step.startswith(f"SEARCH {table.name} USING") for step in plan), plan
