"""Finds the game of the channel in which a command was given."""

from bot.core.interactions.answer import Answer
from bot.games.live import LiveGame
from bot.games.service import GameService


async def played_here(answer: Answer) -> LiveGame:
    """Returns the running game of the channel. Raises Refused if there is none."""
    return await answer.service(GameService).playing_at(answer.interaction.channel_id)
