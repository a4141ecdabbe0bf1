"""``/tournament start``, ``bye`` and ``challenge``. Players withdraw by ``/tournament leave``."""

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, Text, text
from bot.players.mentions import mention
from bot.tournaments import chosen, whom
from bot.tournaments.access import check_organiser
from bot.tournaments.rounds.service import RoundService
from engine.tournament.model import Format


def commands(context: Context) -> list[Command]:
    return [_start(context), _bye(context), _challenge(context)]


def _start(context: Context) -> Command:
    @app_commands.command(name=text("command.tournament_start"), description=text("command.tournament_start.about"))
    @app_commands.rename(tournament=chosen.OPTION)
    @app_commands.describe(tournament=chosen.ABOUT)
    async def start(interaction: Interaction, tournament: Text | None = None) -> None:
        async def work(answer: Answer) -> None:
            found = await chosen.resolve(answer, tournament)
            await check_organiser(answer, found)
            await answer.service(RoundService).start(found.id, answer.user_id)
            is_ladder = found.plan.format is Format.LADDER
            begins = "tournament.rounds.ladder_begins" if is_ladder else "tournament.rounds.begins"
            await answer.private(answer.say(begins, name=found.name))

        await context.answer(interaction, work)

    chosen.suggest(context, start)
    return start


def _bye(context: Context) -> Command:
    @app_commands.command(name=text("command.tournament_bye"), description=text("command.tournament_bye.about"))
    @app_commands.rename(number=text("option.round"), withdraw=text("option.withdraw"), tournament=chosen.OPTION)
    @app_commands.describe(
        number=text("option.bye_round.about"), withdraw=text("option.withdraw.about"), tournament=chosen.ABOUT
    )
    async def bye(
        interaction: Interaction,
        number: app_commands.Range[int, 1, 999],
        withdraw: bool | None = None,
        tournament: Text | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            found = await chosen.resolve(answer, tournament)
            await answer.service(RoundService).ask_bye(found.id, answer.user_id, number, withdraw=bool(withdraw))
            key = "tournament.rounds.bye_withdrawn" if withdraw else "tournament.rounds.bye_noted"
            await answer.private(answer.say(key, round=number))

        await context.answer(interaction, work)

    chosen.suggest(context, bye)
    return bye


def _challenge(context: Context) -> Command:
    @app_commands.command(
        name=text("command.tournament_challenge"), description=text("command.tournament_challenge.about")
    )
    @app_commands.rename(opponent=text("option.opponent"), level=whom.OPTION, tournament=chosen.OPTION)
    @app_commands.describe(opponent=text("option.ladder_opponent.about"), level=whom.ABOUT, tournament=chosen.ABOUT)
    async def challenge(
        interaction: Interaction,
        opponent: discord.User,
        level: whom.Level | None = None,
        tournament: Text | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            found = await chosen.resolve(answer, tournament)
            user_id = await whom.named(answer, found, opponent.id, level)
            await answer.service(RoundService).challenge(found.id, answer.user_id, user_id)
            await answer.private(answer.say("tournament.rounds.challenged", player=mention(user_id, answer.say)))

        await context.answer(interaction, work)

    chosen.suggest(context, challenge)
    return challenge
