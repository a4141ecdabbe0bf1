"""A room whose bot goes by a time that a test lets pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fakes.clock import Clock

from harness.bot import Room
from harness.discord import Seat, is_ephemeral, text

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.world import World

FIRST: Final = "e4-e5 e3-e4"
SECOND: Final = "e9-d8 e10-e9"
"""The first two turns of a game of APB."""


@dataclass
class Scene:
    """A room, and the time of its bot."""

    room: Room
    time: Clock

    @property
    def bot(self) -> AbakBot:
        assert self.room.bot is not None
        return self.room.bot

    @property
    def world(self) -> World:
        return self.room.server.world


def posts(world: World, channel_id: int) -> int:
    """Counts the attempts to send a message in a channel."""
    path = f"/channels/{channel_id}/messages"
    return sum(entry.method == "POST" and entry.path == path for entry in world.log)


def told_lines(who: Seat, *starts: str) -> list[str]:
    """Returns the lines of private messages to somebody that begin in one of these ways."""
    lines = [line for m in who.messages if is_ephemeral(m) for line in text(m).splitlines()]
    return [line for line in lines if line.startswith(starts)]
