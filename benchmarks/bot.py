"""Measures waiting: ``python benchmarks/bot.py [GAMES] [TURNS] [PAUSE]``, by default 50 games, 4 turns, 1.0 s.

The bot runs as an operator starts it, in a process of its own, on SQLite, over a real socket. Discord's stand-in and
all the players run in this process: on a machine with two cores, each process has one. The loopback stands for the
network. Every press is timed from the player's side until the answer is there, pictures included. The measure is
waiting, so the clock is the wall clock. Two loads, one after the other, each with a table:

- in the same instant: everybody does the same thing at the same moment, and what follows from it without a pause;
- as people play: everybody goes through the same in their own time, with a pause of PAUSE seconds in the mean (drawn
  from an exponential distribution) before each press: so GAMES / PAUSE presses a second are asked for. PAUSE 0 leaves
  this load out, and then nothing is judged by its time.

Median, 99th percentile and the longest in milliseconds; the ratio is the median in units of a press of Flip by a single
player, in the same run. Rows in brackets are no answers: the time from the answer to a turn until the next board stands
in the channel, and the time until a film is there.

Four games or more use everything. One pair in eight plays more games at a time than a list of them shows at once.

Ends with 1 if something that the bot offers was not pressed, or if as people play the 99th percentile of any answer is
over 1 s: it names them. Buttons that only appear with certain dice are named and not judged, and so is the load in the
same instant.
"""

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

ROOT = Path(__file__).parents[1]
sys.path[0] = str(ROOT)  # this file's own name would hide the package
sys.path += [str(ROOT / "tests"), str(ROOT / "benchmarks")]

from harness.bot import Room
from harness.discord import Seat
from harness.origins import note_origins
from harness.process import BotProcess
from visit import LONG, Times, Visit
from visit_acts import begun
from visit_whole import acts, do

from bot.app import FEATURES
from bot.sandbox.server import Server, serve
from bot.sandbox.state import permissions
from bot.sandbox.world import World
from engine.registry import GAMES

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 50
TURNS = int(sys.argv[2]) if len(sys.argv) > 2 else 4
PAUSE = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
LIMIT = 1000.0
VERBS = {verb for feature in FEATURES for handlers in feature.handlers for verb in handlers.by_verb}
"""All verbs of buttons and menus."""
BY_LUCK = {"only"}
"""The verbs that are offered only with certain dice."""
BUSY = 8
"""One pair in so many plays more games at a time than a list shows at once."""


async def no_pause() -> None:
    """Stands for a pause, and returns at once."""


def visits(server: Server, times: Times, pace: Callable[[random.Random], Callable[[], Awaitable[None]]]) -> list[Visit]:
    """Makes channels with two people each, one of them a manager of the server, with the games in turn."""
    found = []
    for number in range(COUNT):
        channel = server.world.add_channel("games")
        ana = Seat.join(server.world, "Ana", channel, permissions=permissions.MANAGER)
        room = Room(server, ana, Seat.join(server.world, "Ben", channel))
        luck = random.Random(number)
        busy = number % BUSY == 0
        found.append(Visit(room, list(GAMES)[number % len(GAMES)], luck, times, pace(luck), busy))
    return found


async def quiet(server: Server) -> None:
    """Waits until the bot has asked Discord for nothing for a while."""
    seen, since = None, time.perf_counter()
    while time.perf_counter() - since < 0.25:
        newest = server.world.log[-1] if server.world.log else None
        if newest is not seen:
            seen, since = newest, time.perf_counter()
        await asyncio.sleep(0.02)


async def at_once(server: Server, everybody: list[Visit]) -> None:
    """Runs one act after the other, each begun by everybody in the same instant."""
    for act in acts(TURNS):
        await asyncio.wait_for(asyncio.gather(*(do(visit, act) for visit in everybody)), LONG)
        await quiet(server)


async def in_their_time(everybody: list[Visit]) -> None:
    async def whole(visit: Visit) -> None:
        for act in acts(TURNS):
            await do(visit, act)

    await asyncio.gather(*(whole(visit) for visit in everybody))


def thinking(luck: random.Random) -> Callable[[], Awaitable[None]]:
    async def pause() -> None:
        await asyncio.sleep(luck.expovariate(1 / PAUSE))

    return pause


async def alone(server: Server) -> float:
    """Measures the median of Flip, in ms, with a single player."""
    (visit, *_) = visits(server, Times(), lambda _: no_pause)
    await begun(visit)
    for _ in range(20):
        await visit.press(visit.room.ana, "flip", visit.room.board)
    return statistics.median(visit.times.found["button flip"])


def p99(times: list[float]) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]


def late(times: Times) -> list[str]:
    """Finds the rows of answers whose 99th percentile is over the limit."""
    return sorted(name for name, found in times.found.items() if p99(found) > LIMIT and not name.startswith("("))


def row(name: str, times: list[float], unit: float) -> str:
    median, high = statistics.median(times), p99(times)
    over = "  over 1 s" if high > LIMIT and not name.startswith("(") else ""
    return f"{name:24} {len(times):7} {median:9.1f} {high:9.1f} {max(times):9.1f} {median / unit:7.2f}{over}"


def table(title: str, times: Times, unit: float) -> None:
    print(f"\n{title}\n{'':24} {'presses':>7} {'median ms':>9} {'p99 ms':>9} {'most ms':>9} {'ratio':>7}")
    for name, found in sorted(times.found.items()):
        print(row(name, found, unit))
    answers = [ms for name, found in times.found.items() if not name.startswith("(") for ms in found]
    print(row("all answers", answers, unit), flush=True)


def commands(world: World) -> set[str]:
    def names(command: dict, before: str) -> list[str]:  # type: ignore[type-arg]
        name = f"{before} {command['name']}".strip()
        inner = [option for option in command.get("options", ()) if option["type"] in {1, 2}]
        return [found for option in inner for found in names(option, name)] or [name]

    return {found for command in world.commands for found in names(command, "")}


async def main() -> int:
    crowd, people = Times(), Times()
    with tempfile.TemporaryDirectory() as folder:
        server = await serve(World(), page=False)
        note_origins(server.world)
        async with BotProcess(server, f"sqlite:///{folder}/games.sqlite3") as bot:
            await bot.start()
            await bot.ready()
            unit = await alone(server)
            await at_once(server, visits(server, crowd, lambda _: no_pause))
            table(f"{COUNT} games, everybody in the same instant", crowd, unit)
            if PAUSE:
                began = time.perf_counter()
                await in_their_time(visits(server, people, thinking))
                rate = presses(people) / (time.perf_counter() - began)
                table(f"{COUNT} games as people play: {rate:.0f} presses a second", people, unit)
            await quiet(server)
            await bot.stop()
        offered = VERBS | commands(server.world)
        await server.close()
    used = getrusage(RUSAGE_CHILDREN)
    print(
        f"\nFlip alone: {unit:.1f} ms. CPU for {presses(crowd) + presses(people)} presses: the bot's process"
        f" {used.ru_utime + used.ru_stime:.1f} s, Discord's stand-in and the players {time.process_time():.1f} s."
    )
    missing = offered - crowd.verbs - crowd.commands
    print(f"Not pressed: {', '.join(sorted(missing)) or 'nothing'}.")
    slow = late(people)
    print(f"Over {LIMIT / 1000:.0f} s as people play (99th percentile): {', '.join(slow) or 'nothing'}.")
    return 1 if missing - BY_LUCK or slow else 0


def presses(times: Times) -> int:
    return sum(len(found) for name, found in times.found.items() if not name.startswith("("))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
