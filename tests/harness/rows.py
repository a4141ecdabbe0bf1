"""Rows in every table there is, without meaning: to copy a database and compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Boolean, Float, LargeBinary, SmallInteger, String, insert

from bot.core.storage.tables import metadata

if TYPE_CHECKING:
    from sqlalchemy import Column

    from bot.core.storage.database import Database

ROWS: Final = 3
ALLOWED: Final[dict[str, Any]] = {
    "scope": "user",
    "since": 1,
    "contests": 0,
    "wins": 0,
    "draws": 0,
    "losses": 0,
    "shown_seq": 0,
}
"""Values that the constraints of every table allow."""
STATES: Final = {
    "games": "over",
    "matches": "over",
    "tournaments": "over",
    "challenges": "accepted",
    "notifications": "sent",
    "tournament_pairings": "done",
    "tournament_players": "in",
}
"""A status, or a state, that the table allows."""


def value_of(column: Column[Any], number: int) -> Any:
    """Returns a value of the column's type, another one for each number; a key that it refers to has the
    same number.
    """
    if column.name in {"status", "state"} and column.table.name in STATES:
        return STATES[column.table.name]
    if column.name in ALLOWED:
        return ALLOWED[column.name]
    if isinstance(column.type, Boolean):
        return number % 2 == 0
    if isinstance(column.type, Float):
        return number / 3
    if isinstance(column.type, LargeBinary):
        return bytes((0, 255, number % 256))
    if isinstance(column.type, String):
        return f"ñ{number}"[: column.type.length]
    return number if isinstance(column.type, SmallInteger) else 10**6 + number


async def fill_every_table(database: Database, first: int = 1) -> None:
    """Adds ROWS rows to each table, from this number on."""
    async with database.writing() as connection:
        for table in metadata.sorted_tables:
            rows = [
                {column.name: value_of(column, number) for column in table.columns}
                for number in range(first, first + ROWS)
            ]
            await connection.execute(insert(table), rows)
