"""Admits interactions: each only once, and of each user only as many as the limits allow."""

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
"""Seconds after which a new part of the remembered time begins."""
KEPT: Final = 100_000
"""The most presses that are remembered: more than 300 a second for LIFETIME, in a megabyte."""
KEPT_KEYSTROKES: Final = 4096
"""The most suggestions that are remembered. They are many, and it does no harm to answer one twice."""

log = structlog.get_logger()


class Remembered:
    """The ids of the interactions of the last LIFETIME and a little longer: about ``most``, the newest ones.

    An id takes only the eight bytes of its number, as whole parts of the time are forgotten at once. ``clock`` gives
    seconds.
    """

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._largest = most // PARTS
        self._clock = clock
        self._parts: deque[tuple[float, array[int]]] = deque(maxlen=PARTS + 1)
        """The start of each part, and its ids in ascending order, which is nearly the order in which they come."""

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
        """True once the bot stops: then it admits nothing more."""
        self._pressed = Remembered(KEPT, clock)
        self._typed = Remembered(KEPT_KEYSTROKES, clock)  # apart, so that suggestions displace no press
        self._presses = Buckets(PRESSES, clock)
        self._keystrokes = Buckets(KEYSTROKES, clock)
        self._presses_in_server = Buckets(IN_SERVER, clock)
        self._keystrokes_in_server = Buckets(IN_SERVER, clock)

    async def admit(self, context: Context, interaction: Interaction) -> bool:
        """Returns whether to answer the interaction. Answers one over the limit with a refusal, and ignores a repeated
        one.

        Discord delivers events again after a connection was resumed, while the first delivery is already being
        answered.
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
        """Counts a press. If it is over the user's limit, the server does not count it, so one user cannot use up its
        share.
        """
        if wait := self._presses.take(interaction.user.id):
            return Refused("error.too_fast", n=wait)
        if wait := _of_server(self._presses_in_server, interaction):
            return Refused("error.server_too_fast", n=wait)
        return None


def _of_server(buckets: Buckets, interaction: Interaction) -> int:
    """Returns the seconds after which the server may try again; 0 in direct messages."""
    return buckets.take(interaction.guild_id) if interaction.guild_id else 0


async def _refuse(context: Context, interaction: Interaction, refusal: Refused) -> None:
    """Answers with the refusal, without asking the database."""
    answer = Answer(context, interaction)
    log.info("asked_too_fast", user=interaction.user.id, refusal=refusal.key)
    await answer.refuse(refusal)
