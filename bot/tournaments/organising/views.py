"""The private panel of organisers: a page for each act, the form that asks for the reason, and the answer."""

from collections.abc import Awaitable, Callable
from typing import Final

import discord

from bot.board.delivery.permissions import missing_permission
from bot.core.interactions.answer import Answer
from bot.core.interactions.forms import form_of
from bot.core.interactions.press import InvalidPress, Press, read_id, read_number
from bot.core.interactions.refused_forms import AGAIN, RefusedForms
from bot.core.interactions.routing import Handlers
from bot.core.texts.quoting import visible
from bot.players.service import PreferenceService
from bot.players.views import check_channel
from bot.tournaments.access import actor_of, check_organiser
from bot.tournaments.organising import editing, log_views, pages, words
from bot.tournaments.organising.editing import REASON
from bot.tournaments.organising.pages import ADD, REMOVE, SERIES
from bot.tournaments.organising.panel_data import MAIN
from bot.tournaments.organising.rules.effect import CORRECTIONS, Act, Ruling
from bot.tournaments.organising.service import By, OrganiserService, Overtaken
from bot.tournaments.registration.panel.fields import FormContext
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import LogEntry, PairingState, Tournament, TournamentSnapshot
from engine.core.errors import Refused, Translated
from engine.tournament.model import Result

handlers: Final = Handlers()
handlers.by_verb |= log_views.handlers.by_verb

HEADS: Final = frozenset({ADD, REMOVE, Act.ADD_ASSISTANT, Act.REMOVE_ASSISTANT})
"""The acts that assistants may not do."""

Doing = Callable[[OrganiserService, str, By, str, str], Awaitable[LogEntry]]
"""An act on a tournament, with the chosen target and value."""


def _ruling(text: str) -> Ruling:
    if text not in set(Ruling):
        raise InvalidPress
    return Ruling(text)


def _result(text: str) -> Result:
    if text not in CORRECTIONS:
        raise InvalidPress
    return Result(text)


DOING: Final[dict[str, Doing]] = {
    Act.ADJUDICATE: lambda service, id_, by, target, value: service.adjudicate(
        id_, by, read_id(target), _ruling(value)
    ),
    Act.CORRECT: lambda service, id_, by, target, value: service.correct(id_, by, read_id(target), _result(value)),
    Act.REPAIR: lambda service, id_, by, _, __: service.repair(id_, by),
    Act.END_BREAK: lambda service, id_, by, _, __: service.end_break(id_, by),
    Act.PAUSE: lambda service, id_, by, _, __: service.pause(id_, by),
    Act.RESUME: lambda service, id_, by, target, _: service.resume(id_, by, read_id(target) if target else None),
    ADD: lambda service, id_, by, target, _: service.appoint(id_, by, read_id(target), adds=True),
    REMOVE: lambda service, id_, by, target, _: service.appoint(id_, by, read_id(target), adds=False),
    Act.EXPEL: lambda service, id_, by, target, _: service.expel(id_, by, read_id(target)),
    Act.CANCEL: lambda service, id_, by, target, _: service.cancel(id_, by, ends_series=target == SERIES),
    Act.FINISH: lambda service, id_, by, _, __: service.finish(id_, by),
    Act.EDIT: lambda service, id_, by, target, value: service.edit(id_, by, editing.chosen(target, value)),
    Act.UNDO: lambda service, id_, by, target, _: service.undo(id_, by, read_id(target)),
}
"""The actions of forms, by act."""


# --- handlers --------------------------------------------------------------------------------------------------------


@handlers.on("tournament_organise")
async def organise(answer: Answer, press: Press) -> None:
    """Opens the panel in a message of its own."""
    await show_page(answer, await _organised(answer, press), MAIN, fresh=True)


@handlers.on("organise_page")
async def turn_to(answer: Answer, press: Press) -> None:
    """Shows the page of an act. ``rest``: the act, and the part of a long list."""
    tournament = await _organised(answer, press)
    page, _, part = press.rest.partition("|")
    await show_page(answer, tournament, page, read_number(part) if part else 0)


@handlers.on("organise_pairing")
async def choose_pairing(answer: Answer, press: Press) -> None:
    """Shows the chosen game with its position and the possible decisions."""
    tournament = await _organised(answer, press)
    await show_pairing(answer, tournament, press.rest, read_id(press.value))


