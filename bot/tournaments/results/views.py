"""The message with a page of results: its picture or words, menus of other pages, and explanations."""

import io
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import discord

from bot.core import render_queue
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import InvalidPress, Press, read_number, split
from bot.core.interactions.routing import Handlers
from bot.core.texts.quoting import escaped as shown_name
from bot.core.translations import Language
from bot.matches.service import MatchService
from bot.players.asker import public_language
from bot.players.mentions import capitalized
from bot.players.service import PreferenceService
from bot.tournaments.results import why
from bot.tournaments.results.pages.build import (
    BRACKET,
    CALENDAR,
    CROSSTABLE,
    STANDINGS,
    Built,
    PageRequest,
    Reader,
    build,
    kinds,
    place_label,
    places,
    settled,
)
from bot.tournaments.results.service import ResultService
from bot.tournaments.results.standing import Section, current_stage, section_of
from bot.tournaments.results.words import ALT_LENGTH, CONTENT, escaped, fitting, names_of, zone_of
from bot.tournaments.series import words as season_words
from bot.tournaments.series.service import SeriesService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Tournament, TournamentSnapshot
from engine.core.errors import Refused

__all__ = ["BRACKET", "CALENDAR", "CROSSTABLE", "STANDINGS", "explain", "handlers", "open_page", "show"]

handlers: Final = Handlers()

OPTIONS: Final = 25
LABEL: Final = 100
TEXT: Final = "t"
PICTURE: Final = "p"


class Message(NamedTuple):
    content: str
    files: list[discord.File]


async def open_page(answer: Answer, tournament: Tournament, kind: str) -> None:
    """Shows the page for a command, at the reader's own place."""
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    await show(answer, snapshot, PageRequest(kind, None, None, None), fresh=True)


async def show(answer: Answer, snapshot: TournamentSnapshot, request: PageRequest, *, fresh: bool) -> None:
    """Shows a page privately. Raises Refused if the tournament has no such page."""
    reader = snapshot.of_user(answer.user_id)
    built = await _built(answer, snapshot, request, answer.say, answer.theme, reader.number if reader else None)
    message = await _message(built, answer.say)
    await answer.show(message.content, files=message.files, view=_components(answer, snapshot, built), fresh=fresh)


async def _built(
    answer: Answer, snapshot: TournamentSnapshot, request: PageRequest, say: Language, theme: str, reader: int | None
) -> Built:
    request = settled(snapshot, request, reader)
    rounds = await answer.service(ResultService).rounds(snapshot.tournament.id) if request.kind == CALENDAR else ()
    who = Reader(reader, say, theme, zone_of(answer.prefs["zone"]))

    async def names(numbers: set[int] | None) -> dict[int, str]:
        found = await names_of(answer.context.services, snapshot, say, numbers)
        return escaped(found) if request.text else found

    contests = [stored.contest_id or "" for stored in snapshot.pairings] if request.kind == BRACKET else []
    matches = await answer.service(MatchService).several(contests)
    scores = {match_id: live.score for match_id, live in matches.items()}
    built = await build(snapshot, request, who, names, rounds, answer.now, scores)
    season = (
        await answer.service(SeriesService).season(snapshot.tournament)
        if request.kind in {STANDINGS, BRACKET}
        else None
    )
    if season is None:
        return built
    return built._replace(own="\n".join(filter(None, (built.own, season_words.line(season, say)))), has_season=True)


async def _message(built: Built, say: Language) -> Message:
    page = built.page
    if built.request.text:
        head = f"**{page.title}** · {page.about}"
        words = [head, *([built.own] if built.own else []), *page.lines]
        return Message(fitting([words, *([head, *lines] for lines in page.shorter)], CONTENT), [])
    data = await render_queue.pictures.draw(page.draw)
    alt = fitting(page.alt(), ALT_LENGTH)
    file = discord.File(io.BytesIO(data), filename=f"{page.name}.png", description=alt)
    del say
    return Message(f"**{page.title}** · {page.about}" + (f"\n{built.own}" if built.own else ""), [file])


# --- buttons and menus ------------------------------------------------------------------------------------------------


def _press(snapshot: TournamentSnapshot, request: PageRequest, button: str) -> Press:
    mode = TEXT if request.text else PICTURE
    rest = f"{request.kind}.{request.stage}.{request.section}.{mode}|{button}"
    return Press("results", snapshot.tournament.id, request.page or 0, rest)


