"""Admits interactions: each once, and no more from a user than the limits allow."""

import time
from array import array
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable
from typing import Final

import discord
import structlog

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.suggesting import no_choices
from bot.core.limits.rates import IN_SERVER, KEYSTROKES, PRESSES, Buckets
from bot.core.metrics.interactions import note_limited
from engine.core.errors import Refused

LIFETIME: Final = 300.0
"""Seconds for which an interaction is remembered. Discord delivers one again when a lost connection is resumed."""
PARTS: Final = 5
PART: Final = LIFETIME / PARTS
"""Seconds of a part of this time."""
KEPT: Final = 100_000
"""How many presses are remembered: more than 300 a second in this time, in a megabyte."""
KEPT_KEYSTROKES: Final = 4096
"""The same of what is typed. They are many, and one that is answered twice changes nothing."""

log = structlog.get_logger()


class Remembered:
    """The ids of the interactions of the last LIFETIME and a little longer; about ``most`` of them, or the newest.

    An id takes the eight bytes of its number: parts of the time are forgotten as a whole. ``clock`` gives seconds.
    """

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._largest = most // PARTS
        self._clock = clock
        self._parts: deque[tuple[float, array[int]]] = deque(maxlen=PARTS + 1)
        """When each part began, and its ids in ascending order, which is nearly that in which they come."""

    def __len__(self) -> int:
        return sum(len(ids) for _, ids in self._parts)

    def add(self, interaction_id: int) -> bool:
        """Remembers an interaction. Returns False if it is remembered already."""
        now = self._clock()
        while self._parts and self._parts[0][0] < now - LIFETIME - PART:
            self._parts.popleft()
        if any(_has(ids, interaction_id) for _, ids in self._parts):
            return False
        if not self._parts or now >= self._parts[-1][0] + PART or len(self._parts[-1][1]) >= self._largest:
            self._parts.append((now, array("Q")))
        insort(self._parts[-1][1], interaction_id)
        return True


def _has(ids: "array[int]", interaction_id: int) -> bool:
    at = bisect_left(ids, interaction_id)
    return at < len(ids) and ids[at] == interaction_id


class Admission:
    """Decides once about every interaction that Discord delivers. ``clock`` gives seconds."""

    def __init__(self, *, limited: bool, clock: Callable[[], float] = time.monotonic) -> None:
        """``limited``: whether users are limited at all."""
        self._limited = limited
        self.closed = False
        """Whether the bot stops: then it takes nothing more."""
        self._pressed = Remembered(KEPT, clock)
        self._typed = Remembered(KEPT_KEYSTROKES, clock)  # apart, so that it displaces no press
        self._presses = Buckets(PRESSES, clock)
        self._keystrokes = Buckets(KEYSTROKES, clock)
        self._presses_in_server = Buckets(IN_SERVER, clock)
        self._keystrokes_in_server = Buckets(IN_SERVER, clock)

    async def admit(self, context: Context, interaction: Interaction) -> bool:
        """Returns whether the interaction is answered further. Answers one over the limit with a refusal; ignores a
        repeated one.

        Discord delivers events again after a connection was resumed. The first delivery is already being answered.
        """
        typing = interaction.type is discord.InteractionType.autocomplete
        if not (self._typed if typing else self._pressed).add(interaction.id):
            log.info("interaction_repeated", interaction=interaction.id)
            return False
        if self.closed:
            log.info("interaction_not_taken", interaction=interaction.id)
            return False
        if not self._limited:
            return True
        if typing:
            if self._keystrokes.take(interaction.user.id) or _of_server(self._keystrokes_in_server, interaction):
                note_limited(interaction)
                await no_choices(interaction)
                return False
            return True
        refusal = self._refusal(interaction)
        if refusal is not None:
            note_limited(interaction)
            await _refuse(context, interaction, refusal)
        return refusal is None

    def _refusal(self, interaction: Interaction) -> Refused | None:
        """Counts a press. A press over the user's limit does not count for the server, so one user cannot use up its
        share.
        """
        if wait := self._presses.take(interaction.user.id):
            return Refused("error.too_fast", n=wait)
        if wait := _of_server(self._presses_in_server, interaction):
            return Refused("error.server_too_fast", n=wait)
        return None


def _of_server(buckets: Buckets, interaction: Interaction) -> int:
    """Returns after how many seconds the server may try again; 0 in direct messages."""
    return buckets.take(interaction.guild_id) if interaction.guild_id else 0


async def _refuse(context: Context, interaction: Interaction, refusal: Refused) -> None:
    """Answers with the refusal, without a query of the database."""
    answer = Answer(context, interaction)
    log.info("asked_too_fast", user=interaction.user.id, refusal=refusal.key)
    await answer.refuse(refusal)
