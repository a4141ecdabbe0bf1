"""``/abak data``, as its users meet it: the panel, the export, the deletion."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from harness.bot import Room, private, told, verbs
from harness.discord import text, until

from bot.board.delivery.publisher import BoardPublisher
from bot.core.translations import language
from bot.games.service import GameService
from bot.notifications.dispatcher import NotificationDispatcher
from bot.privacy.deletion.service import DeletionService
from engine.core.record import Kind

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.sandbox.interactions.interaction import Interaction
    from harness.discord import Seat

EN = language("en")


async def delete_me(who: Seat, word: str = "DELETE") -> Interaction:
    """The whole way: the panel, the explanation, the form."""
    await who.slash("abak data")
    await who.press("b:data_delete:", private(who))
    opened = await who.press("b:data_ask:", private(who))
    return await who.submit(opened, {"word": word})


async def test_a_deletion(room: Room) -> None:
    live = await room.begin("abalone", time="1d/move")
    for _ in range(4):
        live = await room.present()
        await room.type(live, live.game.format(live.state, [live.game.legal(live.state)[0]]))
    await delete_me(room.ben)
    assert told(room.ben) == EN("data.deleted")
    over = await room.shown()
    print(text(room.board))
    print(over.players, over.outcome, over.record.entries[-1])
    assert 0
