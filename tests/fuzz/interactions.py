"""Generated interactions, sent to the real bot over the socket by people who may play and by a stranger.

Whatever they carry, there is an answer, nothing is logged as an error, no step of the event loop takes long, and
afterwards the database is in order: every record replays, and all that follows from the records fits. In some games
only the stranger presses anything: of these nothing has changed.
"""

from __future__ import annotations

import asyncio
import gc
import random
import subprocess
import sys
import tempfile
import time
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness.bot import Room, bot_running
from harness.discord import Seat, point_at, until
from sqlalchemy import Table, select

from bot.conditional.tables import conditional_moves
from bot.games.tables import entries, games
from bot.sandbox.errors import Refused, Timeout
from bot.sandbox.server import serve
from bot.sandbox.state.permissions import MANAGE_GUILD, MEMBER
from bot.sandbox.world import World
from engine.registry import GAMES
from fuzz.calibration import slowness
from fuzz.generator import Generator
from fuzz.runner import LONG, SLOW, Report

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from bot.core.client import AbakBot
    from bot.sandbox.interactions.interaction import Interaction

Json = dict[str, Any]
ROOT: Final = Path(__file__).parents[2]
AT_ONCE: Final = 16
PATIENT: Final = 30.0
"""Seconds until an answer is missing: on a busy machine AT_ONCE interactions take longer than Discord waits."""
DELIVERED: Final = frozenset(
    {"shown_seq", "message_id", "attempts", "next_attempt_at", "delivery_error", "delivery_error_informed"}
    | {"leased_until", "board_leased_until", "board_leased_by"}
)
"""The columns in which the bot notes the delivery of a game's boards."""
PART: Final = 2_000
"""The most interactions for one bot: the stand-in keeps every message of all of them."""


@dataclass
class Result:
    """The outcome of a run."""

    sent: int = 0
    unanswered: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    disorder: str = ""
    """What the check of the database says, if it finds anything."""
    slowest: float = 0.0
    """Seconds of CPU of the longest step of the event loop."""
    changed: list[str] = field(default_factory=list)
    """What is no longer as it was in the games in which only the stranger pressed anything."""

    @property
    def failures(self) -> list[str]:
        """All that is wrong."""
        return [*self.unanswered, *self.slow, *self.changed, *([self.disorder] if self.disorder else [])]


@contextmanager
def slow_steps(result: Result) -> Iterator[None]:
    """Collects the steps of the event loop that take longer than SLOW, in seconds of this thread's CPU.

    On a machine slower than the reference, SLOW is as much more.

    Without what the collection of garbage takes: most of it here is what the stand-in remembers.
    """
    run = asyncio.events.Handle._run

    collecting = [0.0, 0.0]  # seconds in all, and when the present collection began

    def note_collection(phase: str, _: object) -> None:
        if phase == "start":
            collecting[1] = time.thread_time()
        else:
            collecting[0] += time.thread_time() - collecting[1]

    def timed(handle: asyncio.events.Handle) -> None:
        started = time.thread_time() - collecting[0]
        run(handle)
        taken = time.thread_time() - collecting[0] - started
        result.slowest = max(result.slowest, taken)
        if taken > SLOW and taken > SLOW * slowness():
            result.slow.append(f"{taken * 1000:.0f} ms: {_where(handle)}")

    gc.callbacks.append(note_collection)
    asyncio.events.Handle._run = timed  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        gc.callbacks.remove(note_collection)
        asyncio.events.Handle._run = run  # type: ignore[method-assign]


def _where(handle: asyncio.events.Handle) -> str:
    """Returns the coroutines of a step's task, from the outermost to the one that waits now."""
    task = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]
    coroutine, names = getattr(task, "get_coro", lambda: None)(), []
    while coroutine is not None:
        names.append(getattr(coroutine, "__qualname__", repr(coroutine)))
        coroutine = getattr(coroutine, "cr_await", None)
    return " > ".join(names) or repr(handle)


