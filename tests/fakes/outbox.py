"""Notices as a test writes them, and all that stands in the outbox."""

from typing import Any

from sqlalchemy import select

from bot.core.randomness import fresh_id
from bot.core.tables import notices as table
from bot.games.service import Place, Seated, Tables
from bot.notifications.service import Notice, Notices

ANN, BOB = 11, 22
HERE = Place(1, 5)
NOON = 1_800_014_400_000
"""Noon in UTC."""


async def begin(tables: Tables, clock: str = "") -> Seated:
    """A game of Nim without dice."""
    return await tables.open("nim", {"heap": 30, "dice": "no"}, (ANN, BOB), HERE, "en", clock)


async def rows(notices: Notices, kind: str | None = None) -> list[Any]:
    """All that was ever written, or that of a kind."""
    query = select(table).order_by(table.c.due, table.c.n)
    async with notices.store.database.reading() as connection:
        found = list(await connection.execute(query))
    return [row for row in found if kind in {None, row.kind}]


async def write(notices: Notices, *written: Notice) -> None:
    async with notices.store.database.writing() as connection:
        await notices.write(connection, *written)


def note(user_id: int = ANN, seq: int = 0, due: int = NOON, **more: Any) -> Notice:
    return Notice(fresh_id(), user_id, "digest", due, seq=seq, **more)
