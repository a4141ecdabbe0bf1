"""Games at random, and ways at random through the picker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.ui.draft import follow
from engine.core.game import CHANCE

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from bot.ui.draft import Drafted
    from engine.core.game import Game


def walk(game: Game[Any, Any], rng: random.Random, turns: int = 60) -> Iterator[Any]:
    """The positions of a game at random in which a seat begins its turn."""
    options = {option.key: rng.choice(option.choices) for option in game.options if option.choices}
    state = game.start(game.settle_options(options))
    for _ in range(turns):
        while game.to_act(state) == CHANCE:
            state = game.apply(state, rng.choice(game.legal(state)))
        actor = game.to_act(state)
        if actor is None:
            return
        yield state
        while game.to_act(state) == actor:
            state = game.apply(state, rng.choice(game.legal(state)))


def drafts(drafted: Drafted, rng: random.Random) -> Iterator[Drafted]:
    """A way through the picker to a complete turn."""
    yield drafted
    while not drafted.complete:
        draft, _ = rng.choice(drafted.offered)
        drafted = follow(drafted.game, drafted.before, draft)
        yield drafted
