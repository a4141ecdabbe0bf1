"""``/tournament start``, ``bye`` and ``challenge``. Players withdraw by ``/tournament leave``."""

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import Command, Text
from bot.core.interactions.declaration import slash
from bot.players.mentions import mention
from bot.tournaments import chosen, whom
from bot.tournaments.access import check_organiser
from bot.tournaments.rounds.service import RoundService
from engine.tournament.model import Format


def commands(context: Context) -> list[Command]:
    return [_start(context), _bye(context), _challenge(context)]


def _start(context: Context) -> Command:
    @slash(context, "tournament_start")
    async def start(answer: Answer, tournament: Text | None = None) -> None:
        found = await chosen.resolve(answer, tournament)
        await check_organiser(answer, found)
        await answer.service(RoundService).start(found.id, answer.user_id)
        is_ladder = found.plan.format is Format.LADDER
        begins = "tournament.rounds.ladder_begins" if is_ladder else "tournament.rounds.begins"
        await answer.private(answer.say(begins, name=found.name))

    chosen.suggest(context, start)
    return start


def _bye(context: Context) -> Command:
    @slash(context, "tournament_bye", names={"number": "round"}, about={"number": "bye_round"})
    async def bye(
        answer: Answer,
        number: app_commands.Range[int, 1, 999],
        withdraw: bool | None = None,
        tournament: Text | None = None,
    ) -> None:
        found = await chosen.resolve(answer, tournament)
        await answer.service(RoundService).ask_bye(found.id, answer.user_id, number, withdraw=bool(withdraw))
        key = "tournament.rounds.bye_withdrawn" if withdraw else "tournament.rounds.bye_noted"
        await answer.private(answer.say(key, round=number))

    chosen.suggest(context, bye)
    return bye


def _challenge(context: Context) -> Command:
    @slash(context, "tournament_challenge", about={"opponent": "ladder_opponent", "level": "tournament_level"})
    async def challenge(
        answer: Answer,
        opponent: discord.User,
        level: whom.Level | None = None,
        tournament: Text | None = None,
    ) -> None:
        found = await chosen.resolve(answer, tournament)
        user_id = await whom.named(answer, found, opponent.id, level)
        await answer.service(RoundService).challenge(found.id, answer.user_id, user_id)
        await answer.private(answer.say("tournament.rounds.challenged", player=mention(user_id, answer.say)))

    chosen.suggest(context, challenge)
    return challenge
