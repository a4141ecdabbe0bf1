"""Learns the weights of APB's evaluation from games: ``python training/experience.py [--level N] [--games N] [--seed
S]``.

It goes on from the games that were played before, by default in ``.training/apb``, with the same result as without a
stop. ``curve.png`` beside them shows how far the weights from all earlier games are from the results of the next ones.
``--quick`` is a small training that ends within three minutes.

Two machines of the level play each other. After each turn the position is counted for both sides, and a logistic
regression finds how much each count helps to win. A position weighs 7 % less for each turn from it to the end of its
game. The weights are printed in the units of ``engine/ai/apb/experience.py``, and go into it by hand, rounded.

The present weights are not from this command. They came in three rounds of 1,000, 500 and 500 games: the first with
level 5, the others with players that had learnt from the round before. In the end all positions were used. These games
were played by a port of the rules to C, which is not kept.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the folder of this file does not hold the packages

from engine.ai.apb import SCALE, ApbPlayer
from engine.ai.apb.evaluation import LINES
from engine.ai.apb.experience import Weights, side_worth
from engine.ai.choice import choose
from engine.games.apb import GAME, State
from engine.games.apb.moves import NEAR, advance, is_over
from training.curve import Point, draw, mean
from training.found.apb import digest

Game: TypeAlias = list[tuple[list[float], float, float]]
"""For each turn the counts after it, whether its mover won, and the weight of the position."""
PART: Final = 10
"""The number of games between two checkpoints."""
QUICK: Final = 40
"""The number of games of a quick training."""
NONE: Final = Weights((0,) * 9, *(0,) * 8)
COUNTED: Final = {
    "secondaries": NONE._replace(material=tuple(range(9))),
    "fewer than 4": NONE._replace(material=(4, 3, 2, 1, 0, 0, 0, 0, 0)),
} | {
    name: Weights(NONE.material, *(int(name == other) for other in Weights._fields[1:])) for name in Weights._fields[1:]
}
"""Evaluations with one weight of 1 and no other, so that each returns a count."""
LATER: Final = 0.93
"""The factor of a position's weight for each turn from it to the end of the game."""
PENALTY: Final = 3.0
"""The strength of the pull of each weight towards 0 (ridge)."""
STEPS: Final = 30
"""The number of steps of Newton's method."""


def counts(state: State) -> list[float]:
    """Returns the counts of both sides, those of the side that has moved first."""
    turn = state.turn
    mine, theirs = state.secondaries[1 - turn], state.secondaries[turn]
    home, other = state.principals[1 - turn], state.principals[turn]
    held = mine | theirs | home | other
    found: list[float] = [side_worth(each, mine, theirs, home, other, held) for each in COUNTED.values()]
    found += [-side_worth(each, theirs, mine, other, home, held) for each in COUNTED.values()]
    touching = bool(home & NEAR[other])
    line = next((line for line in LINES[other] if line & home and not touching), 0)
    opened = max(0, 5 - (held & line).bit_count()) if line else 0
    return [*found, -opened, touching, 1.0]


def game_of(player: ApbPlayer, seed: str) -> Game:
    """Plays a game. One that is drawn by repetition has no turns."""
    state = GAME.start(GAME.settle_options({}))
    history: list[State] = []
    seen: list[tuple[list[float], int]] = []
    while not is_over(state):
        history.append(state)
        if GAME.outcome_by_history(history, GAME.settle_options({})) is not None:
            return []
        mover = state.turn
        for step in choose(player, state, player.candidates(state, earlier=frozenset(history)), seed).steps:
            state = advance(state, step)
        if all(state.principals):
            seen.append((counts(state), mover))
    outcome = GAME.outcome(state)
    assert outcome is not None
    length = len(seen)
    return [(found, outcome.winner == mover, LATER ** (length - at)) for at, (found, mover) in enumerate(seen)]


def columns(games: Iterable[Game]) -> list[npt.NDArray[np.float64]]:
    """Returns the counts of all turns, who won, and the weights."""
    rows = [row for game in games for row in game]
    return [np.array(column, dtype=np.float64) for column in zip(*rows, strict=True)]


def fitted(games: Iterable[Game]) -> npt.NDArray[np.float64]:
    """Returns the weights of a logistic regression, each for a count higher by one."""
    seen, won, weight = columns(games)
    scale = np.where(seen.std(0) > 0, seen.std(0), 1.0)
    inputs = seen / scale
    hold = PENALTY * np.eye(inputs.shape[1])
    hold[-1, -1] = 1e-6
    found = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weight * (chance - won)) + hold @ found
        bend = (inputs * (weight * chance * (1 - chance))[:, None]).T @ inputs + hold
        found -= np.linalg.solve(bend, slope)
    return found / scale


def missed(weights: npt.NDArray[np.float64], game: Game) -> float:
    """Returns how far the chances to win are from the result of the game."""
    seen, won, weight = columns([game])
    return float(np.average(abs(won - 1 / (1 + np.exp(-seen @ weights))), weights=weight))


def part(player: ApbPlayer, seeds: Iterable[str], path: Path) -> list[Game]:
    """Plays the games with these seeds, or reads them from the file. Drawn ones are left out."""
    if not path.exists():
        played = [game for seed in seeds if (game := game_of(player, seed))]
        whole = path.with_suffix(".new")
        whole.write_text(json.dumps(played), encoding="utf-8")
        whole.replace(path)
    games: list[Game] = json.loads(path.read_text(encoding="utf-8"))
    return games


def train(plan: dict[str, Any], count: int, folder: Path) -> list[Game]:
    """Plays so many games, but for those in the folder, and draws the curve. Returns them all."""
    folder.mkdir(parents=True, exist_ok=True)
    told = folder / "plan.json"
    if told.exists() and json.loads(told.read_text(encoding="utf-8")) != plan:
        raise SystemExit(f"{folder} holds another training: {told.read_text(encoding='utf-8')}")
    told.write_text(json.dumps(plan), encoding="utf-8")
    player, luck = ApbPlayer(GAME, plan["level"]), random.Random(plan["seed"])
    games: list[Game] = []
    curve: list[Point] = []
    for number in range(1, count // PART + 1):
        new = part(player, [str(luck.random()) for _ in range(PART)], folder / f"{number}.json")
        if games and new:
            weights = fitted(games)
            curve.append(mean(PART * number, [missed(weights, game) for game in new]))
            draw(folder / "curve.png", curve, "distance of the chance to win from the result, in games not learnt yet")
            print(f"{PART * number} games: {curve[-1][1]:.4f} off", flush=True)
        games += new
    return games


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--level", type=int, default=7)
    parser.add_argument("--games", type=int, default=500, help=f"a multiple of {PART}")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} games")
    asked = parser.parse_args()
    if asked.games <= 0 or asked.games % PART:
        parser.error(f"--games must be a multiple of {PART}")
    plan = {"level": asked.level, "seed": asked.seed, "weights": digest(asked.level)}
    folder = asked.folder or ROOT / ".training" / ("apb" + "-quick" * asked.quick)
    games = train(plan, QUICK if asked.quick else asked.games, folder)
    names = [*(f"{name}, moved" for name in COUNTED), *(f"{name}, to move" for name in COUNTED)]
    for name, found in zip([*names, "opened", "touching", "tempo"], fitted(games), strict=True):
        print(f"{name:24} {SCALE / 2 * found:8.1f}")  # the tangent's argument is half the logarithm of the odds


if __name__ == "__main__":
    main()
