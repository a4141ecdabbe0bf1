"""``/abak dice``."""

from discord import app_commands

from bot.archive.found import find_game
from bot.archive.suggestions import finished_games
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, Text
from bot.core.interactions.declaration import slash
from bot.core.interactions.suggesting import suggests
from bot.dice import views
from bot.games.service import GameService


def commands(context: Context) -> list[Command]:
    @slash(context, "dice", names={"game": "played"}, about={"game": "replayed"})
    async def dice(answer: Answer, game: Text | None = None) -> None:
        place = answer.interaction.channel_id
        if not game and (place is None or await answer.service(GameService).latest_at(place) is None):
            await views.show_statistics(answer, fresh=True)
        else:
            await views.show_proof(answer, await find_game(answer, game), None, fresh=True)

    @suggests(dice, "game")
    async def played_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await finished_games(context, interaction, typed)

    return [dice]
