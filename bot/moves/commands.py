"""``/abak move play``, ``/abak roll`` and ``/abak double``."""

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, Command, LongText, group
from bot.core.interactions.declaration import slash
from bot.core.interactions.suggesting import suggests
from bot.games.here import played_here
from bot.games.service import GameService
from bot.moves import typed as typed_moves
from bot.moves.suggestions import suggestions
from bot.players.asker import language_of
from engine.core.errors import RuleError
from engine.kits.cube import CubeAction


def commands(context: Context) -> list[Command]:
    move = group("command.move", "command.move.about")

    @slash(context, "move.play", parent=move)
    async def play(answer: Answer, notation: LongText) -> None:
        await typed_moves.play(answer, await played_here(answer), notation)

    @suggests(play, "notation")
    async def legal_plays(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggests the legal moves that match the typed text; none if it is not the user's turn."""
        try:
            live = await context.services[GameService].playing_at(interaction.channel_id)
        except RuleError:
            return []
        if not live.is_turn_of(interaction.user.id):
            return []
        say = await language_of(context, interaction)
        found = suggestions(live.game, live.state, typed, say, CHOICES)
        return [app_commands.Choice(name=name, value=value) for name, value in found]

    @slash(context, "roll")
    async def roll(answer: Answer) -> None:
        await typed_moves.cube(answer, await played_here(answer), CubeAction.ROLL)

    @slash(context, "double")
    async def double(answer: Answer) -> None:
        await typed_moves.cube(answer, await played_here(answer), CubeAction.DOUBLE)

    return [move, roll, double]
