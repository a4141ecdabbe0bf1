"""``/abak move conditional``: conditional moves."""

from discord import app_commands

from bot.conditional import typed as conditional_typed
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, Command, LongText, group
from bot.core.interactions.declaration import slash
from bot.core.interactions.suggesting import suggests
from bot.games.here import played_here
from bot.games.service import GameService
from bot.players.asker import language_of
from engine.core.errors import RuleError


def commands(context: Context) -> list[Command]:
    move = group("command.move", "command.move.about")

    @slash(context, "move.conditional", parent=move)
    async def conditional(answer: Answer, condition: LongText = "", reply: LongText = "", after: LongText = "") -> None:
        await conditional_typed.command(answer, await played_here(answer), condition, reply, after)

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
