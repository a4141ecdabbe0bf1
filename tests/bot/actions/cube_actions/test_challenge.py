"""Tests which games are played with the cube, and how a challenge says so."""

from __future__ import annotations

import pytest
from harness.bot import Room, told
from harness.cube import CUBED, FIRST, course, cube_game, doubled, insist, verbs
from harness.discord import text

from bot.core.translations import language
from engine.registry import GAMES

EN = language("en")


def test_two_games_have_a_cube() -> None:
    assert sorted(CUBED) == ["abak", "backgammon"]


@cube_game
async def test_the_challenge_says_that_the_cube_is_in_play(room: Room, game: str) -> None:
    assert EN("challenge.unlimited") in text(await room.challenge(game, cube="on"))
    for given in ({"cube": "off"}, {}):
        assert EN("challenge.single") in text(await room.challenge(game, **given))


@pytest.mark.parametrize("game", [key for key in GAMES if key not in CUBED])
async def test_games_without_a_cube_refuse_it(room: Room, game: str) -> None:
    await room.ana.slash("abak challenge", opponent=room.ben, game=game, cube="on")
    assert told(room.ana) == EN("challenge.no_cube", game=GAMES[game].name)
    await room.begin(game, cube="off")
    assert verbs(room.board)[0] == "move"
    await room.ana.slash("abak double")
    assert told(room.ana) == EN("cube_action.none", game=GAMES[game].name)


@cube_game
async def test_without_the_option_dice_fall_by_themselves(room: Room, game: str) -> None:
    live = await room.begin(game)
    await room.type(live, FIRST[game])
    live = await room.shown()
    assert course(live)[-1] == "chance -1 52"
    assert verbs(room.board)[0] == "move"
    await room.ben.slash("abak double")
    assert EN("cube.not_in_play") in told(room.ben)


@cube_game
async def test_a_rematch_keeps_the_cube(room: Room, game: str) -> None:
    await doubled(room, game)
    await insist(room, room.ana, "pass")
    await room.ben.press("b:rematch:", room.board)
    assert EN("challenge.unlimited") in text(room.ben.messages[-1])
