"""The real bot against the stand-in: in the test's own loop, or in a process of its own that can be killed.

A Room is a channel with two people who play; what they do goes over the socket, and what they see comes from there.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import structlog
from fakes.luck import SeededLuck
from sqlalchemy import select

from bot import app
from bot.i18n import Language, spoken
from bot.services.preferences import Preferences
from bot.settings import Settings
from bot.store.db import Database
from bot.store.ledger import Filed, Ledger
from bot.store.preferences import PreferenceStore
from bot.store.schema import old_boards
from engine.core.table import Table
from engine.registry import find
from harness.discord import Seat, components, is_ephemeral, text, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from bot.client import AbakBot
    from bot.rng import Luck
    from bot.sandbox.server import Server
    from bot.sandbox.world import Interaction, World
    from bot.services.tables import Seated

Json = dict[str, Any]
TOKEN: Final = "token"
TESTS: Final = Path(__file__).parents[1]
SPANISH: Final = "es-ES"
LETTER: Final = re.compile(r"^[A-Z]: ")
"""What a label begins with where the picture shows the cell by a letter."""


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


# --- the bot in this loop ------------------------------------------------------------------------------------------


@asynccontextmanager
async def bot_running(
    server: Server,
    database_url: str,
    *,
    luck: Luck | None = None,
    coin: Callable[[], int] = lambda: 0,
    now: Callable[[], int] = milliseconds,
    faults: int = 0,
    **settings: Any,
) -> AsyncIterator[AbakBot]:
    """The bot, connected to `server`. By the coin the challenger takes the first seat, unless the test says otherwise.

    It logs as many errors while the block lasts as the test expects `faults`.
    """
    loaded = Settings.load(
        discord_token=TOKEN,
        discord_api_base=server.api_base,
        discord_gateway_url=server.gateway_url,
        database_url=database_url,
        **settings,
    )
    sources = app.Sources(luck or SeededLuck(1), coin, now)
    with structlog.testing.capture_logs() as logs:
        try:
            async with app.running(loaded, sources) as bot:
                await until(bot.is_ready, "the bot is ready")
                yield bot
                await bot.presenter.idle()
        except BaseException as error:
            error.add_note(f"the bot logged: {logs}")
            raise
    errors = [entry for entry in logs if entry["log_level"] in {"error", "critical"}]
    assert len(errors) == faults, errors


# --- the bot in a process of its own -------------------------------------------------------------------------------


class Starter(Protocol):
    """Starts `bot run` in a process with these settings; gives its id."""

    async def __call__(self, given: Mapping[str, str]) -> int: ...


async def plainly(given: Mapping[str, str]) -> int:
    """As an operator starts it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", env={**os.environ, **given}, cwd=TESTS.parent
    )
    return process.pid


class Forks:
    """Starts the bot by forking a process that has loaded its libraries already: in a tenth of the time."""

    def __init__(self) -> None:
        self._mother: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        pipe = asyncio.subprocess.PIPE
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])}
        self._mother = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "harness.forks", stdin=pipe, stdout=pipe, env=environment, cwd=TESTS.parent
        )
        return self

    async def __call__(self, given: Mapping[str, str]) -> int:
        mother = self._mother
        assert mother is not None
        assert mother.stdin is not None
        assert mother.stdout is not None
        mother.stdin.write(json.dumps(dict(given)).encode() + b"\n")
        await mother.stdin.drain()
        return int(await mother.stdout.readline())

    async def __aexit__(self, *_: object) -> None:
        mother = self._mother
        assert mother is not None
        assert mother.stdin is not None
        mother.stdin.close()
        await mother.wait()


