"""The pages of results of tournaments made by hand: every format, at every moment, in both languages."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast
from zoneinfo import ZoneInfo

import pytest
from fakes.snapshots import START, SWISS, Made, a_ladder, an_arena, names_of
from harness.thinning import one_of

from bot.core.translations import CODES, Language, language
from bot.tournaments.results.pages import bracket, pairings
from bot.tournaments.results.pages.build import (
    BRACKET,
    CALENDAR,
    CROSSTABLE,
    STANDINGS,
    Built,
    PageRequest,
    Reader,
    about,
    build,
    kinds,
    places,
    settled,
)
from bot.tournaments.results.pages.crosstable import Block, _of_opponent, crosstable_page
from bot.tournaments.results.standing import Section, lines, section_of, sections
from bot.tournaments.results.views import _message
from bot.tournaments.results.words import ALT_LENGTH, CONTENT, DASH, fitting, halves
from bot.tournaments.schedule import RESTING
from bot.tournaments.tournament import PlayerStatus, Status
from engine.core.errors import Refused
from engine.core.hours import DAY
from engine.registry import find
from engine.tournament.model import USUAL_TIE_BREAKS, Format, Result, Stage, Ties
from render.tournaments.views import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from render.tournaments.views import CrosstableRow, CrosstableView

EN, ES = language("en"), language("es")
UTC: Final = ZoneInfo("UTC")
GROUPS: Final = (
    Stage(Format.ROUND_ROBIN, sections=3, qualifiers=2),
    Stage(Format.SINGLE_ELIMINATION, third_place=True),
)
FORMATS: Final = {
    "swiss": ((Stage(Format.SWISS, rounds=4),), 11),
    "round robin": ((Stage(Format.ROUND_ROBIN, legs=2),), 5),
    "single": ((Stage(Format.SINGLE_ELIMINATION),), 11),
    "double": ((Stage(Format.DOUBLE_ELIMINATION),), 11),
    "groups": (GROUPS, 13),
    "swiss and double": ((Stage(Format.SWISS, rounds=2, qualifiers=4), Stage(Format.DOUBLE_ELIMINATION)), 7),
}


async def page(
    made: Made,
    kind: str,
    reader: int | None = None,
    say: Language = EN,
    names: Mapping[int, str] | None = None,
    stage: int | None = None,
    section: int | None = None,
    number: int | None = None,
    *,
    text: bool = False,
) -> Built:
    called = names_of(made.snapshot) if names is None else names
    request = settled(made.snapshot, PageRequest(kind, stage, section, number, text), reader)

    async def known(numbers: set[int] | None) -> Mapping[int, str]:
        return called if numbers is None else {one: called[one] for one in numbers}

    who = Reader(reader, say, "wood", UTC)
    return await build(made.snapshot, request, who, known, made.rounds, START + 3 * DAY, {})


def lines_of(built: Built) -> tuple[CrosstableRow, ...]:
    """Returns the rows of the picture of a crosstable."""
    draw = built.page.draw
    assert isinstance(draw, partial)
    return cast("CrosstableView", draw.args[0]).rows


async def all_pages(made: Made, reader: int | None, say: Language, names: Mapping[int, str]) -> list[Built]:
    """Returns every page of every section, each reached by the buttons."""
    found = []
    starts = [(STANDINGS, one) for one in places(made.snapshot, PageRequest(STANDINGS, None, None, None))]
    starts += [(kind, one) for _, one in starts for kind in kinds(made.snapshot, one.stage) if kind != STANDINGS]
    for kind, place in starts:
        built: Built | None = await page(made, kind, reader, say, names, place.stage, place.section, 0)
        while built is not None:
            found.append(built)
            after = built.after
            built = (
                None
                if after is None
                else await page(made, after.kind, reader, say, names, after.stage, after.section, after.page)
            )
            if after is not None and (after.stage, after.section) != (place.stage, place.section):
                break
    return found


@one_of("code", CODES)
@pytest.mark.parametrize("name", FORMATS)
async def test_every_page_at_every_moment_fits_and_is_said_in_words(name: str, code: str) -> None:
    """Also with the longest names, a player who leaves, forfeits and byes."""
    stages, players = FORMATS[name]
    made = Made(stages, players, seed=len(name))
    names = {number: f"{called} {'W' * 40}"[:32] for number, called in names_of(made.snapshot).items()}
    say = language(code)
    drawn = 0
    while made.pair():
        made.play(leave=1)
        for built in await all_pages(made, players, say, names):
            assert len(fitting(built.page.alt(), ALT_LENGTH)) <= ALT_LENGTH
            assert not fitting(built.page.alt(), ALT_LENGTH).endswith("…")
            assert (
                len("\n".join([built.page.title, built.page.about, built.own, *built.page.short, *built.page.key]))
                <= CONTENT
            )
            drawn += 1
        if made.snapshot.tournament.round == 2:
            made.withdraw(players - 1)
        for stored in made.running:
            made.settle(stored, Result.SECOND_WINS_BY_FORFEIT, "forfeit")
    made.finish()
    for built in await all_pages(made, players, say, names):
        assert built.page.draw().startswith(b"\x89PNG")
    assert drawn > 5


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("long", [False, True])
async def test_words_name_the_tie_breaks_or_explain_their_abbreviations(code: str, *, long: bool) -> None:
    say, made = language(code), Made((Stage(Format.SWISS, rounds=4),), 24).rounds_of(3)
    called = {one: say(f"tournament.results.tie_break.{one}") for one in USUAL_TIE_BREAKS[Format.SWISS]}
    key = " · ".join(f"{say(f'tournament.results.tie_break.short.{one}')}: {name}" for one, name in called.items())
    names = {number: f"{name} {'W' * 40}"[: 32 if long else 10] for number, name in names_of(made.snapshot).items()}
    built = await page(made, STANDINGS, None, say, names, number=0, text=True)
    text = (await _message(built, say)).content
    assert len(text) <= CONTENT
    assert not text.endswith("…")
    rows = text.splitlines()[-12:]
    assert all(f" · {name} " in row for row in rows for name in called.values())
    escaped_names = dict.fromkeys(names, "*" * 58)
    cramped = await page(made, STANDINGS, None, say, escaped_names, number=0, text=True)
    text = (await _message(cramped, say)).content
    assert len(text) <= CONTENT
    assert text.splitlines()[-1] == key


async def test_the_names_of_all_pages_are_those_of_the_players() -> None:
    """Walking through all pages of the standings meets every player once, in order of the sections."""
    made = Made((Stage(Format.SWISS, rounds=2),), 150).rounds_of(1)
    seen: list[str] = []
    built: Built | None = await page(made, STANDINGS, stage=1, section=1, number=0)
    count = 0
    while built is not None:
        seen += [line.partition(" · ")[0].partition(". ")[2] for line in built.page.lines]
        after, count = built.after, count + 1
        built = (
            None
            if after is None
            else await page(made, after.kind, stage=after.stage, section=after.section, number=after.page)
        )
    assert sorted(seen) == sorted(names_of(made.snapshot).values())
    assert len(sections(made.snapshot)) == 3
    assert count == 15  # 50 players make five pages


async def test_the_reader_begins_at_their_own_place() -> None:
    made = Made((Stage(Format.SWISS, rounds=2),), 150).rounds_of(1)
    for reader in (1, 77, 150):
        built = await page(made, STANDINGS, reader)
        assert (built.request.stage, built.request.section) == (1, section_of(made.snapshot, 1, reader))
        assert any(names_of(made.snapshot)[reader] in line for line in built.page.lines)
        assert built.own


async def test_what_players_did_without_a_game() -> None:
    made = Made(SWISS, 5)
    made.pair()
    first, second = made.running
    made.settle(first, Result.FIRST_WINS_BY_FORFEIT, "forfeit")
    made.settle(second, Result.BOTH_FORFEIT, "forfeit")
    made.player(5, status=PlayerStatus.EXPELLED, last_round=1)
    made.player(4, status=PlayerStatus.WITHDRAWN, last_round=1)
    cross = await page(made, CROSSTABLE)
    said = "\n".join(cross.page.lines)
    assert "forfeit win over" in said
    assert said.count("forfeit loss to") == 3
    assert ": bye" in said
    assert "Elena (expelled)" in said
    assert "Dan (left)" in said


async def test_a_round_robin_of_two_legs_adds_both_games() -> None:
    made = Made((Stage(Format.ROUND_ROBIN, legs=2),), 2)
    made.pair()
    made.settle(made.running[0], Result.DRAW)
    made.pair()
    made.settle(made.running[0], Result.FIRST_WINS)
    cross = await page(made, CROSSTABLE)
    cells = [row.cells for row in lines_of(cross)]
    assert [cell.outcome for row in cells for cell in row] == [Outcome.SELF, Outcome.WON, Outcome.LOST, Outcome.SELF]
    assert cross.page.short == ("1. Bruno 1½: – 1½", "2. Ana ½: ½ –")  # noqa: RUF001 - a dash


async def test_kinds_that_a_tournament_has_not() -> None:
    swiss = Made(SWISS, 4).rounds_of(1)
    with pytest.raises(Refused) as refused:
        await page(swiss, BRACKET)
    assert refused.value.key == "tournament.results.no_bracket"
    with pytest.raises(Refused) as refused:
        await page(Made(FORMATS["groups"][0], 13).rounds_of(1), BRACKET)
    assert (refused.value.key, refused.value.params) == ("tournament.results.bracket_later", {"stage": 2})
    with pytest.raises(Refused):
        await page(an_arena(), CROSSTABLE)
    assert (await page(an_arena(), CROSSTABLE, stage=7, section=7)).request.kind == STANDINGS
    assert (await page(Made(SWISS, 4), CROSSTABLE, stage=7, section=7)).request[:3] == (CROSSTABLE, 1, 1)
    assert (await page(swiss, STANDINGS, stage=9, section=9, number=99)).request[1:4] == (1, 1, 0)


async def test_the_second_final_follows_the_first() -> None:
    """Somebody who comes from the losers' bracket wins the grand final."""
    for seed in range(40):
        made = Made((Stage(Format.DOUBLE_ELIMINATION),), 4, seed=seed).finish()
        if any(one.pairing.slot == "F2" for one in made.snapshot.pairings):
            break
    view = bracket.view_of(made.snapshot, 1, names_of(made.snapshot), "", EN, "wood", None, {})
    goes_to = {slot.id: slot.winner_to for slot in view.slots}
    assert (goes_to["F1"], goes_to["F2"]) == ("F2", "")
    assert "Second final:" in "\n".join((await page(made, BRACKET)).page.lines)


