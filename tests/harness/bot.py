"""The real bot against the stand-in, in the test's own loop.

A Room is a channel with two people who play; what they do goes over the socket, and what they see comes from there.
"""

from __future__ import annotations

import re
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import structlog
from fakes.luck import SteadyLuck

from bot import app
from bot.board.delivery.publisher import BoardPublisher
from bot.core.admission.gate import Admission
from bot.core.limits.rates import Buckets
from bot.core.services import Sources
from bot.core.translations import CODES, Language, language, language_for_locale
from bot.games.service import GameService
from bot.moves.draft import follow, opening
from bot.settings import Settings
from engine.games.abak.keys import NAMES
from engine.registry import GAMES
from harness import known_commands
from harness.discord import Seat, components, is_ephemeral, text, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from bot.core.client import AbakBot
    from bot.core.randomness import Luck
    from bot.games.live import LiveGame
    from bot.sandbox.interactions.interaction import Interaction
    from bot.sandbox.server import Server

Json = dict[str, Any]
TOKEN: Final = "token"
SPANISH: Final = "es-ES"
LETTER: Final = re.compile(r"^([A-Z]|[0-9]{1,2}): ")
"""What a label begins with where the picture shows the cell by a letter, or by a number."""
CLASS: Final = re.compile(
    f"(?<=[0-9a-z]) (?:{'|'.join(language(code)(key) for code in CODES for key in NAMES.values())})$"
)
"""The piece that a label names after its place."""
WHOLE: Final = re.compile("([a-i][0-9]){2,3}[*x]*")
"""A whole step in the notation of a game whose cells have letters."""
WITH: Final = re.compile(r"(^| )(?:with|con) ")
"""Before a second piece that goes to the same place."""


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
    faults: int | range = 0,
    **settings: Any,
) -> AsyncIterator[AbakBot]:
    """The bot, connected to `server`. By the coin the challenger takes the first seat, unless the test says otherwise.

    Its commands are registered already (see ``known_commands``), unless the setting `sync_commands` is given.
    It logs as many errors while the block lasts as the test expects `faults`; a range where that depends on the moment.
    """
    loaded = Settings.load(
        discord_token=TOKEN,
        discord_api_base=server.api_base,
        discord_gateway_url=server.gateway_url,
        database_url=database_url,
        # those who play in tests are faster than anybody, and the stand-in wants no pause
        **({"rate_limits": False, "identify_pause": 0.0} | settings),
    )
    sources = Sources(luck or SteadyLuck(1), coin, now)
    if "sync_commands" not in settings and known_commands.register(server.world):
        loaded = replace(loaded, sync_commands=False)
    with structlog.testing.capture_logs() as logs:
        try:
            async with app.running(loaded, sources) as bot:
                await until(bot.is_ready, "the bot is ready")
                if loaded.sync_commands:
                    known_commands.note(server.world)
                if loaded.rate_limits:
                    let_no_time_pass_for_limits(bot)
                yield bot
                await bot.service(BoardPublisher).idle()
        except BaseException as error:
            error.add_note(f"the bot logged: {logs}")
            raise
    errors = [entry for entry in logs if entry["log_level"] in {"error", "critical"}]
    assert len(errors) in (faults if isinstance(faults, range) else [faults]), errors


def let_no_time_pass_for_limits(bot: AbakBot) -> None:
    """Stops the clock of the limits, so that they do not depend on the speed of the machine."""
    bot.admission = Admission(limited=True, clock=lambda: 0.0)
    bot.context._limits = {rate: Buckets(rate, lambda: 0.0) for rate in bot.context._limits}


