"""The organiser's tasks before the start: seeds by hand, players from a list, machines."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.challenges.form import checked_level
from bot.challenges.views import check_level
from bot.core.discord_errors import REQUEST_ERRORS, code_of
from bot.core.interactions import uploads
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressMenu, UserMenu, view_of
from bot.core.interactions.press import Press, read_id
from bot.core.interactions.routing import Handlers
from bot.core.limits.rates import WORK
from bot.core.texts.quoting import quoted
from bot.players.asker import roles_of
from bot.players.machines import NOWHERE, Machines, machine_name, plays_rated
from bot.players.mentions import mention
from bot.players.service import PlayerNames, PreferenceService
from bot.tournaments import access
from bot.tournaments.registration.entering import players_in
from bot.tournaments.registration.service import Joined, RegistrationService
from bot.tournaments.registration.views import of_server
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status, Tournament
from engine.core.errors import Refused, RuleError

handlers: Final = Handlers()

UNKNOWN_MEMBER: Final = 10007
MOST_ROWS: Final = 200
"""The most players of one list, as each of them is looked up."""
MOST_BYTES: Final = 64_000
AT_ONCE: Final = 25
"""The most people that can be chosen at once in a menu of Discord's."""
SHOWN_ROWS: Final = 25
SEEDS: Final = 40
LONGEST: Final = 1990
ID: Final = re.compile(r"<@!?(\d{15,20})>|(\d{15,20})")
"""A user's id, alone or as a mention."""


# --- seeding -------------------------------------------------------------------------------------------------------


async def seed(answer: Answer, tournament: Tournament, user_id: int | None, place: int | None) -> None:
    """Puts a player at a place of the order. Without player and place, shows the order."""
    if (user_id is None) != (place is None):
        raise Refused("tournament.seed.both")
    say = answer.say
    if user_id is not None and place is not None:
        await answer.service(RegistrationService).seed(tournament.id, user_id, place)
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    order = sorted(players_in(snapshot.players), key=lambda one: (one.seed or 9999, -one.rating, one.number))
    lines = [say("tournament.seeds", name=tournament.name, n=sum(bool(one.seed) for one in order))]
    lines += [
        say(
            "tournament.seed" if one.seed else "tournament.seed_by_rating",
            n=number,
            player=mention(one.user_id, say),
            rating=one.rating,
        )
        for number, one in enumerate(order[:SEEDS], 1)
    ]
    await answer.private("\n".join(lines)[:LONGEST])


# --- adding players ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a list of players. ``user_id`` is None without an id."""

    number: int
    text: str
    user_id: int | None


def read_rows(text: str) -> list[Row]:
    """Reads a CSV file. The first id of a line is the player. Empty lines and a heading are left out."""
    found = []
    for number, cells in enumerate(csv.reader(text.replace("\0", "").splitlines()), 1):
        line = ",".join(cells).strip()
        ids = [match for cell in cells if (match := ID.fullmatch(cell.strip()))]
        if not line or (number == 1 and not ids):
            continue
        found.append(Row(number, quoted(line[:40]), int(ids[0][1] or ids[0][2]) if ids else None))
    return found


async def import_players(answer: Answer, tournament: Tournament, file: discord.Attachment | None) -> None:
    """Adds the players of a file; without a file, opens the menus."""
    if file is None:
        await _show_menus(answer, tournament)
        return
    answer.context.check_rate(answer.user_id, WORK)
    try:
        text = (await uploads.bytes_of(file, MOST_BYTES)).decode("utf-8-sig", "replace")
    except uploads.TooLarge as error:
        raise Refused("tournament.import.too_long", most=MOST_ROWS) from error
    except REQUEST_ERRORS as error:
        raise Refused("tournament.import.not_loaded") from error
    rows = read_rows(text)
    if not rows:
        raise Refused("tournament.import.empty")
    if len(rows) > MOST_ROWS:
        raise Refused("tournament.import.too_long", most=MOST_ROWS)
    await answer.defer()
    await answer.private(await _report(answer, tournament, rows))


async def _show_menus(answer: Answer, tournament: Tournament) -> None:
    """Shows the menu of people and, if machines may play, the menu of their levels."""
    say, machines = answer.say, answer.service(Machines)
    lines = [say("tournament.import", name=tournament.name)]
    menus: list[discord.ui.Item[Any]] = [
        UserMenu(Press("tournament_add", tournament.id, 0), say("tournament.import.menu"), most=AT_ONCE)
    ]
    if machines.are_in(await answer.service(PreferenceService).of_server(tournament.guild_id)):
        levels = machines.levels_in(tournament.plan.game)
        options = [discord.SelectOption(label=machine_name(level, say), value=str(level)) for level in levels]
        menus.append(PressMenu(Press("tournament_machine", tournament.id, 0), say("tournament.machine.menu"), options))
        lines.append(say("tournament.machine.about"))
    await answer.private("\n".join(lines), view=view_of(*menus))


