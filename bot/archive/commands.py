"""``/abak replay`` and ``/abak history``."""

from dataclasses import replace
from typing import Final

import discord
from discord import app_commands

from bot.archive import history, views
from bot.archive.finished import RESULTS, Filters
from bot.archive.found import find_game
from bot.archive.suggestions import finished_games
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import GAME_CHOICES, Command, Text, text
from bot.core.interactions.declaration import slash
from bot.core.interactions.suggesting import suggests
from bot.players.machines import ANY_LEVEL, LEVELS
from engine.core.errors import Refused

OTHER_SIDE: Final = {"won": "lost", "lost": "won", "drawn": "drawn", "": ""}
RESULT_CHOICES = [app_commands.Choice(name=text(f"replay.{result}"), value=result) for result in RESULTS]


def of_people(filters: Filters, bot_id: int, level: int | None) -> Filters:
    """Replaces the bot in the filters by its machine, at this level or at all levels.

    Games of the machine are listed as games of the people who have played it: of the given opponent, or of the user who
    asks. Raises Refused for a level of anybody else.
    """
    machine = ANY_LEVEL if level is None else level
    if filters.user_id == bot_id:
        people = filters.viewer_id if filters.opponent_id in {None, bot_id} else filters.opponent_id
        result = OTHER_SIDE[filters.result]
        return replace(filters, user_id=people, opponent_id=machine, result=result)
    if filters.opponent_id == bot_id or (filters.opponent_id is None and level is not None):
        return replace(filters, opponent_id=machine)
    if level is not None:
        raise Refused("history.level")
    return filters


def commands(context: Context) -> list[Command]:
    @slash(context, "replay", names={"game": "played"}, about={"game": "replayed"})
    async def replay(answer: Answer, game: Text | None = None) -> None:
        await views.show(answer, await find_game(answer, game), None, fresh=True)

    @suggests(replay, "game")
    async def played_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await finished_games(context, interaction, typed)

    @slash(
        context,
        "history",
        about={
            "user": "history_user",
            "game": "history_game",
            "opponent": "history_opponent",
            "level": "history_level",
        },
    )
    @app_commands.choices(game=GAME_CHOICES, result=RESULT_CHOICES)
    async def played(
        answer: Answer,
        user: discord.User | None = None,
        game: str = "",
        opponent: discord.User | None = None,
        level: app_commands.Range[int, LEVELS[0], LEVELS[-1]] | None = None,
        result: str = "",
    ) -> None:
        filters = Filters(
            user_id=user.id if user else answer.user_id,
            viewer_id=answer.user_id,
            guild_id=answer.interaction.guild_id,
            game=game,
            opponent_id=opponent.id if opponent else None,
            result=result,
        )
        await history.show(answer, of_people(filters, answer.interaction.application_id, level), fresh=True)

    return [replay, played]
