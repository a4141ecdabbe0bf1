"""Resigning: asked twice, offered for less, done once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from harness.bot import Room, private, told, verbs, wired
from harness.cube import labels
from harness.discord import text

from bot.core.translations import language
from engine.registry import GAMES

EN = language("en")

DICE = [key for key, game in GAMES.items() if len(game.resign_values(game.start(game.settle_options({})), 0)) > 1]
"""The games in which less can be offered than the position could cost."""


@pytest.mark.parametrize("by", ["button", "command"])
@pytest.mark.parametrize("game", GAMES)
async def test_resigning_is_asked_for_twice(room: Room, game: str, by: str) -> None:
    live = await room.begin(game)
    who = room.ben
    if by == "button":
        await who.press("b:more:", room.board)
        await who.press("b:resign:", private(who))
    else:
        await who.slash("abak resign")
    assert told(who) == EN("resign.sure")
    assert verbs(private(who))[0] == "keep"  # what is hit by habit is harmless
    assert await room.present() == live
    seat = live.players.index(who.user_id)
    points = live.table.game.resign_values(live.table.state, seat)[-1]
    await who.press(f"b:resign_for:{live.id}:{live.seq}:{points}", private(who))
    ended = await room.shown()
    assert ended.table.outcome is not None
    assert ended.table.outcome.winner == 1 - seat
    assert abs(ended.table.outcome.points[0]) == points
    assert f"{room.ana.mention} wins: {room.ben.mention} resigned." in text(room.board)
    assert verbs(room.board) == ["rematch", "replay", "flip"]
    assert [m for _, m in room.pings if m["id"] == room.board["id"]] == []


async def test_thinking_better_of_resigning_keeps_the_game(room: Room) -> None:
    live = await room.begin("apb")
    await room.ana.slash("abak resign")
    await room.ana.press("b:keep:", private(room.ana))
    assert told(room.ana) == EN("resign.kept")
    assert wired(private(room.ana)) == []
    assert await room.present() == live


@pytest.mark.parametrize("accepting", [True, False])
@pytest.mark.parametrize("game", DICE)
async def test_less_than_the_position_could_cost_is_an_offer(room: Room, game: str, accepting: bool) -> None:
    await room.begin(game, cube="on", jacoby=False)
    await room.ana.slash("abak resign")
    await room.ana.press(f"Single: {EN('button.resign_offer', n=1)}", private(room.ana))
    assert told(room.ana).startswith(EN("resign.offered"))
    offered = await room.shown()
    assert offered.table.outcome is None
    assert offered.awaited == room.ben.user_id
    await room.ben.press("b:accept:" if accepting else "b:decline:", room.board)
    after = await room.shown()
    if accepting:
        assert after.table.outcome is not None
        assert after.table.outcome.points[after.players.index(room.ben.user_id)] == 1
    else:
        assert after.table.outcome is None
        assert after.table.offer is None


async def offered(room: Room, game: str, **terms: Any) -> list[str]:
    """Returns the texts of the ways to resign that Ana is offered in a new game."""
    await room.begin(game, **terms)
    await room.ana.slash("abak resign")
    return [label for label in labels(private(room.ana)) if label != EN("button.keep_playing")]


@pytest.mark.parametrize("game", DICE)
async def test_where_points_do_not_count_there_is_one_way_to_resign(room: Room, game: str) -> None:
    assert await offered(room, game) == [EN("button.resign")]


@pytest.mark.parametrize(
    ("points", "wanted"),
    [
        (1, [EN("button.resign_decides")]),
        (3, ["Single", "Gammon", EN("button.resign_decides")]),
        (7, ["Single", "Gammon", "Backgammon", EN("button.sure_resign_match")]),
    ],
)
@pytest.mark.parametrize("game", DICE)
async def test_no_more_is_offered_than_the_opponent_needs_to_win_the_match(
    room: Room, game: str, points: int, wanted: list[str]
) -> None:
    found = await offered(room, game, points=points)
    assert [label if label in wanted else label.partition(":")[0] for label in found] == wanted


async def test_the_menu_of_a_game_that_is_over_offers_what_is_left(room: Room) -> None:
    live = await room.begin("abalone")
    await room.ana.press("b:more:", room.board)
    menu = private(room.ana)
    await room.ben.slash("abak resign")
    await room.ben.press("b:resign_for:", private(room.ben))
    await room.shown()
    await room.ana.press("b:resign:", menu)
    assert text(room.ana.fresh(menu)) == EN("table.over")
    left = verbs(room.ana.fresh(menu))
    assert {"words", "replay", "record", "rule"} <= {*left}
    assert not {"resign", "sure_draw", "sure_back"} & {*left}
    assert live.id in str(room.ana.fresh(menu))


async def test_who_resigns_twice_at_once_resigns_once(room: Room) -> None:
    await room.begin("apb")
    await room.ana.slash("abak resign")
    sure = private(room.ana)
    await asyncio.gather(*(room.ana.press("b:resign_for:", sure) for _ in range(2)))
    assert (await room.shown()).table.seq == 1
    assert len(room.boards) == 2
