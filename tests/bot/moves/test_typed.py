"""Tests typed turns that are incomplete, written in another way, or ambiguous."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, private, told, verbs
from harness.discord import buttons, is_ephemeral
from harness.positions import placed
from harness.walks import drafts, walk

from bot.board.cube_actions import cube_actions
from bot.board.effects import TIMES, effects
from bot.core.translations import language
from bot.games.notation import in_language
from bot.moves.draft import Draft, follow
from bot.moves.incomplete import MAX_NAMED, incomplete_move
from bot.moves.refusal import MAX_TURN_BUTTONS
from bot.moves.suggestions import matches_beginning, suggestions
from bot.players.service import PreferenceService
from engine.core.errors import AmbiguousMove, BadNotation, RuleError, Translated
from engine.core.game import Note
from engine.core.record import Kind
from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

    from engine.core.game import Game

EN = language("en")
LOCALES = ("en-US", SPANISH)
TWO_WAYS = "XGID=-b----E-C--aeE---c-d----B-:0:0:1:42:0:0:0:0:10"
"""13/7 hits on 11, or does not."""
ON_BAR = "XGID=-b----E-C---eE---c-d-a--AA:0:0:1:61:0:0:0:0:10"
BACKGAMMON = "XGID=-b----E-C---eE---c-e----B-:0:0:1:42:0:0:0:0:10"
GUARD = "ABAKID=16/S/6/ss:G:0:0:1:32:0:0:0:0:10"
"""A guard on the bar."""
STARS = "ABAKID=16/S/2/s/3/ss:-:0:0:1:32:0:0:0:0:10"


def position(key: str, text: str = "") -> Any:
    game = GAMES[key]
    return game.decode(text) if text else game.start(game.settle_options({}))


# --- several readings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    ("game", "board", "typed", "readings"),
    [
        ("backgammon", TWO_WAYS, "13/7", ("13/11*/7", "13/9/7")),
        ("abak", STARS, "8/3", ("8/5*/3", "8/6/3")),
    ],
)
async def test_every_reading_is_a_button_that_plays_it(
    room: Room, locale: str, game: str, board: str, typed: str, readings: tuple[str, ...]
) -> None:
    room.speak(locale)
    for number, reading in enumerate(readings):
        corner = room if not number else type(room).of(room.server, room.bot, locale=locale)
        live = await placed(corner, game, board)
        await corner.type(live, typed)
        refusal = private(corner.ana)
        assert all(text in told(corner.ana) for text in readings)
        assert (await corner.present()).seq == live.seq
        named = [label.split(",")[0] for label in buttons(refusal) if "/" in label]
        assert sorted(named) == sorted(readings)
        [label] = [label for label in buttons(refusal) if label.split(",")[0] == reading]
        await corner.ana.press(label, refusal)
        assert reading in [entry.body for entry in (await corner.shown()).table.record.entries]


async def test_a_reading_that_is_pressed_twice_is_played_once(room: Room) -> None:
    live = await placed(room, "backgammon", TWO_WAYS)
    await room.type(live, "13/7")
    refusal = private(room.ana)
    await asyncio.gather(*(room.ana.press("b:reading:", refusal) for _ in range(3)))
    after = await room.shown()
    assert [entry.kind for entry in after.table.record.entries].count(Kind.PLAY) == 1
    assert len(room.boards) == 2


async def test_a_reading_of_an_older_position_shows_the_present_one(room: Room) -> None:
    live = await placed(room, "backgammon", TWO_WAYS)
    await room.type(live, "13/7")
    refusal = private(room.ana)
    await room.type(live, "24/18")
    after = await room.shown()
    await room.ana.press("b:reading:", refusal)
    assert told(room.ana).startswith(EN("table.not_your_turn"))
    assert is_ephemeral(room.ana.last)
    assert (await room.present()).seq == after.seq


async def test_who_is_always_asked_is_asked_about_a_reading_too(room: Room) -> None:
    assert room.bot is not None
    live = await placed(room, "backgammon", TWO_WAYS)
    await room.bot.service(PreferenceService).set_user(room.ana.user_id, "confirm", "always")
    await room.type(live, "13/7")
    await room.ana.press("b:reading:", private(room.ana))
    assert verbs(private(room.ana))[0] == "confirm"
    assert (await room.present()).seq == live.seq


@pytest.mark.parametrize("key", ["backgammon", "abak"])
def test_every_reading_that_is_told_can_be_typed(key: str) -> None:
    game, found = GAMES[key], 0
    for state in walk(game, random.Random(4), turns=60):
        for point in range(24, 6, -1):
            for far in (3, 5, 7, 9):
                readings = readings_of(game, state, f"{point}/{point - far}" if point > far else f"{point}/off")
                assert [game.format(state, game.parse(state, text)) for text in readings] == list(readings)
                found += len(readings)
    assert found


def readings_of(game: Game[Any, Any], state: Any, typed: str) -> tuple[str, ...]:
    """Returns the turns that a text may mean, if it is not one."""
    try:
        game.parse(state, typed)
    except AmbiguousMove as error:
        return error.readings
    except RuleError:
        return ()
    return ()


# --- a beginning -----------------------------------------------------------------------------------------------------

BEGINNINGS = [
    ("backgammon", ON_BAR, "bar", "~", ("bar/24",)),
    ("backgammon", BACKGAMMON, "6/", "~", ("6/4", "6/2")),
    ("backgammon", BACKGAMMON, "24", "~", ("24/22", "24/20")),
    ("backgammon", BACKGAMMON, "13/9 13", "", ("13/11",)),
    ("abak", GUARD, "bar", "~", ("bar:G/22", "bar:G/23")),
    ("abak", GUARD, "bar/", "~", ("bar:G/22", "bar:G/23")),
    ("abalone", "", "c3c", "", ("c3c2", "c3c4", "c3c4d3", "c3c4d4", "c3c5d3", "c3c5d4")),
    ("apb", "", "d4-d5 e4-", "", ("e4-d4", "e4-e5", "e4-f5")),
]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("game", "board", "typed", "draft", "fits"), BEGINNINGS)
async def test_a_beginning_opens_the_picker_where_it_ends(
    room: Room, locale: str, game: str, board: str, typed: str, draft: str, fits: tuple[str, ...]
) -> None:
    room.speak(locale)
    live = await placed(room, game, board) if board else await room.begin(game)
    await room.type(live, typed)
    shown = ", ".join(f"`{in_language(text, room.say)}`" for text in fits)
    assert told(room.ana).startswith(room.say("picker.incomplete_move", text=typed, fits=shown))
    assert set(verbs(private(room.ana))) <= {"pick", "cancel_pick", "reading"}
    assert (await room.present()).seq == live.seq
    found = incomplete_move(live.table.game, live.table.state, typed)
    assert found is not None
    if draft:
        assert str(found.draft).rpartition("~")[0] == draft


async def test_where_all_that_fits_begins_with_one_piece_the_picker_has_it_chosen(room: Room) -> None:
    live = await room.begin("apb")
    await room.type(live, "e4-")
    assert EN("picker.where", piece="e4") in told(room.ana)


async def test_of_many_that_fit_some_are_named(room: Room) -> None:
    live = await room.begin("apb")
    await room.type(live, "d")
    [line, *_] = told(room.ana).splitlines()
    assert line.endswith(" …")
    assert line.count("-") == MAX_NAMED


@pytest.mark.parametrize("locale", LOCALES)
async def test_a_single_turn_that_fits_is_a_button_and_is_not_played_before(room: Room, locale: str) -> None:
    room.speak(locale)
    live = await placed(room, "backgammon", BACKGAMMON)
    await room.type(live, "13/11 13/")
    assert (await room.present()).seq == live.seq
    [label] = [label for label in buttons(private(room.ana)) if label.startswith("13/11 13/9")]
    await room.ana.press(label, private(room.ana))
    assert "13/11 13/9" in [entry.body for entry in (await room.shown()).table.record.entries]


async def test_a_turn_goes_on_where_two_ends_of_a_group_are_no_move(room: Room) -> None:
    """The rule is told, and the turns that are written so far are buttons."""
    live = await room.begin("abalone")
    await room.type(live, "c3c5")
    assert told(room.ana).startswith(EN("abalone.not_neighbours", cell="c3", to="c5")[:20])
    assert [label.split(",")[0] for label in buttons(private(room.ana))][:2] == ["c3c5d3", "c3c5d4"]
    await room.ana.press("b:reading:", private(room.ana))
    assert (await room.shown()).table.record.entries[0].body == "c3c5d3"


@pytest.mark.parametrize(
    ("game", "board", "typed"),
    [
        ("backgammon", BACKGAMMON, "13/1"),
        ("backgammon", BACKGAMMON, "8 to 4"),
        ("abalone", "", "zz"),
        ("apb", "", "-"),
        ("backgammon", BACKGAMMON, "*"),
    ],
)
async def test_what_begins_no_turn_is_refused(room: Room, game: str, board: str, typed: str) -> None:
    """A number is not the beginning of a longer one: the rule that forbids it is told."""
    live = await placed(room, game, board) if board else await room.begin(game)
    await room.type(live, typed)
    assert verbs(private(room.ana)) == ["rule"]


@pytest.mark.parametrize("key", GAMES)
def test_every_beginning_of_a_suggestion_is_read_forbidden_or_goes_on_and_never_refused_as_unreadable(key: str) -> None:
    game, rng, tried = GAMES[key], random.Random(6), 0
    for state in walk(game, rng, turns=25):
        *_, complete = drafts(follow(game, state, Draft()), rng)
        for end in range(1, len(complete.text)) if not cube_actions(game, state) else ():
            typed = complete.text[:end]
            if not is_read(game, state, typed):
                tried += 1
                found = incomplete_move(game, state, typed)
                assert found is not None, (game.encode(state), typed)
                assert found.fits
                assert not follow(game, state, found.draft).complete
                assert not found.turn or follow(game, state, Draft.of(game, state, found.turn)).complete
    assert tried > MAX_TURN_BUTTONS


def is_read(game: Game[Any, Any], state: Any, typed: str) -> bool:
    """Returns whether the text is a turn, several turns, or against a rule."""
    try:
        game.parse(state, typed)
    except BadNotation:
        return False
    except RuleError:
        return True
    return True


@pytest.mark.parametrize("locale", LOCALES)
async def test_the_beginning_of_a_word_that_is_said_offers_it(room: Room, locale: str) -> None:
    room.speak(locale)
    live = await placed(room, "backgammon", BACKGAMMON.replace("42", "00"), cube="on")
    await room.type(live, "dou")
    assert verbs(private(room.ana)) == ["cube", "rule"]
    await room.ana.press("b:cube:", private(room.ana))
    assert "cube_confirm" in verbs(private(room.ana))
    assert (await room.present()).seq == live.seq


# --- how it is quoted and suggested ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("typed", ["bar", "Bar to", "white", "@button.confirm", "~3d", "E4-D5 To"])
def test_a_refusal_quotes_what_was_typed_letter_by_letter(key: str, code: str, typed: str) -> None:
    game = GAMES[key]
    error = BadNotation(f"{key}.unreadable", text=typed)
    shown = typed.replace("~", r"\~")  # Discord shows it as it was typed
    assert any(f"{quote[0]}{shown}{quote[1]}" in language(code).error(error) for quote in ("“”", "«»"))
    with pytest.raises(BadNotation) as caught:
        game.parse(position(key, {"abak": GUARD, "backgammon": BACKGAMMON}.get(key, "")), "E4-D5 To")
    assert caught.value.params["text"] == "E4-D5 To"


@pytest.mark.parametrize(
    ("game", "board", "typed", "found"),
    [
        ("backgammon", TWO_WAYS, "13/7", {"13/11*/7", "13/9/7"}),
        ("backgammon", TWO_WAYS, "13-7", {"13/11*/7", "13/9/7"}),
        ("backgammon", ON_BAR, "bar/", {"bar/18", "bar/24 13/7", "bar/24 8/2"}),
        ("backgammon", BACKGAMMON, "13/9 13", {"13/11 13/9"}),
        ("abak", STARS, "8/3", {"8/5*/3", "8/6/3"}),
        ("abak", GUARD, "bar/", {"bar:G/22 8/6", "bar:G/22/20", "bar:G/23 8/5"}),
        ("abak", GUARD, "bar/22 8/6", {"bar:G/22 8/6"}),
        ("abak", GUARD, "bar/20", {"bar:G/22/20"}),
        ("abak", GUARD, "8/6 bar", {"bar:G/22 8/6"}),
    ],
)
def test_a_move_is_suggested_by_its_from_and_to(game: str, board: str, typed: str, found: set[str]) -> None:
    assert {text for _, text in suggestions(GAMES[game], position(game, board), typed, EN)} == found


@pytest.mark.parametrize(
    ("typed", "text", "fits"),
    [
        ("6/4 6", "6/4(2) 8/4", True),
        ("6/4 6/4 6/4", "6/4(2) 8/4", False),
        ("14/10 12", "14/10+12/10", True),
        ("13/7", "13/11*/9/7", True),
        ("13/9/11", "13/11/9", False),
        ("13/", "8/4 13/11", True),
        ("3/1", "13/1", False),
    ],
)
def test_a_play_begins_as_typed(typed: str, text: str, fits: bool) -> None:
    assert matches_beginning(typed, text) == fits


def test_two_hits_of_one_class_are_said_to_be_two() -> None:
    notes = [Note("abak.does.hits", {"stone": Translated("@abak.stone.S"), "point": point}) for point in (4, 9)]
    assert effects([*notes, Note("abak.does.retreats")], EN) == [f"hits the soldier {TIMES}2", "backward"]
