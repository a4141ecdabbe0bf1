"""Builds a requested page, with the choice of sections and pages and the reader's own place."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import tzinfo
from typing import Final, NamedTuple

from bot.core.translations import Language
from bot.players.mentions import capitalized
from bot.tournaments.results.pages import bracket, calendar, crosstable, standings
from bot.tournaments.results.pages.page import Page, marked
from bot.tournaments.results.standing import (
    SCORED,
    Line,
    Section,
    current_stage,
    final_order,
    lines,
    section_of,
    sections,
    stage_of,
)
from bot.tournaments.results.words import live_line, place_name, points_text
from bot.tournaments.tournament import Status, StoredRound, TournamentSnapshot
from engine.core.errors import Refused
from engine.tournament.model import KNOCKOUTS, Format
from render.tournaments import paging
from render.tournaments.views import State

STANDINGS: Final = "standings"
CROSSTABLE: Final = "crosstable"
BRACKET: Final = "bracket"
CALENDAR: Final = "calendar"
OVERALL: Final = Section(0, 0)
"""The number of the stage that stands for the whole tournament."""


class PageRequest(NamedTuple):
    """The page that the reader asks for. None stands for the choice nearest to them."""

    kind: str
    stage: int | None
    """The stage from 1; 0 for the whole tournament."""
    section: int | None
    page: int | None
    """The number of the page, from 0."""
    text: bool = False
    """Whether to show it in words alone."""


class Reader(NamedTuple):
    """The reader of a page."""

    number: int | None
    """The reader's number in the tournament; None if they do not play, or everybody reads the page."""
    say: Language
    theme: str
    zone: tzinfo


class Built(NamedTuple):
    """A page, with the pages before and after it."""

    request: PageRequest
    page: Page
    before: PageRequest | None
    after: PageRequest | None
    players: tuple[tuple[int, str], ...] = ()
    """The players on the page with their names, whose places can be explained."""
    own: str = ""
    """A sentence about the reader's place."""
    has_season: bool = False
    """Whether a season has a table of its own."""


Names = Callable[[set[int] | None], Awaitable[Mapping[int, str]]]
"""Returns the names of these players; of all for None."""


# --- choices ----------------------------------------------------------------------------------------------------------


def places(snapshot: TournamentSnapshot, request: PageRequest | None) -> tuple[Section, ...]:
    """Returns the sections for the menu. For standings of a finished tournament, these include the whole of it."""
    found = sections(snapshot)
    if request is None:
        return found
    if request.kind == CALENDAR:
        return ()
    if request.kind == CROSSTABLE:
        return tuple(one for one in found if stage_of(snapshot, one.stage).format in SCORED)
    has_overall = snapshot.tournament.status is Status.OVER and (
        len(found) > 1 or snapshot.tournament.plan.format in KNOCKOUTS
    )
    return (*found, OVERALL) if has_overall else found


def place_label(snapshot: TournamentSnapshot, section: Section, say: Language) -> str:
    return say("tournament.results.overall") if section == OVERALL else place_name(snapshot, section, say)


def kinds(snapshot: TournamentSnapshot, stage: int) -> tuple[str, ...]:
    if not stage:
        return (STANDINGS, CALENDAR)
    format_ = stage_of(snapshot, stage).format
    if format_ in KNOCKOUTS:
        return (BRACKET, CALENDAR)
    return (STANDINGS, CROSSTABLE, CALENDAR) if format_ in SCORED else (STANDINGS, CALENDAR)


def settled(snapshot: TournamentSnapshot, request: PageRequest, reader: int | None) -> PageRequest:
    """Fills in the stage, the section and the kind. Raises Refused if there is no such page."""
    listed = places(snapshot, request)
    if request.kind == CALENDAR:
        known = request.stage is not None and 0 <= request.stage <= len(snapshot.tournament.plan.stages)
        return request._replace(stage=request.stage if known else current_stage(snapshot), section=request.section or 0)
    stage = request.stage
    if stage is None:
        stage = _nearest_stage(snapshot, request.kind, listed)
    section = request.section
    if section is None:
        section = 0 if not stage else (reader is not None and section_of(snapshot, stage, reader)) or 1
    if (stage, section) not in listed:
        here = [one for one in listed if one.stage == stage] or listed[-1:]
        stage, section = here[0] if here else Section(1, 1)
    offered = kinds(snapshot, stage)
    return request._replace(kind=request.kind if request.kind in offered else offered[0], stage=stage, section=section)


def _nearest_stage(snapshot: TournamentSnapshot, kind: str, listed: Sequence[Section]) -> int:
    """Returns the present stage, or the last one with such a page. Raises Refused if none has one."""
    stages = snapshot.tournament.plan.stages
    now = current_stage(snapshot)
    if kind == STANDINGS:
        return 0 if OVERALL in listed and len(stages) > 1 else now
    if kind == CROSSTABLE:
        fitting = [number for number in range(1, now + 1) if stages[number - 1].format in SCORED]
        if not fitting:
            raise Refused("tournament.results.no_crosstable")
        return fitting[-1]
    knockouts = [number for number, stage in enumerate(stages, start=1) if stage.format in KNOCKOUTS]
    if not knockouts:
        raise Refused("tournament.results.no_bracket")
    begun = [number for number in knockouts if number <= now]
    if not begun:
        raise Refused("tournament.results.bracket_later", stage=knockouts[0])
    return begun[-1]


