"""The services of whole processes over one database, without Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.luck import SeededLuck

from bot import app
from bot.core.services import Services, Sources
from bot.core.storage.database import Database
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fakes.clock import Clock


@pytest.fixture
async def another(database_url: str, clock: Clock) -> AsyncIterator[Callable[[], Services]]:
    """One more process of the bot on the database."""
    opened: list[Database] = []

    def make() -> Services:
        opened.append(Database(database_url))
        settings = Settings.load(database_url=database_url)
        return app.assemble(opened[-1], Sources(SeededLuck(len(opened)), lambda: 0, clock), settings)

    yield make
    for database in opened:
        await database.close()


@pytest.fixture
def services(another: Callable[[], Services]) -> Services:
    return another()
