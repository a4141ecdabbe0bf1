"""``/abak move conditional``: conditional moves."""

from discord import app_commands

from bot.conditional import typed as conditional_typed
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, Command, LongText, group, text
from bot.core.interactions.suggesting import suggests
from bot.games.service import GameService
from bot.players.asker import language_of
from engine.core.errors import RuleError


def commands(context: Context) -> list[Command]:
    move = group("command.move", "command.move.about")

    @move.command(name=text("command.move.conditional"), description=text("command.move.conditional.about"))
    @app_commands.rename(condition=text("option.condition"), reply=text("option.reply"), after=text("option.after"))
    @app_commands.describe(
        condition=text("option.condition.about"), reply=text("option.reply.about"), after=text("option.after.about")
    )
    async def conditional(
        interaction: Interaction, condition: LongText = "", reply: LongText = "", after: LongText = ""
    ) -> None:
        async def work(answer: Answer) -> None:
            live = await answer.service(GameService).playing_at(interaction.channel_id)
            await conditional_typed.command(answer, live, condition, reply, after)

        await context.answer(interaction, work)

    async def suggest(interaction: Interaction, option: str, typed: str) -> list[app_commands.Choice[str]]:
        """Suggests values for an option of the command; none if the user cannot use it here."""
        try:
            live = await context.services[GameService].playing_at(interaction.channel_id)
        except RuleError:
            return []
        say, given = await language_of(context, interaction), dict(iter(interaction.namespace))
        found = await conditional_typed.choices(context, live, interaction.user.id, option, typed, given, say)
        return [app_commands.Choice(name=name, value=value) for name, value in found[:CHOICES]]

    @suggests(conditional, "condition")
    async def conditions(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await suggest(interaction, "condition", typed)

    @suggests(conditional, "reply")
    async def replies(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await suggest(interaction, "reply", typed)

    @suggests(conditional, "after")
    async def lines(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await suggest(interaction, "after", typed)

    return [move]