async def told_all(bot: AbakBot) -> None:
    """Waits until every answer is given whole, with what the bot says beside it: after that it says nothing more."""
    await until(lambda: not bot.context.under_way, "every answer is given")


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
        """Returns a new channel in a server that speaks `locale`, with two who speak it."""
        channel = server.world.add_channel("games")
        room = cls(server, *(Seat.join(server.world, name, channel) for name in ("Ana", "Ben")), bot)
        room.speak(locale)
        return room

    def speak(self, locale: str) -> None:
        """Sets the language of the server and of the two."""
        world = self.server.world
        world.guilds[world.guild_id]["preferred_locale"] = locale
        for seat in (self.ana, self.ben):
            world.users[seat.user_id]["locale"] = locale

    def elsewhere(self, channel_id: int) -> Room:
        """Returns the same two in another channel or thread."""
        return Room(self.server, self.ana.at(channel_id), self.ben.at(channel_id), self.bot)

    @property
    def say(self) -> Language:
        """The language of the server."""
        world = self.server.world
        return language_for_locale(world.guilds[world.guild_id]["preferred_locale"])

    @property
    def channel_id(self) -> int:
        return self.ana.channel_id

    @property
    def boards(self) -> list[Json]:
        """The public messages with a board, oldest first."""
        world = self.server.world
        return [m for m in world.messages.in_channel(self.channel_id) if shows_board(m) and not is_ephemeral(m)]

    @property
    def board(self) -> Json:
        """The newest board."""
        assert self.boards, "no board has been shown"
        return self.boards[-1]

    @property
    def pings(self) -> list[tuple[int, Json]]:
        """Whom the messages of this channel notified, in order, each with the message."""
        everywhere = self.server.world.events.notifications
        return [(user_id, m) for user_id, m in everywhere if m["channel_id"] == str(self.channel_id)]

    def seat_of(self, user_id: int) -> Seat:
        return next(seat for seat in (self.ana, self.ben) if seat.user_id == user_id)

    async def challenge(self, game: str, **options: str | int | bool | Seat) -> Json:
        """Lets Ana challenge Ben (or whoever is given; None: anybody); returns the message."""
        given = {"opponent": self.ben, "game": game} | single(game, options) | rated(options) | options
        sent = await self.ana.slash("abak challenge", **{k: v for k, v in given.items() if v is not None})
        await self.told_all()
        assert sent.message is not None
        return sent.message

    async def begin(self, game: str, **options: str | int | bool | Seat) -> LiveGame:
        """Begins a game: Ana challenges, Ben accepts, the first board is shown."""
        message = await self.challenge(game, **options)
        await self.ben.press("b:accept_challenge:", message)
        live = await self.shown()
        await self.told_all()
        return live

    async def told_all(self) -> None:
        """Waits until the bot has done all that belongs to what was asked: it writes on after its answer is shown."""
        if self.bot is not None:
            await told_all(self.bot)

    async def present(self) -> LiveGame:
        """Returns the game of this channel as the bot holds it."""
        assert self.bot is not None
        found = await self.bot.service(GameService).latest_at(self.channel_id)
        assert found is not None
        return found

    async def shown(self) -> LiveGame:
        """Waits until the channel shows the present game, and returns it."""
        assert self.bot is not None
        publisher = self.bot.service(BoardPublisher)

        async def is_shown() -> bool:
            nonlocal live
            await publisher.idle()
            live = await self.present()
            return live.shown_seq == live.table.seq

        live = await self.present()
        await until(is_shown, "the board is shown")  # the next game of a match may begin a moment after the last board
        assert str(live.message_id) == self.board["id"]
        return live

    def to_move(self, live: LiveGame) -> Seat:
        """Returns the seat of the player who is to act."""
        assert live.awaited is not None
        return self.seat_of(live.awaited)

    def other(self, live: LiveGame) -> Seat:
        mover = self.to_move(live)
        return self.ben if mover.user_id == self.ana.user_id else self.ana

    # a turn by taps

    async def tap(self, live: LiveGame, steps: Sequence[Any]) -> None:
        """Chooses a turn with Move, the picker's buttons and menus, and Confirm where it asks."""
        who = self.to_move(live)
        self.taps += 1
        await who.press("b:move:", self.board)
        picker = private(who)
        begun = follow(live.game, live.state, opening(live.game, live.state))
        await self.tap_steps(live, picker, steps, len(begun.steps))
        await self.confirm(who, picker)

    async def play(self, live: LiveGame, text: str) -> None:
        """Plays a turn in the picker. Its board is always a message of its own, while one that is typed is answered by
        its board.
        """
        await self.tap(live, live.game.parse(live.state, text))

    async def confirm(self, who: Seat, picker: Json) -> None:
        """Presses Confirm, unless the turn was played at once."""
        shown = self.server.world.messages.find(int(picker["id"]))  # a picker goes once its turn is played
        if shown and any(x.get("custom_id", "").startswith("b:confirm:") for x in components(shown)):
            self.taps += 1
            await who.press("b:confirm:", picker)

    async def tap_steps(self, live: LiveGame, picker: Json, steps: Sequence[Any], done: int = 0) -> None:
        """Chooses steps in an open picker, as its labels tell; the first `done` of them are chosen already."""
        who = self.to_move(live)
        say = language_for_locale(self.server.world.users[who.user_id]["locale"])
        game, state = live.table.game, live.table.state
        for number, step in enumerate(steps):
            words = worded_path(game, state, step, say) if number >= done else []
            while words:
                self.taps += 1
                words = words[await choose_words(who, who.fresh(picker), words) :]
            state = game.apply(state, step)

    async def type(self, live: LiveGame, text: str) -> Interaction:
        """Plays a turn by the command."""
        return await self.to_move(live).slash("abak move play", notation=text)


