"""``/abak games``, ``/abak next`` and ``/abak move here``."""

from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, Command, Text, group
from bot.core.interactions.declaration import slash
from bot.core.interactions.suggesting import suggests
from bot.my_games import relocate, views
from bot.players.asker import language_of


def commands(context: Context) -> list[Command]:
    @slash(context, "games")
    async def games(answer: Answer) -> None:
        await views.show_list(answer, 0, fresh=True)

    @slash(context, "next")
    async def next_game(answer: Answer) -> None:
        await views.show_next(answer, "", fresh=True)

    move = group("command.move", "command.move.about")

    @slash(context, "move.here", names={"game": "played"}, about={"game": "here_game"}, parent=move, public=True)
    async def here(answer: Answer, game: Text | None = None) -> None:
        await relocate.relocate(answer, game)

    @suggests(here, "game")
    async def games_elsewhere(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggests the user's running games in other channels."""
        found = await relocate.choices(context, interaction, typed, await language_of(context, interaction))
        return [app_commands.Choice(name=name, value=game_id) for name, game_id in found[:CHOICES]]

    return [games, next_game, move]
