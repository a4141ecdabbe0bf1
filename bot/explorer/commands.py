"""``/abak explore``."""

from typing import TypeAlias

from discord import app_commands

from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import GAME_CHOICES, Command
from bot.core.interactions.declaration import slash
from bot.explorer import views

Position: TypeAlias = app_commands.Range[str, 1, 300]


def commands(context: Context) -> list[Command]:
    @slash(context, "explore", about={"game": "explored"})
    @app_commands.choices(game=GAME_CHOICES)
    async def explore(answer: Answer, game: str = "", position: Position = "") -> None:
        await views.show(answer, await views.first_line(answer, game, position), fresh=True)

    return [explore]
