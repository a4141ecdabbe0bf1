"""The pages of results of tournaments made by hand: every format, at every moment, in both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest
from fakes.result_pages import drawn, page
from fakes.snapshots import SWISS, Made, an_arena, names_of
from harness.thinning import one_of

from bot.core.translations import CODES, Language, language
from bot.tournaments.results.pages.build import (
    BRACKET,
    CALENDAR,
    CROSSTABLE,
    STANDINGS,
    Built,
    PageRequest,
    about,
    kinds,
    places,
)
from bot.tournaments.results.standing import Section, lines, section_of, sections
from bot.tournaments.results.views import _message
from bot.tournaments.results.words import ALT_LENGTH, CONTENT, fitting
from bot.tournaments.tournament import Status
from engine.core.errors import Refused
from engine.tournament.model import USUAL_TIE_BREAKS, Format, Result, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping

EN = language("en")
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


@pytest.mark.parametrize("kind", [STANDINGS, CROSSTABLE])
async def test_a_line_is_below_those_of_a_group_who_go_on(kind: str) -> None:
    """Players who have withdrawn are passed over; the last stage has no line."""
    groups = Stage(Format.ROUND_ROBIN, sections=2, qualifiers=2)
    made = Made((groups, Stage(Format.SINGLE_ELIMINATION)), 8).rounds_of(1)

    async def qualified() -> int:
        return int(drawn(await page(made, kind, stage=1, section=1)).qualified)

    assert await qualified() == 2
    made.withdraw(lines(made.snapshot, Section(1, 1))[0].player.number)
    there = [line.withdrawn for line in lines(made.snapshot, Section(1, 1))]
    assert await qualified() == 1 + [number for number, gone in enumerate(there) if not gone][1]
    only = Made((replace(groups, qualifiers=0),), 8).rounds_of(1)
    assert drawn(await page(only, kind, stage=1, section=1)).qualified == 0


@pytest.mark.parametrize("kind", [STANDINGS, CALENDAR])
async def test_before_the_start_there_is_a_page(kind: str) -> None:
    made = Made(SWISS, 3)
    made.set(status=Status.REGISTRATION, started=None)
    for number in (1, 2, 3):
        made.player(number, seed=0, section=0)
    built = await page(made, kind, 1)
    assert built.page.draw().startswith(b"\x89PNG")
    assert not built.own


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
    assert about(made.snapshot, final, EN).endswith("Semi-finals: 0 of 2 finished")