async def test_a_bracket_has_the_scores_of_matches_and_the_names_of_its_rounds() -> None:
    made = Made((Stage(Format.DOUBLE_ELIMINATION),), 8).rounds_of(1)
    first, second, third, fourth = (stored for stored in made.snapshot.pairings if stored.pairing.round == 1)
    made.settle(second, Result.FIRST_WINS_BY_FORFEIT, "forfeit")
    scores = {stored.contest_id or "": (7.0, 3.5) for stored in (first, second, third)}
    view = bracket.view_of(made.snapshot, 1, names_of(made.snapshot), "", EN, "wood", None, scores)
    shown = {slot.id: [line.score for line in slot.lines] for slot in view.slots}
    seats = {stored.pairing.slot: stored.pairing for stored in (first, second, third, fourth)}
    assert sorted(shown[first.pairing.slot]) == sorted(["7", "3½"])
    assert sorted(shown[second.pairing.slot]) == sorted(["+", DASH])
    assert sorted(shown[fourth.pairing.slot]) == ["0", "1"]
    slot = next(slot for slot in view.slots if slot.id == third.pairing.slot)
    scored = {line.name: line.score for line in slot.lines}
    assert scored[names_of(made.snapshot)[seats[slot.id].first]] == "7"
    heads = [text for _, text in sorted(dict(view.heads).items())]  # F1, L1 to L4, W1 to W3
    assert heads == ["Grand final", "Round 1", "Round 2", "Semi-final", "Final", "Round 1", "Semi-finals", "Final"]


