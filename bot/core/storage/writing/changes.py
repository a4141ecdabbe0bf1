"""Announces changes to the other processes on the same PostgreSQL, so that they forget old values."""

from typing import Final

from sqlalchemy import Text, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL: Final = "abakbot"
"""The channel of LISTEN and NOTIFY."""
ORIGIN: Final = "abakbot_origin"
"""The option of an engine with the name of its process, which ignores its own announcements."""
_NOTIFY: Final = select(func.pg_notify(CHANNEL, bindparam("text", type_=Text)))


async def announce(connection: AsyncConnection, kind: str, key: object) -> None:
    """Announces a change when the transaction commits. SQLite needs no announcement: it has one process."""
    if connection.dialect.name == "postgresql":
        origin = connection.sync_engine.get_execution_options().get(ORIGIN, "")
        await connection.execute(_NOTIFY, {"text": f"{origin} {kind} {key}"})
