"""Whoever looks on: the board from the other side, and the record of a game that runs or is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, private, told
from harness.discord import Seat, components, text
from harness.pixels import pixels

if TYPE_CHECKING:
    from harness.bot import Room


async def prefer(room: Room, who: Seat, key: str, value: str) -> None:
    assert room.bot is not None
    await room.bot.services.preferences.set_user(who.user_id, key, value)


async def test_flip_turns_the_board_as_it_was_drawn(room: Room) -> None:
    """Ben has the first player's side below always: so has the board that calls him, and Flip shows the other one."""
    await prefer(room, room.ben, "below", "first")
    await room.type(await room.begin("abalone"), "a1b1")
    await room.shown()
    await room.ben.press("b:flip:", room.board)

    def picture(message: dict[str, Any]) -> bytes:
        return pixels(room.server.world.attachment(int(message["attachments"][0]["id"]))[0])

    flipped = private(room.ben)
    assert picture(flipped) != picture(room.board)
    await room.ben.press("b:flip:", flipped)
    assert picture(room.ben.fresh(flipped)) == picture(room.board)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_anybody_can_open_the_record_of_a_game_that_runs_or_is_over(room: Room, locale: str) -> None:
    room.speak(locale)
    seated = await room.begin("backgammon")
    eve = Seat.join(room.server.world, "Eve", room.channel_id, locale=locale)
    await eve.press("b:more:", room.board)
    await eve.press("b:record:", private(eve))
    assert room.say("record.empty") in told(eve)
    game, state = seated.table.game, seated.table.state
    played = game.format(state, game.turns(state)[0][0])
    dice = seated.table.record.entries[-1].body.split(" ")[0]
    line = f"1. {room.say(f'seat.{game.seats[seated.table.to_act or 0]}')} {dice}: {played}"
    await room.type(seated, played)
    await room.shown()
    await room.ben.slash("abak resign")
    await room.ben.press(room.say("button.resign_for", n=3), private(room.ben))
    await room.shown()
    await eve.press("b:replay:", room.board)
    assert [x.get("label") for x in components(private(eve))][-1] == room.say("button.record")
    await eve.press("b:record:", private(eve))
    assert line in text(private(eve)).splitlines()
    [attachment] = private(eve)["attachments"]
    whole = room.server.world.attachment(int(attachment["id"]))[0].decode()
    assert line in whole.splitlines()
    assert "Ana" in whole
    assert "<@" not in whole
    assert private(eve) not in room.ana.messages
