"""Positions of Abalone, and limits of searches."""

import random
from collections.abc import Callable, Iterator

from engine.games.abalone import GAME, LAYOUTS, State
from engine.games.abalone.moves import after, plays


def positions(seed: int, games: int, plies: int = 60) -> Iterator[State]:
    """Positions of random games of all layouts that are not over; pushes are played wherever there are some."""
    luck = random.Random(seed)
    for _ in range(games):
        state = GAME.start(GAME.settle_options({"layout": luck.choice([*LAYOUTS])}))
        for _ in range(plies):
            if GAME.to_act(state) is None:
                break
            yield state
            moves = plays(state)
            state = after(state, luck.choice([play for play in moves if play.pushed] or moves))


def calls_until(calls: int) -> tuple[Callable[[], bool], list[int]]:
    """Returns a limit that is reached after so many questions, and a list that counts them."""
    asked = [0]

    def limit() -> bool:
        asked[0] += 1
        return asked[0] > calls

    return limit, asked