def _components(answer: Answer, snapshot: TournamentSnapshot, built: Built) -> discord.ui.View:
    say, request = answer.say, built.request
    items: list[discord.ui.Item[Any]] = []
    if len(listed := places(snapshot, request)) > 1:
        items.append(_place_menu(snapshot, request, listed, say))
    if built.players:
        options = [discord.SelectOption(label=name[:LABEL], value=str(number)) for number, name in built.players]
        press = Press("results_why", snapshot.tournament.id, 0, f"{request.stage}.{request.section}")
        items.append(PressMenu(press, say("tournament.results.menu.why"), options, row=1))
    if built.before is not None or built.after is not None:
        for name, to in (("back", built.before), ("forward", built.after)):
            press = _press(snapshot, to or request, name)
            items.append(PressButton(press, say(f"button.{name}"), disabled=to is None, row=2))
    other = request._replace(text=not request.text)
    label = "tournament.results.button.picture" if request.text else "tournament.results.button.words"
    items.append(PressButton(_press(snapshot, other, "mode"), say(label), row=2))
    share = _press(snapshot, request, "share")
    items.append(
        PressButton(Press("results_share", share.subject, share.seq, share.rest), say("button.share_profile"), row=2)
    )
    for kind in kinds(snapshot, request.stage or 0):
        if kind != request.kind:
            press = _press(snapshot, PageRequest(kind, request.stage, request.section, 0, text=request.text), kind)
            items.append(PressButton(press, say(f"tournament.results.button.{kind}"), row=3))
    if built.has_season:
        items.append(
            PressButton(Press("tournament_season", snapshot.tournament.id, 0), say("button.tournament_season"), row=3)
        )
    return view_of(*items)


def _place_menu(
    snapshot: TournamentSnapshot, request: PageRequest, listed: Sequence[Section], say: Language
) -> PressMenu:
    """Makes the menu of stages and sections. Of many, it has those around the present one."""
    at = next((number for number, one in enumerate(listed) if one == (request.stage, request.section)), 0)
    start = max(0, min(at - OPTIONS // 2, len(listed) - OPTIONS))
    options = [
        discord.SelectOption(
            label=capitalized(place_label(snapshot, one, say))[:LABEL],
            value=f"{one.stage}.{one.section}",
            default=number == at,
        )
        for number, one in enumerate(listed[start : start + OPTIONS], start=start)
    ]
    return PressMenu(_press(snapshot, request, "place"), say("tournament.results.menu.place"), options, row=0)


def _read(press: Press) -> PageRequest:
    """Reads the request of a press. A menu's value is the place. Raises InvalidPress."""
    kind, stage, section, mode = split(press.rest.partition("|")[0], 4, ".")
    if press.values:
        stage, section = split(press.value, 2, ".")
    if kind not in {STANDINGS, CROSSTABLE, BRACKET, CALENDAR}:
        raise InvalidPress
    request = PageRequest(kind, read_number(stage), read_number(section), press.seq, text=mode == TEXT)
    return request._replace(page=None) if press.values else request


async def _snapshot(answer: Answer, press: Press) -> TournamentSnapshot:
    guild_id = answer.interaction.guild_id
    return await answer.service(ResultService).visible(press.subject, guild_id, answer.user_id)


@handlers.on("results")
async def turn(answer: Answer, press: Press) -> None:
    await show(answer, await _snapshot(answer, press), _read(press), fresh=False)


@handlers.on("results_share")
async def share(answer: Answer, press: Press) -> None:
    """Posts the page for everybody, in the server's language and theme."""
    answer.context.check_posts(answer.user_id)
    snapshot = await _snapshot(answer, press)
    say = await public_language(answer)
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    built = await _built(answer, snapshot, _read(press), say, server["theme"], None)
    content, files = await _message(built, say)
    await answer.public(content, view_of(), discord.AllowedMentions.none(), files=files)


# --- why --------------------------------------------------------------------------------------------------------------


@handlers.on("results_why")
async def why_chosen(answer: Answer, press: Press) -> None:
    snapshot = await _snapshot(answer, press)
    stage, section = map(read_number, press.parts(2, "."))
    await _explain(answer, snapshot, Section(stage, section), read_number(press.value))


async def explain(answer: Answer, tournament: Tournament, user_id: int, called: str) -> None:
    """Explains the place of a user in the present stage, or in the last one that they played."""
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    player = snapshot.of_user(user_id)
    stages = range(current_stage(snapshot), 0, -1)
    found = [
        (stage, section)
        for stage in stages
        if player is not None and (section := section_of(snapshot, stage, player.number)) is not None
    ]
    if player is None or not found:
        raise Refused("tournament.results.not_playing", player=shown_name(called))
    await _explain(answer, snapshot, Section(*found[0]), player.number)


async def _explain(answer: Answer, snapshot: TournamentSnapshot, section: Section, number: int) -> None:
    """Explains a place in as many messages as needed."""
    if section not in places(snapshot, None) or all(player.number != number for player in snapshot.players):
        raise InvalidPress
    wanted = why.wanted(snapshot, section, number)
    names = escaped(await names_of(answer.context.services, snapshot, answer.say, wanted))
    content = ""
    for paragraph in why.paragraphs(snapshot, section, number, names, answer.say):
        text = fitting([[paragraph]], CONTENT)
        if content and len(content) + len(text) + 2 > CONTENT:
            await answer.private(content)
            content = ""
        content = f"{content}\n\n{text}" if content else text
    await answer.private(content)
