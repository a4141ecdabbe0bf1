"""``/abak data``."""

from discord import app_commands

from bot.core.interactions.answer import Context, Interaction
from bot.core.interactions.command_texts import Command, text
from bot.privacy import views


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.data"), description=text("command.data.about"))
    async def data(interaction: Interaction) -> None:
        await context.answer(interaction, views.show)

    return [data]
