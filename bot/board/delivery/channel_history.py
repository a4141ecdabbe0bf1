"""Finds messages of a game in its channel's history, by their buttons, that were sent but not recorded."""

from dataclasses import dataclass
from typing import Final

import discord
import structlog

from bot.core.interactions.components import custom_ids
from bot.core.messages import SEARCH_LIMIT, is_ours, moment
from bot.games.live import LiveGame

BOARD: Final = "board"
PING: Final = "ping"
ALWAYS: Final = ("more", "replay")
"""The buttons that identify a board: More while the game runs, Replay when it is over. No other public
message has one.
"""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class UnrecordedMessages:
    """The messages of a game that were sent but perhaps not recorded."""

    board: int | None = None
    """The board for the present ``seq``, if there is one."""
    ping: int | None = None
    """The ping of the awaited player for the present ``seq``, if there is one."""
    old_boards: tuple[int, ...] = ()
    old_pings: tuple[int, ...] = ()


async def unrecorded_messages(client: discord.Client, live: LiveGame) -> UnrecordedMessages:
    """Finds the game's messages in its channel since the last recorded one, or since the game's start without one."""
    channel = client.get_partial_messageable(live.place.channel_id, guild_id=live.place.guild_id)
    after = discord.Object(live.message_id) if live.message_id else moment(live.started)
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
    """Returns the kind of one of our messages (BOARD, PING or "") and the ``seq`` in its buttons."""
    if not is_ours(client, message):
        return "", 0
    parts = [custom_id.split(":") for custom_id in custom_ids(message.components)]
    seqs = {verb: int(seq) for kind, verb, subject, seq, *_ in parts if (kind, subject) == ("b", game_id)}
    for verb in ALWAYS:
        if verb in seqs:
            return BOARD, seqs[verb]
    return next(((PING, seq) for seq in seqs.values()), ("", 0))
