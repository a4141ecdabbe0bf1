"""Trains the networks of a game by self-play from nothing: ``python training/networks.py GAME [--games N] [--seed S]``.

It continues from its last checkpoint, by default in ``.training/GAME``, with the same result as without a stop. Each
line it prints is a checkpoint; ``curve.png`` beside them shows the points a game that the networks win against those of
the first checkpoint. ``--further`` trains the weights in the game's package further, and measures against them; a
greater width adds units that count nothing at first. ``--quick`` is a small training that ends in ten minutes.
``--write`` only writes the weights of the last checkpoint to the game's package.
"""

import argparse
import hashlib
import json
import math
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the folder of this file does not hold the packages

from training.curve import draw
from training.fast.learning import OUTPUTS, learner, matches

Nets: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""The weights and biases of the first layer and of the second, by network."""
RATE: Final = 0.01
SLOWEST: Final = 0.03
"""The share of ``RATE`` at the end."""
FADES: Final = ((0.1, 0.7), (0.4, 0.4), (1.0, 0.1))
"""Pairs of a share of the games, and the lambda up to it."""
PAIRS: Final = 250
"""The number of pairs of games that measure a checkpoint."""
USUAL: Final = (-1.5, -4.0)
"""The first biases of the outputs for gammons and backgammons, which are rare."""


@dataclass(frozen=True)
class Plan:
    """The settings of a training. The same plan leads to the same weights on the same machine."""

    game: str
    games: int
    seed: int
    width: int
    """The units of the hidden layer."""
    checkpoints: int
    rate: float = RATE
    """The first rate of learning."""
    start: str = ""
    """The SHA-256 of the file of weights that are trained further; empty for none."""


def fresh(rules: Any, width: int, seed: int) -> Nets:
    luck = np.random.default_rng(seed)
    first = 0.08 * luck.standard_normal((rules.KINDS, rules.COUNT, width))
    second = 0.05 * luck.standard_normal((rules.KINDS, OUTPUTS, width))
    bias = np.tile(np.array([0, *USUAL, *USUAL], np.float32), (rules.KINDS, 1))
    return (
        first.astype(np.float32),
        np.zeros((rules.KINDS, width), np.float32),
        second.astype(np.float32),
        bias,
    )


def load(path: Path | IO[bytes]) -> Nets:
    with np.load(path) as kept:
        first, first_bias, second, second_bias = (
            kept[name].astype(np.float32) for name in ("first", "first_bias", "second", "second_bias")
        )
    return first, first_bias, second, second_bias


def save(path: Path, nets: Nets) -> None:
    first, first_bias, second, second_bias = nets
    np.savez(path, first=first, first_bias=first_bias, second=second, second_bias=second_bias)


def package(game: str) -> Path:
    return ROOT / "engine" / "ai" / game / "networks.npz"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wider(nets: Nets, untrained: Nets) -> Nets:
    """Adds hidden units of untrained networks that count nothing yet."""
    first, first_bias, second, second_bias = nets
    width = first.shape[-1]
    return (
        np.concatenate((first, untrained[0][..., width:]), -1),
        np.concatenate((first_bias, untrained[1][..., width:]), -1),
        np.concatenate((second, 0 * untrained[2][..., width:]), -1),
        second_bias,
    )


def begin(rules: Any, plan: Plan, folder: Path) -> tuple[int, Nets]:
    """Makes the networks that a training begins with. Returns the number of the checkpoint that is the measure."""
    untrained = fresh(rules, plan.width, plan.seed)
    if not plan.start:
        return 1, untrained
    if not (folder / "0.npz").exists():
        if digest(package(plan.game)) != plan.start:
            raise SystemExit("the package has other weights by now")
        save(folder / "0.npz", wider(load(package(plan.game)), untrained))
    return 0, load(folder / "0.npz")


def train(plan: Plan, folder: Path, seconds: float) -> None:
    """Trains to the end, from the last checkpoint if there is one. Begins no checkpoint after so many seconds."""
    stop = time.monotonic() + seconds
    folder.mkdir(parents=True, exist_ok=True)
    told = folder / "plan.json"
    if told.exists() and json.loads(told.read_text(encoding="utf-8")) != asdict(plan):
        raise SystemExit(f"{folder} holds another training: {told.read_text(encoding='utf-8')}")
    told.write_text(json.dumps(asdict(plan)), encoding="utf-8")
    rules = import_module(f"training.fast.{plan.game}")
    play, value = learner(rules)
    match = matches(rules, value)
    lines = folder / "curve.jsonl"
    curve = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()] if lines.exists() else []
    measure, nets = begin(rules, plan, folder)
    if curve:
        nets = load(folder / f"{len(curve)}.npz")
    each = plan.games // plan.checkpoints
    for number in range(len(curve) + 1, plan.checkpoints + 1):
        if time.monotonic() > stop:
            break
        began = time.process_time()
        share = (number - 0.5) / plan.checkpoints
        fade = FADES[-1][1] if plan.start else next(fade for until, fade in FADES if share <= until)
        rate = plan.rate * SLOWEST**share
        played, gammons, error = play(each, 1_000_000 * plan.seed + number, fade, rate, nets)
        spent = time.process_time() - began
        save(folder / f"{number}.npz", nets)
        points = match(PAIRS, plan.seed, nets, load(folder / f"{measure}.npz"), (0.0, 0.0)).mean(1)
        line = {
            "games": number * each,
            "seconds": round(spent + (curve[-1]["seconds"] if curve else 0)),
            "points": round(float(points.mean()), 4),
            "error": round(float(1.96 * points.std() / PAIRS**0.5), 4),
            "turns": round(played / each, 1),
            "gammons": round(gammons / each, 3),
            "surprise": round(error, 6),
        }
        curve.append(line)
        with lines.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        shown = [(one["games"], one["points"], one["error"]) for one in curve]
        draw(folder / "curve.png", shown, "points a game against the first checkpoint")
        print(line, flush=True)


def write(plan: Plan, folder: Path) -> None:
    """Writes the weights of the last checkpoint to the game's package, and their origin: the command, and after which
    checkpoint it was stopped, if it was.
    """
    lines = (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines()
    command = (
        f"python training/networks.py {plan.game} --games {plan.games} --seed {plan.seed}"
        f" --width {plan.width} --checkpoints {plan.checkpoints} --rate {plan.rate}" + " --further" * bool(plan.start)
    )
    made: dict[str, Any] = {"command": command}
    if len(lines) < plan.checkpoints:  # its rates were those of the whole plan, so its games do not tell all
        made["stopped"] = f"after checkpoint {len(lines)} of {plan.checkpoints}"
    made |= {"seed": plan.seed, **json.loads(lines[-1])}
    publish(plan.game, load(folder / f"{len(lines)}.npz"), made, plan.start)


def publish(game: str, nets: Nets, made: dict[str, Any], start: str) -> None:
    """Writes weights to the game's package, and beside them how they were made: from those with the digest ``start``,
    if any.
    """
    path = package(game)
    told = path.with_suffix(".json")
    earlier = json.loads(told.read_text(encoding="utf-8")) if told.exists() else {}
    if start and not earlier.get("sha256") == digest(path) == start:
        raise SystemExit("the package has other weights by now")
    first, first_bias, second, second_bias = (each.astype(np.float16) for each in nets)
    np.savez_compressed(path, first=first, first_bias=first_bias, second=second, second_bias=second_bias)
    made_by = ("training", "engine/ai/arrays.py", f"engine/ai/{game}/inputs.py")
    last = ["git", "log", "-1", "--format=%H", "--", *made_by]
    commit = subprocess.run(last, cwd=ROOT, capture_output=True, text=True, check=True)
    made = made | {"commit": commit.stdout.strip(), "sha256": digest(path)} | ({"earlier": earlier} if start else {})
    told.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=("abak", "backgammon"))
    parser.add_argument("--games", type=int, default=250_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=160, help="of the hidden layer")
    parser.add_argument("--checkpoints", type=int, default=25)
    parser.add_argument("--quick", action="store_true", help="20,000 games of networks with 32 units")
    parser.add_argument("--rate", type=float, default=RATE, help="of learning, at first")
    parser.add_argument("--further", action="store_true", help="begin with the weights of the package")
    parser.add_argument("--stop", type=float, default=math.inf, help="begin no checkpoint after so many seconds")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true", help="write the weights to the package, and train no more")
    asked = parser.parse_args()
    start = digest(package(asked.game)) if asked.further else ""
    plan = Plan(asked.game, asked.games, asked.seed, asked.width, asked.checkpoints, asked.rate, start)
    if asked.quick:
        plan = Plan(asked.game, 20_000, asked.seed, 32, 10)
    folder = asked.folder or ROOT / ".training" / (asked.game + "-quick" * asked.quick)
    if asked.write:
        write(plan, folder)
    else:
        train(plan, folder, asked.stop)


if __name__ == "__main__":
    main()
