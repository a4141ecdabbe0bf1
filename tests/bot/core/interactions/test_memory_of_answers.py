"""Nothing of an interaction stays in memory once it is answered."""

from __future__ import annotations

import asyncio
import gc

import discord
from harness.bot import Room, private, told_all
from harness.discord import until

from bot.core.interactions.answer import Answer

LARGE = (discord.Interaction, discord.ui.View, discord.ui.LayoutView, discord.ui.Modal, Answer)


def kept() -> list[object]:
    """Returns the interactions and their views that are still in memory."""
    gc.collect()
    return [one for one in gc.get_objects() if isinstance(one, LARGE)]


async def test_no_answer_keeps_its_interaction(room: Room) -> None:
    """Commands, pickers, panels, forms and public answers, by several people."""
    assert room.bot is not None
    live = await room.begin("abalone")
    for who in (room.ana, room.ben):
        await who.slash("abak settings")
        await who.press("b:page_user:me:0:time", private(who))
        await who.press("b:ask_user:", private(who))
        await who.slash("abak games")
        await who.slash("abak rules", game="apb")
        await who.slash("abak learn", game="apb")
    mover = room.to_move(live)
    for _ in range(3):
        await mover.press("b:move:", room.board)
    await told_all(room.bot)
    await asyncio.sleep(0)
    assert kept() == []
    state = room.bot._connection
    assert not state._view_store._views
    assert not state._view_store._synced_message_views
    assert not state._view_store._modals


async def test_a_picker_is_still_replaced_by_a_newer_one(room: Room) -> None:
    live = await room.begin("abalone")
    mover = room.to_move(live)
    await mover.press("b:move:", room.board)
    first = private(mover)
    await mover.press("b:move:", room.board)
    await until(lambda: room.server.world.messages.find(int(first["id"])) is None, "the older picker is gone")
    assert private(mover)["id"] != first["id"]
