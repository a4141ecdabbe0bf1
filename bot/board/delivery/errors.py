"""What Discord's refusals mean for a board: which permission is missing, or what else keeps it from being shown."""

from typing import Any, Final

import discord

from bot.board.delivery.permissions import lacking, needed
from bot.core.discord_errors import NO_ACCESS, NO_CHANNEL, NO_PERMISSION, REQUEST_ERRORS, SHUT, code_of

GONE: Final = "gone"
"""The channel or thread was deleted."""
LOCKED: Final = "manage_threads"
"""A moderator locked the thread: only who may manage threads can write there."""
UNSEEN: Final = "view_channel"


async def delivery_error(client: discord.Client, channel_id: int, error: Exception) -> str:
    """Why a board cannot be shown, as a permission's name or GONE; "" where it may work the next time."""
    code = code_of(error)
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
        except REQUEST_ERRORS:
            return UNSEEN
    in_thread = isinstance(channel, discord.Thread)
    try:
        found = lacking(channel.permissions_for(channel.guild.me), in_thread=in_thread)
    except (AttributeError, discord.ClientException):  # a direct message; a thread whose channel is not known
        found = ""
    return found or needed(in_thread=in_thread)[1]
