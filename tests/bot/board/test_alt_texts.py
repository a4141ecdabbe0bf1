"""Tests the words for a picture: the position, whose turn it is, and what has just happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, Room, private
from harness.discord import alt, components, text

from bot.archive import views as replay
from bot.board import pictures
from bot.core.translations import CODES, language
from bot.games.notation import in_language
from engine.registry import GAMES
from render.view import View

if TYPE_CHECKING:
    from harness.discord import Seat

EN = language("en")


async def played(room: Room, game: str, **options: str) -> str:
    """Begins a game, plays one turn, and returns it as it is written."""
    live = await room.begin(game, **options)
    rules, state = live.table.game, live.table.state
    steps: list[Any] = []
    while rules.to_act(state) == live.table.to_act:
        steps.append(next(step for step in rules.legal(state) if not rules.loses_piece(state, step)))
        state = rules.apply(state, steps[-1])
    turn: str = rules.format(live.table.state, steps)
    await room.type(live, turn)
    await room.shown()
    return turn


async def shown_again(room: Room, who: Seat) -> dict[str, dict[str, Any]]:
    """Returns the present board in each of the ways to see it in private once more."""
    found = {}
    await who.slash("abak board")
    found["board"] = private(who)
    await who.press("b:flip:", room.board)
    found["flipped"] = private(who)
    await who.press("b:flip:", private(who))
    found["flipped back"] = who.fresh(private(who))
    await who.slash("abak replay")
    found["replay"] = private(who)
    await who.press("b:film:", private(who))
    found["film"] = private(who)
    if (await room.present()).awaited == who.user_id:
        await who.slash("abak next")
        found["next"] = private(who)
    return found


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
@pytest.mark.parametrize("game", GAMES)
async def test_every_board_says_what_has_just_happened(room: Room, game: str, locale: str) -> None:
    room.speak(locale)
    turn = await played(room, game)
    live = await room.present()
    for who in (room.to_move(live), room.other(live)):
        boards = await shown_again(room, who)
        boards["public"] = room.board
        heard = {way: said for way, shown in boards.items() for said in alt(shown)}
        written = in_language(turn, room.say)  # as it was played, whichever side is below
        assert [way for way, words in heard.items() if written not in words] == []
        assert all(len(alt(shown)) == 1 and "`" not in alt(shown)[0] for shown in boards.values())


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
@pytest.mark.parametrize("game", GAMES)
async def test_a_result_card_says_who_has_won_and_how(room: Room, game: str, locale: str) -> None:
    room.speak(locale)
    await played(room, game)
    await room.ben.slash("abak resign")
    asked = private(room.ben)
    await room.ben.press(
        [x for x in (part.get("custom_id", "") for part in components(asked)) if x.startswith("b:resign_for:")][-1],
        asked,
    )
    live = await room.shown()
    assert live.table.outcome
    won = room.say("board.won", player="Ana", how=room.say("how.end.resigned", player="Ana", other="Ben"))
    heard = alt(room.board)[0]
    assert won in heard
    over = [f"{game}.alt.over", f"{game}.text.over"]
    assert any(room.say(key) in heard for key in over if room.say.has(key))  # and nobody is to play
    assert "<@" not in alt(room.board)[0]


@pytest.mark.parametrize("game", GAMES)
async def test_a_board_in_words_says_what_has_just_happened(room: Room, game: str) -> None:
    turn = await played(room, game)
    await room.ben.slash("abak board", text=True)
    assert turn in text(private(room.ben))


async def test_what_was_played_is_told_where_only_the_dice_have_fallen_since(room: Room) -> None:
    turn = await played(room, "backgammon", cube="on")
    await (room.to_move(await room.shown())).slash("abak roll")
    live = await room.shown()
    await room.to_move(live).slash("abak board")
    heard = alt(private(room.to_move(live)))[0]
    assert turn in heard
    assert live.table.notes[-1]
    assert EN.note(live.table.notes[-1][0]) in heard


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_looked_through_from_ones_own_side(room: Room, game: str) -> None:
    await played(room, game)
    for who, side in zip((room.ana, room.ben), GAMES[game].seats, strict=True):
        await who.slash("abak replay")
        look = private(who)
        for button in ("first", "last"):
            await who.press(EN(f"button.{button}"), look)
            assert alt(who.fresh(look))[0].startswith(EN(f"{game}.alt.from_{side}"))
        await who.press("b:film:", look)
        assert alt(private(who))[0].startswith(EN(f"{game}.alt.from_{side}"))


async def test_a_replay_is_turned_and_stays_so(room: Room) -> None:
    turn = await played(room, "backgammon")
    await room.ana.slash("abak replay")
    look = private(room.ana)
    assert turn in text(look)  # though the next dice have fallen
    own, other = (EN(f"backgammon.alt.from_{side}") for side in GAMES["backgammon"].seats)
    for button, side in (("flip", other), ("first", other), ("forward", other), ("flip", own), ("last", own)):
        await room.ana.press(EN(f"button.{button}"), look)
        assert alt(room.ana.fresh(look))[0].startswith(side)
    await room.ana.press(EN("button.flip"), look)
    await room.ana.press("b:film:", look)
    assert alt(private(room.ana))[0].startswith(other)


async def test_a_film_says_whether_it_is_the_whole_game(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await played(room, "abalone")
    await room.ana.slash("abak replay")
    look = private(room.ana)
    await room.ana.press("b:film:", look)
    assert text(private(room.ana)) == EN("replay.film", n=1)
    monkeypatch.setattr(replay, "FRAMES", 1)
    await room.ana.press("b:film:", look)
    assert text(private(room.ana)) == EN("replay.film_end", n=1)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_long_story_leaves_the_position_whole_and_loses_its_beginning(game: Any, code: str) -> None:
    say, state = language(code), game.start(game.settle_options({}))
    position = pictures.alt(game, state, View(), say)
    story = f"First. {'More happened. ' * 100}In the end: `8/5*`."
    heard = pictures.alt(game, state, View(), say, story)
    assert len(heard) <= pictures.ALT_LENGTH
    assert heard.startswith(f"{position} …")
    assert heard.endswith("In the end: 8/5*.")
    assert pictures.alt(game, state, View(), say, "Now.") == f"{position} Now."


@pytest.mark.parametrize(("code", "moment"), [("en", "24 Dec 2026, "), ("es", "24 dic 2026, ")])
def test_a_moment_is_said_in_words_where_nobody_would_show_it(code: str, moment: str) -> None:
    heard = pictures.plain_text("until <t:1798106400:f>, <t:1798106400>", language(code))
    assert heard.count(moment) == 2
    assert "<" not in heard
    assert heard.endswith("UTC")
