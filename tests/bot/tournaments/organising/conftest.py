"""A tournament over the socket with its organiser; and one without Discord, on each kind of database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.luck import SeededLuck
from harness.bot import bot_running
from harness.organising import Desk
from harness.tournaments import Event

from bot import app
from bot.core.services import Sources
from bot.core.storage.database import Database
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fakes.clock import Clock

    from bot.core.client import AbakBot
    from bot.sandbox.server import Server


@pytest.fixture
async def bot(stand_in: Server, sqlite_url: str) -> AsyncIterator[AbakBot]:
    async with bot_running(stand_in, sqlite_url) as running:
        yield running


@pytest.fixture
def event(stand_in: Server, bot: AbakBot) -> Event:
    """Four players; not created yet."""
    return Event.of(stand_in, bot, 4)


@pytest.fixture
async def another(database_url: str, clock: Clock) -> AsyncIterator[Callable[[], Desk]]:
    """One more process of the bot on the database, at an empty desk."""
    opened: list[Database] = []

    def make() -> Desk:
        opened.append(Database(database_url))
        settings = Settings.load(database_url=database_url)
        return Desk(app.assemble(opened[-1], Sources(SeededLuck(len(opened)), lambda: 0, clock), settings))

    yield make
    for database in opened:
        await database.close()


@pytest.fixture
def desk(another: Callable[[], Desk]) -> Desk:
    return another()
