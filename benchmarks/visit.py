"""Two people in a channel who use everything that the bot offers, with a time for each press from their side."""

import asyncio
import random
import re
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from harness.bot import Room
from harness.discord import Seat, components, is_ephemeral
from harness.origins import shows

from bot.sandbox.interactions.interaction import Interaction
from bot.sandbox.world import World

Json: TypeAlias = dict[str, Any]
CALLED: Final = re.compile(r"^<@(\d+)>, ", re.MULTILINE)
"""The beginning of the line that mentions a player."""
LONG: Final = 120.0
"""The seconds after which a missing event is a fault."""


@dataclass
class Times:
    """The milliseconds of each kind of act, and the buttons and commands that were used."""

    found: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    verbs: set[str] = field(default_factory=set)
    commands: set[str] = field(default_factory=set)


CHANNELS: Final[WeakKeyDictionary[World, dict[int, list[asyncio.Event]]]] = WeakKeyDictionary()
"""The waiters for boards by channel: with thousands of channels, not everybody can look at every event."""


def _heard(channels: dict[int, list[asyncio.Event]], event: Json) -> None:
    if event["type"] in {"message_create", "message_update"}:
        for boards in channels.get(event.get("channel_id", 0), ()):
            boards.set()


@dataclass
class Visit:
    """The visit of two people to one channel. ``pace`` is awaited before each press: it is the thinking time."""

    room: Room
    game: str
    luck: random.Random
    times: Times
    pace: Callable[[], Awaitable[None]]
    busy: bool = False
    """Whether these two play more games at a time than a list shows at once."""
    boards: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    def __post_init__(self) -> None:
        world = self.room.server.world
        if world not in CHANNELS:
            CHANNELS[world] = channels = {}
            world.subscribe(partial(_heard, channels))
        CHANNELS[world].setdefault(self.room.channel_id, []).append(self.boards)

    # --- one press ---------------------------------------------------------------------------------------------------

    async def timed(self, name: str, send: Callable[[], Awaitable[Any]]) -> Any:
        """Sends after a thought, times it, and returns the result of ``send``."""
        await self.pace()
        began = time.perf_counter()
        sent = await send()
        self.times.found[name].append((time.perf_counter() - began) * 1000)
        if isinstance(sent, Interaction) and (used := sent.payload["data"].get("custom_id")):
            self.times.verbs.add(used.split(":")[1])
        return sent

    async def press(
        self, who: Seat, verb: str, message: Json | None = None, name: str = "", at: str = ""
    ) -> Interaction:
        """Presses the button with the verb, or with the custom_id ``at``, on the newest private message that has it."""
        where = seen(who, f"b:{verb}:") if message is None else message
        button = re.compile(f"{re.escape(at)}$") if at else f"b:{verb}:"
        sent: Interaction = await self.timed(name or f"button {verb}", lambda: who.press(button, where))
        return sent

    async def choose(self, who: Seat, verb: str, value: str, rest: str = "") -> None:
        menu = re.compile(f"m:{verb}:.*{rest}")
        await self.timed(f"menu {verb}", lambda: who.choose(value, menu=menu, message=seen(who, f"m:{verb}:")))

    async def slash(self, who: Seat, command: str, *, name: str = "", **options: str | int | bool | Seat) -> None:
        self.times.commands.add(command)
        await self.timed(name or f"/{command}", lambda: who.slash(command, **options))

    async def typing(self, who: Seat, command: str, focused: str, **options: str | int | bool) -> list[Json]:
        found: list[Json] = await self.timed(
            f"typing {command} {focused}", lambda: who.choices(command, focused, **options)
        )
        return found

    # --- the board ---------------------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        return shows(self.room.board)[1]

    @property
    def over(self) -> bool:
        """Whether no game is running. People who choose at random may lose in any turn."""
        return not self.room.boards or has(self.room.board, "b:rematch:")

    @property
    def awaited(self) -> Seat:
        """The seat that has to act. The text of the newest board names it, as an edited message mentions nobody."""
        return self.room.seat_of(int(CALLED.findall(self.room.board["content"])[-1]))

    @property
    def other(self) -> Seat:
        return self.room.ben if self.awaited is self.room.ana else self.room.ana

    async def next_board(self, before: str, since: float | None = None) -> None:
        """Waits until the newest message with a board is another one than ``before``."""
        async with asyncio.timeout(LONG):
            while not self.room.boards or self.room.board["id"] == before:
                self.boards.clear()
                await self.boards.wait()
        if since is not None:
            self.times.found["(next board)"].append((time.perf_counter() - since) * 1000)

    async def moving_on(self, act: Awaitable[Any]) -> None:
        """Does an act, and waits until it has brought another board or changed this one."""
        before = self._shown
        await act
        since = time.perf_counter()
        async with asyncio.timeout(LONG):
            while self._shown == before:
                self.boards.clear()
                await self.boards.wait()
        self.times.found["(next board)"].append((time.perf_counter() - since) * 1000)

    @property
    def _shown(self) -> tuple[str, str]:
        """The newest board and its text."""
        return (self.room.board["id"], self.room.board["content"]) if self.room.boards else ("", "")


Act: TypeAlias = Callable[[Visit], Awaitable[None]]


def seen(who: Seat, begins: str) -> Json:
    """Returns the newest message for ``who`` alone with such a button or menu.

    If none has one, returns the newest of all, as another message may have come meanwhile.
    """
    mine = [message for message in who.messages[::-1] if is_ephemeral(message)]
    return next((message for message in mine if has(message, begins)), mine[0])


def has(message: Json, begins: str | tuple[str, ...]) -> bool:
    return any(x.get("custom_id", "").startswith(begins) for x in components(message))