@asynccontextmanager
async def playing(url: str) -> AsyncIterator[tuple[AbakBot, list[Room], list[Room]]]:
    """Yields a bot, and two rooms for each game: those in which everybody presses, and those in which only the stranger
    does.
    """
    server = await serve(World(), strict=False, page=False)
    server.world.answer_limit = PATIENT
    point_at(server)
    try:
        async with bot_running(server, url) as bot:
            rooms = [Room.of(server, bot) for _ in range(2) for _ in GAMES]
            for room, game in zip(rooms, [*GAMES, *GAMES], strict=True):
                await room.begin(game)
            yield bot, rooms[: len(GAMES)], rooms[len(GAMES) :]
    finally:
        await server.close()


async def stored(bot: AbakBot, rooms: Sequence[Room]) -> dict[str, list[Json]]:
    """Returns all stored data of the games of these rooms: rows, entries and conditional moves."""
    ids = [(await room.present()).id for room in rooms]

    async def of(table: Table, column: str) -> list[Json]:
        async with bot.services.database.reading() as connection:
            found = await connection.execute(select(table).where(table.c[column].in_(ids)))
            kept = ({k: v for k, v in row.items() if k not in DELIVERED} for row in found.mappings())
            return sorted(kept, key=repr)

    parts = (games, "id"), (entries, "game_id"), (conditional_moves, "game_id")
    return {table.name: await of(table, column) for table, column in parts}


def changes(before: dict[str, list[Json]], after: dict[str, list[Json]]) -> list[str]:
    """Returns the rows that are new, and those that are gone."""
    return [
        f"{name} {what}: {row}"
        for name in before
        for what, these, those in (("gone", before[name], after[name]), ("new", after[name], before[name]))
        for row in these
        if row not in those
    ]


async def attack(interactions: int, seed: int, folder: Path) -> Result:
    """Sends so many interactions to a bot whose database is in the folder."""
    result, rng = Result(), random.Random(seed)
    url = f"sqlite:///{folder / 'fuzz.sqlite3'}"
    async with playing(url) as (bot, rooms, quiet):
        world = rooms[0].server.world
        eve = Seat.join(world, "Eve", rooms[0].channel_id, permissions=MEMBER | MANAGE_GUILD)
        generator = Generator(rng, rooms, quiet, eve)
        before = await stored(bot, quiet)
        with slow_steps(result):
            while result.sent < interactions:
                await _send([generator.make() for _ in range(AT_ONCE)], world, bot, result)
        result.changed = changes(before, await stored(bot, quiet))
    checked = subprocess.run(  # noqa: ASYNC221  the loop has nothing else to do
        [sys.executable, "-m", "bot", "db", "check"],
        cwd=ROOT,
        env={"DATABASE_URL": url, "PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    result.disorder = checked.stdout + checked.stderr if checked.returncode else ""
    return result


async def _send(made: list[Interaction], world: World, bot: AbakBot, result: Result) -> None:
    async def send(one: Interaction) -> None:
        result.sent += 1
        try:
            await world.interactions.send(one)
        except (Timeout, Refused):
            result.unanswered.append(f"{one.kind}: {one.payload['data']!r}"[:600])

    await asyncio.gather(*(send(one) for one in made))
    await until(lambda: not bot.context.under_way, "every answer is given", seconds=60)


def attack_part(number: int, *, interactions: int, seed: int) -> Report:
    """Attacks a bot in a process of its own, as one part of a larger attack. An error that the bot logs is
    a failure.
    """
    report = Report(f"interactions {number + 1}")
    with tempfile.TemporaryDirectory() as folder:
        try:
            result = asyncio.run(attack(interactions, seed * 1_000_003 + number, Path(folder)))
        except Exception as error:  # noqa: BLE001  the bot has logged an error, or has ended
            report.failures.append(f"{type(error).__name__}: {error} {getattr(error, '__notes__', '')}"[: 10 * LONG])
        else:
            report.texts, report.accepted = result.sent, result.sent - len(result.unanswered)
            report.slowest = result.slowest
            report.failures += result.failures
    return report
