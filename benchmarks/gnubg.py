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
sys.path.insert(0, str(ROOT))  # this file's own name would hide the package

from benchmarks.points import compare
from engine.games.backgammon import GAME, State
from engine.games.backgammon.board import BAR, OFF, pack, sides, unpack
from engine.kits.cube import owner

PROGRAM: Final = shutil.which("gnubg", path=f"{os.environ['PATH']}:/usr/games") or "gnubg"
COMMAND: Final = (PROGRAM, "-t", "-q", "-p", str(ROOT / "benchmarks" / "gnubg_judge.py"))


class Gnu:
    """GNU Backgammon as a judge of the positions after a turn."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, state: State, _: frozenset[State] = frozenset()) -> State:
        """Returns the state after the turn that it plays at 0-ply."""
        afters = [after for _, after in GAME.turns(state)]
        if len(afters) == 1:
            return afters[0]
        wanted = moved(state, [*map(int, self._ask("best {} {}".format(*state.roll or ()), [state]))])
        return next(after for after in afters if (after.white, after.black) == wanted)

    def judge(self, states: Sequence[State], plies: int = 0) -> list[float]:
        """Judges the expectation of the side to roll in each state."""
        return self._ask(str(plies), states)

    def cube(self, state: State, plies: int) -> list[float]:
        """Judges what the side to roll can expect if it rolls, and after a double that is taken, and passed."""
        fields = state.fields
        scores = (fields.white_score, fields.black_score)
        nobody = owner(fields) is None
        cube = (-1 if nobody else 0, fields.cube_value, fields.length, scores[state.turn], scores[1 - state.turn])
        return self._ask(" ".join(map(str, (plies, *cube))), [state])

    def _ask(self, what: str, states: Sequence[State]) -> list[float]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(";".join((what, *map(_numbers, states))) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("judged "):
                return [*map(float, line.split()[1:])]
        raise RuntimeError("GNU Backgammon has ended")

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()  # waits, and closes its pipes


def version() -> str:
    """Returns the line with the program's name and version."""
    asked = subprocess.run((PROGRAM, "--version"), capture_output=True, text=True, check=True)
    return asked.stdout.partition("\n")[0]


def moved(state: State, points: Sequence[int]) -> tuple[int, int]:
    """Returns White's and Black's checkers after moves from the first point to the second, from the third to the fourth
    and so on.
    """
    mine, theirs = ([*unpack(side)] for side in sides(state))
    for start, end in zip(points[::2], points[1::2], strict=True):
        mine[start] -= 1
        mine[end] += 1
        if end != OFF and theirs[BAR - end]:
            theirs[BAR - end] = 0
            theirs[BAR] += 1
    both = pack(mine), pack(theirs)
    return both if state.turn == 0 else both[::-1]


def _numbers(state: State) -> str:
    return " ".join(str(count) for side in sides(state) for count in unpack(side)[1:])


def main() -> None:
    gnu = Gnu()
    print(f"{version()}\n")
    compare(__doc__ or "", GAME, gnu)
    gnu.end()


if __name__ == "__main__":
    main()
