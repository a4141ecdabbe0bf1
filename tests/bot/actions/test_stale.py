"""An offer is answered as long as it stands, whatever has been noted of time since it was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import is_gone, private, told
from harness.hours import announce_vacation

from bot.core.translations import language

if TYPE_CHECKING:
    from harness.bot import Room
    from harness.discord import Seat

EN = language("en")


async def offer_draw(room: Room, who: Seat) -> None:
    await who.slash("abak draw")
    await who.press("b:draw:", private(who))
    await room.shown()


@pytest.mark.parametrize("verb", ["accept", "decline"])
async def test_an_answer_seen_before_a_note_of_time_counts(room: Room, verb: str) -> None:
    await room.begin("apb", time="3d/move")
    await offer_draw(room, room.ana)
    offered = await room.present()
    await room.ben.slash("abak board")
    seen = private(room.ben)
    await announce_vacation(room, room.ana)
    await room.ben.press(f"b:{verb}:{offered.id}:{offered.seq}:", seen)
    assert is_gone(room.ben, seen)  # the board says it
    assert (await room.present()).table.offer is None


async def test_an_answer_to_an_earlier_offer_is_stale(room: Room) -> None:
    await room.begin("apb", time="3d/move")
    await offer_draw(room, room.ana)
    first = await room.present()
    await room.ben.slash("abak board")
    seen = private(room.ben)
    await room.ben.press("b:decline:", room.board)
    await room.shown()
    await room.ana.slash("abak move play", notation="e4-d5 e3-e4")
    await room.shown()
    await offer_draw(room, room.ana)
    await room.ben.press(f"b:accept:{first.id}:{first.seq}:", seen)
    assert told(room.ben).startswith(EN("table.stale"))
    assert (await room.present()).table.outcome is None
