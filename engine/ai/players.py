"""Which machine plays which game."""

from collections.abc import Mapping
from typing import Any, Final

from engine.ai.abak import AbakPlayer
from engine.ai.abalone import AbalonePlayer
from engine.ai.apb import ApbPlayer
from engine.ai.backgammon import BackgammonPlayer
from engine.ai.contract import Player
from engine.ai.general import General
from engine.core.game import Game

PLAYERS: Final[Mapping[str, type[Player[Any, Any]]]] = {
    "abak": AbakPlayer,
    "abalone": AbalonePlayer,
    "apb": ApbPlayer,
    "backgammon": BackgammonPlayer,
}
"""The players by the key of their game. Every other game has the general one."""


def player(game: Game[Any, Any], level: int) -> Player[Any, Any]:
    return PLAYERS.get(game.key, General)(game, level)
