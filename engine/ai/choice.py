"""Chooses the candidate to play: the best at temperature 0, sometimes a somewhat worse one above.

The choice depends on the seed, the position and the player's candidates alone, so it can be repeated.
"""

import random
from math import exp
from typing import Final

from engine.ai.contract import Candidate, Player
from engine.core.game import A, S

WORST: Final = 3.0
"""The most temperatures that a choice may lose. A play that loses more looks like an accident."""


def choose(player: Player[S, A], state: S, candidates: list[Candidate[A]], seed: str) -> Candidate[A]:
    """Chooses one of the candidates, which come with the best first.

    A candidate gets less likely by the factor e for each temperature that it loses against the best. The temperature
    falls as the position gets farther from an even one, so that a won game is not thrown away by chance.
    """
    best = candidates[0].value
    stake = player.stake(state)
    temperature = player.temperature * stake * max(0.0, 1 - abs(best) / stake)
    if temperature <= 0:
        return candidates[0]
    luck = random.Random(f"{seed} {player.game.encode(state)}")  # noqa: S311 — no secret
    plausible = [each for each in candidates if best - each.value <= WORST * temperature]
    weights = [exp((each.value - best) / temperature) for each in plausible]
    return luck.choices(plausible, weights)[0]
