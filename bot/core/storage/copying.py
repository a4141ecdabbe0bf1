"""Copies all rows of a database into another one, SQLite or PostgreSQL, and compares the two."""

import hashlib
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Column, Row, Table, func, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.tables import all_tables

PAGE: Final = 1_000
"""Rows written in one transaction."""
DIGEST: Final = 2**256


async def copy_rows(source: Database, target: Database, tell: Callable[[str, int], None]) -> None:
    """Copies every table, from one snapshot of ``source``; ``tell`` is called with each table and its number of rows.

    Rows whose key is in ``target`` already are left as they are. So a copy that was interrupted can be repeated.
    Both databases need the newest schema.
    """
    async with source.reading() as reader:
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
    """The names of the tables whose rows differ."""
    async with first.reading() as one, second.reading() as other:
        return [table.name for table in all_tables() if await digest(one, table) != await digest(other, table)]


async def digest(connection: AsyncConnection, table: Table) -> tuple[int, int]:
    """How many rows the table has, and the sum of their SHA-256 hashes: the same in whatever order they are read."""
    count = total = 0
    async for row in await connection.stream(select(table)):
        count += 1
        total += int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest())
    return count, total % DIGEST


async def is_empty(database: Database) -> bool:
    """Whether no table has a row."""
    async with database.reading() as connection:
        for table in all_tables():
            if (await connection.execute(select(table).limit(1))).first() is not None:
                return False
    return True


async def _copy_last_id(reader: AsyncConnection, target: Database, table: Table, column: Column[Any]) -> None:
    """Carries on the numbering of a table, so that the id of a deleted row is not used again."""
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
    """The highest id that was ever given, as far as the database remembers; 0 if none was."""
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
    """Whether SQLite keeps the last id of this table (AUTOINCREMENT)."""
    if not table.dialect_options["sqlite"]["autoincrement"]:
        return False
    return await connection.run_sync(lambda plain: inspect(plain).has_table("sqlite_sequence"))
