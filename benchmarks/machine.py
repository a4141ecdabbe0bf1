"""Measures a worker process of the machine: ``python benchmarks/machine.py [--positions N] [--lines N]``.

Prints for each game and level the time of an answer, over N positions of random games, each game in a new worker, and
the worker's memory after them; level 0 is the first answer, with the start of the worker. Then the memory of one worker
after N lines about all games at all levels.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
sys.path[:1] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

from figures import resident
from harness.matches import random_game

from bot.opponents.process import COMMAND, WorkerProcess
from bot.opponents.questions import Question
from bot.settings import HIGHEST_LEVEL
from engine.core import replay
from engine.core.table import Table
from engine.registry import GAMES

LEVELS: Final = range(1, HIGHEST_LEVEL + 1)
LONGEST: Final = 200
"""The most entries of a random game. A longer one hardly resembles a real game."""


def tables(key: str, luck: random.Random) -> Iterator[Table[Any, Any]]:
    """Yields positions of random games at which a seat acts; with the cube in every second game that has one."""
    game = GAMES[key]
    has_cube = any(option.key == "cube" for option in game.options)
    while True:
        cube = {"cube": luck.choice(["on", "off"])} if has_cube else {}
        record = random_game(key, luck, cube, most=LONGEST)
        progress = replay.start(game, record.header)
        for entry in record.entries:
            replay.follow(progress, entry)
            if progress.outcome is None and progress.to_act in {0, 1} and luck.random() < 0.1:
                yield Table.of(progress)


async def measure(positions: int, lines: int) -> None:
    print("| game | level | median, p99 and longest answer | memory of the worker |")
    print("|---|---|---|---|")
    for key in GAMES:
        worker = await WorkerProcess.start(COMMAND)
        for level in (0, *LEVELS) if positions else ():
            times = []
            for table, _ in zip(tables(key, random.Random(level)), range(positions if level else 1), strict=False):
                question = Question.about(table, level or 1, 1)
                begun = time.perf_counter()
                await worker.ask(question)
                times.append(1000 * (time.perf_counter() - begun))
            times.sort()
            told = (times[len(times) // 2], times[int(0.99 * (len(times) - 1))], times[-1])
            figures = ", ".join(f"{each:.1f}" for each in told)
            print(f"| {key} | {level} | {figures} ms | {resident(worker.pid):.0f} MB |", flush=True)
        await worker.end()
    worker = await WorkerProcess.start(COMMAND)
    luck = random.Random(1)
    sources = [tables(key, luck) for key in GAMES]
    print("\n| lines | memory of one worker for all games |")
    print("|---|---|")
    for number in range(1, lines + 1):
        question = Question.about(next(luck.choice(sources)), luck.choice(LEVELS), number)
        await worker.ask(question)
        if number in {1, 10, 100} or number % 1000 == 0:
            print(f"| {number} | {resident(worker.pid):.1f} MB |", flush=True)
    await worker.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--lines", type=int, default=5000)
    asked = parser.parse_args()
    asyncio.run(measure(asked.positions, asked.lines))


if __name__ == "__main__":
    main()