@pytest.mark.parametrize("say", [EN, ES])
async def test_a_bracket_says_of_draws_who_goes_on(say: Language) -> None:
    made = Made((Stage(Format.SINGLE_ELIMINATION),), 2).rounds_of(1)
    names = names_of(made.snapshot)
    (first,) = made.snapshot.pairings
    made.settle(first, Result.DRAW)
    one, other = (names[number] for number in first.pairing.players)
    again = say("tournament.results.slot.drew", first=one, second=other)
    assert again in "\n".join((await page(made, BRACKET, say=say)).page.lines)
    made.rounds_of(1)
    made.settle(made.snapshot.pairings[-1], Result.DRAW)
    shown = (await page(made, BRACKET, say=say)).page
    told = say("tournament.results.slot.drew_twice", winner=names[1], loser=names[2])
    assert told in "\n".join(shown.lines)
    assert told in "\n".join(shown.short)


async def test_a_bracket_marks_players_who_have_left() -> None:
    """They are struck through, and named as such in words."""
    made = Made((Stage(Format.SINGLE_ELIMINATION),), 4).rounds_of(1)
    first, second = (stored.pairing for stored in made.snapshot.pairings)
    made.player(first.players[0], status=PlayerStatus.WITHDRAWN, last_round=1)
    made.player(second.players[1], status=PlayerStatus.EXPELLED, last_round=1)
    names = names_of(made.snapshot)
    view = bracket.view_of(made.snapshot, 1, names, "", EN, "wood", None, {})
    assert {line.name for slot in view.slots for line in slot.lines if line.withdrawn} == {
        names[first.players[0]],
        names[second.players[1]],
    }
    said = "\n".join((await page(made, BRACKET)).page.lines)
    assert f"{names[first.players[0]]} (left)" in said
    assert f"{names[second.players[1]]} (expelled)" in said


