"""``/abak explore``."""

from typing import TypeAlias

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import GAME_CHOICES, Command, text
from bot.explorer import views

Position: TypeAlias = app_commands.Range[str, 1, 300]


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.explore"), description=text("command.explore.about"))
    @app_commands.rename(game=text("option.game"), position=text("option.position"))
    @app_commands.describe(game=text("option.explored.about"), position=text("option.position.about"))
    @app_commands.choices(game=GAME_CHOICES)
    async def explore(interaction: Interaction, game: str = "", position: Position = "") -> None:
        async def work(answer: Answer) -> None:
            await views.show(answer, await views.first_line(answer, game, position), fresh=True)

        await context.answer(interaction, work)

    return [explore]
