"""The buttons of players: join, leave, check in, show a tournament, list all."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.core.interactions.answer import Answer
from bot.core.interactions.command_texts import CHOICES, command_lines
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import Press, read_number
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.players.asker import roles_of
from bot.players.mentions import mention
from bot.tournaments import access, start_words
from bot.tournaments.registration import announcement, words
from bot.tournaments.registration.entering import players_in, waiting_list
from bot.tournaments.registration.panel.channel import check_channel
from bot.tournaments.registration.service import Joined, RegistrationService
from bot.tournaments.results import pairings
from bot.tournaments.results import views as results
from bot.tournaments.series.service import SeriesService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PlayerStatus, Status, Tournament, TournamentSnapshot
from engine.core.errors import Refused
from engine.tournament.model import IN_ROUNDS, Format

handlers: Final = Handlers()

ALL: Final = "all"
MINE: Final = "mine"
PAGE: Final = 8
"""The tournaments on a page of the list."""
NAMES: Final = 40
"""The players on a page."""
LONGEST: Final = 1990
LISTED: Final = (Status.CHECK_IN, Status.REGISTRATION, Status.RUNNING, Status.OVER, Status.CANCELLED)
"""The order of the list."""
SEARCHED: Final = 200
OUT: Final = {"expelled": "tournament.join.expelled", "no_show": "tournament.own.no_show"}
"""The message to a player who is out, by the reason; the others have left."""


async def of_server(answer: Answer, press: Press) -> Tournament:
    """Returns the pressed tournament. Raises Refused unless it belongs to this server and is announced."""
    found = await answer.service(TournamentService).get(press.subject)
    if found.guild_id != answer.interaction.guild_id or found.is_draft:
        raise Refused("tournament.unknown")
    return found


# --- joining and leaving -------------------------------------------------------------------------------------------


async def join_tournament(answer: Answer, tournament: Tournament) -> None:
    """Enters the user, or shows the reason against it."""
    roles = roles_of(answer.interaction.user)
    joined = await answer.service(RegistrationService).join(tournament.id, answer.user_id, roles)
    say, name = answer.say, joined.tournament.name
    if joined.waiting and joined.checked_in:
        text = say("tournament.joined.waiting_checked_in", name=name, place=joined.waiting)
    elif joined.waiting:
        text = say("tournament.joined.waiting", name=name, place=joined.waiting)
    elif joined.tournament.status is Status.RUNNING:
        text = _entered_late(joined, say)
    elif joined.checked_in:
        text = say("tournament.joined.checked_in", name=name)
    elif joined.tournament.plan.check_in and joined.tournament.plan.starts is not None:
        at = joined.tournament.plan.starts - joined.tournament.plan.check_in
        text = say("tournament.joined.check_in", name=name, when=f"<t:{at // 1000}:f>")
    else:
        text = say("tournament.joined", name=name, start=start_words.start(joined.tournament.plan, say))
    await answer.private(text)


def _entered_late(joined: Joined, say: Language) -> str:
    """Returns what somebody reads who has joined a running tournament: when the first game comes."""
    name = joined.tournament.name
    if joined.ladder_place:
        return say("tournament.joined.ladder", name=name, place=joined.ladder_place)
    if joined.tournament.plan.format is Format.ARENA:
        return say("tournament.joined.arena", name=name)
    return say("tournament.joined.late", name=name, n=joined.first_round)


async def leave_tournament(answer: Answer, tournament: Tournament) -> None:
    """Takes the user out; in a running tournament, asks for confirmation first."""
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    player = snapshot.of_user(answer.user_id)
    if player is not None and player.is_in and snapshot.tournament.status is Status.RUNNING:
        sure = PressButton(
            Press("tournament_leave_sure", tournament.id, 0), answer.say("button.tournament_leave_sure"), "danger"
        )
        stay = PressButton(Press("tournament_stay", tournament.id, 0), answer.say("button.tournament_stay"))
        await answer.private(answer.say("tournament.leave.sure", name=tournament.name), view=view_of(sure, stay))
        return
    left = await answer.service(RegistrationService).leave(tournament.id, answer.user_id)
    key = "tournament.left.waiting" if left.was_waiting else "tournament.left"
    await answer.private(answer.say(key, name=left.tournament.name))


handlers.says("tournament_stay", "tournament.leave.stays")


@handlers.on("tournament_leave_sure")
async def leave_running(answer: Answer, press: Press) -> None:
    """Withdraws the user from a running tournament after the confirmation."""
    tournament = await of_server(answer, press)
    await answer.service(RegistrationService).leave(tournament.id, answer.user_id)
    await answer.update(answer.say("tournament.left.running", name=tournament.name))


@handlers.on("tournament_join")
async def press_join(answer: Answer, press: Press) -> None:
    await join_tournament(answer, await of_server(answer, press))


@handlers.on("tournament_check_in")
async def press_check_in(answer: Answer, press: Press) -> None:
    """Checks the player in. A user who is not in joins."""
    await join_tournament(answer, await of_server(answer, press))


@handlers.on("tournament_leave")
async def press_leave(answer: Answer, press: Press) -> None:
    await leave_tournament(answer, await of_server(answer, press))


# --- one tournament ------------------------------------------------------------------------------------------------


async def show(answer: Answer, tournament: Tournament, *, fresh: bool) -> None:
    """Shows everything about a tournament privately, with its buttons."""
    say = answer.say
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    tournament = snapshot.tournament
    lines = [
        announcement.content(snapshot, say, answer.now, await answer.service(SeriesService).season(tournament)),
        *own_lines(snapshot, answer.user_id, say),
        *(f"-# {line}" for line in words.more(tournament.plan, say)),
    ]
    if tournament.status.is_open:
        lines += [say("tournament.calendar"), *words.calendar(tournament, tournament.plan.capacity, say, answer.now)]
    elif tournament.status is Status.RUNNING and tournament.plan.format in IN_ROUNDS:
        lines.append(say("tournament.calendar.running"))  # its page knows how long the rounds took
    lines.append(say("tournament.owner", owner=mention(tournament.owner, say)))
    player = snapshot.of_user(answer.user_id)
    items = announcement.buttons(tournament, say, player, public=False)
    if (
        await access.organises(answer.context, answer.interaction, tournament)
        and tournament.status is not Status.CANCELLED
    ):
        verbs = [verb for verb in ("tournament_organise", "tournament_repost") if verb in answer.context.handlers]
        items += [PressButton(Press(verb, tournament.id, 0), say(f"button.{verb}"), row=1) for verb in verbs]
    await answer.show("\n".join(lines)[:LONGEST], view=view_of(*items), fresh=fresh)


def own_lines(snapshot: TournamentSnapshot, user_id: int, say: Language) -> list[str]:
    """Returns the line about the reader's own place in the tournament; [] if they are not in it."""
    player = snapshot.of_user(user_id)
    status = snapshot.tournament.status
    if player is None or not status.is_active:
        return []
    if player.status is PlayerStatus.WAITING:
        if not status.is_open:  # nobody moves up any more
            return []
        return [say("tournament.own.waiting", place=waiting_list(snapshot.players).index(player) + 1)]
    if not player.is_in:
        return [say(OUT.get(player.reason, "tournament.own.out"))]
    return [say("tournament.own.checked_in" if player.checked_in else "tournament.own.in")]


