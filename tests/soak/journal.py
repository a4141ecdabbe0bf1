"""Keeps the acts of people and the answers to them: the soak's own books, never read from the bot."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.errors import Timeout
from bot.sandbox.validation.messages import LOADING
from bot.sandbox.world import LoggedRequest

if TYPE_CHECKING:
    from bot.sandbox.interactions.interaction import Interaction
    from bot.sandbox.world import World

Json = dict[str, Any]
ACKED, REFUSED, UNCERTAIN = "acked", "refused", "uncertain"
"""What a player was told of a turn: it is played; it is not; or nothing that either can be read from."""
NOBODY: Final = ""


@dataclass(slots=True, eq=False)
class Call:
    """One interaction, the process that got it, and how it was answered. Times in s by the monotonic clock."""

    id: int
    kind: str
    what: str
    user_id: int
    sent: float
    owner: str = NOBODY
    """The process that Discord gave it to."""
    answered: float | None = None
    """Seconds until the first answer."""
    completed: bool = False
    fault: str = ""
    """What was done to it on its way, if anything was."""
    later_fault: str = ""
    """What was done to what followed the first answer."""
    doubled: bool = False
    """Whether it was delivered twice."""
    trace: list[str] = field(default_factory=list)
    """The bot's requests about it: seconds after it was sent, and the status."""
    said: str = ""
    """The private text it was answered with, shortened."""


@dataclass(slots=True)
class Attempt:
    """A turn, or another act in a game, that a player sent."""

    game: str
    user_id: int
    seq: int
    """The entries that the player saw, or fewer."""
    what: str
    body: str | None = None
    """The turn as it was typed; None where it was tapped."""
    status: str = UNCERTAIN
    turn: bool = True
    call: Call | None = None
    channel_id: int | None = None
    """Where it was typed; None where a button was pressed."""
    sent: Interaction | None = None
    """A tap after which nothing was said at first."""


@dataclass
class Journal:
    """Every interaction, and every turn that was tried."""

    world: World
    calls: dict[int, Call] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    planned: set[tuple[str, int]] = field(default_factory=set)
    """The games in which a user has opened conditional moves."""
    _waiting: dict[int, Interaction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._send = self.world.interactions.send
        setattr(self.world.interactions, "send", self.send)  # noqa: B010  mypy takes no assignment to a method
        self.world.log = Log(self)

    def call_of(self, request: str) -> Call | None:
        """Returns the interaction that a request is about, by its path, where it is one."""
        parts = request.split("/")
        if request.endswith("/callback") and parts[2].isdecimal():
            return self.calls.get(int(parts[2]))
        sent = self.world.interactions._by_token.get(parts[3]) if len(parts) > 3 and parts[1] == "webhooks" else None
        return None if sent is None else self.calls.get(sent.id)

    async def send(self, sent: Interaction) -> Interaction:
        """Sends an interaction and notes how it went; in the place of the stand-in's own.

        Raises:
            Timeout: The bot did not answer.
        """
        call = Call(sent.id, sent.kind, what(sent.payload["data"]), sent.user_id, time.monotonic())
        self.calls[sent.id] = call
        self._waiting[sent.id] = sent
        try:
            await self._send(sent)
        except Timeout:
            if not sent.responded:
                del self._waiting[sent.id]
                raise
        self._settle(sent, call)
        return sent  # where it is cancelled instead, it is settled at the end

    def _settle(self, sent: Interaction, call: Call) -> None:
        if sent.responded and call.answered is None:
            call.answered = time.monotonic() - call.sent
        if sent.complete.is_set() or sent.modal is not None or sent.choices is not None:
            call.completed = True
            self._waiting.pop(sent.id, None)

    def incomplete(self) -> list[Call]:
        """Returns the deferred interactions that still wait for what was promised."""
        for number, sent in list(self._waiting.items()):
            self._settle(sent, self.calls[number])
        return [self.calls[number] for number, sent in self._waiting.items() if self._thinks(sent)]

    @staticmethod
    def _thinks(sent: Interaction) -> bool:
        """Returns whether the user was told that the bot is thinking, and nothing since.

        The stand-in completes an interaction when the bot fills in or deletes its answer by its token. A message that
        is gone without that was taken away by somebody else, and is no answer: so this asks the interaction, not the
        channel.
        """
        return sent.deferred and sent.message is not None and bool(sent.message["flags"] & LOADING)

    def attempt(self, game: str, user_id: int, seq: int, what: str, body: str | None = None, *, turn: bool) -> Attempt:
        """Notes what a player is about to send."""
        made = Attempt(game, user_id, seq, what, body, turn=turn)
        self.attempts.append(made)
        return made

    def met(self, request: str, fault: str, *, delayed: bool = False) -> None:
        """Notes that a fault met a request of the bot, if it was the answer to an interaction.

        ``delayed``: it is only carried out later. The first answer may come too late by that, what follows cannot.
        """
        call = self.call_of(request)
        if call is not None and request.endswith("/callback"):
            call.fault = fault
        elif call is not None and not delayed:
            call.later_fault = fault


class Log(deque[LoggedRequest]):
    """The stand-in's log, which also tells each interaction what the bot did about it."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(maxlen=100)
        self._journal = journal

    def append(self, request: LoggedRequest) -> None:
        super().append(request)
        call = self._journal.call_of(request.path)
        if call is not None:
            seconds = time.monotonic() - call.sent
            answers = request.path.endswith("/callback")
            call.trace.append(f"{seconds:.1f} s {'callback' if answers else request.method} {request.status}")
            if answers and request.status < HTTPStatus.BAD_REQUEST:
                call.answered = seconds


def what(data: Json) -> str:
    """Returns the verb of a press, or the path of a command."""
    custom_id = data.get("custom_id")
    if custom_id is not None:
        parts = str(custom_id).split(":")
        return parts[1] if len(parts) > 1 else "malformed"
    names, options = [str(data.get("name", ""))], data.get("options") or ()
    while options and options[0].get("type") in {1, 2}:
        names.append(str(options[0]["name"]))
        options = options[0].get("options") or ()
    return " ".join(names)
