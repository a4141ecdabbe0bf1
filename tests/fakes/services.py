"""The services over a fresh database, with a clock, luck and names that a test can foresee."""

from collections.abc import AsyncIterator, Callable

import pytest
from fakes.book import Book
from fakes.clock import Clock, Names
from fakes.luck import SeededLuck
from fakes.outbox import NOON
from fakes.process import Process
from fakes.toy import Nim

from bot.challenges.repository import ChallengeStore
from bot.challenges.service import Challenges
from bot.core.database import Database
from bot.core.randomness import Luck
from bot.games.repository import Ledger
from bot.games.service import Tables
from bot.notifications.repository import NoticeStore
from bot.notifications.service import Notices
from bot.players.preferences import Preferences
from bot.players.repository import PreferenceStore


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_tables(database: Database, nim: Nim, clock: Clock) -> Callable[..., Tables]:
    """One more service on the same database, as another process would have it."""
    del nim

    def make(luck: Luck | None = None, prefix: str = "g", **more: int) -> Tables:
        return Tables(Ledger(database), luck or SeededLuck(1), clock, new_id=Names(prefix), **more)

    return make


@pytest.fixture
def tables(make_tables: Callable[..., Tables]) -> Tables:
    return make_tables()


@pytest.fixture
def coin() -> list[int]:
    """What the coin shows, for a test to change."""
    return [0]


@pytest.fixture
def challenges(database: Database, tables: Tables, clock: Clock, coin: list[int]) -> Challenges:
    return Challenges(ChallengeStore(database), tables, clock, 3600, lambda: coin[0], new_id=Names("c"))


@pytest.fixture
def process(database: Database, nim: Nim, clock: Clock) -> Process:
    """The services that have to do with time, as one process has them."""
    del nim
    return Process(database, clock, new_id=Names("g"))


@pytest.fixture
async def other(database: Database, process: Process, clock: Clock) -> AsyncIterator[Process]:
    """Another process on the same database, with connections of its own."""
    del process
    its_own = Database(database.url.render_as_string(hide_password=False))
    yield Process(its_own, clock, new_id=lambda: "other")
    await its_own.close()


@pytest.fixture
def book(database: Database, make_tables: Callable[..., Tables], clock: Clock) -> Book:
    """Conditional plays on the same database."""
    return Book(database, make_tables, clock)


@pytest.fixture
def preferences(database: Database) -> Preferences:
    return Preferences(PreferenceStore(database))


@pytest.fixture
def notices(database: Database, preferences: Preferences, clock: Clock) -> Notices:
    """The outbox at noon."""
    clock.at = NOON
    return Notices(NoticeStore(database), preferences, clock)


@pytest.fixture
def played(make_tables: Callable[..., Tables], notices: Notices) -> Tables:
    """Tables whose moves write notices."""
    tables = make_tables()
    tables.companions = [notices]
    return tables
