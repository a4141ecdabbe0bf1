"""The commands of ``/tournament`` that only show something."""

import asyncio
import io
from typing import Any, Final

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, Text, text
from bot.core.limits.rates import WORK
from bot.tournaments import whom
from bot.tournaments.chosen import ABOUT, OPTION, resolve, suggest
from bot.tournaments.results import export, history, pairings, views
from bot.tournaments.results.words import names_of
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Tournament
from engine.core.errors import Refused

FORMAT_CHOICES: Final = [app_commands.Choice(name=form, value=form) for form in export.FORMATS]
PAGES: Final = (views.BRACKET, views.CROSSTABLE, views.CALENDAR)
"""The pages with commands whose only option is the tournament."""


def commands(context: Context) -> list[Command]:
    @app_commands.command(
        name=text("command.tournament_standings"), description=text("command.tournament_standings.about")
    )
    @app_commands.rename(tournament=OPTION, why=text("option.why"), level=whom.OPTION)
    @app_commands.describe(tournament=ABOUT, why=text("option.why.about"), level=whom.ABOUT)
    async def standings(
        interaction: Interaction,
        tournament: Text | None = None,
        why: discord.User | None = None,
        level: whom.Level | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            found = await resolve(answer, tournament)
            if why is None:
                await views.open_page(answer, found, views.STANDINGS)
            else:
                user_id = await whom.named(answer, found, why.id, level)
                await views.explain(answer, found, user_id, why.global_name or why.name)

        await context.answer(interaction, work)

    @app_commands.command(
        name=text("command.tournament_pairings"), description=text("command.tournament_pairings.about")
    )
    @app_commands.rename(tournament=OPTION, number=text("option.round"))
    @app_commands.describe(tournament=ABOUT, number=text("option.round.about"))
    async def rounds(
        interaction: Interaction,
        tournament: Text | None = None,
        number: app_commands.Range[int, 1, 999] | None = None,
    ) -> None:
        async def work(answer: Answer) -> None:
            await pairings.open_round(answer, await resolve(answer, tournament), number)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_export"), description=text("command.tournament_export.about"))
    @app_commands.rename(tournament=OPTION, form=text("option.form"))
    @app_commands.describe(tournament=ABOUT, form=text("option.form.about"))
    @app_commands.choices(form=FORMAT_CHOICES)
    async def send(interaction: Interaction, tournament: Text | None = None, form: str = export.CSV) -> None:
        async def work(answer: Answer) -> None:
            await _export(answer, await resolve(answer, tournament), form)

        await context.answer(interaction, work)

    @app_commands.command(name=text("command.tournament_history"), description=text("command.tournament_history.about"))
    async def hall(interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await history.show(answer, 0, fresh=True)

        await context.answer(interaction, work)

    shown = [_page(context, kind) for kind in PAGES]
    named: list[app_commands.Command[Any, ..., Any]] = [standings, rounds, send, *shown]
    for command in named:
        suggest(context, command)
    return [standings, rounds, *shown, send, hall]


def _page(context: Context, kind: str) -> "app_commands.Command[Any, ..., Any]":
    @app_commands.command(name=text(f"command.tournament_{kind}"), description=text(f"command.tournament_{kind}.about"))
    @app_commands.rename(tournament=OPTION)
    @app_commands.describe(tournament=ABOUT)
    async def show(interaction: Interaction, tournament: Text | None = None) -> None:
        async def work(answer: Answer) -> None:
            await views.open_page(answer, await resolve(answer, tournament), kind)

        await context.answer(interaction, work)

    return show


async def _export(answer: Answer, tournament: Tournament, form: str) -> None:
    """Sends the files privately. Raises Refused if there is nothing to write."""
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
