"""The commands of this part of ``/tournament``."""

from bot.core.interactions.answer import Context
from bot.core.interactions.command_texts import Command


def commands(context: Context) -> list[Command]:
    del context
    return []
