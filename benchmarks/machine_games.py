"""Plays games among the machine's levels: ``python benchmarks/machine_games.py FILE [--games N] [--stop S]``.

They are played as the bot plays them, without Discord: by its services on SQLite, with a worker process that lives as
long as the run. Of ten games four are backgammon, four Abak, one Abalone and one APB; one of each other game follows.
The levels change with each game, and the cube is in every second game that has one. FILE keeps a line a game, so
another run continues with the rest. ``--quick`` ends within three minutes, and leaves the game that is not over then.

The tables show the ends of the games, wrong answers and replacements of workers, the CPU time of each answer by game
and level, and the memory of the bot's services and of the worker over the games of the longest run.
"""

import argparse
import asyncio
import json
import math
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import permutations
from pathlib import Path
from typing import Any, Final, TypeAlias

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # this file's own name would hide the package

from benchmarks.figures import QUICK, resident, spread
from bot.core.randomness import SystemLuck
from bot.core.storage.database import Database
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place
from bot.opponents.pool import Unavailable, Workers
from bot.opponents.questions import Answer, Question
from bot.opponents.service import OpponentService
from bot.settings import HIGHEST_LEVEL
from engine.core.errors import RuleError
from engine.registry import GAMES

Played: TypeAlias = dict[str, Any]
"""A game as it is kept: the players and their plays, the end, times (ms) by level, and memory (MB) after it."""
OFTEN: Final = (
    "backgammon",
    "abak",
    "backgammon",
    "abak",
    "abalone",
    "backgammon",
    "abak",
    "backgammon",
    "abak",
    "apb",
)
TURN: Final = (*OFTEN, *(key for key in GAMES if key not in OFTEN))
PAIRS: Final = [*permutations(range(1, HIGHEST_LEVEL + 1), 2)]
LONGEST: Final = 2000
"""The most decisions of a game. A longer one counts as stuck."""
ROWS: Final = (1, 10, 30, 100, 200, 300, 400, 600, 800, 1000)
"""The numbers of games of a run after which the memory is printed, besides the last."""


def child() -> int | None:
    """Finds the process id of the worker, the only child; None if none lives."""
    found = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    return int(found[-1]) if found else None


def worked(pid: int | None) -> float:
    """Returns the milliseconds of processor time of a process with one thread."""
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6 if pid else 0.0


class Watched:
    """The worker, and its figures in one game."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.times: dict[int, list[float]] = defaultdict(list)
        self.illegal = 0

    async def think(self, question: Question, check: Callable[[Answer], object]) -> Answer:
        def counted(answer: Answer) -> None:
            try:
                check(answer)
            except RuleError:
                self.illegal += 1
                raise

        pid, before = child(), worked(child())
        answer = await self.workers.think(question, counted)
        if pid == child():  # the first answer includes the start of the worker
            self.times[question.level].append(round(worked(pid) - before, 1))
        return answer


def now() -> int:
    """Returns the ms since 1970."""
    return round(time.time() * 1000)


async def play(games: GameService, workers: Workers, number: int, end: float) -> Played | None:
    """Plays the game with this number, from its opening to its end; None if the clock shows ``end`` before."""
    turn, place = divmod(number, len(TURN))
    key = TURN[place]
    levels = PAIRS[(turn + 7 * place) % len(PAIRS)]
    cube = any(option.key == "cube" for option in GAMES[key].options) and place < len(TURN) // 2
    watched, replaced = Watched(workers), workers.restarts
    opponents = OpponentService(games, watched, now)
    live = await games.open(NewGame(key, {"cube": "on"} if cube else {}, Place(1, 1 + number), "en"), levels)
    decisions, refused = 0, ""
    try:
        while not live.is_over and decisions < LONGEST:
            if time.monotonic() > end:
                return None
            deed = await opponents.decide(live)
            if deed is None:
                break
            live = await deed()
            decisions += 1
    except (RuleError, Unavailable) as error:
        refused = repr(error)
    pid = child()
    return {
        "number": number,
        "game": key,
        "levels": levels,
        "cube": cube,
        "decisions": decisions,
        "points": live.outcome.points[0] if live.outcome is not None else None,
        "reason": live.outcome.reason if live.outcome is not None else "stuck",
        "refused": refused,
        "illegal": watched.illegal,
        "replaced": workers.restarts - replaced,
        "times": watched.times,
        "memory": [round(resident(os.getpid()), 1), round(resident(pid), 1) if pid else 0.0],
    }


def tell(found: Iterable[Played]) -> None:
    """Prints the figures of the games."""
    by_game: dict[str, list[Played]] = defaultdict(list)
    by_run: dict[str, list[Played]] = defaultdict(list)
    times: dict[tuple[str, int], list[float]] = defaultdict(list)
    for one in found:
        by_game[one["game"]].append(one)
        by_run[one["run"]].append(one)
        for level, spent in one["times"].items():
            times[one["game"], int(level)] += spent
    print("| game | games | decisions | stuck | refused | illegal answers | workers replaced | ends |")
    print("|---|---|---|---|---|---|---|---|")
    for key, those in by_game.items():
        ends = ", ".join(f"{count} {reason}" for reason, count in Counter(one["reason"] for one in those).most_common())
        stuck = sum(one["points"] is None for one in those)
        refused = sum(bool(one["refused"]) for one in those)
        sums = [sum(one[what] for one in those) for what in ("decisions", "illegal", "replaced")]
        print(f"| {key} | {len(those)} | {sums[0]} | {stuck} | {refused} | {sums[1]} | {sums[2]} | {ends} |")
    print("\n| game | level | answers | CPU time, mean, median, p99 and longest |\n|---|---|---|---|")
    for (key, level), spent in sorted(times.items()):
        print(f"| {key} | {level} | {len(spent)} | {spread(spent)} |")
    longest = max(by_run.values(), key=len, default=[])
    print("\n| games of one run | memory of the services | memory of the worker |\n|---|---|---|")
    for count in sorted({*(row for row in ROWS if row < len(longest)), len(longest)} - {0}):
        services, worker = longest[count - 1]["memory"]
        print(f"| {count} | {services:.1f} MB | {worker:.1f} MB |")


async def measure(
    found: dict[int, Played], keep: Callable[[Played], object], count: int, stop: float, end: float
) -> None:
    """Plays the games that are not among those found, and adds them there. Begins none when the clock shows ``stop``,
    and leaves one that is not over when it shows ``end``.
    """
    run = f"{time.time():.0f}"
    workers = Workers(1, HIGHEST_LEVEL)
    with tempfile.TemporaryDirectory() as folder:
        database = await Database.open(f"sqlite:///{folder}/games.sqlite3")
        games = GameService(GameRepository(database), SystemLuck(), now)
        try:
            for number in range(count):
                if number in found or time.monotonic() > stop:
                    continue
                played = await play(games, workers, number, end)
                if played is not None:
                    found[number] = {"run": run} | played
                    keep(found[number])
        finally:
            await workers.close()
            await database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--stop", type=float, default=math.inf, help="begin no more games after so many seconds")
    parser.add_argument("--quick", action="store_true", help="as many games as three minutes allow")
    asked = parser.parse_args()
    began = time.monotonic()
    end = began + (QUICK if asked.quick else math.inf)
    lines = asked.file.read_text(encoding="utf-8").splitlines() if asked.file.exists() else []
    found = {one["number"]: one for one in map(json.loads, lines)}

    def keep(one: Played) -> None:
        with asked.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(one) + "\n")

    asyncio.run(measure(found, keep, asked.games, min(began + asked.stop, end), end))
    tell(found.values())


if __name__ == "__main__":
    main()
