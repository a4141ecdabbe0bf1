"""Observes how the bot reaches two players: by its outbox, its boards and their direct messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fakes.outbox import is_far_warning
from sqlalchemy import select

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.dispatcher import NotificationDispatcher
from bot.notifications.tables import notifications
from bot.players.service import PreferenceService
from bot.sandbox.state import permissions as p
from harness.discord import Seat, until
from harness.scene import Scene

if TYPE_CHECKING:
    from bot.games.live import LiveGame

Json = dict[str, Any]
HOUR: Final = 3_600_000
NOON: Final = 1_800_014_400_000
"""A time at which it is twelve o'clock in UTC."""


class Delivery(Scene):
    """A scene with what is written in its outbox, and what reached whom."""

    async def begin(self, clock: str = "", policy: str = "") -> LiveGame:
        """Begins a game of APB between Ana and Ben, and shows its first board."""
        place = Place(self.world.guild_id, self.room.channel_id)
        players = (self.room.ana.user_id, self.room.ben.user_id)
        await self.bot.service(GameService).open(NewGame("apb", {}, place, "en", clock, policy), players)
        return await self.room.shown()

    async def move(self, live: LiveGame, text: str) -> None:
        """Plays for the player to move, and waits until all messages that follow are sent."""
        await self.play(live, text)
        await self.settle()

    async def play(self, live: LiveGame, text: str) -> None:
        """Plays for the player to move, and waits for the board, but leaves notifications in the outbox."""
        assert live.to_act is not None
        await self.bot.service(GameService).play(live.id, live.to_act, None, text)
        await self.bot.service(BoardPublisher).idle()

    async def settle(self) -> None:
        """Lets everything come to rest that is due by now."""
        await self.bot.service(BoardPublisher).idle()
        await self.bot.service(NotificationDispatcher).turn()
        await self.bot.service(BoardPublisher).idle()

    async def pass_time(self, milliseconds: int) -> None:
        self.time.at += milliseconds
        await self.settle()

    async def outbox(self, kind: str | None = None) -> list[Any]:
        """Returns the rows of the outbox, the oldest first; far warnings only if their kind is asked for."""
        query = select(notifications).order_by(notifications.c.due, notifications.c.id)
        if kind is not None:
            query = query.where(notifications.c.kind == kind)
        async with self.bot.service(BoardDelivery).store.database.reading() as connection:
            found = list(await connection.execute(query))
        return [row for row in found if kind is not None or not is_far_warning(row)]

    async def states(self, kind: str | None = None) -> list[str]:
        return [row.state for row in await self.outbox(kind)]

    def sent_to(self, who: Seat) -> list[Json]:
        """Returns the bot's direct messages to somebody."""
        return [m for m in who.direct().messages if m["author"]["id"] == str(self.world.application_id)]

    async def prefer(self, who: Seat, **chosen: str) -> None:
        for key, value in chosen.items():
            await self.bot.service(PreferenceService).set_user(who.user_id, key, value)

    async def notification_channel(self) -> Seat:
        """Chooses a channel for notifications in the server, and returns Ben's seat there."""
        notes = self.room.ben.at(self.world.add_channel("notifications"))
        await self.bot.service(PreferenceService).set_server(
            self.world.guild_id, "notification_channel", str(notes.channel_id)
        )
        return notes

    def shut(self) -> None:
        """Forbids the bot to post boards."""
        self.world.deny(self.room.channel_id, p.SEND_MESSAGES)

    async def open(self) -> None:
        self.world.allow(self.room.channel_id, p.SEND_MESSAGES)
        await until(lambda: len(self.room.boards) == 2, "the board is shown")
        await self.settle()

    def pings_of(self, who: Seat) -> int:
        """Counts the pings of somebody by boards, notes and direct messages, without the first board."""
        others = [m for m in who.pings if m["id"] != self.room.boards[0]["id"] and "recipients" not in m]
        direct = self.world.direct_channel(who.user_id)
        return len([m for m in others if m["channel_id"] != str(direct)]) + len(self.sent_to(who))


async def nothing(*_: object) -> list[Any]:
    """Returns nothing, in place of code that leases notifications or notes that they were sent."""
    return []