@pytest.mark.parametrize("kind", [STANDINGS, CROSSTABLE])
async def test_a_line_is_below_those_of_a_group_who_go_on(kind: str) -> None:
    """Players who have withdrawn are passed over; the last stage has no line."""
    groups = Stage(Format.ROUND_ROBIN, sections=2, qualifiers=2)
    made = Made((groups, Stage(Format.SINGLE_ELIMINATION)), 8).rounds_of(1)

    async def qualified() -> int:
        draw = (await page(made, kind, stage=1, section=1)).page.draw
        assert isinstance(draw, partial)
        return int(draw.args[0].qualified)

    assert await qualified() == 2
    made.withdraw(lines(made.snapshot, Section(1, 1))[0].player.number)
    there = [line.withdrawn for line in lines(made.snapshot, Section(1, 1))]
    assert await qualified() == 1 + [number for number, gone in enumerate(there) if not gone][1]
    only = Made((replace(groups, qualifiers=0),), 8).rounds_of(1)
    draw = (await page(only, kind, stage=1, section=1)).page.draw
    assert isinstance(draw, partial)
    assert draw.args[0].qualified == 0


async def test_a_calendar_says_in_which_time_zone_it_is() -> None:
    built = await page(Made(SWISS, 4).rounds_of(1), CALENDAR)
    draw = built.page.draw
    assert isinstance(draw, partial)
    assert draw.args[0].zone == "UTC"
    assert built.page.alt()[0][-1] == "UTC"
    assert "UTC" not in "".join(built.page.lines)  # Discord shows those in the reader's own


async def test_a_swiss_says_points_and_opponent_in_each_cell() -> None:
    made = Made(SWISS, 6).rounds_of(2)
    here = lines(made.snapshot, Section(1, 1))
    ranks = {line.player.number: line.rank for line in here}
    for line, row in zip(here, lines_of(await page(made, CROSSTABLE, stage=1, section=1)), strict=True):
        played = [turn for turn in line.turns if turn.opponent is not None]
        cells = [cell for cell in row.cells if cell.against]
        assert [(cell.text, cell.against) for cell in cells] == [
            (halves(turn.points), str(ranks[turn.opponent or 0])) for turn in played
        ]


async def test_the_bracket_says_where_players_come_from() -> None:
    made = Made((Stage(Format.DOUBLE_ELIMINATION),), 6).rounds_of(1)
    built = await page(made, BRACKET, reader=1)
    said = "\n".join(built.page.lines)
    assert "Ana goes on with a bye." in said
    assert "Winner of 2" in said
    assert "Loser of " in said
    view = bracket.view_of(made.snapshot, 1, names_of(made.snapshot), "", EN, "wood", 1, {})
    assert any(line.is_reader for slot in view.slots for line in slot.lines)
    assert not any(line.known and not line.name for slot in view.slots for line in slot.lines)
    ids = {slot.id for slot in view.slots}
    assert {slot.winner_to for slot in view.slots} <= ids | {""}


@pytest.mark.parametrize("kind", [STANDINGS, CALENDAR])
async def test_before_the_start_there_is_a_page(kind: str) -> None:
    made = Made(SWISS, 3)
    made.set(status=Status.REGISTRATION, started=None)
    for number in (1, 2, 3):
        made.player(number, seed=0, section=0)
    built = await page(made, kind, 1)
    assert built.page.draw().startswith(b"\x89PNG")
    assert not built.own


@pytest.mark.parametrize(("say", "sides"), [(EN, ["White", "Black"]), (ES, ["blancas", "negras"])])
def test_players_read_which_side_they_play(say: Language, sides: list[str]) -> None:
    made = Made(SWISS, 2)
    made.pair()
    (stored,) = made.running
    names = names_of(made.snapshot)
    shown = [pairings.own_lines(made.snapshot, stored, number, names, START, say) for number in stored.pairing.players]
    seats = [say(f"side.{seat}") for seat in find("abalone").seats]
    assert sorted(seats) == sorted(sides)
    assert [
        lines[1].startswith(say("tournament.results.own.side", side=seat))
        for lines, seat in zip(shown, seats, strict=True)
    ] == [True, True]


