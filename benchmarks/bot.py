"""How long a player waits: ``python benchmarks/bot.py [GAMES] [TURNS]``, 50 games at once by default.

The real bot over a real socket, on SQLite, against the stand-in in the same process (so its work is in the figures,
too). Every press is timed from the player's side to the bot's first answer: median, 99th percentile and the longest,
in milliseconds. The last column is the median in units of a press of Flip with nobody else about, in the same run.
"""

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[0] = str(ROOT)  # this file's own name would hide the package
sys.path.append(str(ROOT / "tests"))

from harness.bot import Room, bot_running, private, shows
from harness.discord import until

from bot.sandbox.server import serve
from bot.sandbox.world import World
from engine.registry import GAMES

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 50
TURNS = int(sys.argv[2]) if len(sys.argv) > 2 else 4


async def timed(times: list[float], action: Any) -> Any:
    began = time.perf_counter()
    result = await action
    times.append((time.perf_counter() - began) * 1000)
    return result


async def play(room: Room, luck: random.Random, times: dict[str, list[float]]) -> None:
    """Some turns of one game, by taps."""
    for _ in range(TURNS):
        seated = await room.present()
        if seated.table.outcome is not None:
            return
        who = room.to_move(seated)
        await timed(times["move"], who.press("b:move:", room.board))
        while offered := list(wired_picks(private(who))):
            await timed(times["choose"], who.press(luck.choice(offered), private(who)))
        if "b:confirm:" in str(private(who)["components"]):
            await timed(times["confirm"], who.press("b:confirm:", private(who)))
        await until(partial(newer, room, seated.table.seq), "the next board", seconds=60)


def newer(room: Room, seq: int) -> bool:
    return shows(room.board)[1] > seq


def wired_picks(message: Any) -> list[str]:
    """The choices of a picker that has not come to Confirm; Undo is left alone."""
    if "b:confirm:" in str(message["components"]):
        return []
    found = [x["custom_id"] for row in message["components"] for x in row["components"] if x.get("custom_id")]
    ways = [custom_id for custom_id in found if custom_id.startswith("b:pick:")]
    depth = max((len(way) for way in ways), default=0)
    return [way for way in ways if len(way) >= depth - 1]


def row(name: str, times: list[float], unit: float) -> str:
    ordered = sorted(times)
    median, p99 = statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"{name:10} {len(times):7} {median:9.1f} {p99:9.1f} {ordered[-1]:9.1f} {median / unit:7.2f}"


async def main() -> None:
    times: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        server = await serve(World(), page=False)
        async with bot_running(server, f"sqlite:///{folder}/games.sqlite3") as bot:
            rooms = []
            for number in range(COUNT):
                room = Room.of(server, bot)
                await room.begin(list(GAMES)[number % len(GAMES)])
                rooms.append(room)
            alone: list[float] = []
            for _ in range(20):
                await timed(alone, rooms[0].ana.press("b:flip:", rooms[0].board))
            unit = statistics.median(alone)
            await asyncio.gather(*(play(room, random.Random(n), times) for n, room in enumerate(rooms)))
        await server.close()
    print(f"{COUNT} games at once\n{'':10} {'presses':>7} {'median ms':>9} {'p99 ms':>9} {'most ms':>9} {'ratio':>7}")
    for name, found in times.items():
        print(row(name, found, unit))
    print(row("alone", alone, unit))


if __name__ == "__main__":
    asyncio.run(main())