# --- pages ------------------------------------------------------------------------------------------------------------


async def build(
    snapshot: TournamentSnapshot,
    request: PageRequest,
    reader: Reader,
    names: Names,
    rounds: Sequence[StoredRound],
    now: int,
    scores: Mapping[str, tuple[float, float]],
) -> Built:
    """Builds a page of a ``request`` from ``settled``. A page number that is too high gives the last page.

    ``scores``: those of the matches of a bracket, by their ids.
    """
    if request.kind == CALENDAR:
        return _calendar(snapshot, request, reader, rounds, now)
    if request.kind == BRACKET:
        return await _bracket(snapshot, request, reader, names, scores)
    here = final_order(snapshot) if not request.stage else _lines(snapshot, request)
    if request.kind == CROSSTABLE:
        return await _crosstable(snapshot, request, reader, names, here)
    return await _standings(snapshot, request, reader, names, here)


def _lines(snapshot: TournamentSnapshot, request: PageRequest) -> tuple[Line, ...]:
    place = Section(request.stage or 1, request.section or 1)
    return lines(snapshot, place) if place in sections(snapshot) else ()


def about(snapshot: TournamentSnapshot, request: PageRequest, say: Language) -> str:
    """Writes the line below the title: ``Swiss · Section 2 · Round 3: 14 of 20 finished``."""
    if not request.stage:
        name = say("tournament.results.overall")
    elif request.kind == CALENDAR:
        name = say("tournament.results.calendar")
    else:
        name = place_name(snapshot, Section(request.stage, request.section or 1), say)
    is_live = snapshot.tournament.status is Status.RUNNING and request.kind != CALENDAR
    if is_live and 0 < (request.stage or 0) < current_stage(snapshot):
        return capitalized(f"{name} · {say('tournament.results.stage_over')}")
    return capitalized(f"{name} · {live_line(snapshot, say)}")


def _at(request: PageRequest, count: int, own: int | None) -> int:
    """Returns the requested page number, out of so many pages. ``own`` is the reader's page."""
    if request.page is None:
        return own or 0
    return max(0, min(request.page, count - 1))


def _neighbours(
    snapshot: TournamentSnapshot, request: PageRequest, at: int, count: int
) -> tuple[PageRequest | None, PageRequest | None]:
    """Returns the pages before and after. The last page of a section is followed by the first one of the
    next section.
    """
    listed = [one for one in places(snapshot, request) if one.stage == request.stage]
    place = next((number for number, one in enumerate(listed) if one.section == request.section), 0)
    before = request._replace(page=at - 1) if at else None
    after = request._replace(page=at + 1) if at + 1 < count else None
    if before is None and place > 0:
        before = request._replace(section=listed[place - 1].section, page=0)
    if after is None and place + 1 < len(listed):
        after = request._replace(section=listed[place + 1].section, page=0)
    return before, after


def _qualified(snapshot: TournamentSnapshot, request: PageRequest, here: Sequence[Line]) -> int:
    """Returns how many of the first players would go on to the next stage now; 0 without a limit or a next stage.

    Withdrawn players are passed over.
    """
    stages = snapshot.tournament.plan.stages
    most = stages[request.stage - 1].qualifiers if request.stage and request.stage < len(stages) else 0
    there = [number for number, line in enumerate(here, start=1) if not line.withdrawn]
    return there[most - 1] if most and len(there) >= most else 0


def _place_of(here: Sequence[Line], number: int | None) -> int | None:
    return next((place for place, line in enumerate(here) if line.player.number == number), None)


def _is_part(snapshot: TournamentSnapshot, request: PageRequest) -> bool:
    return bool(request.stage) and len(sections(snapshot)) > 1


def own_sentence(snapshot: TournamentSnapshot, line: Line, say: Language, *, of_part: bool = False) -> str:
    """Writes a sentence: ``You are number 4 with 2½ points.``, or after the end ``You finished in place 4 …``.

    ``of_part``: whether the place is one of a stage or a section, and not of the whole tournament.
    """
    over = snapshot.tournament.status is Status.OVER
    finished = "finished_here" if of_part else "finished"
    if line.last > line.rank:
        key = "you_share_two" if line.last == line.rank + 1 else "you_share"
        if line.points is None:
            return say(f"tournament.results.{key}", first=line.rank, last=line.last)
        points = points_text(line.points, say)
        return say(f"tournament.results.{key}_with", first=line.rank, last=line.last, points=points)
    if line.points is None:
        return say(f"tournament.results.{finished}_at" if over else "tournament.results.you", rank=line.rank)
    with_points = f"tournament.results.{finished}_with" if over else "tournament.results.you_with"
    return say(with_points, rank=line.rank, points=points_text(line.points, say))


