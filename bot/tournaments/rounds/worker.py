"""Advances tournaments when something is due: check-in, start, next round, deadlines, end."""

from collections.abc import Sequence
from typing import Final

import discord
import structlog

from bot.clocks.heartbeats.service import Outage
from bot.core.workers import Worker
from bot.tournaments.rounds.delivery.members import Members
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.rows import UnreadableTournament

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
BATCH: Final = 4
LEASE_MS: Final = 60_000
"""The length of a lease of a tournament. After that, another process may work on it."""

log = structlog.get_logger()


class TournamentWorker(Worker):
    """A loop that sleeps until something is due, for at most LONGEST_SLEEP seconds."""

    def __init__(self, client: discord.Client, rounds: RoundService) -> None:
        super().__init__(LONGEST_SLEEP)
        self._rounds = rounds
        self._was_away = False
        rounds.missing = Members(client).missing

    def start(self) -> None:
        self._rounds.tournaments.subscribe(lambda _: self.wake())
        super().start()

    def back(self, outages: Sequence[Outage]) -> None:
        """Moves deadlines at once after an outage of the bot, instead of when they come."""
        del outages
        self._was_away = True
        self.wake()

    async def close(self) -> None:
        await super().close()
        await self._rounds.process.close()

    async def run_once(self) -> float:
        rounds, tournaments = self._rounds, self._rounds.tournaments.repository
        if self._was_away:
            self._was_away = False
            await rounds.repository.look_at_running(rounds.now())
        while not self.stopping:
            now = rounds.now()
            due = await tournaments.due(now, BATCH, now + LEASE_MS)
            if not due:
                break
            for tournament_id in due:
                try:
                    await rounds.advance(tournament_id)
                except UnreadableTournament:  # logged already
                    continue
                except Exception:  # one failure must not delay the others; it is tried again after the lease
                    log.exception("tournament_not_advanced", tournament=tournament_id)
        at = await tournaments.next_due(rounds.now())
        return LONGEST_SLEEP if at is None else max(SHORTEST_SLEEP, (at - rounds.now()) / 1000)
