"""Which games there are."""

from typing import Any, Final

from engine.core.errors import RuleError
from engine.core.game import Game
from engine.games import abak, abalone, apb, backgammon

GAMES: Final[dict[str, Game[Any, Any]]] = {
    "abak": abak.GAME,
    "backgammon": backgammon.GAME,
    "abalone": abalone.GAME,
    "apb": apb.GAME,
}
"""Every game by its key, in the order in which players are shown them."""


def find(key: str, version: int | None = None) -> Game[Any, Any]:
    """The game of that key (and version of its rules, if asked). Raises RuleError."""
    game = GAMES.get(key)
    if game is None or version not in {None, game.version}:
        raise RuleError("game.unknown", game=key, games=", ".join(GAMES))
    return game
