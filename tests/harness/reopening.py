"""A tournament over the socket whose channel is deleted, and which is resumed elsewhere."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fakes.clock import Clock
from sqlalchemy import func, select

from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.displaced.tables import displaced_games
from bot.notifications.dispatcher import NotificationDispatcher
from bot.tournaments.reopening.service import ReopeningService
from engine.tournament.model import Format
from harness.bot import bot_running, told
from harness.discord import text, until
from harness.hours import pass_time
from harness.tournaments import Event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.core.client import AbakBot
    from bot.core.storage.database import Database
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import Plan, StoredPairing
    from harness.discord import Seat

REOPENED = "was deleted, so I have opened it anew", "was deleted, so I have opened them anew"


@asynccontextmanager
async def playing(
    server: Server, url: str, plan: Plan, players: int = 4, *, games: int = 2, locale: str = "en"
) -> AsyncIterator[Moving]:
    """Begins a tournament of that plan; its first games run and are shown."""
    clock = Clock()
    async with bot_running(server, url, now=clock) as bot:
        event = Moving.of(server, bot, players, locale="es-ES" if locale == "es" else "en-US")
        event.clock = clock
        await pass_time(bot, clock, 0)
        await event.create(plan, locale=locale)
        await event.start()
        if plan.format is Format.ARENA:
            await event.pass_time(5)
            event.look()
        await event.opened(games)
        await event.settled()
        yield event


class Moving(Event):
    """The tournament, and what is deleted of it."""

    clock: Clock

    def with_bot(self, bot: AbakBot) -> Moving:
        """Returns the same tournament, run by another process of the bot."""
        same = (bot.services, self.server, bot, self.organiser, self.people)
        other = Moving(*same, tournament_id=self.tournament_id)
        other.clock = self.clock
        return other

    async def reopened_elsewhere(self, before: StoredPairing) -> StoredPairing:
        """Waits until the game of a pairing has another place; returns the pairing."""

        async def there() -> bool:
            return (await self.pairing(before)).channel_id != before.channel_id

        await until(there, "the game has a new place")
        return await self.pairing(before)

    async def settled(self) -> None:
        """Waits until all boards and notices are out."""

        async def shown() -> bool:
            return all([(await self.game(one)).message_id for one in await self.running()])

        await until(shown, "all boards are shown")
        await self.services[BoardPublisher].idle()
        await self.services[NotificationDispatcher].turn()

    async def displaced(self) -> int:
        """Counts the games that wait for a new place, or for their board there."""
        return await displaced_in(self.services.database)

    async def channel_deleted(self) -> None:
        """Deletes the tournament's channel, with its threads."""
        self.server.world.delete_channel(self.organiser.channel_id)
        await self.paused()

    async def paused(self) -> None:
        async def is_paused() -> bool:
            return (await self.service.get(self.tournament_id)).paused is not None

        await until(is_paused, "it is paused")

    async def elsewhere(self) -> int:
        """Makes another channel, in which the organiser and everybody goes on."""
        channel = self.server.world.add_channel("elsewhere")
        self.organiser = self.organiser.at(channel)
        return channel

    async def resumed(self, channel: int) -> None:
        """Resumes it there by the organiser's command."""
        await self.organiser.slash("tournament resume", reason="Here.", channel=str(channel), tournament="Cup")
        assert "resumed" in told(self.organiser), told(self.organiser)

    async def reopened(self) -> list[StoredPairing]:
        """Waits until all boards are shown anew and their clocks run; returns the running pairings."""

        async def there() -> bool:
            self.look()
            return await self.displaced() == 0

        await until(there, "all games are open again")
        await self.settled()
        return await self.running()

    async def links(self, start: str, channel_id: int | None) -> None:
        """Waits until the message of the tournament's channel that begins so links to a channel.

        It is edited only every few seconds.
        """

        async def there() -> bool:
            await self.pass_time(3)
            self.look()
            return any(f"<#{channel_id}>" in one for one in self.said(start))

        await until(there, f"{start!r} links to it")

    async def pass_time(self, seconds: float) -> None:
        await pass_time(self.bot, self.clock, seconds)

    def look(self) -> None:
        super().look()
        self.services[ReopeningService].look()

    def notices(self, seat: Seat) -> list[str]:
        """Returns all messages that say anywhere that games were opened anew."""
        everywhere = self.server.world.events.notifications
        return [text(one) for user, one in everywhere if user == seat.user_id and any(x in text(one) for x in REOPENED)]

    async def left(self, stored: StoredPairing) -> int:
        """Returns the ms that the player on move of a game has left."""
        live = await self.game(stored)
        assert live.clock is not None
        return live.clock.left(live.seat_to_act or 0, live.elapsed(self.clock()))

    async def lasting(self, games: int) -> None:
        """Waits until so many games are displaced."""

        async def there() -> bool:
            return await self.displaced() == games

        await until(there, f"{games} games are displaced")

    def directly(self, seat: Seat) -> list[str]:
        """Returns the bot's direct messages to them."""
        return [text(one) for one in seat.direct().messages]

    def seat_of(self, user_id: int) -> Seat:
        return next(seat for seat in self.people if seat.user_id == user_id)

    def boards(self, channel_id: int) -> list[str]:
        """Returns the messages with boards in a channel."""
        return [text(one) for one in self.server.world.messages.in_channel(channel_id) if one["attachments"]]


async def displaced_in(database: Database) -> int:
    async with database.reading() as connection:
        return await connection.scalar(select(func.count()).select_from(displaced_games)) or 0
