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
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness.bot import Room, bot_running
from harness.discord import Seat, components, point_at, until
from sqlalchemy import Table, select

from bot.app import FEATURES
from bot.conditional.tables import conditional_moves
from bot.games.tables import entries, games
from bot.sandbox.errors import Refused, Timeout
from bot.sandbox.server import serve
from bot.sandbox.state.permissions import MANAGE_GUILD, MEMBER
from bot.sandbox.world import World
from engine.registry import GAMES
from fuzz.mutation import AWKWARD, mutated
from fuzz.runner import LONG, Report

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from bot.core.client import AbakBot
    from bot.sandbox.interactions.interaction import Interaction

Json = dict[str, Any]
ROOT: Final = Path(__file__).parents[2]
VERBS: Final = sorted({verb for feature in FEATURES for handlers in feature.handlers for verb in handlers.by_verb})
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
BUTTON, MENU = 2, 3
STRING, INTEGER, BOOLEAN, PERSON, CHANNEL, NUMBER = 3, 4, 5, 6, 7, 10
AT_ONCE: Final = 16
PATIENT: Final = 30.0
"""Seconds until an answer is missing: on a busy machine AT_ONCE interactions take longer than Discord waits."""
SLOW: Final = 0.1
"""Seconds of CPU that no step of the event loop may take."""
RESTS: Final = ("", "0", "1|2|3", "0~0~0", "cancel", "first", "page|1|", "o|||2|", "0.6.0|0", "play", "3d/move")
TYPED: Final = (
    "a1b2",
    "8/5 6/5",
    "e4-e5",
    "roll",
    "24/18",
    "3d",
    "10m+5s",
    "Madrid",
    "2027-02-01",
    "22-7",
    "1400-",
    "x",
)
STRANGER: Final = 0.25
"""How often an interaction is the stranger's in a game in which nobody else does anything."""
DELIVERED: Final = frozenset(
    {"shown_seq", "message_id", "attempts", "next_attempt_at", "delivery_error", "delivery_error_informed"}
    | {"leased_until", "board_leased_until", "board_leased_by"}
)
"""What the bot itself notes of a game's boards."""
PART: Final = 2_000
"""The most interactions for one bot: the stand-in keeps every message of all of them."""
JUNK: Final[tuple[Any, ...]] = (None, [], {}, 7, -1, "", "9" * 5000, True, 1.5, [None], {"a": 1}, "\ud800", ["x"] * 30)


@dataclass
class Result:
    """What came of it."""

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
        if taken > SLOW:
            result.slow.append(f"{taken * 1000:.0f} ms: {_where(handle)}")

    gc.callbacks.append(note_collection)
    asyncio.events.Handle._run = timed  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        gc.callbacks.remove(note_collection)
        asyncio.events.Handle._run = run  # type: ignore[method-assign]


def _where(handle: asyncio.events.Handle) -> str:
    """What a step belongs to: the coroutines of its task from the outermost to where it waits now."""
    task = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]
    coroutine, names = getattr(task, "get_coro", lambda: None)(), []
    while coroutine is not None:
        names.append(getattr(coroutine, "__qualname__", repr(coroutine)))
        coroutine = getattr(coroutine, "cr_await", None)
    return " > ".join(names) or repr(handle)


