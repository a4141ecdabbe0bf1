"""Archives the threads of finished games, a while after their last board. A new message in a thread reopens it.

The waiting list is in memory alone. If the bot is killed, Discord archives open threads after a week.
"""

import time
from typing import Final

import discord
import structlog

from bot.board.delivery.publisher import BoardPublisher
from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.services import Services
from bot.core.workers import Worker
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.tournaments.rounds.service import RoundService
from engine.core.record import Kind

LONGEST_SLEEP: Final = 600.0
PAUSE: Final = 120.0
"""Seconds after the last board. By then old pings are removed, which is impossible in an archived thread."""

log = structlog.get_logger()


class EndedThreads(Worker):
    """Archives the thread of each last board, if it is the thread of a tournament's game."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._services = services
        self._due: dict[int, tuple[float, LiveGame]] = {}
        """For each channel, the time to archive it, and the game that has ended there."""

    def start(self) -> None:
        self._services[BoardPublisher].after_last.append(self.ended)
        super().start()

    def ended(self, live: LiveGame) -> None:
        """Archives the thread of a game a while from now, as its last board is posted."""
        if live.place.guild_id is not None:
            self._due[live.place.channel_id] = time.monotonic() + PAUSE, live
            self.wake()

    async def run_once(self) -> float:
        now = time.monotonic()
        for channel_id, (at, live) in list(self._due.items()):
            if at <= now and not self.stopping:
                await self._archive(channel_id, live)
                del self._due[channel_id]
        return min((at - now for at, _ in self._due.values()), default=LONGEST_SLEEP)

    async def _is_of_tournament(self, channel_id: int, live: LiveGame) -> bool:
        """Returns whether the game has ended as one of a tournament, in a place of its own."""
        repository, contest_id = self._services[RoundService].repository, live.record.header.match or live.id
        if await repository.ended_apart(contest_id) == channel_id:
            return True
        if live.entries[-1].kind is not Kind.ADJUDICATE or live.place.guild_id is None:
            return False
        return await repository.voided_apart(live.place.guild_id, contest_id, channel_id)

    async def _archive(self, channel_id: int, live: LiveGame) -> None:
        if not await self._is_of_tournament(channel_id, live):
            return
        latest = await self._services[GameService].latest_at(channel_id)
        if latest is not None and not latest.is_over:
            return  # a rematch
        known = self._client.get_channel(channel_id)  # None also where another process has the server's shard
        if known is not None and not (isinstance(known, discord.Thread) and known.owner_id == known.guild.me.id):
            return  # its players have taken it there
        try:
            await self._client.http.edit_channel(channel_id, archived=True)
        except REQUEST_ERRORS as error:
            log.info("thread_not_archived", channel=channel_id, error=str(error))
