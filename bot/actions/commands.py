"""``/abak resign``, ``/abak draw`` and ``/abak takeback``. Each asks for confirmation."""

from collections.abc import Awaitable, Callable

from discord import app_commands

from bot.actions import game_actions
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, text
from bot.games.live import LiveGame
from bot.games.service import GameService


def commands(context: Context) -> list[Command]:
    async def ask(interaction: Interaction, confirm: Callable[[Answer, LiveGame], Awaitable[None]]) -> None:
        async def work(answer: Answer) -> None:
            await confirm(answer, await answer.service(GameService).playing_at(interaction.channel_id))

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.takeback"), description=text("command.takeback.about"))
    async def takeback(interaction: Interaction) -> None:
        await ask(interaction, game_actions.confirm_takeback)

    @app_commands.command(name=text("command.resign"), description=text("command.resign.about"))
    async def resign(interaction: Interaction) -> None:
        await ask(interaction, game_actions.confirm_resigning)

    @app_commands.command(name=text("command.draw"), description=text("command.draw.about"))
    async def draw(interaction: Interaction) -> None:
        await ask(interaction, game_actions.confirm_draw)

    return [takeback, resign, draw]