@handlers.on("tournament_import")
async def open_menus(answer: Answer, press: Press) -> None:
    tournament = await of_server(answer, press)
    await access.check_organiser(answer, tournament)
    await _show_menus(answer, tournament)


@handlers.on("tournament_machine")
async def add_chosen_machine(answer: Answer, press: Press) -> None:
    """Enters the machine at the level that an organiser has chosen in the menu."""
    tournament = await of_server(answer, press)
    await access.check_organiser(answer, tournament)
    await add_machine(answer, tournament, checked_level(read_id(press.value)))


async def add_machine(answer: Answer, tournament: Tournament, level: int) -> None:
    """Enters a machine and shows its conditions. Raises Refused if it may not play here."""
    server, joined = await _enter_machine(answer, tournament, level)
    say = answer.say
    said = [say("tournament.machine.added", player=machine_name(level, say), name=tournament.name)]
    said += [say("tournament.import.late", n=joined.first_round)] if joined.first_round > 1 else []
    said += [say("machine.casual")] if tournament.plan.rated and not plays_rated(server) else []
    await answer.private(" ".join(said))


async def _enter_machine(answer: Answer, tournament: Tournament, level: int) -> tuple[Mapping[str, str], Joined]:
    """Enters a machine. Returns the preferences of the server, and what it joined. Raises Refused.

    The server's limits to channels and roles do not matter, as its organiser chooses the place.
    """
    server = await answer.service(PreferenceService).of_server(tournament.guild_id)
    check_level(answer, level, tournament.plan.game)
    if server["machine"] == NOWHERE:
        raise Refused("machine.nowhere")
    if server["machine"] == "threads" and not tournament.plan.threads:
        raise Refused("tournament.machine.threads")
    return server, await answer.service(RegistrationService).add_machine(tournament.id, level)


@handlers.on("tournament_add")
async def add_chosen(answer: Answer, press: Press) -> None:
    tournament = await of_server(answer, press)
    await access.check_organiser(answer, tournament)
    chosen = [read_id(value) for value in press.values]
    rows = [Row(number, mention(user_id, answer.say), user_id) for number, user_id in enumerate(chosen, 1)]
    await answer.defer()
    await answer.update(await _report(answer, tournament, rows))


async def _report(answer: Answer, tournament: Tournament, rows: Sequence[Row]) -> str:
    """Adds the players one by one. Returns their number, and the reasons against the others, as a text."""
    say = answer.say
    added, waiting, late, refused = 0, 0, 1, []
    seen: set[int] = set()
    for row in rows:
        try:
            joined = await _add(answer, tournament, row, seen)
        except RuleError as error:
            refused.append(say("tournament.import.refused", n=row.number, markup=row.text, why=say.error(error)))
            continue
        added, waiting = added + (not joined.waiting), waiting + bool(joined.waiting)
        late = max(late, joined.first_round)
    lines = [say("tournament.import.done", n=added, name=tournament.name)]
    lines += [say("tournament.import.waiting", n=waiting)] if waiting else []
    called = added + waiting if tournament.status is Status.CHECK_IN else 0
    lines += [say("tournament.import.check_in", n=called)] if called else []
    lines += [say("tournament.import.late", n=late)] if late > 1 else []
    lines += refused[:SHOWN_ROWS]
    if len(refused) > SHOWN_ROWS:
        lines.append(say("tournament.import.more", n=len(refused) - SHOWN_ROWS))
    return _cut(lines)


def _cut(lines: Iterable[str]) -> str:
    text = ""
    for line in lines:
        if len(text) + len(line) > LONGEST:
            return f"{text}…"
        text += f"{line}\n"
    return text.rstrip()


async def _add(answer: Answer, tournament: Tournament, row: Row, seen: set[int]) -> Joined:
    """Adds the player of a row. Raises RuleError, with the reason."""
    if row.user_id is None:
        raise Refused("tournament.import.not_an_id")
    if row.user_id in seen:
        raise Refused("tournament.import.twice")
    seen.add(row.user_id)
    if row.user_id == answer.interaction.application_id:
        _, entered = await _enter_machine(answer, tournament, answer.service(Machines).usual)
        return entered
    guild = answer.interaction.guild
    if guild is None:
        raise Refused("tournament.no_server")
    try:
        member = await guild.fetch_member(row.user_id)
    except REQUEST_ERRORS as error:
        gone = code_of(error) in {UNKNOWN_MEMBER, 10013} or isinstance(error, discord.NotFound)
        raise Refused("tournament.import.no_member" if gone else "tournament.import.no_answer") from error
    if member.bot:
        raise Refused("tournament.import.bot")
    joined = await answer.service(RegistrationService).join(
        tournament.id, member.id, roles_of(member), organiser=answer.user_id
    )
    # so players who have never used the bot also have a name in threads and tables
    await answer.service(PlayerNames).seen(member.id, member.global_name or member.name)
    return joined
