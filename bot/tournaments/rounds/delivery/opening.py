"""Opens the games of a round, each in a thread of the tournament's channel, or one after the other in the channel."""

import asyncio
from typing import Final

import discord
import structlog

from bot.core.discord_errors import NO_ACCESS, NO_CHANNEL, NO_PERMISSION, REQUEST_ERRORS, code_of
from bot.core.services import Services
from bot.core.workers import Worker, backoff
from bot.tournaments.rounds.delivery.threads import CannotPost, PairingThreads
from bot.tournaments.rounds.opening.service import Opening, OpeningService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.tournament import PairingState
from engine.core.errors import Refused

AT_ONCE: Final = 8
"""The most games that are opened at once."""
BATCH: Final = AT_ONCE
"""The most pairings that are leased at once."""
LEASE_MS: Final = 60_000
LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
BUSY_MS: Final = 30_000
"""The time after which a pairing with a taken channel is tried again, in ms. The end of a game there makes it due at
once.
"""
LONGEST_PAUSE_MS: Final = 15 * 60_000
DENIED: Final = frozenset({NO_ACCESS, NO_PERMISSION})

log = structlog.get_logger()


class PairingOpener(Worker):
    """Opens the games of all rounds, AT_ONCE at a time."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._services = services
        self._threads = PairingThreads(client, services)
        self._slots = asyncio.Semaphore(AT_ONCE)

    def start(self) -> None:
        self._rounds.tournaments.subscribe(lambda _: self.wake())
        super().start()

    @property
    def _rounds(self) -> RoundService:
        return self._services[RoundService]

    @property
    def _openings(self) -> OpeningService:
        return self._services[OpeningService]

    async def run_once(self) -> float:
        waiting, rounds = self._openings.repository, self._rounds
        while not self.stopping:
            now = rounds.now()
            openings = await waiting.unopened(now, BATCH, now + LEASE_MS)
            if not openings:
                break
            await asyncio.gather(*(self._open(opening) for opening in openings))
        due = await waiting.next_unopened(rounds.now())
        return LONGEST_SLEEP if due is None else max(SHORTEST_SLEEP, (due - rounds.now()) / 1000)

    async def _open(self, opening: Opening) -> None:
        async with self._slots:
            later = BUSY_MS
            try:
                await self._attempt(opening)
            except UnreadableTournament:  # logged already
                later = _pause(opening)
            except Refused as refused:
                if refused.key == "tournament.rounds.opened":
                    later = 0
                elif refused.key != "place.taken":
                    log.exception("pairing_not_opened", **_marks(opening))
                    later = _pause(opening)
            except REQUEST_ERRORS as error:
                log.warning("pairing_not_opened", **_marks(opening), error=str(error))
                later = _pause(opening)
                if code_of(error) == NO_CHANNEL:
                    await self._rounds.channel_gone(opening.tournament.channel_id)
                elif code_of(error) in DENIED:
                    await self._rounds.cannot_open(opening)
            except CannotPost:
                later = _pause(opening)
                await self._rounds.cannot_open(opening)
            except Exception:
                log.exception("pairing_not_opened", **_marks(opening))
                later = _pause(opening)
            else:
                return
            await self._openings.repository.open_later(
                opening.tournament.id, opening.stored.id, self._rounds.now() + later
            )

    async def _attempt(self, opening: Opening) -> None:
        """Opens a game. Raises RuleError, REQUEST_ERRORS; CannotPost if the bot may not play in the channel."""
        place = await self._threads.place(opening, again=opening.stored.attempts > 1)
        try:
            await self._openings.open(opening, place)
        except Refused as refused:
            if refused.key == "tournament.rounds.opened" and place.channel_id != opening.tournament.channel_id:
                await self._discard(opening, place.channel_id)
            raise

    async def _discard(self, opening: Opening, thread: int) -> None:
        """Removes a thread whose game was not opened, as its pairing had ended meanwhile; or else archives it."""
        noticed = await self._rounds.repository.noticed(opening.tournament.id, opening.stored.id)
        if noticed is None or noticed.stored is None or noticed.stored.state is not PairingState.DONE:
            return  # the tournament is paused, and continues here
        if noticed.stored.channel_id == thread:
            return
        await self._threads.discard(thread)


def _pause(opening: Opening) -> int:
    """Returns the wait after a failure, in ms. It is short at first, as the bot may soon get its permissions."""
    return min(backoff(opening.stored.attempts - 1), LONGEST_PAUSE_MS)


def _marks(opening: Opening) -> dict[str, object]:
    return {"tournament": opening.tournament.id, "pairing": opening.stored.id}
