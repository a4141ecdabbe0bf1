"""Turns that are played by another process: nothing of them passes through the bot that a test talks to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.games.service import GameService

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from harness.bot import Room


async def play_elsewhere(room: Room, live: LiveGame, steps: tuple[Any, ...]) -> LiveGame:
    """Plays the turn, shows it in the channel, and leaves open pickers open."""
    assert room.bot is not None
    await room.bot.service(GameService).play(live.id, room.to_move(live).user_id, live.seq, steps)
    return await room.shown()
