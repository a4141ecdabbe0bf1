"""The services of a running bot by class. Each feature adds its own and can use those of the features below it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.core.randomness import Luck
from bot.core.storage.database import Database
from bot.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sources:
    """The bot's inputs from outside: luck, the coin toss for the seats, the time in ms since 1970."""

    luck: Luck
    coin: Callable[[], int]
    now: Callable[[], int]


class Services:
    """One service of each class over one database. ``services[GameService]`` has the type GameService."""

    def __init__(self, database: Database, sources: Sources, settings: Settings) -> None:
        self.database = database
        self.sources = sources
        self.settings = settings
        self.now = sources.now
        """The time in ms since 1970."""
        self._by_class: dict[type, Any] = {}

    def add(self, service: T) -> T:
        """Adds a service for the features installed after it. Raises ValueError if its class has a service already."""
        if type(service) in self._by_class:
            raise ValueError(f"there are two of {type(service).__name__}")
        self._by_class[type(service)] = service
        return service

    def __getitem__(self, kind: type[T]) -> T:
        """Returns the service of that class. Raises KeyError if no feature has added it yet."""
        found: T = self._by_class[kind]
        return found