@handlers.on("tournament_players")
async def show_players(answer: Answer, press: Press) -> None:
    """Shows the players in the order of their ratings, and the waiting list. ``rest``: the page."""
    tournament = await of_server(answer, press)
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    say, page = answer.say, press.number if press.rest else 0
    inside = sorted(players_in(snapshot.players), key=lambda one: (one.seed or 9999, -one.rating, one.number))
    rows = [
        (one, say("tournament.player", n=number, player=mention(one.user_id, say), rating=one.rating))
        for number, one in enumerate(inside, 1)
    ]
    rows += [
        (one, say("tournament.player_waiting", n=number, player=mention(one.user_id, say)))
        for number, one in enumerate(waiting_list(snapshot.players), 1)
    ]
    checks_in = snapshot.tournament.status is Status.CHECK_IN
    pages = max(1, -(-len(rows) // NAMES))
    page = min(page, pages - 1)
    lines = [say("tournament.title", name=tournament.name)]
    lines += [
        say("tournament.player_checked_in", line=line) if checks_in and one.checked_in else line
        for one, line in rows[page * NAMES : (page + 1) * NAMES]
    ] or [say("tournament.no_players")]
    turns = _turns("tournament_players", tournament.id, "", page, pages, say)
    await answer.show("\n".join(lines)[:LONGEST], view=view_of(*turns), fresh=not press.rest)


@handlers.on("tournament_standings")
async def show_standings(answer: Answer, press: Press) -> None:
    await results.open_page(answer, await of_server(answer, press), results.STANDINGS)


@handlers.on("tournament_pairings")
async def show_pairings(answer: Answer, press: Press) -> None:
    await pairings.open_round(answer, await of_server(answer, press), None)


@handlers.on("tournament_bracket")
async def show_bracket(answer: Answer, press: Press) -> None:
    await results.open_page(answer, await of_server(answer, press), results.BRACKET)


@handlers.on("tournament_repost")
async def repost(answer: Answer, press: Press) -> None:
    """Posts the announcement again. Raises Refused unless the user is an organiser."""
    tournament = await of_server(answer, press)
    await access.check_organiser(answer, tournament)
    check_channel(answer, tournament)
    await answer.service(RegistrationService).announce(tournament.id)
    await answer.private(answer.say("tournament.reposted", channel=f"<#{tournament.channel_id}>"))


# --- the list ------------------------------------------------------------------------------------------------------


async def show_list(answer: Answer, which: str, page: int, *, fresh: bool) -> None:
    """Shows the tournaments of this server, or those of the user: open, running or finished ones."""
    guild_id, say = answer.interaction.guild_id, answer.say
    if guild_id is None:
        raise Refused("tournament.no_server")
    found = await _listed(answer, guild_id, which)
    pages = max(1, -(-len(found) // PAGE))
    page = max(0, min(page, pages - 1))
    shown = found[page * PAGE : (page + 1) * PAGE]
    lines = [say(f"tournament.list.{which}")]
    lines += [_row(one, say) for one in shown] or [say(f"tournament.list.{which}_none")]
    items: list[discord.ui.Item[Any]] = []
    if shown:
        options = [discord.SelectOption(label=one.name, value=one.id) for one in shown[:CHOICES]]
        items.append(PressMenu(Press("tournament_open", "me", 0), say("tournament.list.open"), options, row=0))
    other = MINE if which == ALL else ALL
    items.append(
        PressButton(Press("tournament_list", "me", 0, f"{other},0"), say(f"button.tournament_list.{other}"), row=1)
    )
    items += _turns("tournament_list", "me", f"{which},", page, pages, say)
    await answer.show("\n".join(lines)[:LONGEST], view=view_of(*items), fresh=fresh)


async def _listed(answer: Answer, guild_id: int, which: str) -> Sequence[Tournament]:
    service = answer.service(TournamentService)
    found = await (
        service.of_user(answer.user_id, SEARCHED)
        if which == MINE
        else service.of_server(guild_id, LISTED, limit=SEARCHED)
    )
    here = [one for one in found if one.guild_id == guild_id and not one.is_draft]
    return sorted(here, key=lambda one: (LISTED.index(one.status), -one.created))


def _row(tournament: Tournament, say: Language) -> str:
    return say(
        "tournament.list.row",
        name=tournament.name,
        status=tournament.status.value,
        format=words.format_text(tournament.plan, say),
        channel=f"<#{tournament.channel_id}>",
    )


def _turns(verb: str, subject: str, rest: str, page: int, pages: int, say: Language) -> list[discord.ui.Item[Any]]:
    """Returns the buttons to the page before and after; [] with only one page."""
    if pages == 1:
        return []
    return [
        PressButton(
            Press(verb, subject, 0, f"{rest}{to}"), say(f"button.tournament_{word}"), disabled=not 0 <= to < pages
        )
        for word, to in (("before", page - 1), ("after", page + 1))
    ]


@handlers.on("tournament_list")
async def turn_list(answer: Answer, press: Press) -> None:
    which, _, page = press.rest.partition(",")
    await show_list(answer, which if which == MINE else ALL, read_number(page), fresh=False)


@handlers.on("tournament_open")
async def open_tournament(answer: Answer, press: Press) -> None:
    """Shows the tournament chosen in the list, as a new message."""
    chosen = Press("tournament_open", press.value, 0)
    await show(answer, await of_server(answer, chosen), fresh=True)


# --- help ----------------------------------------------------------------------------------------------------------


async def show_help(answer: Answer) -> None:
    """Shows the commands of ``/tournament`` with their descriptions and a link to the documentation."""
    say = answer.say
    name = say("command.tournament")
    groups = [group for group in answer.context.groups if group.name == "tournament"]
    lines = [say("tournament.help")]
    for group in groups:
        lines += command_lines(group.commands, say, f"/{name}", nested=False)
    await answer.private("\n".join(lines)[:LONGEST])
