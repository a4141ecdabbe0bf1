"""Learns the weights of a game's chances by self-play: ``python training/chances.py GAME [--games N] [--seed S]``.

TD(lambda) over whole games (Sutton, Learning to predict by the methods of temporal differences, 1988; Tesauro, Temporal
difference learning and TD-Gammon, 1995): both sides play the turn that they value most, and when the game is over each
estimate moves towards the mean of the later ones and the result. Playing a game takes much longer than learning from
it, so some earlier ones are learnt again after each. The weights are written every hundred games.
"""

import argparse
import json
import random
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[0] = str(ROOT)  # this file's own name would hide a package

from engine.ai.chances import Chances, Features, Linear
from engine.ai.players import player as machine
from engine.ai.points import PointsPlayer
from engine.core.game import CHANCE
from engine.registry import find

LAMBDA = 0.8
RATE = 0.01
SLOWER = 0.004
AGAIN = 6
KEPT = 400
LONGEST = 150
EVERY = 100
DIGITS = 4
OUTPUTS = 3  # the linear estimate leaves out backgammons


def game_of(player: PointsPlayer[Any, Any], luck: random.Random) -> tuple[list[Features], Chances]:
    """Plays a game of the player against itself. Returns the input after each turn, and the result for the last mover.

    A long game ends with random turns, as an untrained player may never end one.
    """
    game = player.game
    state = game.start(game.settle_options({}))
    seen: list[Features] = []
    while True:
        rolls = game.legal(state)
        state = game.apply(state, luck.choices(rolls, [game.weight(state, roll) for roll in rolls])[0])
        if game.to_act(state) == CHANCE:
            continue  # the opening is rolled again after equal dice
        mover = state.turn
        best, chosen, looked = -9.0, state, []
        turns = game.turns(state)
        for _, after in turns if len(seen) < LONGEST else [luck.choice(turns)]:
            if game.to_act(after) is None:
                return seen, player.result(after, mover)
            features = player.features(after, mover)
            win, gammon, gammoned, *_ = player.model.chances(features)
            if 2 * win + gammon - gammoned > best:
                best, chosen, looked = 2 * win + gammon - gammoned, after, features
        seen.append(looked)
        state = chosen


def learn(model: Linear, seen: Sequence[Features], result: Chances, rate: float) -> float:
    """Moves the weights towards the game's course. Returns the mean error of the wins."""
    weights = model.weights
    target = result.turned()  # for the mover of the last recorded turn
    error = 0.0
    for features in reversed(seen):
        now = model.chances(features)
        error += abs(target.win - now.win)
        share = now.gammon / now.win
        share_lost = now.gammoned / (1 - now.win)
        steps = (
            rate * (target.win - now.win),
            rate * (target.gammon - target.win * share),
            rate * (target.gammoned - (1 - target.win) * share_lost),
        )
        for number, strength in features:
            row = weights[number]
            for output, step in enumerate(steps):
                row[output] += step * strength
        mixed = (LAMBDA * later + (1 - LAMBDA) * own for later, own in zip(target, now, strict=True))
        target = Chances(*mixed).turned()
    return error / max(1, len(seen))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    player = machine(find(asked.game), 1)
    assert isinstance(player, PointsPlayer)
    model = player.model
    model.weights[:] = [[0.0] * OUTPUTS for _ in range(player.size)]
    played: deque[tuple[list[Features], Chances]] = deque(maxlen=KEPT)
    luck = random.Random(asked.seed)
    error = turns = 0.0
    for number in range(1, asked.games + 1):
        played.append(game_of(player, luck))
        turns += len(played[-1][0])
        rate = RATE / (1 + SLOWER * number)
        error += learn(model, *played[-1], rate)
        for again in luck.choices(played, k=min(number, AGAIN)):
            learn(model, *again, rate)
        if number % EVERY == 0:
            how = f"{number} games of self-play from seed {asked.seed}"
            write(ROOT / "engine" / "ai" / player.game.key / "weights.json", model.weights, how)
            spent = time.process_time()
            print(f"{number} games, {spent:.0f} s: {error / EVERY:.4f} error, {turns / EVERY:.0f} turns", flush=True)
            error = turns = 0.0


def write(path: Path, weights: Sequence[Sequence[float]], how: str) -> None:
    """Writes the file, with a line for each feature."""
    rows = ",\n".join(json.dumps([round(weight, DIGITS) for weight in row]) for row in weights)
    path.write_text(f'{{"made": "training/chances.py: {how}",\n"weights": [\n{rows}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
