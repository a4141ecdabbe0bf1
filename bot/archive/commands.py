"""``/abak replay`` and ``/abak history``."""

import discord
from discord import app_commands

from bot.archive import history, views
from bot.archive.finished import RESULTS, Filters
from bot.archive.found import find_game
from bot.archive.suggestions import finished_games
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import GAME_CHOICES, Command, Text, text
from bot.core.interactions.suggesting import suggests

RESULT_CHOICES = [app_commands.Choice(name=text(f"replay.{result}"), value=result) for result in RESULTS]


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.replay"), description=text("command.replay.about"))
    @app_commands.rename(game=text("option.played"))
    @app_commands.describe(game=text("option.replayed.about"))
    async def replay(interaction: Interaction, game: Text | None = None) -> None:
        async def work(answer: Answer) -> None:
            await views.show(answer, await find_game(answer, game), None, fresh=True)

        await context.answer(interaction, work)

    @suggests(replay, "game")
    async def played_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await finished_games(context, interaction, typed)

    @app_commands.command(name=text("command.history"), description=text("command.history.about"))
    @app_commands.rename(
        user=text("option.user"),
        game=text("option.game"),
        opponent=text("option.opponent"),
        result=text("option.result"),
    )
    @app_commands.describe(
        user=text("option.history_user.about"),
        game=text("option.history_game.about"),
        opponent=text("option.history_opponent.about"),
        result=text("option.result.about"),
    )
    @app_commands.choices(game=GAME_CHOICES, result=RESULT_CHOICES)
    async def played(
        interaction: Interaction,
        user: discord.User | None = None,
        game: str = "",
        opponent: discord.User | None = None,
        result: str = "",
    ) -> None:
        filters = Filters(
            user_id=user.id if user else interaction.user.id,
            viewer_id=interaction.user.id,
            guild_id=interaction.guild_id,
            game=game,
            opponent_id=opponent.id if opponent else None,
            result=result,
        )

        async def work(answer: Answer) -> None:
            await history.show(answer, filters, fresh=True)

        await context.answer(interaction, work)

    return [replay, played]
