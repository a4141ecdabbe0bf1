"""Delivery errors, the reasons why Discord rejects a board: a missing permission, a deleted channel, an outage."""

import asyncio
from typing import Any, Final

import discord

from bot.board.delivery.permissions import missing_permission, needed
from bot.clocks.heartbeats.service import shard_of
from bot.core.discord_errors import NO_ACCESS, NO_CHANNEL, NO_PERMISSION, NOT_TO_USER, REQUEST_ERRORS, SHUT, code_of

GONE: Final = "gone"
"""The channel or thread was deleted."""
CLOSED: Final = "closed"
"""The user takes no direct messages from the bot."""
LOCKED: Final = "manage_threads"
"""The permission that is needed to write in a thread that a moderator has locked."""
UNSEEN: Final = "view_channel"
PATIENCE: Final = 4.0
"""Seconds for Discord's answer to a request that it normally answers at once."""


def is_removed(client: discord.Client, guild_id: int | None) -> bool:
    """Returns whether a server has removed the bot, as far as known: only the servers of this process's shards are."""
    if guild_id is None or not client.is_ready() or client.get_guild(guild_id) is not None:
        return False
    return shard_of(guild_id, client.shard_count or 1) in getattr(client, "shards", ())


async def delivery_error(client: discord.Client, channel_id: int, error: Exception) -> str:
    """Returns why a board cannot be delivered: the name of a permission, GONE or CLOSED; "" if another attempt may
    succeed.
    """
    code = code_of(error)
    if code == NO_CHANNEL:
        return GONE
    if code in NOT_TO_USER:
        return CLOSED
    if code in SHUT:
        return LOCKED
    if code == NO_ACCESS:
        return UNSEEN
    if code == NO_PERMISSION:
        return await _missing(client, channel_id)
    return ""


async def _missing(client: discord.Client, channel_id: int) -> str:
    """Returns the first missing permission by our own check, as Discord does not name it."""
    channel: Any = client.get_channel(channel_id)
    if channel is None:  # it may be an archived thread
        try:
            channel = await client.fetch_channel(channel_id)
        except REQUEST_ERRORS:
            return UNSEEN
    in_thread = isinstance(channel, discord.Thread)
    try:
        found = missing_permission(channel.permissions_for(channel.guild.me), in_thread=in_thread)
    except (AttributeError, discord.ClientException):  # a direct message, or a thread without a cached parent
        found = ""
    return found or needed(in_thread=in_thread)[1]


class DiscordOutage:
    """Detects the begin and end of an outage of Discord.

    It begins with a failed request while Discord answers nothing else, and ends when Discord answers again.
    """

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._lasts = False

    async def request_failed(self) -> None:
        """Checks whether a request that failed for an unknown reason is part of an outage."""
        self._lasts = self._lasts or not await self._answers()

    async def has_ended(self) -> bool:
        """Returns whether an outage has ended since the last call."""
        if not self._lasts or not await self._answers():
            return False
        self._lasts = False
        return True

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._client.http.get_bot_gateway()
        except (*REQUEST_ERRORS, discord.GatewayNotFound):
            return False
        return True
