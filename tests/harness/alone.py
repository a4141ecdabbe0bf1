"""A person alone with the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games.service import GameService
from harness.discord import Seat, until

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from harness.bot import Room


async def ana_to_move(room: Room) -> LiveGame:
    """Waits until it is Ana's turn and the board shows it, and returns the game."""
    assert room.bot is not None
    games = room.bot.service(GameService)

    async def waits() -> bool:
        live = await games.latest_at(room.channel_id)
        return live is not None and live.awaited == room.ana.user_id and live.shown_seq == live.seq

    await until(waits, "it is Ana's turn")
    return await room.shown()


def machine(room: Room) -> Seat:
    """Returns a seat for the bot, so that it can be chosen as a person."""
    return Seat(room.server.world, room.server.world.application_id, room.channel_id)
