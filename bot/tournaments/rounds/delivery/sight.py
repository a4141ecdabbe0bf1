"""Whether the message of an arena is still in sight: players press its buttons all the time, and chat buries it.

The bot hears of no messages, so it looks into the channel's history now and then.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import discord
import structlog

BURIED: Final = 12
"""After so many newer messages it is posted anew: about two screens of a phone."""
SEARCHED: Final = 50
"""How many newer messages are searched for one that a killed process has sent."""
LOOK_MS: Final = 60_000
"""How often the bot looks."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Sight:
    """What is to be done with the messages of an arena."""

    known: list[int]
    """Those to edit; none: they are to be sent anew."""
    replaced: list[int]
    """Those to remove once the new ones are there."""


async def look(
    channel: discord.PartialMessageable, known: list[int], is_it: Callable[[discord.Message], bool]
) -> Sight:
    """Looks at what follows the messages. A newer one that is theirs was sent by a process that was killed before it
    could note it: it is taken, and no other is sent. Raises REQUEST_ERRORS.
    """
    newer = await _newer(channel, known, SEARCHED)
    sent = [message.id for message in newer if is_it(message)]
    if sent:
        return Sight(sent[-1:], [*known, *sent[:-1]])
    return Sight([], known) if len(newer) >= BURIED else Sight(known, [])


async def is_buried(channel: discord.PartialMessageable, known: Sequence[int]) -> bool:
    """Whether they are to be posted anew. Raises REQUEST_ERRORS."""
    return len(await _newer(channel, known, BURIED)) >= BURIED


async def _newer(channel: discord.PartialMessageable, known: Sequence[int], most: int) -> list[discord.Message]:
    """The first messages after them, at most so many; none if the bot may not look: then they stay where they are."""
    try:
        return [message async for message in channel.history(limit=most, after=discord.Object(max(known)))]
    except discord.Forbidden:
        log.info("history_not_readable", channel=channel.id)
        return []