async def _standings(
    snapshot: TournamentSnapshot, request: PageRequest, reader: Reader, names: Names, here: tuple[Line, ...]
) -> Built:
    own = _place_of(here, reader.number)
    count = max(1, -(-len(here) // standings.ROWS))
    at = _at(request, count, None if own is None else own // standings.ROWS)
    shown = here[at * standings.ROWS : (at + 1) * standings.ROWS]
    called = await names(standings.opponents_of(shown))
    text, page_number = about(snapshot, request, reader.say), (at, count)
    is_ladder = bool(request.stage) and stage_of(snapshot, request.stage or 1).format is Format.LADDER
    if is_ladder:
        page = standings.ladder_page(
            snapshot, shown, called, text, reader.say, reader.theme, reader.number, page_number
        )
    else:
        title = snapshot.tournament.name
        qualified = max(0, _qualified(snapshot, request, here) - at * standings.ROWS)
        page = standings.standings_page(
            shown, called, text, title, reader.say, reader.theme, reader.number, page_number, qualified
        )
    explained = request.stage and stage_of(snapshot, request.stage).format in SCORED | {Format.ARENA}
    players = tuple((line.player.number, f"{line.rank}. {called[line.player.number]}") for line in shown)
    sentence = "" if own is None else own_sentence(snapshot, here[own], reader.say, of_part=_is_part(snapshot, request))
    neighbours = _neighbours(snapshot, request, at, count)
    return Built(request._replace(page=at), page, *neighbours, players if explained else (), sentence)


async def _crosstable(
    snapshot: TournamentSnapshot, request: PageRequest, reader: Reader, names: Names, here: tuple[Line, ...]
) -> Built:
    stage = stage_of(snapshot, request.stage or 1)
    blocks = crosstable.blocks(stage, here)
    own = _place_of(here, reader.number)
    first = 0 if own is None else own // crosstable.ROWS * crosstable.ROWS
    at = _at(request, len(blocks), next((number for number, one in enumerate(blocks) if one.row == first), 0))
    shown = here[blocks[at].row : blocks[at].row + crosstable.ROWS]
    called = await names({line.player.number for line in shown})
    page = crosstable.crosstable_page(
        stage,
        here,
        blocks[at],
        called,
        snapshot.tournament.name,
        about(snapshot, request, reader.say),
        reader.say,
        reader.theme,
        reader.number,
        (at, len(blocks)),
        max(0, _qualified(snapshot, request, here) - blocks[at].row),
    )
    sentence = "" if own is None else own_sentence(snapshot, here[own], reader.say, of_part=_is_part(snapshot, request))
    return Built(request._replace(page=at), page, *_neighbours(snapshot, request, at, len(blocks)), (), sentence)


async def _bracket(
    snapshot: TournamentSnapshot,
    request: PageRequest,
    reader: Reader,
    names: Names,
    scores: Mapping[str, tuple[float, float]],
) -> Built:
    stage = request.stage or 1
    found = bracket.bracket_of(snapshot, stage)
    if not found:
        raise Refused("tournament.results.bracket_later", stage=stage)
    called = await names({player for slot in found for player in slot.players if player is not None})
    view = bracket.view_of(
        snapshot, stage, called, about(snapshot, request, reader.say), reader.say, reader.theme, reader.number, scores
    )
    own = [slot.id for slot in found if reader.number is not None and reader.number in slot.players]
    count = len(paging.pages(view))
    at = _at(request, count, bracket.page_of(view, own))
    before = request._replace(page=at - 1) if at else None
    after = request._replace(page=at + 1) if at + 1 < count else None
    left = [player for player in snapshot.players if player.number in called and not player.is_in]
    notes = {called[player.number]: marked(player, called[player.number], reader.say) for player in left}
    return Built(request._replace(page=at), bracket.bracket_page(view, at, reader.say, notes), before, after)


def _calendar(
    snapshot: TournamentSnapshot, request: PageRequest, reader: Reader, rounds: Sequence[StoredRound], now: int
) -> Built:
    found = calendar.dates(snapshot, rounds, now)
    count = max(1, -(-len(found) // calendar.ROWS))
    running = next((number for number, date in enumerate(found) if date.state is State.RUNNING), 0)
    at = _at(request, count, running // calendar.ROWS)
    shown = found[at * calendar.ROWS : (at + 1) * calendar.ROWS]
    text = about(snapshot, request._replace(stage=request.stage or 1), reader.say)
    page = calendar.calendar_page(snapshot, shown, text, reader.zone, reader.say, reader.theme, (at, count))
    before = request._replace(page=at - 1) if at else None
    after = request._replace(page=at + 1) if at + 1 < count else None
    return Built(request._replace(page=at), page, before, after)