class BotProcess:
    """A bot that is started and killed again and again, on one database, while the stand-in lives on."""

    def __init__(self, server: Server, database_url: str, start: Starter = plainly) -> None:
        self._server = server
        self._start = start
        self._before: set[str] = set()
        self.pid: int | None = None
        self.dead = True
        self.given = {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_BASE": server.api_base,
            "DISCORD_GATEWAY_URL": server.gateway_url,
            "DATABASE_URL": database_url,
            "LOG_LEVEL": "ERROR",
        }

    async def start(self) -> None:
        """Starts it, and does not wait for it."""
        assert self.pid is None
        self._before = set(self._server.gateway.sessions)
        self.pid = await self._start(self.given)
        self.dead = False

    async def ready(self) -> None:
        """Waits until it hears what people do."""
        await until(self._connected, "the process is connected", seconds=60)

    def _connected(self) -> bool:
        sessions = self._server.gateway.sessions
        return any(sessions[name].socket is not None for name in sessions.keys() - self._before)

    @property
    def world(self) -> World:
        return self._server.world

    def strike(self) -> None:
        """Ends it this very moment, whatever it is doing; `kill` is still to come."""
        if not self.dead:
            assert self.pid is not None
            self.dead = True
            os.kill(self.pid, signal.SIGKILL)

    async def kill(self) -> None:
        """Ends it, unless it was struck already, and waits until it is no more."""
        self.strike()
        await self._gone()

    async def stop(self) -> None:
        """Asks it to end, and waits until it has."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGTERM)
        await self._gone()

    async def _gone(self) -> None:
        pid = self.pid
        assert pid is not None

        def gone() -> bool:
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return True
            return False

        await until(gone, "the process has ended", seconds=30)
        await until(lambda: not self._connected(), "its connection has broken")
        self.pid, self.dead = None, True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            await self._gone()


# --- what is stored ------------------------------------------------------------------------------------------------


class Books:
    """The games as they are in the database, read past the bot."""

    def __init__(self, database_url: str) -> None:
        self._database = Database(database_url)
        self._ledger = Ledger(self._database)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._database.close()

    async def filed(self, game_id: str) -> Filed:
        found = await self._ledger.load(game_id)
        assert found is not None, game_id
        return found

    async def passing(self) -> set[int]:
        """The messages that are to be removed in a while."""
        async with self._database.reading() as connection:
            return set(await connection.scalars(select(old_boards.c.message_id).where(old_boards.c.removed)))

    async def set_server(self, guild_id: int, key: str, value: str) -> None:
        """Chooses a setting of a server."""
        await Preferences(PreferenceStore(self._database)).set_server(guild_id, key, value)

    async def latest(self, channel_id: int) -> Filed | None:
        """The game that runs in a channel, else the one that ended there last."""
        glance = await self._ledger.running_at(channel_id) or await self._ledger.ended_at(channel_id)
        return None if glance is None else await self.filed(glance.id)


def replayed(filed: Filed) -> Table[Any, Any]:
    header = filed.record.header
    return Table.replay(find(header.game, header.version), filed.record)


# --- a channel with two who play -----------------------------------------------------------------------------------


@dataclass
class Room:
    """A channel and its two players. `ana` challenges, and by the fixture's coin takes the first seat."""

    server: Server
    ana: Seat
    ben: Seat
    bot: AbakBot | None = None
    taps: int = 0
    """How often a button or a choice was touched to make turns."""

    @classmethod
    def of(cls, server: Server, bot: AbakBot | None = None, *, locale: str = "en-US") -> Room:
        """A new channel in a server that speaks `locale`, with two who speak it."""
        channel = server.world.add_channel("games")
        room = cls(server, *(Seat.join(server.world, name, channel) for name in ("Ana", "Ben")), bot)
        room.speak(locale)
        return room

    def speak(self, locale: str) -> None:
        """The server and the two speak this language from now on."""
        world = self.server.world
        world.guilds[world.guild_id]["preferred_locale"] = locale
        for seat in (self.ana, self.ben):
            world.users[seat.user_id]["locale"] = locale

    def elsewhere(self, channel_id: int) -> Room:
        """The same two in another channel or thread."""
        return Room(self.server, self.ana.at(channel_id), self.ben.at(channel_id), self.bot)

    @property
    def say(self) -> Language:
        """What the server speaks."""
        world = self.server.world
        return spoken(world.guilds[world.guild_id]["preferred_locale"])

    @property
    def channel_id(self) -> int:
        return self.ana.channel_id

    @property
    def boards(self) -> list[Json]:
        """The public messages with a board, oldest first."""
        world = self.server.world
        return [m for m in world.messages.of(self.channel_id) if m["attachments"] and not is_ephemeral(m)]

    @property
    def board(self) -> Json:
        """The newest board."""
        assert self.boards, "no board has been shown"
        return self.boards[-1]

    @property
    def calls(self) -> list[tuple[int, Json]]:
        """Whom the messages of this channel notified, in order, each with the message."""
        everywhere = self.server.world.news.pings
        return [(user_id, m) for user_id, m in everywhere if m["channel_id"] == str(self.channel_id)]

    def seat_of(self, user_id: int) -> Seat:
        return next(seat for seat in (self.ana, self.ben) if seat.user_id == user_id)

    async def challenge(self, game: str, **options: str | int | bool | Seat) -> Json:
        """Ana challenges Ben (or whoever is given; None: anybody); the message."""
        given = {"opponent": self.ben, "game": game} | options
        sent = await self.ana.slash("abak challenge", **{k: v for k, v in given.items() if v is not None})
        assert sent.message is not None
        return sent.message

    async def begin(self, game: str, **options: str | int | bool | Seat) -> Seated:
        """Ana challenges, Ben accepts, the first board is shown."""
        message = await self.challenge(game, **options)
        await self.ben.press("b:take_up:", message)
        return await self.shown()

    async def present(self) -> Seated:
        """The game of this channel as the bot holds it."""
        assert self.bot is not None
        found = await self.bot.services.tables.latest_at(self.channel_id)
        assert found is not None
        return found

    async def shown(self) -> Seated:
        """The game, once the channel shows it as it is."""
        assert self.bot is not None
        await self.bot.presenter.idle()
        seated = await self.present()
        assert seated.shown_seq == seated.table.seq
        assert str(seated.message_id) == self.board["id"]
        return seated

    def to_move(self, seated: Seated) -> Seat:
        """Who has to do something."""
        assert seated.awaited is not None
        return self.seat_of(seated.awaited)

    def other(self, seated: Seated) -> Seat:
        mover = self.to_move(seated)
        return self.ben if mover.user_id == self.ana.user_id else self.ana

    # a turn by taps

    async def tap(self, seated: Seated, steps: Sequence[Any]) -> None:
        """Chooses a turn with Move, the picker's buttons and menus, and Confirm where it asks."""
        who = self.to_move(seated)
        self.taps += 1
        await who.press("b:move:", self.board)
        picker = private(who)
        await self.tap_steps(seated, picker, steps)
        await self.confirm(who, picker)

    async def confirm(self, who: Seat, picker: Json) -> None:
        """Presses Confirm, unless the turn was played at once."""
        if any(x.get("custom_id", "").startswith("b:confirm:") for x in components(who.fresh(picker))):
            self.taps += 1
            await who.press("b:confirm:", picker)

    async def tap_steps(self, seated: Seated, picker: Json, steps: Sequence[Any], done: int = 0) -> None:
        """Chooses steps in an open picker, as its labels tell; the first `done` of them are chosen already."""
        who = self.to_move(seated)
        say = spoken(self.server.world.users[who.user_id]["locale"])
        game, state = seated.table.game, seated.table.state
        for number, step in enumerate(steps):
            words = [worded(game.key, word, say) for word in game.path(state, step)] if number >= done else []
            while words:
                self.taps += 1
                words = words[await choose_words(who, who.fresh(picker), words) :]
            state = game.apply(state, step)

    async def type(self, seated: Seated, text: str) -> Interaction:
        """Plays a turn by the command."""
        return await self.to_move(seated).slash("abak move play", notation=text)