@handlers.on("organise_choice")
async def choose(answer: Answer, press: Press) -> None:
    """Asks for the reason after a choice. ``rest``: the act, and the pairing if the choice is a result."""
    tournament = await _organised(answer, press)
    if not press.values:  # the menu of people was emptied
        await show_page(answer, tournament, MAIN)
        return
    await ask(answer, tournament, f"{press.rest}|{press.value}", press.seq)


@handlers.on("organise_reason")
async def ask_reason(answer: Answer, press: Press) -> None:
    """Asks for the reason of an act that needs no choice."""
    await ask(answer, await _organised(answer, press), press.rest, press.seq)


@handlers.on("organise_do")
async def do(answer: Answer, press: Press) -> None:
    tournament = await _organised(answer, press)
    await act(answer, tournament, press.rest, press.field(REASON), press.seq)


@handlers.on("organise_settings")
async def ask_settings(answer: Answer, press: Press) -> None:
    """Opens the form of settings that ``rest`` names, after a refusal with what was typed."""
    tournament = await _organised(answer, press)
    name, again = press.rest.removesuffix(AGAIN), press.rest.endswith(AGAIN)
    typed = answer.service(RefusedForms).typed(answer.user_id, f"{tournament.id}:{name}") if again else {}
    await answer.form(editing.form(answer, tournament, press.seq, name, typed))


@handlers.on("organise_edit")
async def edit(answer: Answer, press: Press) -> None:
    """Changes the typed settings. If one is unreadable or refused, none is changed."""
    tournament = await _organised(answer, press)
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    typed = editing.typed(press, tournament, FormContext(answer.now, answer.prefs["zone"], server), answer.say)
    by = By(answer.user_id, visible(press.field(REASON)), press.seq)
    problems = typed.problems
    if not problems:
        try:
            await _tell(answer, tournament, answer.service(OrganiserService).edit(tournament.id, by, typed))
        except InvalidPress:
            raise
        except Refused as error:
            problems = (answer.say.error(error),)
        else:
            return
    answer.service(RefusedForms).keep(answer.user_id, f"{tournament.id}:{press.rest}", press.filled)
    # the form keeps its seq, so that what others change meanwhile is not undone by it
    again = Press("organise_settings", tournament.id, press.seq, f"{press.rest}{AGAIN}")
    said = [*problems, answer.say("tournament.organising.edit_unread")]
    await show_page(answer, tournament, Act.EDIT, above=said, again=again)


# --- also called by commands -----------------------------------------------------------------------------------------


async def ask(answer: Answer, tournament: Tournament, what: str, seen: int) -> None:
    """Opens the form for the reason. ``what``: the act, its target and its value."""
    if what.partition("|")[0] not in DOING:
        raise InvalidPress
    await _check_head(answer, tournament, what)
    await _check_resumed(answer, tournament, what)  # before a reason is typed in vain
    say, undone = answer.say, await _to_undo(answer, tournament, what)
    title = say(f"tournament.act.name.{pages.act_of(what)}")
    reason = "" if undone is None else say("tournament.form.undo_reason", markup=undone.reason)
    field = editing.reason_field(say, reason)
    await answer.form(form_of(Press("organise_do", tournament.id, seen, what), title, [field]))


async def act(answer: Answer, tournament: Tournament, what: str, reason: str, seen: int) -> None:
    """Does an act, reports it, and shows the new state of the panel."""
    await _check_head(answer, tournament, what)
    name, target, value = (*what.split("|"), "", "")[:3]
    if name not in DOING:
        raise InvalidPress
    await _check_resumed(answer, tournament, what)
    by = By(answer.user_id, visible(reason), seen)
    await _tell(answer, tournament, DOING[name](answer.service(OrganiserService), tournament.id, by, target, value))


async def _tell(answer: Answer, tournament: Tournament, doing: Awaitable[LogEntry]) -> None:
    """Waits for an act, reports it, and shows the new state of the panel."""
    try:
        entry = await doing
        key = "tournament.organising.done"
    except Overtaken as overtaken:
        entry, key = overtaken.entry, "tournament.organising.overtaken_by"
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    done = answer.say(key, line=words.line(entry, words.users_of(snapshot), answer.say))
    await show_page(answer, snapshot.tournament, MAIN, above=[done])