class Generator:
    """Makes interactions from what is to be seen in the rooms, and from what is not."""

    def __init__(self, rng: random.Random, rooms: list[Room], quiet: list[Room], eve: Seat) -> None:
        self._rng = rng
        self._world = rooms[0].server.world
        self._rooms = rooms
        self._quiet = quiet
        self._eve = eve

    def make(self) -> Interaction:
        rng = self._rng
        alone = rng.random() < STRANGER
        room = rng.choice(self._quiet if alone else self._rooms)
        stranger = self._eve.at(room.channel_id)
        who = stranger if alone else rng.choice((room.ana, room.ben, stranger))
        kind = rng.choice((COMMAND, COMMAND, AUTOCOMPLETE, COMPONENT, COMPONENT, COMPONENT, MODAL))
        data = (
            self._command(typing=kind == AUTOCOMPLETE) if kind in {COMMAND, AUTOCOMPLETE} else self._press(kind, room)
        )
        if rng.random() < 0.1 and kind not in {COMMAND, AUTOCOMPLETE}:
            data = self._broken(data)
        name = {COMMAND: "slash", AUTOCOMPLETE: "autocomplete", COMPONENT: "button", MODAL: "modal"}[kind]
        sent = self._world.user_client._new(name, kind, who.user_id, who.channel_id, data)
        if kind in {COMPONENT, MODAL}:
            message = rng.choice([m for m in who.messages[-12:] if "flags" in m] or [room.board])
            sent.source = int(message["id"])
            sent.payload["message"] = message
        return sent

    def _press(self, kind: int, room: Room) -> Json:
        rng = self._rng
        if kind == MODAL:
            fields = [
                {"type": 18, "id": n, "component": {"type": 4, "id": n + 20, "custom_id": key, "value": self._text()}}
                for n, key in enumerate(rng.sample(("move", "reason", "name", "days", "clock", "from", "word"), 2))
            ]
            return {"custom_id": self._custom_id("f", room), "components": fields}
        if rng.random() < 0.5:
            values = [
                rng.choice([*self._seen(room), *VERBS, *GAMES, "1", "", self._text()]) for _ in range(rng.randint(0, 3))
            ]
            return {"custom_id": self._custom_id("m", room), "component_type": MENU, "id": 1, "values": values}
        return {"custom_id": self._custom_id("b", room), "component_type": BUTTON, "id": 1}

    def _custom_id(self, kind: str, room: Room) -> str:
        rng = self._rng
        seen = [one for one in self._seen(room) if one.startswith(f"{kind}:")]
        if seen and rng.random() < 0.5:
            return mutated(rng, seen) if rng.random() < 0.5 else rng.choice(seen)
        game = rng.choice(self._seen(room) or ["b:x:x:0:"]).split(":")
        subject = rng.choice((game[2] if len(game) > 2 else "x", "me", "1", "nobody", *GAMES))
        made = f"{kind}:{rng.choice(VERBS)}:{subject}:{rng.randint(0, 12)}:{rng.choice(RESTS)}"
        return mutated(rng, [made])[:100] if rng.random() < 0.3 else made

    def _seen(self, room: Room) -> list[str]:
        """The custom_ids in the room's last messages, private ones included."""
        messages = [*room.ana.messages[-6:], *room.ben.messages[-6:]]
        return [found["custom_id"] for message in messages for found in components(message) if "custom_id" in found]

    def _text(self) -> str:
        return mutated(self._rng, TYPED)

    def _command(self, *, typing: bool) -> Json:
        rng = self._rng
        command = rng.choice([each for each in self._world.commands if each["type"] == 1])
        path, node = [], command
        while inner := [each for each in node.get("options") or () if each["type"] in {1, 2}]:
            node = rng.choice(inner)
            path.append((node["type"], node["name"]))
        options = [
            {"name": each["name"], "type": each["type"], "value": self._value(each)}
            for each in node.get("options") or ()
            if each["type"] in {STRING, INTEGER, BOOLEAN, NUMBER} and (each.get("required") or rng.random() < 0.5)
        ]
        helped = {each["name"] for each in node.get("options") or () if each.get("autocomplete")}
        if typing:
            typed = [one for one in options if one["name"] in helped]
            if not typed:
                return self._command(typing=True)
            rng.choice(typed)["focused"] = True
        for kind, name in reversed(path):
            options = [{"name": name, "type": kind, "options": options}]
        return {"id": command["id"], "name": command["name"], "type": 1, "options": options}

    def _value(self, option: Json) -> Any:
        rng = self._rng
        if rng.random() < 0.03:
            return rng.choice(JUNK)
        choices = [each["value"] for each in option.get("choices") or ()]
        if choices and rng.random() < 0.8:
            return rng.choice(choices)
        return {
            STRING: self._text(),
            INTEGER: rng.choice((0, 1, 7, -1, 10**12)),
            BOOLEAN: rng.random() < 0.5,
            NUMBER: rng.choice((0.5, -1.0, 1e300)),
        }[option["type"]]

    def _broken(self, data: Json) -> Json:
        """The data with one part of its values or fields replaced or removed."""
        broken = deepcopy(data)
        part: Any = broken.get("values", broken.get("components", []))
        while isinstance(part, dict | list) and part:
            key: Any = self._rng.choice(list(part) if isinstance(part, dict) else range(len(part)))
            if not isinstance(part[key], dict | list) or not part[key] or self._rng.random() < 0.5:
                if self._rng.random() < 0.3:
                    del part[key]
                else:
                    part[key] = self._rng.choice([*JUNK, *AWKWARD])
                break
            part = part[key]
        return broken


@asynccontextmanager
async def playing(url: str) -> AsyncIterator[tuple[AbakBot, list[Room], list[Room]]]:
    """A bot, and two rooms for each game: those where everybody presses, and those where the stranger does alone."""
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
    """All that is stored of the games of these rooms: rows, entries and conditional moves."""
    ids = [(await room.present()).id for room in rooms]

    async def of(table: Table, column: str) -> list[Json]:
        async with bot.services.database.reading() as connection:
            found = await connection.execute(select(table).where(table.c[column].in_(ids)))
            kept = ({k: v for k, v in row.items() if k not in DELIVERED} for row in found.mappings())
            return sorted(kept, key=repr)

    parts = (games, "id"), (entries, "game_id"), (conditional_moves, "game_id")
    return {table.name: await of(table, column) for table, column in parts}


def changes(before: dict[str, list[Json]], after: dict[str, list[Json]]) -> list[str]:
    """The rows that are new, and those that are gone."""
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
    """An attack in a process of its own, as one part of a larger one. An error that the bot logs is a failure."""
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
