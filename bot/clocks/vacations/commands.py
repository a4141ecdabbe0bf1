"""``/abak vacation``."""

from discord import app_commands

from bot.clocks.vacations import views
from bot.clocks.vacations.service import LONGEST_DAYS
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, Text, text


def commands(context: Context) -> list[Command]:
    @app_commands.command(name=text("command.vacation"), description=text("command.vacation.about"))
    @app_commands.rename(days=text("option.days"), day=text("option.from"))
    @app_commands.describe(days=text("option.days.about"), day=text("option.from.about"))
    async def vacation(
        interaction: Interaction, days: app_commands.Range[int, 1, LONGEST_DAYS] | None = None, day: Text = ""
    ) -> None:
        async def work(answer: Answer) -> None:
            await views.command(answer, days, day)

        await context.answer(interaction, work)

    return [vacation]