def worded(game: str, word: str, say: Language) -> str:
    key = f"{game}.word.{word}"
    return say(key) if say.has(key) else word


async def choose_words(who: Seat, picker: Json, words: Sequence[str]) -> int:
    """Presses or chooses what the picker labels with the beginning of `words`; how many of them it was."""
    offered = {x["label"]: x["custom_id"] for x in components(picker) if x.get("custom_id", "").startswith("b:pick:")}
    menu = next((x for x in components(picker) if x.get("custom_id", "").startswith("m:pick:")), None)
    labels = [option["label"] for option in menu["options"]] if menu else list(offered)
    for label in labels:
        said = LETTER.sub("", label).split(", ")[0].split(" → ")
        if said == list(words[: len(said)]):
            if menu:
                await who.choose(label, message=picker)
            else:
                await who.press(offered[label], picker)
            return len(said)
    raise AssertionError(f"nothing of {list(words)} is offered; there are {labels}")


def private(who: Seat) -> Json:
    """The newest message that they alone see."""
    return next(message for message in who.messages[::-1] if is_ephemeral(message))


def told(who: Seat) -> str:
    """What they alone were told last."""
    return text(private(who))


def shows(message: Json) -> tuple[str, int]:
    """The game that a board shows, and at how many entries; by the nonce that it was sent with."""
    game_id, _, seq = str(message["nonce"]).partition(":")
    return game_id, int(seq)


def wired(message: Json) -> list[Json]:
    """The buttons and menus that can still be used."""
    return [x for x in components(message) if "custom_id" in x and not x.get("disabled")]
