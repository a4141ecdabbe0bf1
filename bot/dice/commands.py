"""``/abak dice``."""

from discord import app_commands

from bot.archive.found import find_game
from bot.archive.views import summary
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, Command, text
from bot.dice import views
from bot.games.service import GameService
from bot.players.asker import language_of
from bot.players.service import PlayerNames


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.dice"), description=text("command.dice.about"))
    @app_commands.rename(game=text("option.played"))
    @app_commands.describe(game=text("option.replayed.about"))
    async def dice(interaction: Interaction, game: str | None = None) -> None:
        async def work(answer: Answer) -> None:
            place = interaction.channel_id
            if not game and (place is None or await answer.service(GameService).latest_at(place) is None):
                await views.show_statistics(answer, fresh=True)
            else:
                await views.show_proof(answer, await find_game(answer, game), None, fresh=True)

        await context.answer(interaction, work)

    @dice.autocomplete("game")
    async def played_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The user's finished games, the latest first."""
        user_id = interaction.user.id
        found = await context.services[GameService].recent(user_id, CHOICES)
        names = await context.services[PlayerNames].names({p for played in found for p in played.players})
        say = await language_of(context, interaction)
        shown = [(summary(played, user_id, names, say), played.id) for played in found]
        return [app_commands.Choice(name=name, value=id_) for name, id_ in shown if typed.casefold() in name.casefold()]

    return [dice]
