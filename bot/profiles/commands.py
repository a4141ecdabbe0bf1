"""``/abak profile`` and ``/abak top``."""

from typing import Final

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import GAME_CHOICES, Command, text
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
    @app_commands.command(name=text("command.profile"), description=text("command.profile.about"))
    @app_commands.rename(user=text("option.user"))
    @app_commands.describe(user=text("option.user.about"))
    async def profile(interaction: Interaction, user: discord.User | None = None) -> None:
        async def work(answer: Answer) -> None:
            person = user or interaction.user
            if person.id == interaction.application_id:
                await machines.show(answer)
                return
            await views.show(answer, person.id, person.global_name or person.name)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.top"), description=text("command.top.about"))
    @app_commands.rename(game=text("option.game"), pace=text("option.pace"), players=text("option.players"))
    @app_commands.describe(
        game=text("option.top_game.about"), pace=text("option.pace.about"), players=text("option.players.about")
    )
    @app_commands.choices(game=GAME_CHOICES, pace=PACE_CHOICES, players=SCOPE_CHOICES)
    async def top(
        interaction: Interaction,
        game: str = next(iter(GAMES)),
        pace: str = CORRESPONDENCE,
        players: str = leaderboards.SERVER,
    ) -> None:
        async def work(answer: Answer) -> None:
            await leaderboards.show(answer, leaderboards.PageRequest(game, pace, players), fresh=True)

        await context.answer(interaction, work)

    return [profile, top]
