"""The games, and the versions of their rules."""

from collections.abc import Iterable
from typing import Any, Final

from engine.core.errors import RuleError
from engine.core.game import Game
from engine.games import abak, abalone, apb, backgammon

VERSIONS: Final[tuple[Game[Any, Any], ...]] = (
    abak.GAME,
    backgammon.GAME,
    abalone.GAME,
    apb.GAME,
)
"""Every version of every game, in the order in which players see the games.

A game whose rules change gets a new version beside the old one. The old one stays as long as stored games need it.
"""


def newest(versions: Iterable[Game[Any, Any]]) -> dict[str, Game[Any, Any]]:
    """Finds the version of each game that new games get: the one with the highest number."""
    found: dict[str, Game[Any, Any]] = {}
    for game in versions:
        if game.key not in found or game.version > found[game.key].version:
            found[game.key] = game
    return found


def by_version(versions: Iterable[Game[Any, Any]]) -> dict[tuple[str, int], Game[Any, Any]]:
    """Indexes the versions by key and number. Raises ValueError if two have the same."""
    found: dict[tuple[str, int], Game[Any, Any]] = {}
    for game in versions:
        if found.setdefault((game.key, game.version), game) is not game:
            raise ValueError(f"two games are {game.key} in version {game.version}")
    return found


GAMES: Final = newest(VERSIONS)
"""The rules of new games: the newest version of each, by key."""
RULES: Final = by_version(VERSIONS)
"""The rules of stored games: every version, by key and number."""


def find(key: str, version: int | None = None) -> Game[Any, Any]:
    """Finds a game by its key: the given version, or the newest. Raises RuleError."""
    game = GAMES.get(key) if version is None else RULES.get((key, version))
    if game is None:
        raise RuleError("game.unknown", game=key, games=", ".join(GAMES))
    return game
