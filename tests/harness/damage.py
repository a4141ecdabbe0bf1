"""Damage in the database's file, done by another program."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

from sqlalchemy.engine import make_url


async def spoil(url: str, statement: str, **values: object) -> None:
    """Changes rows in an SQLite file. It runs beside the event loop, where the bot may hold the lock."""
    assert await asyncio.to_thread(_carry_out, url, statement, values)


def _carry_out(url: str, statement: str, values: dict[str, object]) -> int:
    with closing(sqlite3.connect(str(make_url(url).database), timeout=10)) as connection, connection:
        return connection.execute(statement, values).rowcount
