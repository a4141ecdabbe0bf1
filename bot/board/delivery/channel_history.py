"""Finds messages of a game that were sent but not recorded, by their buttons, in the history of its channel."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import discord
import structlog

from bot.core.interactions.components import custom_ids
from bot.games.live import LiveGame

SEARCH_LIMIT: Final = 2000
"""How many messages are searched for a board or a notification: twenty requests."""
SKEW_MS: Final = 60_000
"""How far Discord's clock, which message ids are made from, may be behind ours."""
BOARD: Final = "board"
PING: Final = "ping"
ALWAYS: Final = ("more", "replay")
"""Every board has one of these buttons: More while the game runs, Replay when it is over. No other public message has
them.
"""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class UnrecordedMessages:
    """Messages of a game that were sent but perhaps not recorded."""

    board: int | None = None
    """The board for the present ``seq``, if there is one."""
    ping: int | None = None
    """The ping of the awaited player for the present ``seq``, if there is one."""
    old_boards: tuple[int, ...] = ()
    old_pings: tuple[int, ...] = ()


async def unrecorded_messages(client: discord.Client, live: LiveGame) -> UnrecordedMessages:
    """The game's messages in its channel after the last recorded message, or since the start of the game if none is
    recorded.
    """
    channel = client.get_partial_messageable(live.place.channel_id, guild_id=live.place.guild_id)
    after = discord.Object(live.message_id or _snowflake(live.started))
    found: dict[tuple[str, bool], list[int]] = {}
    try:
        async for message in channel.history(limit=SEARCH_LIMIT, after=after, oldest_first=False):
            kind, seq = kind_and_seq(client, message, live.id)
            found.setdefault((kind, seq == live.seq), []).append(message.id)
    except discord.Forbidden:
        log.info("history_not_readable", channel=channel.id)
    boards, pings = found.get((BOARD, True), []), found.get((PING, True), [])
    return UnrecordedMessages(
        boards[0] if boards else None,
        pings[0] if pings else None,
        (*boards[1:], *found.get((BOARD, False), [])),
        (*pings[1:], *found.get((PING, False), [])),
    )


def kind_and_seq(client: discord.Client, message: discord.Message, game_id: str) -> tuple[str, int]:
    """The kind of one of our messages (BOARD, PING or "") and the ``seq`` in its buttons."""
    if not _is_ours(client, message):
        return "", 0
    parts = [custom_id.split(":") for custom_id in custom_ids(message.components)]
    seqs = {verb: int(seq) for kind, verb, subject, seq, *_ in parts if (kind, subject) == ("b", game_id)}
    for verb in ALWAYS:
        if verb in seqs:
            return BOARD, seqs[verb]
    return next(((PING, seq) for seq in seqs.values()), ("", 0))


async def with_button(
    client: discord.Client, channel_id: int, custom_id: str, since: int, guild: discord.Guild | None = None
) -> list[int] | None:
    """The first of our messages with this button in a channel since a moment (ms since 1970); empty if there is none.

    None if that is not known: the bot may not read the history, or it is too long. Empty if the channel is gone.
    ``guild``: the channel's server, if it is known. Raises REQUEST_ERRORS for errors that may be temporary.
    """
    if not _may_read(client, channel_id, guild):
        return None
    after = discord.Object(_snowflake(since))
    seen = 0
    try:
        async for message in client.get_partial_messageable(channel_id).history(limit=SEARCH_LIMIT, after=after):
            seen += 1
            if _is_ours(client, message) and custom_id in custom_ids(message.components):
                return [message.id]
    except discord.NotFound:
        return []
    except discord.Forbidden:
        return None
    return [] if seen < SEARCH_LIMIT else None


def _is_ours(client: discord.Client, message: discord.Message) -> bool:
    return client.user is not None and message.author.id == client.user.id


def _snowflake(moment: int) -> int:
    """An id that is lower than those of all messages since the moment (ms since 1970)."""
    return discord.utils.time_snowflake(datetime.fromtimestamp((moment - SKEW_MS) / 1000, UTC))


def _may_read(client: discord.Client, channel_id: int, guild: discord.Guild | None) -> bool:
    """Whether the bot may read the history. Without that permission Discord returns an empty history and no error
    (documentation, "Get Channel Messages").
    """
    channel: Any = client.get_channel(channel_id)
    if channel is None:  # a direct message, an archived thread, or a server of another process
        return guild is None or guild.me.guild_permissions.read_message_history
    try:
        return bool(channel.permissions_for(channel.guild.me).read_message_history)
    except (AttributeError, discord.ClientException):  # a direct message, or a thread without a cached parent
        return True
