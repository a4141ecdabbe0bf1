"""``/abak move play``, ``/abak roll`` and ``/abak double``."""

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, Command, LongText, group, text
from bot.core.interactions.suggesting import suggests
from bot.games.service import GameService
from bot.moves import typed as typed_moves
from bot.moves.suggestions import suggestions
from bot.players.asker import language_of
from engine.core.errors import RuleError
from engine.kits.cube import CubeAction


def commands(context: Context) -> list[Command]:
    move = group("command.move", "command.move.about")

    @move.command(name=text("command.move.play"), description=text("command.move.play.about"))
    @app_commands.rename(notation=text("option.notation"))
    @app_commands.describe(notation=text("option.notation.about"))
    async def play(interaction: Interaction, notation: LongText) -> None:
        async def work(answer: Answer) -> None:
            live = await answer.service(GameService).playing_at(interaction.channel_id)
            await typed_moves.play(answer, live, notation)

        await context.answer(interaction, work)

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

    async def say_word(interaction: Interaction, word: CubeAction) -> None:
        async def work(answer: Answer) -> None:
            live = await answer.service(GameService).playing_at(interaction.channel_id)
            await typed_moves.cube(answer, live, word)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.roll"), description=text("command.roll.about"))
    async def roll(interaction: Interaction) -> None:
        await say_word(interaction, CubeAction.ROLL)

    @app_commands.command(name=text("command.double"), description=text("command.double.about"))
    async def double(interaction: Interaction) -> None:
        await say_word(interaction, CubeAction.DOUBLE)

    return [move, roll, double]
