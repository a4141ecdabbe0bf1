"""Notes the boards, pings and challenges that the stand-in shows, and drops pictures and old private messages."""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from harness.bot import wired
from harness.discord import is_ephemeral
from harness.origins import origin_of

from bot.sandbox.state.attachments import Upload
from bot.sandbox.validation.messages import LOADING

if TYPE_CHECKING:
    from bot.sandbox.world import World

Json = dict[str, Any]
KEPT: Final = 12
"""Private messages that are kept of each user."""


@dataclass(frozen=True, slots=True)
class Board:
    """A message that was posted for a game."""

    game: str
    seq: int
    message_id: int
    channel_id: int
    pinged: tuple[int, ...]


@dataclass(slots=True)
class Posted:
    """A message that must not be posted twice. Times are in seconds of the monotonic clock."""

    is_answer: bool
    """Whether it answered an interaction, and so had no nonce."""
    created: float = field(default_factory=time.monotonic)
    deleted: float | None = None

    def __str__(self) -> str:
        gone = "" if self.deleted is None else f", deleted at {self.deleted:.2f}"
        return f"{'as an answer' if self.is_answer else 'with the nonce'} at {self.created:.2f}{gone}"


@dataclass
class Watch:
    """Notes every public message. Nothing of it comes from the bot's own books."""

    world: World
    boards: dict[str, list[Board]] = field(default_factory=lambda: defaultdict(list))
    """By game, in the order in which they were posted."""
    nonces: dict[tuple[int, str], list[Posted]] = field(default_factory=lambda: defaultdict(list))
    """The messages that were created in a channel with a nonce, or as an answer that shows what it names."""
    hidden: int = 0
    """How often only the nonce kept a message from being posted twice."""
    pings: Counter[tuple[str, int]] = field(default_factory=Counter)
    challenges: dict[int, int] = field(default_factory=dict)
    """The channel of each message that offered a challenge."""
    posted: int = 0
    _posted: dict[int, Posted] = field(default_factory=dict)
    _private: dict[int, deque[int]] = field(default_factory=lambda: defaultdict(deque))

    def __post_init__(self) -> None:
        self.world.subscribe(self._event)
        self._create = self.world.messages.create
        setattr(self.world.messages, "create", self._created)  # noqa: B010  mypy takes no assignment to a method

    def _created(self, channel_id: int, author: Json, payload: Json, *more: Any, **others: Any) -> Json:
        """Counts what the nonce alone keeps from being posted twice."""
        before = self.posted
        message = self._create(channel_id, author, payload, *more, **others)
        self.hidden += before == self.posted
        return message

    def _event(self, event: Json) -> None:
        if event["type"] == "message_delete" and (gone := self._posted.get(int(event["message"]["id"]))):
            gone.deleted = time.monotonic()
        if event["type"] not in {"message_create", "message_update"}:
            return
        message = event["message"]
        for attachment in message["attachments"]:
            number = int(attachment["id"])
            held = self.world.messages.files.get(number)
            if held is not None and held.content:
                self.world.messages.files[number] = Upload(held.name, b"", held.content_type)
        if event["type"] == "message_create":
            self.posted += 1
            if is_ephemeral(message):
                self._forget(event["only"], int(message["id"]))
            else:
                self._note(message)

    def _forget(self, user_id: int, message_id: int) -> None:
        """Drops the oldest private message of a user, but none in which the bot is still thinking."""
        mine = self._private[user_id]
        mine.append(message_id)
        oldest = next((one for one in mine if not self._thinks(one)), None)
        if len(mine) > KEPT and oldest is not None:
            mine.remove(oldest)
            self.world.messages.delete(oldest)

    def _thinks(self, message_id: int) -> bool:
        message = self.world.messages.find(message_id)
        return message is not None and bool(message["flags"] & LOADING)

    def _note(self, message: Json) -> None:
        channel_id, message_id = int(message["channel_id"]), int(message["id"])
        origin = origin_of(message)
        if nonce := str(message.get("nonce") or "") or (origin and "{}:{}".format(*origin)):
            self._posted[message_id] = Posted(is_answer=not message.get("nonce"))
            self.nonces[channel_id, nonce].append(self._posted[message_id])
        pinged = tuple(int(user["id"]) for user in message["mentions"])
        if origin is not None:
            game, seq = origin
            self.boards[game].append(Board(game, seq, message_id, channel_id, pinged))
        if any(x["custom_id"].startswith("b:accept_challenge:") for x in wired(message)):
            self.challenges[message_id] = channel_id

    def shown_seq(self, board: Board) -> int:
        """Returns the entry that a message shows now: it may have been brought up to date in place, as its buttons
        tell.
        """
        message = self.world.messages.find(board.message_id)
        seqs = [board.seq]
        for part in wired(message) if message is not None else ():
            name, _, rest = part["custom_id"].partition(":")
            subject, seq = (*rest.split(":"), "", "")[1:3]
            if len(name) == 1 and subject == board.game and seq.isdecimal():
                seqs.append(int(seq))
        return max(seqs)

    def board(self, game: str) -> Json | None:
        """Returns the newest message of a game that has a picture and can be used."""
        for posted in reversed(self.boards.get(game, ())):
            message = self.world.messages.find(posted.message_id)
            if message is not None and wired(message):
                return message
        return None
