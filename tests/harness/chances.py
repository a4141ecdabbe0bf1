"""Players of games with points, and positions for them."""

from __future__ import annotations

import random
from typing import Any

from engine.ai.players import player
from engine.ai.points import PointsPlayer
from engine.core.game import CHANCE, Game
from engine.core.search import walk
from engine.registry import find


def points_player(key: str, level: int) -> PointsPlayer[Any, Any]:
    found = player(find(key), level)
    assert isinstance(found, PointsPlayer)
    assert found.level == level
    return found


def before_rolls(game: Game[Any, Any], seed: int) -> list[Any]:
    """Positions of a random game in which a roll is next."""
    luck = random.Random(seed)
    start = game.start(game.settle_options({}))
    pick = walk(game, start, lambda steps, weights: luck.choices(steps, weights)[0], 2000)
    return [state for state, _ in pick if game.to_act(state) == CHANCE and not state.opening]
