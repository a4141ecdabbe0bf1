"""Learns the weights of a game's chances by self-play: ``python training/chances.py GAME [--games N] [--seed S]``.

TD(lambda) over whole games (Sutton, Learning to predict by the methods of temporal differences, 1988; Tesauro, Temporal
difference learning and TD-Gammon, 1995): both sides play the turn that they value most, and when the game is over each
estimate moves towards the mean of the later ones and the result. Playing a game takes much longer than learning from
it, so some earlier ones are learnt again after each.

Every hundred games is a checkpoint. The training goes on from its last one, by default in ``.training/GAME-chances``,
with the same result as without a stop. ``curve.png`` beside it shows how far the chances to win are from the results
of games before they are learnt.
``--quick`` is a small training that ends within three minutes. ``--write`` only writes the weights of the last
checkpoint to the game's package.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the folder of this file does not hold the packages

from engine.ai.chances import Chances, Features, Linear
from engine.ai.players import player as machine
from engine.ai.points import PointsPlayer
from engine.core.game import CHANCE
from engine.registry import find
from training.curve import draw, mean

Played: TypeAlias = tuple[list[Features], Chances]
"""The input after each turn of a game, and the result for the last mover."""
LAMBDA = 0.8
RATE = 0.01
SLOWER = 0.004
AGAIN = 6
KEPT = 400
LONGEST = 150
EVERY = 100
QUICK = 200
"""The number of games of a quick training."""
DIGITS = 4
OUTPUTS = 3  # the linear estimate leaves out backgammons


def game_of(player: PointsPlayer[Any, Any], model: Linear, luck: random.Random) -> Played:
    """Plays a game of the model against itself.

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
            win, gammon, gammoned, *_ = model.chances(features)
            if 2 * win + gammon - gammoned > best:
                best, chosen, looked = 2 * win + gammon - gammoned, after, features
        seen.append(looked)
        state = chosen


def missed(model: Linear, seen: Sequence[Features], result: Chances) -> float:
    """Returns how far the chances to win are from the result, in the mean over the turns."""
    won = result.turned().win  # for the mover of the last recorded turn
    total = 0.0
    for features in reversed(seen):
        total += abs(won - model.chances(features).win)
        won = 1 - won
    return total / max(1, len(seen))


def learn(model: Linear, seen: Sequence[Features], result: Chances, rate: float) -> None:
    """Moves the weights towards the game's course."""
    weights = model.weights
    target = result.turned()  # for the mover of the last recorded turn
    for features in reversed(seen):
        now = model.chances(features)
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


class Training:
    """What a training goes on with."""

    def __init__(self, player: PointsPlayer[Any, Any], seed: int) -> None:
        self.player = player
        self.seed = seed
        self.games = 0
        self.model = Linear([[0.0] * OUTPUTS for _ in range(player.size)])
        self.luck = random.Random(seed)
        self.played: deque[Played] = deque(maxlen=KEPT)
        self.curve: list[Any] = []

    def load(self, path: Path) -> None:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if (kept["game"], kept["seed"]) != (self.player.game.key, self.seed):
            raise SystemExit(f"{path.parent} holds another training: {kept['game']} from seed {kept['seed']}")
        self.games, self.model, self.curve = kept["games"], Linear(kept["weights"]), kept["curve"]
        version, numbers, following = kept["luck"]
        self.luck.setstate((version, tuple(numbers), following))
        self.played.extend((seen, Chances(*result)) for seen, result in kept["played"])

    def save(self, path: Path) -> None:
        kept = {
            "game": self.player.game.key,
            "seed": self.seed,
            "games": self.games,
            "curve": self.curve,
            "weights": self.model.weights,
            "luck": self.luck.getstate(),
            "played": [*self.played],
        }
        whole = path.with_suffix(".new")
        whole.write_text(json.dumps(kept), encoding="utf-8")
        whole.replace(path)

    def go_on(self) -> None:
        """Plays to the next checkpoint."""
        off: list[float] = []
        turns = 0
        for number in range(self.games + 1, self.games + EVERY + 1):
            self.played.append(game_of(self.player, self.model, self.luck))
            turns += len(self.played[-1][0])
            rate = RATE / (1 + SLOWER * number)
            off.append(missed(self.model, *self.played[-1]))
            learn(self.model, *self.played[-1], rate)
            for again in self.luck.choices(self.played, k=min(number, AGAIN)):
                learn(self.model, *again, rate)
        self.games += EVERY
        self.curve.append(mean(self.games, off))
        spent = time.process_time()
        print(f"{self.games} games, {spent:.0f} s: {self.curve[-1][1]:.4f} off, {turns / EVERY:.0f} turns", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=4000, help=f"rounded up to {EVERY}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} games")
    parser.add_argument("--write", action="store_true", help="write the weights to the package, and train no more")
    asked = parser.parse_args()
    player = machine(find(asked.game), 1)
    assert isinstance(player, PointsPlayer)
    training = Training(player, asked.seed)
    folder = asked.folder or ROOT / ".training" / (asked.game + "-chances" + "-quick" * asked.quick)
    folder.mkdir(parents=True, exist_ok=True)
    last = folder / "last.json"
    if last.exists() or asked.write:
        training.load(last)
    if asked.write:
        write(training)
        return
    while training.games < (QUICK if asked.quick else asked.games):
        training.go_on()
        training.save(last)
        draw(
            folder / "curve.png",
            training.curve,
            "distance of the chance to win from the result, in games not learnt yet",
        )


def write(training: Training) -> None:
    """Writes the weights to the game's package, with a line for each feature, and their origin."""
    key = training.player.game.key
    command = f"python training/chances.py {key} --games {training.games} --seed {training.seed}"
    last = ["git", "log", "-1", "--format=%H", "--", "training/chances.py", f"engine/ai/{key}/evaluation.py"]
    commit = subprocess.run(last, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    rows = ",\n".join(json.dumps([round(weight, DIGITS) for weight in row]) for row in training.model.weights)
    text = f'{{"command": "{command}",\n"commit": "{commit}",\n"weights": [\n{rows}\n]}}\n'
    (ROOT / "engine" / "ai" / key / "weights.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
