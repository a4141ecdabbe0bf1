"""Generated interactions, sent to the real bot over the socket by people who may play and by a stranger.

Whatever they carry, there is an answer, nothing is logged as an error, no step of the event loop takes long, and
afterwards the database is in order: every record replays, and all that follows from the records fits.
"""

from __future__ import annotations

import asyncio
import gc
import random
import subprocess
import sys
import time
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness.bot import Room, bot_running
from harness.discord import Seat, components, point_at, until

from bot.app import FEATURES
from bot.sandbox.errors import Refused, Timeout
from bot.sandbox.server import serve
from bot.sandbox.state.permissions import MANAGE_GUILD, MEMBER
from bot.sandbox.world import World
from engine.registry import GAMES
from fuzz.mutation import AWKWARD, mutated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.core.client import AbakBot
    from bot.sandbox.interactions.interaction import Interaction

Json = dict[str, Any]
ROOT: Final = Path(__file__).parents[2]
VERBS: Final = sorted({verb for feature in FEATURES for handlers in feature.handlers for verb in handlers.by_verb})
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
BUTTON, MENU = 2, 3
STRING, INTEGER, BOOLEAN, PERSON, CHANNEL, NUMBER = 3, 4, 5, 6, 7, 10
AT_ONCE: Final = 16
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
JUNK: Final[tuple[Any, ...]] = (None, [], {}, 7, -1, "", "9" * 5000, True, 1.5, [None], {"a": 1}, "\ud800", ["x"] * 30)


@dataclass
class Result:
    """What came of it."""

    sent: int = 0
    unanswered: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    disorder: str = ""
    """What the check of the database says, if it finds anything."""


@contextmanager
def slow_steps(found: list[str]) -> Iterator[None]:
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
        if (taken := time.thread_time() - collecting[0] - started) > SLOW:
            found.append(f"{taken * 1000:.0f} ms: {_where(handle)}")

    gc.callbacks.append(note_collection)
    asyncio.events.Handle._run = timed  # type: ignore[method-assign]
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

    def __init__(self, rng: random.Random, rooms: list[Room], eve: Seat) -> None:
        self._rng = rng
        self._world = rooms[0].server.world
        self._rooms = rooms
        self._eve = eve

    def make(self) -> Interaction:
        rng = self._rng
        room = rng.choice(self._rooms)
        who = rng.choice((room.ana, room.ben, self._eve.at(room.channel_id)))
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


async def attack(interactions: int, seed: int, folder: Path) -> Result:
    """Sends so many interactions to a bot whose database is in the folder."""
    result, rng = Result(), random.Random(seed)
    url = f"sqlite:///{folder / 'fuzz.sqlite3'}"
    server = await serve(World(), strict=False, page=False)
    point_at(server)
    try:
        async with bot_running(server, url) as bot:
            rooms = [Room.of(server, bot) for _ in GAMES]
            for room, game in zip(rooms, GAMES, strict=True):
                await room.begin(game)
            eve = Seat.join(server.world, "Eve", rooms[0].channel_id, permissions=MEMBER | MANAGE_GUILD)
            generator = Generator(rng, rooms, eve)
            with slow_steps(result.slow):
                while result.sent < interactions:
                    await _send([generator.make() for _ in range(AT_ONCE)], server.world, bot, result)
    finally:
        await server.close()
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
