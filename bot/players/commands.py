"""``/abak settings`` and ``/abak server``."""

from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import Command
from bot.core.interactions.declaration import slash
from bot.players import views


def commands(context: Context) -> list[Command]:
    @slash(context, "settings")
    async def settings(answer: Answer) -> None:
        await views.show_user(answer, fresh=True)

    @slash(context, "server")
    async def server(answer: Answer) -> None:
        await views.show_server(answer, fresh=True)

    return [settings, server]
