"""A game goes on when the connection to Discord is lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from harness.boards import assert_shown_once
from harness.bot import Room, told
from harness.discord import until
from harness.players import Greedy

from bot.core.translations import language

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN = language("en")


async def play(room: Room, live: LiveGame, player: Greedy) -> LiveGame:
    steps = player.turn(live.table.game, live.table.state)
    await room.type(live, live.table.game.format(live.table.state, steps))
    return await room.shown()


async def lost(server: Server) -> None:
    """Waits until a connection that was broken has been made again."""
    before = set(server.gateway.sockets)
    await until(lambda: server.gateway.sockets - before, "the bot has come back")
    await until(lambda: any(s.socket is not None and not s.silent for s in server.gateway.sessions.values()), "ready")


@pytest.mark.parametrize("fault", ["drop", "drop for good", "reconnect", "invalid"])
async def test_a_game_goes_on_when_the_connection_is_lost(room: Room, fault: str) -> None:
    live, player, faults = await room.begin("backgammon"), Greedy(patience=9), room.server.world.faults
    for number in range(4):
        live = await play(room, live, player)
        if number == 1:
            back = asyncio.create_task(lost(room.server))
            await asyncio.sleep(0)
            {
                "drop": lambda: faults.drop_gateway(resume=True),
                "drop for good": lambda: faults.drop_gateway(resume=False),
                "reconnect": faults.reconnect,
                "invalid": faults.invalidate,
            }[fault]()
            await back
            await until(lambda: room.bot is not None and room.bot.is_ready(), "the bot is ready")
            sessions = len(room.server.gateway.sessions)
            assert sessions == 1
    assert_shown_once(room, live)


async def test_what_was_pressed_while_the_connection_was_lost_is_answered(room: Room) -> None:
    await room.begin("apb")
    room.server.world.faults.drop_gateway(resume=True)
    await room.ana.press("b:move:", room.board)
    assert EN("picker.what") in told(room.ana)
