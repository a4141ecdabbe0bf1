"""Several challenges of one channel are accepted at the same moment: each gets its game."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from harness.bot import Room, bot_running, told_all
from harness.discord import Seat, until

from bot.board.delivery.publisher import BoardPublisher
from bot.games.service import GameService

if TYPE_CHECKING:
    from bot.sandbox.server import Server

pytestmark = pytest.mark.both_databases

PAIRS = 6


async def test_each_of_six_accepts_at_once_gets_its_game(stand_in: Server, database_url: str) -> None:
    """The first game takes the channel, the others open threads on their challenges."""
    async with bot_running(stand_in, database_url) as bot:
        channel = stand_in.world.add_channel("fresh")
        rooms = []
        for number in range(PAIRS):
            first, second = (Seat.join(stand_in.world, f"{name}{number}", channel) for name in ("Ana", "Ben"))
            rooms.append(Room(stand_in, first, second, bot))
        messages = [await room.challenge("abalone") for room in rooms]
        pressed = zip(rooms, messages, strict=True)
        await asyncio.gather(*(room.ben.press("b:accept_challenge:", message) for room, message in pressed))
        await told_all(bot)
        games = bot.service(GameService)
        running = [await games.of(room.ana.user_id) for room in rooms]
        assert [len(found) for found in running] == [1] * PAIRS
        places = [game.place.channel_id for (game,) in running]
        assert len(set(places)) == PAIRS
        assert channel in places
        await bot.service(BoardPublisher).idle()
        for place in places:
            shown = Room(stand_in, rooms[0].ana.at(place), rooms[0].ben.at(place), bot)
            await until(lambda shown=shown: len(shown.boards) == 1, "its board is shown")
