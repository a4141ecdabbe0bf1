"""Which interactions are answered: each once, and no more of a user than the limits allow."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import discord
import structlog

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.suggesting import no_choices
from bot.core.limits.rates import KEYSTROKES, PRESSES, Buckets
from bot.core.metrics.interactions import note_limited
from engine.core.errors import Refused

KEYS: Final[dict[str, tuple[str, ...]]] = {"error.too_fast": ("n",)}
"""Message keys and the names of their parameters."""
KEPT: Final = 4096
"""How many interactions are remembered."""
LIFETIME: Final = 900.0
"""Seconds for which an interaction is remembered: Discord accepts answers to it for as long."""

log = structlog.get_logger()


class Admission:
    """Called once for every interaction that Discord delivers. ``clock`` gives seconds."""

    def __init__(self, *, limited: bool, clock: Callable[[], float] = time.monotonic) -> None:
        """``limited``: whether users are limited at all."""
        self._limited = limited
        self.closed = False
        """Whether the bot stops: then it takes nothing more."""
        self._clock = clock
        self._seen: OrderedDict[int, float] = OrderedDict()
        self._presses = Buckets(PRESSES, clock)
        self._keystrokes = Buckets(KEYSTROKES, clock)

    async def admit(self, context: Context, interaction: Interaction) -> bool:
        """Whether to go on with an interaction. Answers those over the limit; is silent about one that came before.

        Discord delivers events again after a connection was resumed: the first one is already being answered.
        """
        if self._is_repeated(interaction.id):
            log.info("interaction_repeated", interaction=interaction.id)
            return False
        if self.closed:
            log.info("interaction_not_taken", interaction=interaction.id)
            return False
        if not self._limited:
            return True
        if interaction.type is discord.InteractionType.autocomplete:
            if self._keystrokes.take(interaction.user.id):
                note_limited(interaction)
                await no_choices(interaction)
                return False
            return True
        if wait := self._presses.take(interaction.user.id):
            note_limited(interaction)
            await _refuse(context, interaction, wait)
            return False
        return True

    def _is_repeated(self, interaction_id: int) -> bool:
        now = self._clock()
        while self._seen and (len(self._seen) > KEPT or next(iter(self._seen.values())) < now - LIFETIME):
            self._seen.popitem(last=False)
        if interaction_id in self._seen:
            return True
        self._seen[interaction_id] = now
        return False


async def _refuse(context: Context, interaction: Interaction, seconds: int) -> None:
    """Answers without a look into the database."""
    answer = Answer(context, interaction)
    log.info("user_limited", user=interaction.user.id, seconds=seconds)
    await answer.refuse(Refused("error.too_fast", n=seconds))
