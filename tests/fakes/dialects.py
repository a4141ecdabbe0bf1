"""SQLAlchemy's dialects, so that all databases of a process share what is compiled: each test opens one of its own.

A compiled statement is found by the statement and the dialect; dialects of one kind are the same here.
"""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.core.storage import connecting

_compiled: Final[dict[Any, Any]] = {}


class _Alike:
    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class Sqlite(_Alike, SQLiteDialect_aiosqlite):
    supports_statement_cache = True


class Postgres(_Alike, PGDialect_asyncpg):
    supports_statement_cache = True


def _create_engine(*args: Any, **options: Any) -> AsyncEngine:
    return create_async_engine(*args, execution_options={"compiled_cache": _compiled}, **options)


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """All engines of the bot share their compiled statements."""
    registry.register("sqlite.aiosqlite", __name__, "Sqlite")
    registry.register("postgresql.asyncpg", __name__, "Postgres")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connecting, "create_async_engine", _create_engine)
        yield
