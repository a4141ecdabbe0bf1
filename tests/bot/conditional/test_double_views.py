"""The answer to the next double, laid down ahead: given in the same moment, for one roll or until a double comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, Room, bot_running, private, told, verbs, wired
from harness.cube import ROLLS, AnyRolls, course, cube_game, first_turn
from harness.discord import Seat, components, text

from bot.conditional.service import ConditionalMoveService
from bot.core.translations import language
from engine.core.errors import Translated
from engine.core.record import Kind
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server

EN = language("en")
GREEN = 3
SECOND = {"backgammon": "13/8 13/11", "abak": "13/8 24/22"}
"""Black's after 5-2."""


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    """The dice fall as they are written."""
    async with bot_running(stand_in, sqlite_url, luck=AnyRolls(ROLLS)) as bot:
        yield Room.of(stand_in, bot)


async def lay(room: Room, who: Seat, word: str, span: str) -> dict[str, Any]:
    """Opens the panel by the More button."""
    await who.press("b:more:", room.board)
    await who.press("b:conditional_double:", private(who))
    panel = private(who)
    await who.press(f"b:conditional_double_set:{panel_id(panel)}:{word}|{span}", panel)
    if word == "pass":
        assert EN("conditional.pass_sure") in text(who.fresh(panel))
        await who.press(EN("button.conditional_pass_confirm"), panel)
    assert EN(f"conditional.double.{word}.{span}") in text(who.fresh(panel))
    return panel


def panel_id(panel: dict[str, Any]) -> str:
    return ":".join(wired(panel)[0]["custom_id"].split(":")[2:4])


async def call(who: Seat, room: Room, word: str) -> None:
    """Doubles or rolls by the board's buttons."""
    await who.press(f"b:cube:{shown_id(room)}:{word}", room.board)
    if word == "double":
        await who.press("b:cube_confirm:", private(who))


def shown_id(room: Room) -> str:
    return ":".join(wired(room.board)[0]["custom_id"].split(":")[2:4])


async def stored(room: Room) -> list[tuple[int, str, str | None, bool]]:
    assert room.bot is not None
    found = await room.bot.service(ConditionalMoveService).store.of((await room.present()).id)
    return [(move.seat, move.condition, move.reply, move.persistent) for move in found]


@cube_game
@pytest.mark.parametrize("span", ["once", "persistent"])
async def test_a_double_is_taken_as_was_laid_down_and_the_dice_fall(room: Room, game: str, span: str) -> None:
    live = await first_turn(room, game)
    await lay(room, room.ana, "take", span)
    assert len(room.boards) == 2  # nobody else hears of it
    await call(room.ben, room, "double")
    after = await room.shown()
    assert course(after)[live.seq :] == ["play 1 double", "conditional 0 take", "chance -1 52"]
    assert {entry.at for entry in after.table.record.entries[live.seq :]} == {after.table.record.entries[-1].at}
    assert after.awaited == room.ben.user_id
    assert room.pings[-1] == (room.ben.user_id, room.board)
    assert EN("story.cube.does.doubles", seat=Translated("@seat.black"), value=2) in text(room.board)
    assert EN("story.conditional.cube.does.takes", seat=Translated("@seat.white"), value=2) in text(room.board)
    assert await stored(room) == []
    assert after.table.state.fields.cube_value == 2


@cube_game
async def test_a_double_is_passed_as_was_laid_down(room: Room, game: str) -> None:
    live = await first_turn(room, game)
    await lay(room, room.ana, "pass", "persistent")
    await call(room.ben, room, "double")
    after = await room.shown()
    assert course(after)[live.seq :] == ["play 1 double", "conditional 0 pass"]
    assert after.table.outcome is not None
    assert after.table.outcome.winner == 1
    assert EN("story.conditional.cube.does.passes", seat=Translated("@seat.white")) in text(room.board)
    assert await stored(room) == []


