"""Finds a game by its id, or by a link to its board, to its channel, or to a message about it."""

import re
from typing import Final

import discord

from bot.archive import views
from bot.archive.service import HistoryService, read_link
from bot.board.access import require_access
from bot.core.interactions.answer import Answer
from bot.core.interactions.press import read_press
from bot.games.live import LiveGame
from bot.games.service import GameService
from engine.core.errors import Refused

OPENS_GAME: Final = frozenset({"replay", "look", "more", "rematch"})
"""The verbs whose buttons name a game. Every board and every shared replay has such a button."""
GAME_ID: Final = re.compile(r"[0-9A-Za-z]{1,16}")


async def find_game(answer: Answer, typed: str | None) -> LiveGame:
    """Returns the game that the text names;
    without a text, the running game of this channel or the last one that ended here.

    Raises Refused if there is none, or if the user may not look at it.
    """
    games = answer.service(GameService)
    if not typed:
        return await games.last_at(answer.interaction.channel_id)
    if link := read_link(typed):
        live = await _linked(answer, *link)
        await require_access(answer, live)
        return live
    if not GAME_ID.fullmatch(typed.strip()):
        raise Refused("replay.unknown")
    return await views.visible_game(answer, typed.strip())


async def _linked(answer: Answer, channel_id: int, message_id: int | None) -> LiveGame:
    """Returns the game of a link. A message that is no board of ours is read on Discord: its buttons name the game."""
    games = answer.service(GameService)
    if message_id is None:
        found = await games.latest_at(channel_id)
        if found is None:
            raise Refused("replay.unknown")
        return found
    game_id = await answer.service(HistoryService).by_message(message_id)
    return await games.get(game_id or await _game_of_message(answer, channel_id, message_id))


async def _game_of_message(answer: Answer, channel_id: int, message_id: int) -> str:
    """Returns the id of the game that a message's buttons name. Raises Refused."""
    client = answer.context.client
    try:
        message = await client.get_partial_messageable(channel_id).fetch_message(message_id)
    except (discord.NotFound, discord.Forbidden) as error:
        raise Refused("replay.unknown") from error
    if client.user is not None and message.author.id == client.user.id:
        rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
        presses = [read_press(getattr(item, "custom_id", None) or "") for row in rows for item in row.children]
        for press in presses:
            if press is not None and press.verb in OPENS_GAME:
                return press.subject
    raise Refused("replay.unknown")
