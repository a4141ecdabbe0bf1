"""Opens displaced games anew, a few at a time, and lets their clocks run once their boards are shown.

After each new session of a shard, it looks for channels that were deleted while the bot was away.
"""

import asyncio
from typing import Final

import discord
import structlog

from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.service import CatchUp
from bot.core.discord_errors import NO_ACCESS, NO_CHANNEL, NO_PERMISSION, REQUEST_ERRORS, code_of
from bot.core.services import Services
from bot.core.workers import Worker, backoff
from bot.games.service import GameService
from bot.tournaments.reopening.service import Displaced, ReopeningService, Step
from bot.tournaments.rounds.delivery.threads import CannotPost, PairingThreads
from bot.tournaments.rounds.opening.service import Opening
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.tournament import Status
from engine.core.errors import Refused

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
UNSHOWN_SLEEP: Final = 2.0
"""Seconds between two looks whether a board is shown that another process, or a later attempt, posts."""
LONGEST_RUN: Final = 20.0
"""Seconds after which a run begins no more. The next one follows at once."""
BATCH: Final = 4
"""How many games are opened at once."""
PER_GAME: Final = 5.0
"""Requests of a game: a look for the old channel, the thread, the board and its correction, the notice."""
BOARD_WAIT: Final = 10.0
BUSY_MS: Final = 30_000
"""How soon a game whose new channel is taken is tried again, in ms."""
LONGEST_PAUSE_MS: Final = 15 * 60_000
DENIED: Final = frozenset({NO_ACCESS, NO_PERMISSION})
OVERTAKEN: Final = frozenset({"table.over", "table.stale", "tournament.rounds.opened"})
"""The refusals of a game that has just ended or moved, or whose tournament is paused."""

log = structlog.get_logger()


class GameReopener(Worker):
    """One loop: takes displaced games step by step, with other processes at the same time."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._services = services
        self._reopening = services[ReopeningService]
        self._reopening.lives = self._lives
        self._threads = PairingThreads(client, services)
        self._pace = services[CatchUp]

    def start(self) -> None:
        self._reopening.tournaments.subscribe(lambda _: self.wake())
        self._reopening.subscribe(self.wake)
        super().start()

    async def run_once(self) -> float:
        """Takes what is due; returns the seconds until more is."""
        if self._client.is_ready() and self._reopening.begin_look():
            await self._look_for_gone()
        service, begun = self._reopening, asyncio.get_running_loop().time()
        while not self.stopping:
            due, is_unshown = await service.repository.outlook(service.now())
            left = LONGEST_SLEEP if due is None else (due - service.now()) / 1000
            if left > 0 or not (found := await service.due(BATCH)):
                return max(SHORTEST_SLEEP, min(left, UNSHOWN_SLEEP) if is_unshown else left)
            await asyncio.gather(*map(self._take, found))
            if asyncio.get_running_loop().time() - begun > LONGEST_RUN:
                break
        return 0

    # --- one game ------------------------------------------------------------------------------------------------

    async def _take(self, found: Displaced) -> None:
        later = min(backoff(found.attempts - 1), LONGEST_PAUSE_MS)
        try:
            await self._step(found)
            later = 0
        except UnreadableTournament:  # it is named in the log, once
            pass
        except Refused as refused:
            if refused.key in OVERTAKEN:
                later = 0
            elif refused.key == "place.taken":
                later = BUSY_MS
            else:  # such as a record that cannot be read
                log.info("game_not_reopened", contest=found.contest_id, error=refused.key)
        except REQUEST_ERRORS as error:
            log.warning("game_not_reopened", contest=found.contest_id, error=str(error))
            later = 0 if await self._refused(found, code_of(error)) else later
        except CannotPost:
            await self._refused(found, NO_PERMISSION)
        except Exception:
            log.exception("game_not_reopened", contest=found.contest_id)
        await self._reopening.repository.later(found.contest_id, self._reopening.now() + later)

    async def _step(self, found: Displaced) -> None:
        """Raises Refused, REQUEST_ERRORS, CannotPost."""
        service = self._reopening
        if found.step is Step.DROP:
            await service.drop(found)
        elif found.step is Step.RELEASE:
            await service.release(found)
        elif found.step is Step.GO_ON:
            await service.go_on(found)
        else:
            await self._reopen(found)

    async def _reopen(self, found: Displaced) -> None:
        """Opens a game at a new place, and lets its clock run once the board is shown there."""
        if found.tournament is None or found.stored is None or found.game_id is None:
            return
        await self._pace.wait(PER_GAME)
        if not await self._is_gone(found.channel_id):
            await self._reopening.go_on(found)  # a thread that was only archived, or lies elsewhere
            return
        place = await self._threads.place(Opening(found.tournament, found.stored), again=found.attempts > 1)
        try:
            await self._reopening.reopen(found, place)
        except Refused:
            apart = place.channel_id != found.tournament.channel_id
            if apart and await self._services[GameService].latest_at(place.channel_id) is None:
                await self._threads.discard(place.channel_id)
            raise
        await self._services[BoardPublisher].wait_for_board(found.game_id, BOARD_WAIT)
        live = await self._services[GameService].newest(found.game_id)
        if live.message_id is not None and live.place == place:
            await self._reopening.go_on(found)

    async def _refused(self, found: Displaced, code: int) -> bool:
        """Discord has refused a thread, or the bot may not post: the tournament is paused, or its organisers told.

        Returns whether the tournament is paused, so that the game waits for its end.
        """
        if found.tournament is None or found.stored is None:
            return False
        if code == NO_CHANNEL:
            await self._reopening.channel_gone(found.tournament.channel_id)
            return True
        if code in DENIED:
            await self._reopening.rounds.cannot_open(Opening(found.tournament, found.stored))
        return False

    # --- channels ------------------------------------------------------------------------------------------------

    def _lives(self, channel_id: int, deleted: int) -> bool:
        """Returns whether a channel is known here and neither is ``deleted`` nor one of its threads."""
        known = self._client.get_channel(channel_id)
        return known is not None and deleted not in {known.id, getattr(known, "parent_id", None)}

    async def _is_gone(self, channel_id: int) -> bool:
        """Returns whether a channel or thread does not exist any more. Raises REQUEST_ERRORS."""
        if self._client.get_channel(channel_id) is not None:
            return False
        try:
            await self._client.fetch_channel(channel_id)
        except discord.HTTPException as error:
            if code_of(error) == NO_CHANNEL:
                return True
            if code_of(error) not in DENIED:
                raise
        return False

    async def _look_for_gone(self) -> None:
        """Finds the channels and threads of tournaments that were deleted while the bot was away."""
        service = self._reopening
        there = [guild.id for guild in self._client.guilds if not guild.unavailable]
        for tournament in await service.repository.active(there):
            places = await service.repository.places(tournament.id)
            games = [one.channel_id for one in places if one.guild_id == tournament.guild_id]
            listed = games if tournament.status is Status.RUNNING else []
            for channel_id in dict.fromkeys([tournament.channel_id, *listed]):
                if self._client.get_channel(channel_id) is None:
                    await self._pace.wait()
                    await self._check(channel_id)

    async def _check(self, channel_id: int) -> None:
        try:
            if await self._is_gone(channel_id):
                await self._reopening.channel_gone(channel_id)
        except REQUEST_ERRORS as error:
            log.info("channel_not_looked_for", channel=channel_id, error=str(error))
