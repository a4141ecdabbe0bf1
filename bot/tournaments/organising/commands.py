"""The organisers' commands: ``/tournament adjudicate``, ``correct`` and so on.

A command with all its options acts at once. The panel asks for missing options, its form for a missing reason.
"""

from typing import Final

import discord
from discord import app_commands

from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import Command, Text, group, text
from bot.core.interactions.declaration import Declared, slash
from bot.core.interactions.press import DIGITS
from bot.core.interactions.suggesting import suggests
from bot.tournaments import chosen, whom
from bot.tournaments.access import check_organiser
from bot.tournaments.organising import log_views, pages, suggestions, views
from bot.tournaments.organising.panel_data import MAIN
from bot.tournaments.organising.rules import acts, effect
from bot.tournaments.organising.rules.effect import Act, Ruling
from bot.tournaments.organising.service import OrganiserService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import REASON_LENGTH, Tournament
from engine.core.errors import Refused

RULINGS: Final = [app_commands.Choice(name=text(f"tournament.choice.{one}"), value=one.value) for one in Ruling]
RESULTS: Final = [
    app_commands.Choice(name=text(f"tournament.score.{effect.RESULT_KEYS[result]}"), value=result.value)
    for result in effect.CORRECTIONS
]
GROUPED: Final = frozenset({"correct", "repair", "begin", "assistant", "expel", "undo", "finish"})
"""The commands below ``/tournament organise``, as Discord allows 25 entries below ``/tournament``."""
Reason = app_commands.Range[str, 1, REASON_LENGTH]


async def organised(answer: Answer, given: str | None) -> Tournament:
    """Finds the chosen tournament. Raises Refused unless the user may run it."""
    tournament = await chosen.resolve(answer, given)
    await check_organiser(answer, tournament)
    return tournament


async def at_once(answer: Answer, tournament: Tournament, what: str, reason: str | None) -> None:
    """Does an act with all its options. Asks for the reason if it is missing."""
    seen = await answer.service(OrganiserService).last_seq(tournament.id)
    if reason:
        await views.act(answer, tournament, what, reason, seen)
    else:
        await views.ask(answer, tournament, what, seen)


async def decide(
    answer: Answer, tournament: Tournament, name: Act, pairing: str | None, value: str | None, reason: str | None
) -> None:
    """Adjudicates or corrects if the options suffice, or else opens the panel."""
    if not pairing:
        await views.show_page(answer, tournament, name)
        return
    if not DIGITS.fullmatch(pairing):
        raise Refused("tournament.organising.no_pairing")
    pairing_id = int(pairing)
    if not value:
        await views.show_pairing(answer, tournament, name, pairing_id)
        return
    acts.find_pairing(
        await answer.service(TournamentService).snapshot(tournament.id), pairing_id
    )  # checked before any form opens
    await at_once(answer, tournament, f"{name}|{pairing_id}|{value}", reason)


async def number_of(answer: Answer, tournament: Tournament, user_id: int) -> int:
    """Returns the number of a user in a tournament. Raises Refused if they are not in it."""
    player = (await answer.service(TournamentService).snapshot(tournament.id)).of_user(user_id)
    if player is None:
        raise Refused("tournament.organising.not_in")
    return player.number


def commands(context: Context) -> list[Command]:
    found = [
        _deciding(context, Act.ADJUDICATE, RULINGS),
        _deciding(context, Act.CORRECT, RESULTS),
        *_running(context),
        *_people(context),
        *_log(context),
    ]
    organise = group("command.tournament_organise", "command.tournament_organise.about")
    for command in found:
        if command.name in GROUPED:
            organise.add_command(command)
    organise.add_command(_page(context, "panel", MAIN))
    organise.add_command(_page(context, "edit", Act.EDIT))
    return [*(command for command in found if command.name not in GROUPED), organise]


def _page(context: Context, name: str, opened: str) -> Declared:
    @slash(context, f"tournament_{name}")
    async def page(answer: Answer, tournament: Text | None = None) -> None:
        await views.show_page(answer, await organised(answer, tournament), opened)

    chosen.suggest(context, page)
    return page


