"""What Discord's refusals mean for a board: which permission is missing, or what else keeps it from being shown."""

from typing import Any, Final

import discord

from bot.board.delivery.permissions import lacking, needed

GONE: Final = "gone"
"""The channel or thread was deleted."""
LOCKED: Final = "manage_threads"
"""A moderator locked the thread: only who may manage threads can write there."""
UNSEEN: Final = "view_channel"
NO_CHANNEL: Final = 10003
NO_MESSAGE: Final = 10008
NO_ACCESS: Final = 50001
NO_PERMISSION: Final = 50013
ARCHIVED: Final = 50083
LOCKED_THREAD: Final = 160005
TOO_OLD: Final = 30046
"""A message older than an hour was changed too often."""
NOTHING_THERE: Final = (NO_CHANNEL, NO_MESSAGE)
SHUT: Final = frozenset({ARCHIVED, LOCKED_THREAD})
UNCHANGEABLE: Final = (NO_MESSAGE, ARCHIVED, LOCKED_THREAD, TOO_OLD)
"""A message cannot be changed, but a new one may be sent: that wakes a thread that is not locked."""


async def of(client: discord.Client, channel_id: int, error: Exception) -> str:
    """What hinders a board, as a permission's name or GONE; "" where it may work the next time."""
    code = error.code if isinstance(error, discord.HTTPException) else 0
    if code == NO_CHANNEL:
        return GONE
    if code in SHUT:
        return LOCKED
    if code == NO_ACCESS:
        return UNSEEN
    if code == NO_PERMISSION:
        return await _missing(client, channel_id)
    return ""


async def _missing(client: discord.Client, channel_id: int) -> str:
    """Discord does not say which permission it missed; the first that our own list of the channel's lacks."""
    channel: Any = client.get_channel(channel_id)
    if channel is None:  # a thread that was archived, perhaps
        try:
            channel = await client.fetch_channel(channel_id)
        except discord.HTTPException:
            return UNSEEN
    in_thread = isinstance(channel, discord.Thread)
    try:
        found = lacking(channel.permissions_for(channel.guild.me), in_thread=in_thread)
    except (AttributeError, discord.ClientException):  # a direct message; a thread whose channel is not known
        found = ""
    return found or needed(in_thread=in_thread)[1]
