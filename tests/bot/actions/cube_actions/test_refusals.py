"""Tests cube actions that are refused: stale ones, those of another player, and those out of turn."""

from __future__ import annotations

from harness.bot import Room, private, told
from harness.cube import cube_game, doubled, first_turn, press, verbs
from harness.discord import Seat, alt

from bot.core.translations import language

EN = language("en")


@cube_game
async def test_a_stale_confirmation_shows_the_present_board(room: Room, game: str) -> None:
    await first_turn(room, game)
    await press(room.ben, "double", room.board)
    asked = private(room.ben)
    await press(room.ben, "roll", room.board)
    live = await room.shown()
    await press(room.ben, "double", asked)
    assert told(room.ben).startswith(EN("table.stale"))
    assert len(alt(private(room.ben))) == 1
    assert verbs(private(room.ben)) == ["move"]
    assert (await room.shown()).seq == live.seq


@cube_game
async def test_only_whoever_is_asked_answers(room: Room, game: str) -> None:
    live = await doubled(room, game)
    await press(room.ben, "take", room.board)
    assert told(room.ben).startswith(EN("table.not_your_turn"))
    stranger = Seat.join(room.server.world, "Cleo", room.channel_id)
    await press(stranger, "take", room.board)
    assert told(stranger) == EN("table.not_a_player")
    await stranger.slash("abak roll")
    assert told(stranger) == EN("table.not_a_player")
    assert (await room.shown()).seq == live.seq


@cube_game
async def test_whoever_comes_back_is_offered_the_same_buttons(room: Room, game: str) -> None:
    await first_turn(room, game)
    await press(room.ben, "double", room.board)
    asked = private(room.ben)
    await room.ana.slash("abak draw")
    await room.ana.press("b:draw:", private(room.ana))
    live = await room.shown()
    await press(room.ben, "double", asked)
    assert told(room.ben).startswith(EN("table.stale"))
    assert verbs(private(room.ben)) == ["accept", "decline", "roll", "double"]
    await press(room.ben, "double", private(room.ben))
    await press(room.ben, "double", private(room.ben))
    assert (await room.shown()).seq == live.seq + 1
    assert (await room.shown()).table.offer is None


@cube_game
async def test_refusals_are_told_in_the_players_language(room: Room, game: str) -> None:
    live = await first_turn(room, game)
    for locale, code in (("en-US", "en"), ("es-ES", "es")):
        room.speak(locale)
        say = language(code)
        for typed, key in (("take", "cube.no_offer"), ("8/5", "cube.roll_first"), ("hm", "cube.unreadable")):
            await room.type(live, typed)
            assert told(room.ben).startswith(say(key, text=typed))
        await room.ben.slash("abak double")
        assert told(room.ben) == say("cube_action.double.confirm", value=2, n=1)
