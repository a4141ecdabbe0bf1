"""``/abak profile`` and ``/abak top``."""

from typing import Final

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import GAME_CHOICES, Command, text
from bot.core.interactions.declaration import slash
from bot.profiles import leaderboards, machines, views
from bot.ratings.pace import CORRESPONDENCE, LIVE
from engine.registry import GAMES

PACE_CHOICES: Final = [
    app_commands.Choice(name=text(f"option.pace.{pace}"), value=pace) for pace in (CORRESPONDENCE, LIVE)
]
SCOPE_CHOICES: Final = [
    app_commands.Choice(name=text(f"option.players.{scope}"), value=scope)
    for scope in (leaderboards.SERVER, leaderboards.ALL)
]


def commands(context: Context) -> list[Command]:
    @slash(context, "profile")
    async def profile(answer: Answer, user: discord.User | None = None) -> None:
        person = user or answer.interaction.user
        if person.id == answer.interaction.application_id:
            await machines.show(answer)
            return
        await views.show(answer, person.id, person.global_name or person.name)

    @slash(context, "top", about={"game": "top_game"})
    @app_commands.choices(game=GAME_CHOICES, pace=PACE_CHOICES, players=SCOPE_CHOICES)
    async def top(
        answer: Answer,
        game: str = next(iter(GAMES)),
        pace: str = CORRESPONDENCE,
        players: str = leaderboards.SERVER,
    ) -> None:
        await leaderboards.show(answer, leaderboards.PageRequest(game, pace, players), fresh=True)

    return [profile, top]
