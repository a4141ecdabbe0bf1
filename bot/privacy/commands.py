"""``/abak data``."""

from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import Command
from bot.core.interactions.declaration import slash
from bot.privacy import views


def commands(context: Context) -> list[Command]:
    @slash(context, "data")
    async def data(answer: Answer) -> None:
        await views.show(answer)

    return [data]
