"""Suggestions for the option that names a finished game."""

from discord import app_commands

from bot.archive.views import summary
from bot.core.interactions.answer import Context, Interaction
from bot.core.interactions.command_texts import CHOICES
from bot.games.service import GameService
from bot.players.asker import language_of
from bot.players.service import PlayerNames


async def finished_games(context: Context, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggests those of the user's latest finished games whose summary contains the typed text, the latest first."""
    user_id = interaction.user.id
    found = await context.services[GameService].recent(user_id, CHOICES)
    say = await language_of(context, interaction)
    names = await context.services[PlayerNames].names({player for game in found for player in game.players}, say)
    shown = [(summary(game, user_id, names, say), game.id) for game in found]
    return [app_commands.Choice(name=name, value=id_) for name, id_ in shown if typed.casefold() in name.casefold()]