@cube_game
@pytest.mark.parametrize("span", ["once", "persistent"])
async def test_what_is_for_the_coming_roll_alone_goes_with_it(room: Room, game: str, span: str) -> None:
    await first_turn(room, game)
    await lay(room, room.ana, "take", span)
    await call(room.ben, room, "roll")
    assert await stored(room) == ([(0, "double", "take", True)] if span == "persistent" else [])
    live = await room.shown()
    await room.type(live, SECOND[game])
    assert await stored(room) == ([(0, "double", "take", True)] if span == "persistent" else [])
    await room.shown()
    await call(room.ana, room, "roll")
    now = await room.shown()
    turn = now.table.game.format(now.table.state, now.table.game.turns(now.table.state)[0][0])
    await room.type(now, turn)
    before = await room.shown()
    await call(room.ben, room, "double")
    after = await room.shown()
    answered = course(after)[before.seq :][1:2] == ["conditional 0 take"]
    assert answered is (span == "persistent")


@cube_game
async def test_an_offer_waits_for_its_own_answer_first(room: Room, game: str) -> None:
    live = await first_turn(room, game)
    await lay(room, room.ana, "take", "persistent")
    await room.ben.slash("abak draw")
    await room.ben.press("b:draw:", private(room.ben))
    await room.shown()
    await room.ben.slash("abak double")
    await room.ben.press("b:cube_confirm:", private(room.ben))
    now = await room.shown()
    assert now.table.record.entries[-1].kind is Kind.PLAY
    await room.ana.press("b:decline:", room.board)
    after = await room.shown()
    assert course(after)[live.seq :][2:5] == ["decline 0 draw", "conditional 0 take", "chance -1 52"]


async def test_what_is_laid_down_is_changed_and_taken_back(room: Room) -> None:
    await first_turn(room, "backgammon")
    panel = await lay(room, room.ana, "take", "once")
    await room.ana.press("b:conditional_double_set:" + panel_id(panel) + ":take|persistent", panel)
    assert await stored(room) == [(0, "double", "take", True)]
    marked = [(x["label"], x["style"]) for x in components(room.ana.fresh(panel)) if x.get("disabled")]
    assert marked == [
        (EN("button.conditional_double.stands", choice=EN("button.conditional_double.take.persistent")), GREEN)
    ]
    await room.ana.press("b:conditional_double_set:" + panel_id(panel) + ":pass|persistent", panel)
    await room.ana.press(EN("button.conditional_pass_cancel"), panel)
    assert EN("conditional.double.take.persistent") in text(room.ana.fresh(panel))  # "No" leaves what was set
    assert await stored(room) == [(0, "double", "take", True)]
    await room.ana.press(EN("button.conditional_double.none"), panel)
    assert EN("conditional.double_none") in text(room.ana.fresh(panel))
    marked = [x["label"] for x in components(room.ana.fresh(panel)) if x.get("disabled")]
    assert marked == [EN("button.conditional_double.stands", choice=EN("button.conditional_double.none"))]
    assert await stored(room) == []


async def test_neither_stranger_nor_who_is_asked_lays_an_answer_down(room: Room) -> None:
    await first_turn(room, "backgammon")
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    await stranger.press("b:more:", room.board)
    assert "conditional_double" not in verbs(private(stranger))
    await stranger.slash("abak move conditional")
    assert told(stranger) == EN("table.not_a_player")
    await call(room.ben, room, "double")
    await room.shown()
    await room.ana.slash("abak move conditional")
    assert told(room.ana).startswith(EN("conditional.answer_now"))


async def test_whose_cube_it_is_need_not_fear_a_double(room: Room) -> None:
    await first_turn(room, "backgammon")
    await call(room.ben, room, "double")
    await room.shown()
    await call(room.ana, room, "take")
    await room.shown()
    for who, offered in ((room.ana, False), (room.ben, True)):
        await who.press("b:more:", room.board)
        assert ("conditional_double" in verbs(private(who))) is offered


async def test_in_spanish(room: Room) -> None:
    room.speak(SPANISH)
    await first_turn(room, "abak")
    await room.ana.slash("abak move conditional")
    assert room.say("conditional.double_heading", game=GAMES["abak"].name) in told(room.ana)
    assert room.say("conditional.double_none") in told(room.ana)
