"""Games at random to their end, and ways at random through the picker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fakes.worth import worth

from bot.moves.draft import follow
from engine.core.game import CHANCE
from engine.registry import GAMES

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from bot.moves.draft import Drafted
    from engine.core.game import Game

MOST: Final = 1000
"""Turns after which a game that does not end is a fault."""
LONG: Final = 40
"""Turns before which a game is not to end."""
DRAWS: Final = 30
"""How often another turn is drawn instead of one that is not to be played."""
GREEDY: Final = {"abalone": 8}
"""Of so many turns drawn, the best by ``worth`` is taken, where stones would wander for ever otherwise."""


def goes_on(game: Game[Any, Any]) -> bool:
    """Returns whether the first turn has more than one step."""
    state = game.start(game.settle_options({}))
    while game.to_act(state) == CHANCE:
        state = game.apply(state, game.legal(state)[1])
    return game.to_act(game.apply(state, game.legal(state)[0])) == game.to_act(state)


LUCKLESS: Final = [key for key, game in GAMES.items() if not game.begins_with_luck(game.settle_options({}))]
OF_STEPS: Final = [key for key, game in GAMES.items() if goes_on(game)]
"""The games whose turns are of several steps."""


def walk(game: Game[Any, Any], rng: random.Random, turns: int = MOST) -> Iterator[Any]:
    """Yields the positions of a game in which a seat begins its turn; to the game's end, unless that takes more
    `turns`.

    The turns are drawn at random. None loses at once if it can be helped, and in the first turns none ends the game:
    whoever played just any turn would lose APB in the first ones, and games with a cube by passing. Raises
    AssertionError for a game without end.
    """
    options = {option.key: rng.choice(option.choices) for option in game.options if option.choices}
    state = game.start(game.settle_options(options))
    for number in range(turns):
        while game.to_act(state) == CHANCE:
            state = game.apply(state, rng.choice(game.legal(state)))
        actor = game.to_act(state)
        if actor is None:
            return
        yield state
        state = _drawn(game, state, actor, rng, early=number < LONG)
    assert turns < MOST, f"{game.key} does not end in {turns} turns"


def _drawn(game: Game[Any, Any], state: Any, actor: int, rng: random.Random, *, early: bool) -> Any:
    """Draws a random turn, and returns the position after it."""
    found: list[Any] = []
    wanted = GREEDY.get(game.key, 1)
    for _ in range(DRAWS):
        after = state
        while game.to_act(after) == actor:
            after = game.apply(after, rng.choice(game.legal(after)))
        outcome = game.outcome(after)
        if outcome is None or not (early or outcome.points[actor] < 0):
            found.append(after)
        if len(found) == wanted:
            break
    return max(found, key=lambda after: worth(game.key, after, actor), default=after)


def drafts(drafted: Drafted, rng: random.Random) -> Iterator[Drafted]:
    """Yields the states of the picker on the way to a complete turn."""
    yield drafted
    while not drafted.complete:
        draft, _ = rng.choice(drafted.offered)
        drafted = follow(drafted.game, drafted.before, draft)
        yield drafted
