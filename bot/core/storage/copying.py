"""Copies all rows of a database into another one, SQLite or PostgreSQL, and compares the two."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, Row, Select, Table, and_, column, func, inspect, select, text, values
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.tables import all_tables

PAGE: Final = 1_000
"""Rows written in one transaction."""
DIGEST: Final = 2**256
WHICH: Final = text("SELECT pg_postmaster_start_time(), current_database(), current_schema()")
"""Identifies a PostgreSQL database under any name of its server."""


async def copy_rows(source: Database, target: Database, tell: Callable[[str, int], None]) -> None:
    """Copies every table from one snapshot of ``source``. Calls ``tell`` with each table and its number of rows.

    Leaves rows as they are if their key is in ``target`` already, so an interrupted copy can be repeated. Both
    databases need the newest schema.
    """
    async with reading_long(source) as reader:
        for table in all_tables():
            found = await reader.stream(select(table).order_by(*table.primary_key))
            count = 0
            async for page in found.partitions(PAGE):
                async with target.writing() as writer:
                    rows = [row._asdict() for row in page]
                    await writer.execute(target.insert(table).on_conflict_do_nothing(), rows)
                count += len(page)
            if (column := table.autoincrement_column) is not None:
                await _copy_last_id(reader, target, table, column)
            tell(table.name, count)


async def differing_tables(first: Database, second: Database) -> list[str]:
    """Returns the names of the tables whose rows differ."""
    async with reading_long(first) as one, reading_long(second) as other:
        return [table.name for table in all_tables() if await digest(one, table) != await digest(other, table)]


async def digest(connection: AsyncConnection, table: Table) -> tuple[int, int]:
    """Returns the number of rows, and the sum of their SHA-256 hashes, which does not depend on their order."""
    count = total = 0
    async for row in await connection.stream(select(table)):
        count += 1
        total += int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest())
    return count, total % DIGEST


async def is_same(first: Database, second: Database) -> bool:
    """Returns whether both are one database, perhaps under two names. A file of SQLite must exist."""
    if first.engine.dialect.name != second.engine.dialect.name:
        return False
    if first.engine.dialect.name == "sqlite":
        one, other = Path(str(first.url.database)), Path(str(second.url.database))
        return await asyncio.to_thread(one.samefile, other)
    async with first.reading() as reader, second.reading() as another:
        return (await reader.execute(WHICH)).one() == (await another.execute(WHICH)).one()


async def table_with_more(source: Database, target: Database) -> str | None:
    """Returns a table of ``target`` with a row that ``source`` lacks or has with other content; else None.

    An interrupted copy has no such table. Both databases need the newest schema.
    """
    async with reading_long(source) as reader, reading_long(target) as other:
        for table in all_tables():
            if await _has_more(reader, other, table):
                return table.name
    return None


async def _has_more(reader: AsyncConnection, other: AsyncConnection, table: Table) -> bool:
    async with other.stream(select(table)) as found:
        async for page in found.partitions(PAGE):
            same = await reader.execute(with_keys_of(page, table))
            if not {tuple(row) for row in page} <= {tuple(row) for row in same}:
                return True
    return False


def with_keys_of(rows: Sequence[Row[Any]], table: Table) -> Select[Any]:
    """Selects the rows of a table that have the keys of these.

    Joins them, so that each is looked up: for an IN of several columns, SQLite reads the whole table.
    """
    key = list(table.primary_key)
    keys = [tuple(named[one.name] for one in key) for named in (row._asdict() for row in rows)]
    given = values(*(column(one.name, one.type) for one in key), name="given").data(keys).cte("keys")
    return select(table).join(given, and_(*(one == given.c[one.name] for one in key)))


async def is_empty(database: Database) -> bool:
    async with database.reading() as connection:
        for table in all_tables():
            if (await connection.execute(select(table).limit(1))).first() is not None:
                return False
    return True


@asynccontextmanager
async def reading_long(database: Database) -> AsyncIterator[AsyncConnection]:
    """Reads like ``Database.reading``, for large tables, and with pauses as long as another database needs.

    PostgreSQL would end the transaction in a long pause, because a bot that holds locks may be gone. A reader holds up
    nobody, and the server still notices a dead connection. Rows in the order of a key come from its index: sorting all
    of them would delay the first page too long (``connecting.LONGEST_QUERY``).
    """
    async with database.reading() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            await connection.execute(text("SET LOCAL enable_sort = off"))
        yield connection


async def _copy_last_id(reader: AsyncConnection, target: Database, table: Table, column: Column[Any]) -> None:
    """Continues the numbering of a table, so that it never uses the id of a deleted row again."""
    last = await _last_id(reader, table, column)
    if not last:
        return
    async with target.writing() as writer:
        if writer.dialect.name == "postgresql":
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            await writer.execute(select(func.setval(sequence, last)))
        elif await _has_sequence(writer, table):
            given = {"name": table.name, "last": last}
            changed = await writer.execute(text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name"), given)
            if not changed.rowcount:
                await writer.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), given)


async def _last_id(connection: AsyncConnection, table: Table, column: Column[Any]) -> int:
    """Returns the highest id that was ever given, as far as the database remembers; 0 if none was."""
    highest = int((await connection.execute(select(func.max(column)))).scalar() or 0)
    if connection.dialect.name == "postgresql":
        named = (await connection.execute(select(func.pg_get_serial_sequence(table.name, column.name)))).scalar_one()
        remembered = (await connection.execute(text(f"SELECT last_value, is_called FROM {named}"))).one()  # noqa: S608  the database's own name
        return max(highest, remembered.last_value if remembered.is_called else 0)
    if not await _has_sequence(connection, table):
        return highest
    query = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
    row: Row[Any] | None = (await connection.execute(query, {"name": table.name})).first()
    return max(highest, row.seq if row else 0)


async def _has_sequence(connection: AsyncConnection, table: Table) -> bool:
    """Returns whether SQLite keeps the last id of this table (AUTOINCREMENT)."""
    if not table.dialect_options["sqlite"]["autoincrement"]:
        return False
    return await connection.run_sync(lambda plain: inspect(plain).has_table("sqlite_sequence"))
