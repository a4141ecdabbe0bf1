"""A board that cannot be shown: who could mend it, and what they and the players are told of it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fakes.clock import Clock
from sqlalchemy import select

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.core.translations import Language, language
from bot.games.tables import games
from bot.sandbox.state import permissions as p
from harness.bot import Room, bot_running, milliseconds
from harness.discord import Seat
from harness.scene import FIRST, Scene, told_lines

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server

EN: Final = language("en")
MANAGER: Final = p.MEMBER | p.MANAGE_CHANNELS
NOTICES: Final = (
    "permission_issue.permission",
    "permission_issue.locked",
    "undelivered.permission",
    "undelivered.locked",
    "undelivered.gone",
    "undelivered.closed",
)


@dataclass
class Undelivered(Scene):
    """A scene, and somebody who manages the server."""

    manager: Seat

    async def hinder(self, denied: int = p.SEND_MESSAGES) -> None:
        """Opens a game of APB as Ana; its second board cannot be shown for want of a permission."""
        live = await self.room.begin("apb")
        self.world.deny(self.room.channel_id, denied)
        await self.room.type(live, FIRST)
        await self.bot.service(BoardPublisher).idle()

    async def row(self) -> Any:
        """Returns the channel's game as it is stored."""
        query = select(games).where(games.c.channel_id == self.room.channel_id)
        async with self.bot.service(BoardDelivery).store.database.reading() as connection:
            return (await connection.execute(query)).one()

    async def sweep(self) -> None:
        """Does the publisher's work of each minute."""
        await self.bot.service(BoardPublisher).sweep()
        await self.bot.service(BoardPublisher).idle()


@asynccontextmanager
async def undelivered(server: Server, url: str, locale: str = "en-US") -> AsyncIterator[Undelivered]:
    """Runs the bot in a server that speaks `locale`, with Ana, Ben, and Eve who manages it."""
    time = Clock(milliseconds())
    async with bot_running(server, url, now=time) as bot:
        room = Room.of(server, bot, locale=locale)
        manager = Seat.join(server.world, "Eve", room.channel_id, locale=locale, permissions=MANAGER)
        yield Undelivered(room, time, manager)


def pending_notices(who: Seat, says: Language = EN) -> list[str]:
    """Returns the private lines to somebody about boards that are not shown."""
    marks = [says(key, **dict.fromkeys(("game", "channel", "permission"), "|")).split("|")[0] for key in NOTICES]
    return told_lines(who, *marks)
