"""``/abak vacation``."""

from discord import app_commands

from bot.clocks.vacations import views
from bot.clocks.vacations.service import LONGEST_DAYS
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import Command, Text
from bot.core.interactions.declaration import slash


def commands(context: Context) -> list[Command]:
    @slash(context, "vacation", names={"day": "from"})
    async def vacation(
        answer: Answer, days: app_commands.Range[int, 1, LONGEST_DAYS] | None = None, day: Text = ""
    ) -> None:
        await views.command(answer, days, day)

    return [vacation]
