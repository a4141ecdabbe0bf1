"""Fixtures of the tests of the bot: databases, a browser, and a game that needs no other."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
import pytest_asyncio
from fakes.databases import (  # noqa: F401  fixtures
    database,
    database_url,
    empty_postgres_url,
    postgres_server,
    postgres_template,
    postgres_url,
    shared_postgres,
    sqlite_template,
    sqlite_url,
)
from fakes.dialects import compiled_once  # noqa: F401  a fixture
from fakes.repository import file, repository, table  # noqa: F401  fixtures
from fakes.services import (  # noqa: F401  fixtures
    book,
    challenges,
    clock,
    coin,
    games,
    make_games,
    matches,
    notifications,
    other,
    played,
    preferences,
    process,
)
from fakes.toy import Nim
from harness.process import forks  # noqa: F401  a fixture
from harness.revisions import newer  # noqa: F401  a fixture
from harness.rooms import luck, now, room, spanish_room  # noqa: F401  fixtures

from engine.registry import GAMES, RULES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leaves the second database to ``scripts/thorough``, except where SQL, locks or processes may differ."""
    if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
        on_postgres = item.callspec.params.get("database_url") == "postgres"
        if on_postgres and not item.get_closest_marker("both_databases"):
            item.add_marker("thorough")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves to ``scripts/thorough`` all cases of a test over the socket but one, which the test's name chooses."""
    for test, cases in groupby(filter(over_socket, items), lambda item: item.nodeid.partition("[")[0]):
        few = [item for item in cases if not any(map(item.get_closest_marker, ("thorough", "both_databases")))]
        for number, item in enumerate(few):
            if number != crc32(test.encode()) % len(few):
                item.add_marker("thorough")


def over_socket(item: pytest.Item) -> bool:
    return "stand_in" in getattr(item, "fixturenames", ())


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Nim:
    """Nim among the games."""
    game = Nim()
    monkeypatch.setitem(GAMES, game.key, game)
    monkeypatch.setitem(RULES, (game.key, game.version), game)
    return game


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """A browser for all tests; loaded only where one is asked for."""
    from harness.page import browser

    async with browser() as started:
        yield started
