"""``/abak games``, ``/abak next`` and ``/abak move here``."""

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, Command, Text, group, text
from bot.core.interactions.suggesting import suggests
from bot.my_games import relocate, views
from bot.players.asker import language_of


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.games"), description=text("command.games.about"))
    async def games(interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await views.show_list(answer, 0, fresh=True)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.next"), description=text("command.next.about"))
    async def next_game(interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await views.show_next(answer, "", fresh=True)

        await context.answer(interaction, work)

    move = group("command.move", "command.move.about")

    @move.command(name=text("command.move.here"), description=text("command.move.here.about"))
    @app_commands.rename(game=text("option.played"))
    @app_commands.describe(game=text("option.here_game.about"))
    async def here(interaction: Interaction, game: Text | None = None) -> None:
        async def work(answer: Answer) -> None:
            await relocate.relocate(answer, game)

        await context.answer(interaction, work, public=True)

    @suggests(here, "game")
    async def games_elsewhere(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggests the user's running games in other channels."""
        found = await relocate.choices(context, interaction, typed, await language_of(context, interaction))
        return [app_commands.Choice(name=name, value=game_id) for name, game_id in found[:CHOICES]]

    return [games, next_game, move]
