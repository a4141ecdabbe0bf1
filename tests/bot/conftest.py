"""What the tests of the bot have in common: databases, and a game that needs no other."""

import pytest
from fakes.databases import (  # noqa: F401  fixtures
    database,
    database_url,
    empty_postgres_url,
    postgres_server,
    postgres_template,
    postgres_url,
    sqlite_template,
    sqlite_url,
)
from fakes.toy import Nim

from engine.registry import GAMES


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Nim:
    """Nim among the games."""
    game = Nim()
    monkeypatch.setitem(GAMES, game.key, game)
    return game