def _deciding(context: Context, name: Act, results: list[app_commands.Choice[str]]) -> Command:
    @slash(context, f"tournament_{name}", about={"result": "tournament_result"})
    @app_commands.choices(result=results)
    async def decide_game(
        answer: Answer,
        pairing: Text | None = None,
        result: str | None = None,
        reason: Reason | None = None,
        tournament: Text | None = None,
    ) -> None:
        await decide(answer, await organised(answer, tournament), name, pairing, result, reason)

    @suggests(decide_game, "pairing")
    async def suggested(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await suggestions.games(context, interaction, typed, name)

    chosen.suggest(context, decide_game)
    return decide_game


def _running(context: Context) -> list[Command]:
    found = [_plain(context, name) for name in (Act.REPAIR, Act.END_BREAK, Act.PAUSE, Act.FINISH, Act.CANCEL)]

    @slash(context, "tournament_resume")
    async def resume(
        answer: Answer,
        reason: Reason | None = None,
        channel: discord.TextChannel | None = None,
        tournament: Text | None = None,
    ) -> None:
        what = Act.RESUME if channel is None else f"{Act.RESUME}|{channel.id}"
        found = await organised(answer, tournament)
        if reason or channel is not None:
            await at_once(answer, found, what, reason)
        else:
            await views.show_page(answer, found, Act.RESUME)

    chosen.suggest(context, resume)
    return [*found, resume]


def _plain(context: Context, name: Act) -> Command:
    """Makes a command with a reason alone. Without a reason, a page first describes the act."""

    @slash(context, f"tournament_{name}")
    async def plain_act(answer: Answer, reason: Reason | None = None, tournament: Text | None = None) -> None:
        found = await organised(answer, tournament)
        if reason:
            await at_once(answer, found, name, reason)
        else:
            await views.show_page(answer, found, name)

    chosen.suggest(context, plain_act)
    return plain_act


def _people(context: Context) -> list[Command]:
    @slash(context, "tournament_assistant", about={"user": "assistant"})
    async def assistant(
        answer: Answer,
        user: discord.User | None = None,
        remove: bool = False,
        reason: Reason | None = None,
        tournament: Text | None = None,
    ) -> None:
        found = await organised(answer, tournament)
        if user is None:
            await views.show_page(answer, found, pages.ASSISTANTS)
        else:
            await at_once(answer, found, f"{pages.REMOVE if remove else pages.ADD}|{user.id}", reason)

    @slash(context, "tournament_expel", about={"user": "expelled", "level": "tournament_level"})
    async def expel(
        answer: Answer,
        user: discord.User | None = None,
        reason: Reason | None = None,
        level: whom.Level | None = None,
        tournament: Text | None = None,
    ) -> None:
        found = await organised(answer, tournament)
        if user is None:
            await views.show_page(answer, found, Act.EXPEL)
        else:
            number = await number_of(answer, found, await whom.named(answer, found, user.id, level))
            await at_once(answer, found, f"{Act.EXPEL}|{number}", reason)

    chosen.suggest(context, assistant)
    chosen.suggest(context, expel)
    return [assistant, expel]


def _log(context: Context) -> list[Command]:
    @slash(context, "tournament_log")
    async def log(answer: Answer, tournament: Text | None = None) -> None:
        await log_views.show_log(answer, await chosen.resolve(answer, tournament))

    @slash(context, "tournament_undo", names={"number": "act"})
    async def undo(
        answer: Answer,
        number: app_commands.Range[int, 1, 1_000_000] | None = None,
        reason: Reason | None = None,
        tournament: Text | None = None,
    ) -> None:
        found = await organised(answer, tournament)
        if number is None:
            await views.show_page(answer, found, Act.UNDO)
        else:
            await at_once(answer, found, f"{Act.UNDO}|{number}", reason)

    chosen.suggest(context, log)
    chosen.suggest(context, undo)
    return [log, undo]
