"""The services over a fresh database, with a clock, luck and names that a test can foresee."""

from collections.abc import AsyncIterator, Callable

import pytest
from fakes.book import Book
from fakes.clock import Clock, Names
from fakes.luck import SeededLuck
from fakes.outbox import NOON
from fakes.process import Process
from fakes.toy import Nim

from bot.challenges.repository import ChallengeRepository
from bot.challenges.service import ChallengeService
from bot.core.randomness import Luck
from bot.core.storage.database import Database
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.matches.repository import MatchRepository
from bot.matches.service import MatchService
from bot.notifications.repository import NotificationRepository
from bot.notifications.service import NotificationService
from bot.players.repository import PreferenceRepository
from bot.players.service import PreferenceService


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_games(database: Database, nim: Nim, clock: Clock) -> Callable[..., GameService]:
    """One more service on the same database, as another process would have it."""
    del nim

    def make(luck: Luck | None = None, prefix: str = "g", **more: int) -> GameService:
        return GameService(GameRepository(database), luck or SeededLuck(1), clock, new_id=Names(prefix), **more)

    return make


@pytest.fixture
def games(make_games: Callable[..., GameService]) -> GameService:
    return make_games()


@pytest.fixture
def coin() -> list[int]:
    """The sides that the coin shows, for a test to change."""
    return [0]


@pytest.fixture
def matches(database: Database, games: GameService) -> MatchService:
    service = MatchService(MatchRepository(database), games, new_id=Names("m"))
    games.hooks = [service]
    return service


@pytest.fixture
def challenges(
    database: Database, games: GameService, matches: MatchService, clock: Clock, coin: list[int]
) -> ChallengeService:
    toss = lambda: coin[0]  # noqa: E731
    return ChallengeService(ChallengeRepository(database), games, clock, 3600, toss, matches, new_id=Names("c"))


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
def book(database: Database, make_games: Callable[..., GameService], clock: Clock) -> Book:
    """Conditional moves on the same database."""
    return Book(database, make_games, clock)


@pytest.fixture
def preferences(database: Database) -> PreferenceService:
    return PreferenceService(PreferenceRepository(database))


@pytest.fixture
def notifications(database: Database, preferences: PreferenceService, clock: Clock) -> NotificationService:
    """The outbox at noon."""
    clock.at = NOON
    return NotificationService(NotificationRepository(database), preferences, clock)


@pytest.fixture
def played(make_games: Callable[..., GameService], notifications: NotificationService) -> GameService:
    """GameService whose moves write notifications."""
    games = make_games()
    games.hooks = [notifications]
    return games
