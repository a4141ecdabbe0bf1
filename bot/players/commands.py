"""``/abak settings`` and ``/abak server``."""

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, text
from bot.players import views


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.settings"), description=text("command.settings.about"))
    async def settings(interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await views.show_user(answer, fresh=True)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.server"), description=text("command.server.about"))
    async def server(interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await views.show_server(answer, fresh=True)

        await context.answer(interaction, work)

    return [settings, server]