async def show_page(
    answer: Answer,
    tournament: Tournament,
    page: str,
    part: int = 0,
    *,
    fresh: bool = False,
    above: list[str] | None = None,
    again: Press | None = None,
) -> None:
    """Shows a page of the panel, with the lines ``above`` over it.

    ``again`` opens a form of settings that was refused, with what was typed.
    """
    content, view = await pages.page(answer, tournament, page, part, again)
    text = "\n".join([*(above or []), content])
    await answer.show(text[: pages.CONTENT], view=view, fresh=fresh or not answer.on_message)


async def show_pairing(answer: Answer, tournament: Tournament, name: str, pairing_id: int) -> None:
    """Shows a game with its position, and a menu of results."""
    content, files, view = await pages.pairing(answer, tournament, name, pairing_id)
    await answer.show(content, files=files, view=view, fresh=not answer.on_message)


# --- permissions -----------------------------------------------------------------------------------------------------


async def _organised(answer: Answer, press: Press) -> Tournament:
    """Returns the tournament of a press. Raises Refused unless the user may run it."""
    tournament = await answer.service(TournamentService).get(press.subject)
    await check_organiser(answer, tournament)
    return tournament


async def _check_head(answer: Answer, tournament: Tournament, what: str) -> None:
    """Raises Refused if the act is for the owner and managers of the server alone, and the user is neither."""
    undone = await _to_undo(answer, tournament, what)
    name = what.partition("|")[0] if undone is None else undone.act
    if name in HEADS and not is_head(answer, tournament):
        raise Refused("tournament.organising.not_head")


async def _to_undo(answer: Answer, tournament: Tournament, what: str) -> LogEntry | None:
    """Returns the entry of the log that an undo is about; None if it is about none, or for another act."""
    name, target, *_ = (*what.split("|"), "")
    if name != Act.UNDO or not target:
        return None
    seq = read_id(target)
    log = await answer.service(OrganiserService).log(tournament.id, 1, seq + 1)
    return next((entry for entry in log if entry.seq == seq), None)


async def _check_resumed(answer: Answer, tournament: Tournament, what: str) -> None:
    """Raises Refused if the act ends a pause in a channel where the tournament cannot go on."""
    name, target, *_ = (*what.split("|"), "")
    if name == Act.RESUME:
        snapshot = await answer.service(TournamentService).snapshot(tournament.id)
        check_place(answer, snapshot, read_id(target) if target else tournament.channel_id)


def check_place(answer: Answer, snapshot: TournamentSnapshot, channel_id: int) -> None:
    """Raises Refused unless the channel belongs to the tournament's server and the bot may do there what it needs to:
    post boards, and open threads if more than one game is to be opened.
    """
    guild, tournament = answer.interaction.guild, snapshot.tournament
    there = None if guild is None or guild.id != tournament.guild_id else guild.get_channel_or_thread(channel_id)
    if there is None:
        raise Refused("tournament.organising.no_channel")
    in_thread = isinstance(there, discord.Thread)
    if not in_thread:
        check_channel(answer.context, tournament.guild_id, channel_id)
    rights = there.permissions_for(there.guild.me)
    to_open = sum(one.lacks_channel and one.state is not PairingState.DONE for one in snapshot.pairings)
    missing = missing_permission(rights, in_thread=in_thread) if to_open else ""
    if to_open > 1 and tournament.plan.threads:
        if in_thread:
            raise Refused("tournament.organising.in_thread", n=to_open)
        missing = missing or missing_permission(rights, in_thread=True)
        missing = missing or ("" if rights.create_public_threads else "create_public_threads")
    if missing:
        permission = Translated(f"@permission.{missing}")
        raise Refused("tournament.organising.no_permission", channel=f"<#{channel_id}>", permission=permission)


def is_head(answer: Answer, tournament: Tournament) -> bool:
    """Returns whether the user is the owner, or has the Manage Server permission."""
    actor = actor_of(answer.interaction)
    return actor.guild_id == tournament.guild_id and (actor.is_manager or actor.user_id == tournament.owner)
