"""Measures the levels of backgammon against GNU Backgammon at 0-ply: ``python benchmarks/gnubg.py [--levels 7 8]``.

GNU Backgammon has to be installed. ``points.py`` describes the measurement; ``--quick`` ends within three minutes.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as a worker of the bot has it
ROOT: Final = Path(__file__).parents[1]
sys.path[0] = str(ROOT)  # this file's own name would hide the package

from benchmarks.points import compare
from engine.games.backgammon import GAME, State
from engine.games.backgammon.board import sides, unpack

PROGRAM: Final = shutil.which("gnubg", path=f"{os.environ['PATH']}:/usr/games") or "gnubg"
COMMAND: Final = (PROGRAM, "-t", "-q", "-p", str(ROOT / "benchmarks" / "gnubg_judge.py"))


class Gnu:
    """GNU Backgammon as a judge of the positions after a turn."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, state: State) -> State:
        """Returns the state after the turn that it values most."""
        afters = [after for _, after in GAME.turns(state)]
        for after in afters:
            if GAME.to_act(after) is None:
                return after
        if len(afters) == 1:
            return afters[0]
        worth = self.judge(afters)
        return afters[worth.index(min(worth))]

    def judge(self, states: Sequence[State], plies: int = 0) -> list[float]:
        """Returns the expectation of the side to roll in each state."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(";".join((str(plies), *map(_numbers, states))) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("judged "):
                return [*map(float, line.split()[1:])]
        raise RuntimeError("GNU Backgammon has ended")

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def _numbers(state: State) -> str:
    return " ".join(str(count) for side in sides(state) for count in unpack(side)[1:])


if __name__ == "__main__":
    gnu = Gnu()
    compare(__doc__ or "", GAME, gnu)
    gnu.end()
