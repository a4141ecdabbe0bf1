"""``/abak replay``."""

from discord import app_commands

from bot.archive import views
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, Command, text
from bot.games.service import GameService
from bot.players.asker import language_of
from bot.players.service import PlayerNames


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.replay"), description=text("command.replay.about"))
    @app_commands.rename(game=text("option.played"))
    @app_commands.describe(game=text("option.played.about"))
    async def replay(interaction: Interaction, game: str | None = None) -> None:
        async def work(answer: Answer) -> None:
            games = answer.service(GameService)
            live = await games.get(game) if game else await games.last_at(interaction.channel_id)
            await views.show(answer, live, None, fresh=True)

        await context.answer(interaction, work)

    @replay.autocomplete("game")
    async def played_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The user's games, the latest first."""
        user_id = interaction.user.id
        found = await context.services[GameService].recent(user_id, CHOICES)
        say = await language_of(context, interaction)
        names = await context.services[PlayerNames].names({p for played in found for p in played.players}, say)
        shown = [(views.summary(played, user_id, names, say), played.id) for played in found]
        return [app_commands.Choice(name=name, value=id_) for name, id_ in shown if typed.casefold() in name.casefold()]

    return [replay]
