"""Trains the networks of a game further on labelled positions: ``python training/supervised.py GAME [--seed S]``.

The networks in the game's package play against themselves, sometimes a turn that is not the best, and the positions get
labels (``training/fast/labels.py``): some from all rolls, many more from the roll that was played. Then the networks
learn the labels by Adam (Kingma and Ba, 2015) in small batches, over and over. Labels are kept by parts, by default in
``.training/GAME-labels``, so that a stopped run goes on with the next part. Learning takes minutes and begins anew, so
other settings can be tried with the same labels. A greater ``--width`` adds units that count nothing at first.

It prints the error of the expected points in positions that are not learnt; ``curve.png`` beside the labels shows how
it falls. ``--quick`` is a small run of a few minutes. ``--write`` writes the weights to the game's package as soon as
they are learnt; ``benchmarks/generations.py`` compares them with those before.
"""

import argparse
import json
import math
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

# threads that wait for one another take ten times as long on a busy machine
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the folder of this file does not hold the packages

from engine.ai.chances import CERTAIN
from training.curve import draw
from training.fast.labels import encoder, labeller
from training.fast.learning import OUTPUTS, learner
from training.networks import Nets, digest, fresh, load, package, publish, save, wider

PART: Final = 20_000
"""The positions of a part whose labels come from all rolls."""
SAMPLED: Final = 100_000
"""The positions of a part whose labels come from the roll that was played. It takes less time than the other."""
STRAY: Final = 0.2
TEMPERATURE: Final = 0.06
FADES: Final = (0.5, 0.8)
"""How much later positions count in the label: with the roll that was played, and with all rolls."""
BATCH: Final = 256
SLOWEST: Final = 0.02
"""The share of the rate of learning at the end."""
FEWEST: Final = 2_000
"""A network with fewer positions learns nothing."""
UNSEEN: Final = 10_000
"""How many of the positions with labels from all rolls are not learnt."""
MEAN: Final = 0.9
SQUARE: Final = 0.999
"""How slowly Adam forgets earlier gradients and their squares."""


@dataclass(frozen=True)
class Labels:
    """The settings of labels. The same settings lead to the same labels."""

    game: str
    parts: int
    """With labels from all rolls."""
    sampled: int
    """The number of parts with labels from the roll that was played."""
    seed: int
    start: str
    """The SHA-256 of the file of weights that are trained further."""


@dataclass(frozen=True)
class Plan(Labels):
    """The settings of a run. The same plan leads to the same weights on the same machine."""

    epochs: int
    rate: float
    width: int
    """The units of the hidden layer; 0 for as many as before."""

    @property
    def labels(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(Labels)}


class Labelled(NamedTuple):
    """Positions before a roll, a row for each, and the chances of the side to roll."""

    positions: NDArray[Any]
    targets: NDArray[Any]


def label(plan: Labels, rules: Any, nets: Nets, folder: Path) -> list[Labelled]:
    """Labels positions, by parts. Returns those of the parts that were there, too, in the same order."""
    _, value = learner(rules)
    play = labeller(rules, value)
    found = []
    for number in range(plan.sampled + plan.parts):
        every = number >= plan.sampled
        path = folder / f"{number}.npz"
        if not path.exists():
            count = PART if every else SAMPLED
            part = Labelled(np.empty((count, rules.SIZE), rules.NUMBERS), np.empty((count, OUTPUTS), np.float32))
            games = play(1_000_000 * plan.seed + number, every, nets, FADES[every], STRAY, TEMPERATURE, *part)
            np.savez(path, positions=part.positions, targets=part.targets)
            print(f"part {number + 1}: {count} positions of {games} games", flush=True)
        with np.load(path) as kept:
            found.append(Labelled(kept["positions"], kept["targets"]))
    return found


def fit(nets: Nets, learnt: Labelled, kinds: NDArray[Any], encode: Any, plan: Plan) -> Iterator[Nets]:
    """Yields the networks after each epoch of learning. ``kinds`` says which of them judges each position."""
    luck = np.random.default_rng(plan.seed)
    first, first_bias, second, second_bias = (each.copy() for each in nets)
    epochs: list[Iterator[None]] = []
    for kind in range(len(first)):
        those = np.flatnonzero(kinds == kind)
        if those.size >= FEWEST:
            layers = (first[kind], first_bias[kind], second[kind], second_bias[kind])
            epochs.append(_fit(layers, learnt, those, encode, plan, luck))
    for _ in zip(*epochs, strict=True):
        yield first, first_bias, second, second_bias


