"""Measures the losses of backgammon's levels by mistakes: ``python benchmarks/mistakes.py [--levels 5 7 8]``.

GNU Backgammon at 0-ply plays against itself; in every third position with a choice each level chooses its turn. GNU
Backgammon at 2-ply judges it against the best of the turns, without the cube, as for money. The loss is printed as
usual, 500 times the mean of a decision, with its 95 % error bar, beside that of GNU Backgammon at 0-ply, and also by
which sides still have checkers at the back (``engine/ai/backgammon/inputs.py``); then the CPU time of the moves.
``--quick`` ends within three minutes.

With ``--file`` the judgements are kept. If the file is there, the levels choose in the same positions, and GNU
Backgammon is asked only about turns that it has not judged.
"""

import argparse
import json
import math
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as a worker of the bot has it
sys.path.insert(0, str(Path(__file__).parents[1]))  # this file's own name would hide the package

from benchmarks.figures import QUICK, estimate
from benchmarks.gnubg import Gnu, version
from benchmarks.levels import Machine, rolled, tell_times
from engine.ai.backgammon.inputs import kind, positions
from engine.core.game import CHANCE
from engine.games.backgammon import GAME, State

JUDGE: Final = 2
"""The plies of the judge."""
BEST: Final = 6
"""The number of the best turns at 0-ply that are judged in any case."""
MOST: Final = 14
"""The most turns that are judged."""
CLOSE: Final = 0.2
"""The points that a turn may be worse than the best at 0-ply, to be judged."""
TAKEN: Final = 1 / 3
GNU: Final = 0
"""GNU Backgammon itself, among the levels."""
KINDS: Final = ("race", "nobody at the back", "own side at the back", "other side at the back", "both at the back")


@dataclass
class Decision:
    """A position with dice, and what GNU Backgammon says of turns from it."""

    position: str
    judged: dict[str, float]
    """The expectation of the other side after a turn."""
    gnu: str
    """The position after the turn that GNU Backgammon plays at 0-ply."""

    def loss(self, after: str) -> float:
        return self.judged[after] - min(self.judged.values())

    @property
    def kind(self) -> int:
        """Whose checkers are at the back: the place in ``KINDS``."""
        state = GAME.decode(self.position, {})
        sides = (state.black, state.white) if state.turn else (state.white, state.black)
        return int(kind(positions([sides]))[0])


def decision(gnu: Gnu, state: State) -> Decision:
    """Judges the turns from a state with dice."""
    afters = [after for _, after in GAME.turns(state)]
    worth = gnu.judge(afters)
    order = sorted(range(len(afters)), key=lambda number: worth[number])
    close = worth[order[0]] + CLOSE
    best = [number for place, number in enumerate(order[:MOST]) if place < BEST or worth[number] < close]
    values = gnu.judge([afters[number] for number in best], JUDGE)
    texts = [GAME.encode(afters[number]) for number in best]
    return Decision(GAME.encode(state), dict(zip(texts, values, strict=True)), texts[0])


def decisions(gnu: Gnu, luck: random.Random) -> Iterator[Decision]:
    """Plays games without end, and judges every third decision."""
    state = GAME.start(GAME.settle_options({}))
    while True:
        if GAME.to_act(state) is None:
            state = GAME.start(GAME.settle_options({}))
        elif GAME.to_act(state) == CHANCE:
            state = rolled(GAME, state, luck)
        else:
            turns = GAME.turns(state)
            over = any(GAME.to_act(after) is None for _, after in turns)
            if luck.random() < TAKEN and len(turns) > 1 and not over:
                yield decision(gnu, state)
            state = gnu(state)


def losses(gnu: Gnu, machines: list[Machine], asked: Decision) -> dict[int, float]:
    """Computes the loss of each player by its turn. Judges those that are not judged yet."""
    state = GAME.decode(asked.position, {})
    chosen = {machine.player.level: machine(state) for machine in machines}
    texts = {level: GAME.encode(after) for level, after in chosen.items()} | {GNU: asked.gnu}
    for level, after in chosen.items():
        if texts[level] not in asked.judged:
            asked.judged[texts[level]] = gnu.judge([after], JUDGE)[0]
    return {level: asked.loss(text) for level, text in texts.items()}


def tell(name: str, lost: list[float]) -> None:
    """Prints a line of a table."""
    mean, error = estimate(lost)
    print(f"| {name} | {len(lost)} | {500 * mean:.2f} ± {500 * error:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--levels", type=int, nargs="*", default=[5, 6, 7, 8])
    parser.add_argument("--depth", type=int, help="how many turns level 8 looks further ahead, if not as it does")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, help="where the judgements are kept")
    parser.add_argument("--quick", action="store_true", help="as many decisions as three minutes allow")
    asked = parser.parse_args()
    gnu = Gnu()
    machines = [Machine(GAME, level, depth=asked.depth) for level in asked.levels]
    stop = time.monotonic() + (QUICK if asked.quick else math.inf)
    kept = asked.file.read_text(encoding="utf-8").splitlines() if asked.file and asked.file.exists() else []
    played = (Decision(**json.loads(line)) for line in kept) if kept else decisions(gnu, random.Random(asked.seed))
    found: list[tuple[int, dict[int, float]]] = []
    for number, each in enumerate(played):
        if number == asked.decisions or time.monotonic() > stop:
            break
        if asked.file and not kept:
            with asked.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(vars(each)) + "\n")
        found.append((each.kind, losses(gnu, machines, each)))
    gnu.end()
    print(f"{version()}\n\n| level | decisions | loss, times 500 |\n|---|---|---|")
    for level in (*asked.levels, GNU):
        who = str(level or "GNU 0-ply")
        tell(who, [each[level] for _, each in found])
        for number, name in enumerate(KINDS):
            of_kind = [each[level] for place, each in found if place == number]
            if of_kind:
                tell(f"{who}: {name}", of_kind)
    tell_times({machine.player.level: machine.times for machine in machines})


if __name__ == "__main__":
    main()