def single(game: str, options: Mapping[str, Any]) -> dict[str, int]:
    """Returns the options that make a challenge one to a single game, unless the given ones decide that."""
    said = options.keys() & {"points", "games", "cube", "beavers"}
    return {"points": 0} if not said and any(one.key == "points" for one in GAMES[game].options) else {}


def rated(options: Mapping[str, Any]) -> dict[str, bool]:
    """Returns the option that makes a challenge to a person rated, unless the given ones decide that."""
    return {} if "level" in options or "rated" in options else {"rated": True}


def worded(game: str, word: str, say: Language) -> str:
    key, group = f"{game}.word.{word}", f"{game}.word.group"
    first, dash, last = word.partition("-")
    if dash and say.has(group):
        return say(group, first=first, last=last)
    return say(key) if say.has(key) else word


def worded_path(game: Any, state: Any, step: Any, say: Language) -> list[str]:
    """Returns the picker's words for a step; if pieces go together, the last word is the whole notation."""
    words = [worded(game.key, word, say) for word in game.path(state, step)]
    if say.has(f"{game.key}.together"):
        words[-1] = game.format(state, (step,))
    return words


def matched(label: str, words: Sequence[str]) -> int:
    """Returns how many words of a step a label of the picker says; 0 if the label is not for this step."""
    shown = CLASS.sub("", LETTER.sub("", label).split(", ")[0])
    if shown == words[-1] and WHOLE.fullmatch(shown):
        return len(words)
    said = WITH.sub(lambda found: found[1] and " → ", shown).split(" → ")
    return len(said) if said == list(words[: len(said)]) else 0


async def choose_words(who: Seat, picker: Json, words: Sequence[str], of: Sequence[str] = ("pick",)) -> int:
    """Presses or chooses what a picker of these verbs labels with the beginning of `words`; how many of them it was."""
    carried = tuple(f":{verb}:" for verb in of)
    parts = {x["custom_id"]: x for x in components(picker) if x.get("custom_id", "")[1:].startswith(carried)}
    offered = [(x["label"], name) for name, x in parts.items() if name.startswith("b:")]
    offered += [(option["label"], name) for name, x in parts.items() for option in x.get("options", ())]
    for label, name in offered:
        if said := matched(label, words):
            if name.startswith("m:"):
                await who.choose(label, menu=name, message=picker)
            else:
                await who.press(name, picker)
            return said
    raise AssertionError(f"nothing of {list(words)} is offered; there are {[label for label, _ in offered]}")


def private(who: Seat) -> Json:
    """Returns the newest message that they alone see."""
    return next(message for message in who.messages[::-1] if is_ephemeral(message))


def is_gone(who: Seat, message: Json) -> bool:
    """Returns whether a message is deleted."""
    return who.world.messages.find(int(message["id"])) is None


def told(who: Seat) -> str:
    """Returns the last private message to them."""
    return text(private(who))


def shows_board(message: Json) -> bool:
    """Returns whether a message has a board or a card; a challenge has only a small picture of the start."""
    return any(file["filename"] != "start.png" for file in message["attachments"])


def wired(message: Json) -> list[Json]:
    """Returns the buttons and menus that can still be used."""
    return [x for x in components(message) if "custom_id" in x and not x.get("disabled")]


def verbs(message: Json) -> list[str]:
    """Returns the verbs of a message's buttons and menus."""
    return [x["custom_id"].split(":")[1] for x in wired(message)]