def _fit(
    layers: Any, learnt: Labelled, those: NDArray[Any], encode: Any, plan: Plan, luck: np.random.Generator
) -> Iterator[None]:
    """Changes the layers of one network, an epoch at a time."""
    first, first_bias, second, second_bias = layers
    means, squares = [[np.zeros_like(each) for each in layers] for _ in range(2)]
    inputs = np.zeros((BATCH, len(first)), np.float32)
    batches = those.size // BATCH
    steps = 0
    for _ in range(plan.epochs):
        luck.shuffle(those)
        for batch in those[: BATCH * batches].reshape(batches, BATCH):
            steps += 1
            encode(learnt.positions[batch], inputs)
            hidden = np.maximum(inputs @ first + first_bias, 0)
            error = (_chances(hidden @ second.T + second_bias) - learnt.targets[batch]) / BATCH
            back = (error @ second) * (hidden > 0)
            gradients = (inputs.T @ back, back.sum(0), error.T @ hidden, error.sum(0))
            rate = plan.rate * SLOWEST ** (steps / (plan.epochs * batches))
            for each, gradient, mean, square in zip(layers, gradients, means, squares, strict=True):
                mean[...] += (1 - MEAN) * (gradient - mean)
                square[...] += (1 - SQUARE) * (gradient**2 - square)
                each[...] -= rate * (mean / (1 - MEAN**steps)) / (np.sqrt(square / (1 - SQUARE**steps)) + 1e-8)
        yield


def _chances(sums: NDArray[Any]) -> NDArray[Any]:
    chances: NDArray[Any] = 1 / (1 + np.exp(-np.clip(sums, -CERTAIN, CERTAIN)))
    return chances


def missed(nets: Nets, asked: Labelled, kinds: NDArray[Any], encode: Any) -> float:
    """Returns how far the expected points are from those of the labels: the root of the mean square."""
    first, first_bias, second, second_bias = nets
    inputs = np.zeros((len(asked.positions), first.shape[1]), np.float32)
    encode(asked.positions, inputs)
    total = 0.0
    for kind in range(len(first)):
        those = kinds == kind
        hidden = np.maximum(inputs[those] @ first[kind] + first_bias[kind], 0)
        off = _chances(hidden @ second[kind].T + second_bias[kind]) - asked.targets[those]
        total += float(((off @ np.array([2, 1, 1, -1, -1], np.float32)) ** 2).sum())
    return math.sqrt(total / len(kinds))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=("abak", "backgammon"))
    parser.add_argument("--parts", type=int, default=10, help=f"of {PART} positions, with labels from all rolls")
    parser.add_argument("--sampled", type=int, default=20, help=f"parts of {SAMPLED}, from the roll that was played")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=0.001, help="of learning, at first")
    parser.add_argument("--width", type=int, default=0, help="of the hidden layer, if it is to be wider")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="one part of each kind")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--write", action="store_true", help="write the weights to the package")
    asked = parser.parse_args()
    parts, sampled = (1, 1) if asked.quick else (asked.parts, asked.sampled)
    start = digest(package(asked.game))
    plan = Plan(asked.game, parts, sampled, asked.seed, start, asked.epochs, asked.rate, asked.width)
    folder = asked.folder or ROOT / ".training" / (asked.game + "-labels" + "-quick" * asked.quick)
    folder.mkdir(parents=True, exist_ok=True)
    told = folder / "plan.json"
    if told.exists() and json.loads(told.read_text(encoding="utf-8")) != plan.labels:
        raise SystemExit(f"{folder} holds other labels: {told.read_text(encoding='utf-8')}")
    told.write_text(json.dumps(plan.labels), encoding="utf-8")
    rules = import_module(f"training.fast.{asked.game}")
    encode, kinds_of = encoder(rules)
    nets = load(package(asked.game))
    if plan.width and plan.width <= nets[1].shape[1]:
        raise SystemExit(f"the hidden layer has {nets[1].shape[1]} units already")
    labelled = Labelled(*map(np.concatenate, zip(*label(plan, rules, nets, folder), strict=True)))
    kinds = kinds_of(labelled.positions)
    learnt, unseen = Labelled(*(each[:-UNSEEN] for each in labelled)), Labelled(*(each[-UNSEEN:] for each in labelled))
    before = missed(nets, unseen, kinds[-UNSEEN:], encode)
    if plan.width:
        nets = wider(nets, fresh(rules, plan.width, plan.seed))
    after, curve = before, [(0, before, 0.0)]
    after_nets = nets
    for epoch, after_nets in enumerate(fit(nets, learnt, kinds[:-UNSEEN], encode, plan), 1):
        after = missed(after_nets, unseen, kinds[-UNSEEN:], encode)
        curve.append((epoch * len(learnt.positions), after, 0.0))
    draw(folder / "curve.png", curve, "error in points of positions not learnt", "positions learnt")
    save(folder / "learnt.npz", after_nets)
    print(f"{len(kinds)} positions: error {before:.4f} points before, {after:.4f} after")
    if asked.write:
        command = (
            f"python training/supervised.py {plan.game} --parts {parts} --sampled {sampled} --epochs {plan.epochs}"
            f" --rate {plan.rate}{f' --width {plan.width}' * bool(plan.width)} --seed {plan.seed} --write"
        )
        figures = {"positions": len(kinds), "before": round(before, 4), "after": round(after, 4)}
        publish(plan.game, after_nets, {"command": command, "seed": plan.seed, **figures}, plan.start)


if __name__ == "__main__":
    main()
