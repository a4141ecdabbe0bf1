"""Keeps the message of an arena in sight, as players press its buttons all the time and chat buries it.

The bot gets no events of messages, so it looks into the channel's history from time to time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import discord
import structlog

BURIED: Final = 12
"""The number of newer messages after which it is posted anew: about two screens of a phone."""
SEARCHED: Final = 50
"""The most newer messages, the last ones, that are searched for one sent by a killed process."""
LOOK_MS: Final = 60_000
"""The time between two looks, in ms."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Sight:
    """The result of a look: the tasks about the messages of an arena."""

    known: list[int]
    """The messages to edit; empty if they are to be sent anew."""
    replaced: list[int]
    """The messages to remove after the new ones are sent."""


async def look(
    channel: discord.PartialMessageable, known: list[int], is_it: Callable[[discord.Message], bool]
) -> Sight:
    """Looks at the channel after the messages. Raises REQUEST_ERRORS.

    A newer message that fits ``is_it`` was sent by a process that was killed before it could store its id. It is taken,
    and no other is sent.
    """
    newer = await _newer(channel, known, SEARCHED)
    sent = [message.id for message in newer if is_it(message)]
    if sent:
        return Sight(sent[:1], [*known, *sent[1:]])
    return Sight([], known) if len(newer) >= BURIED else Sight(known, [])


async def is_buried(channel: discord.PartialMessageable, known: Sequence[int]) -> bool:
    """Returns whether the messages are to be posted anew. Raises REQUEST_ERRORS."""
    return len(await _newer(channel, known, BURIED)) >= BURIED


async def _newer(channel: discord.PartialMessageable, known: Sequence[int], most: int) -> list[discord.Message]:
    """Returns the last messages after the known ones, the newest first; none if the bot may not look."""
    after = discord.Object(max(known))
    try:
        return [message async for message in channel.history(limit=most, after=after, oldest_first=False)]
    except discord.Forbidden:
        log.info("history_not_readable", channel=channel.id)
        return []