def test_a_paused_tournament_states_no_deadline() -> None:
    made, say = Made((Stage(Format.SWISS, rounds=1),), 2), language("en")
    made.pair()
    (stored,), names = made.running, names_of(made.snapshot)
    running = pairings.own_lines(made.snapshot, stored, 1, names, START, say)
    made.set(paused=START)
    paused = pairings.own_lines(made.snapshot, stored, 1, names, START, say)
    assert [line for line in running if line not in paused] == [line for line in running if "<t:" in line] != []


def test_the_words_of_a_crosstable_number_the_rows_as_the_results_do() -> None:
    """Tied players share a place, but each row has its number, by which the results name the opponent."""
    made, say = Made((Stage(Format.ROUND_ROBIN, ties=Ties.SHARED),), 4), language("en")
    while made.pair():
        for stored in made.running:
            made.settle(stored, Result.DRAW)
    section = Section(1, 1)
    table = lines(made.snapshot, section)
    assert {line.rank for line in table} == {1}
    names, stage = names_of(made.snapshot), made.snapshot.tournament.plan.stages[0]
    page = crosstable_page(stage, table, Block(0, 0), names, "Cup", "", say, "wood", None, (0, 1), 0)
    assert [line.partition(". ")[0] for line in page.lines] == ["1", "2", "3", "4"]
    (last,) = page.lines[3:]
    assert all(f"drew with {number}" in last for number in (1, 2, 3))


@pytest.mark.parametrize("code", CODES)
def test_who_has_no_game_reads_how_to_get_one(code: str) -> None:
    """An arena looks for opponents of those who do not pause; in a ladder, players challenge each other."""
    say = language(code)

    def said(made: Made, free_since: int | None) -> str:
        made.player(2, free_since=free_since)
        return "".join(pairings.without_game(made.snapshot, 0, made.snapshot.player(2), say)).strip("*")

    arena, ladder = an_arena(), a_ladder()
    assert said(arena, START) == say("tournament.results.own.free")
    assert said(arena, RESTING) == say("tournament.results.own.resting")
    assert said(arena, None) == ""
    assert said(ladder, START) == say("tournament.results.own.challenge")
    ladder.player(2, ladder_place=1)
    assert said(ladder, START) == ""


def test_a_streak_ends_with_the_arena() -> None:
    made = Made((Stage(Format.ARENA),), 2)
    for _ in range(2):
        made.meet(1, 2, Result.FIRST_WINS)
    assert [line.streak for line in lines(made.snapshot, sections(made.snapshot)[0])] == [True, False]
    made.set(status=Status.OVER)
    assert not any(line.streak for line in lines(made.snapshot, sections(made.snapshot)[0]))


def test_results_that_do_not_count_stand_in_brackets_in_the_crosstable() -> None:
    made = Made((Stage(Format.ROUND_ROBIN),), 6).rounds_of(1)
    (played,) = [one.pairing for one in made.snapshot.pairings if 1 in one.pairing.players]
    made.withdraw(1)
    made.rounds_of(1)
    table = lines(made.snapshot, Section(1, 1))
    opponent = next(line for line in table if line.player.number in {*played.players} - {1})
    cell = _of_opponent(opponent, 1, EN)
    points = played.result.points[played.players.index(opponent.player.number)] if played.result else None
    assert (cell.text, cell.outcome) == (f"({halves(points or 0)})", Outcome.ABSENT)


@pytest.mark.parametrize("code", CODES)
async def test_the_place_in_a_group_is_not_taken_for_that_in_the_tournament(code: str) -> None:
    made, say = Made(GROUPS, 13).finish(), language(code)

    async def own(kind: str, stage: int) -> str:
        return (await page(made, kind, 1, say, stage=stage, section=1 if stage else 0)).own

    here = say("tournament.results.finished_here_at", rank="").split()[0]
    assert (await own(CROSSTABLE, 1)).startswith(here)
    assert not (await own(STANDINGS, 0)).startswith(here)


def test_the_page_of_a_group_does_not_tell_the_progress_of_the_final() -> None:
    made = Made((Stage(Format.ROUND_ROBIN, sections=2, qualifiers=2), Stage(Format.SINGLE_ELIMINATION)), 8)
    made.rounds_of(3).pair()
    group, final = (PageRequest(STANDINGS, stage, 1, 0) for stage in (1, 2))
    assert about(made.snapshot, group, EN) == "Stage 1: round robin · Group 1 · This stage is over"
    assert about(made.snapshot, final, EN).endswith("Round 4: 0 of 2 finished")
