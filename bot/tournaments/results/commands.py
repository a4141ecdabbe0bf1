"""The commands of ``/tournament`` that only show something."""

import asyncio
import io
from typing import Final

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import Command, Text
from bot.core.interactions.declaration import Declared, slash
from bot.core.limits.rates import WORK
from bot.tournaments import whom
from bot.tournaments.chosen import resolve, suggest
from bot.tournaments.results import export, history, pairings, views
from bot.tournaments.results.words import names_of
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Tournament
from engine.core.errors import Refused

FORMAT_CHOICES: Final = [app_commands.Choice(name=form, value=form) for form in export.FORMATS]
PAGES: Final = (views.BRACKET, views.CROSSTABLE, views.CALENDAR)
"""The pages with commands whose only option is the tournament."""


def commands(context: Context) -> list[Command]:
    @slash(context, "tournament_standings", about={"level": "tournament_level"})
    async def standings(
        answer: Answer,
        tournament: Text | None = None,
        why: discord.User | None = None,
        level: whom.Level | None = None,
    ) -> None:
        found = await resolve(answer, tournament, begun=True)
        if why is None:
            await views.open_page(answer, found, views.STANDINGS)
        else:
            user_id = await whom.named(answer, found, why.id, level)
            await views.explain(answer, found, user_id, why.global_name or why.name)

    @slash(context, "tournament_pairings", names={"number": "round"})
    async def rounds(
        answer: Answer,
        tournament: Text | None = None,
        number: app_commands.Range[int, 1, 999] | None = None,
    ) -> None:
        await pairings.open_round(answer, await resolve(answer, tournament, begun=True), number)

    @slash(context, "tournament_export")
    @app_commands.choices(form=FORMAT_CHOICES)
    async def send(answer: Answer, tournament: Text | None = None, form: str | None = None) -> None:
        await _export(answer, await resolve(answer, tournament, begun=True), form)

    @slash(context, "tournament_history")
    async def hall(answer: Answer) -> None:
        await history.show(answer, 0, fresh=True)

    shown = [_page(context, kind) for kind in PAGES]
    named: list[Declared] = [standings, rounds, send, *shown]
    for command in named:
        suggest(context, command)
    return [standings, rounds, *shown, send, hall]


def _page(context: Context, kind: str) -> Declared:
    @slash(context, f"tournament_{kind}")
    async def show(answer: Answer, tournament: Text | None = None) -> None:
        found = await resolve(answer, tournament, begun=kind != views.CALENDAR)
        await views.open_page(answer, found, kind)

    return show


async def _export(answer: Answer, tournament: Tournament, form: str | None) -> None:
    """Sends the files of a format privately; for None, of all formats. Raises Refused if there is nothing to write."""
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    if not snapshot.entrants:
        raise Refused("tournament.results.not_begun")
    answer.context.check_rate(answer.user_id, WORK)
    names = await names_of(answer.context.services, snapshot, answer.say)
    files = await asyncio.to_thread(export.exported, snapshot, names, form)  # it takes seconds with 1,024 players
    if not files:
        raise Refused("tournament.results.no_report")
    sent = [discord.File(io.BytesIO(file.data), filename=file.name) for file in files]
    await answer.private(answer.say("tournament.results.exported", name=tournament.name), files=sent)
