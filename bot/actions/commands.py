"""``/abak resign``, ``/abak draw`` and ``/abak takeback``. Each asks for confirmation."""

from bot.actions import game_actions
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import Command
from bot.core.interactions.declaration import slash
from bot.games.here import played_here


def commands(context: Context) -> list[Command]:
    @slash(context, "takeback")
    async def takeback(answer: Answer) -> None:
        await game_actions.confirm_takeback(answer, await played_here(answer))

    @slash(context, "resign")
    async def resign(answer: Answer) -> None:
        await game_actions.confirm_resigning(answer, await played_here(answer))

    @slash(context, "draw")
    async def draw(answer: Answer) -> None:
        await game_actions.confirm_draw(answer, await played_here(answer))

    return [takeback, resign, draw]
