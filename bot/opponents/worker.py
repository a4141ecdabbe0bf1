"""Plays for the machines: after each change of a game that waits for one, and at intervals in all such games."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import ClassVar, Final

import discord
import structlog

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.workers import Worker
from bot.games.live import LiveGame
from bot.games.running.log_context import about_game
from bot.games.service import GameService
from bot.games.stored import UnreadableGame
from bot.opponents.pool import Unavailable, Workers
from bot.opponents.service import OpponentService
from engine.core.errors import Refused

SWEEP: Final = 5.0
"""Seconds between two searches for games that wait for a machine."""
AT_ONCE: Final = 8
"""The number of games in which machines act at the same time."""
MOST: Final = 4 * AT_ONCE
"""The most games that wait in memory for a machine's action. More are searched for later. Otherwise, after an outage,
players would be told that a machine takes longer only because many games wait.
"""
SOON: Final = 0.5
"""Seconds until the next search if more games wait."""
SHOWING: Final = 3.0
"""Seconds to wait for the board with the person's turn, so that the reply comes after it."""
LONGEST_REST: Final = 300.0
"""The most seconds for which a game is left alone after a failure."""
TOLD_MS: Final = 600_000
"""Milliseconds after which the message that a machine takes longer is deleted."""

log = structlog.get_logger()


class OpponentWorker(Worker):
    """Runs one task at a time for each game. A failed task is tried again with the next search.

    ``live_shards``: see ``shard_liveness.of``; ``shard_count`` returns the number of shards. Each process serves the
    games of its own shards. Two processes that act in one game at once do no harm.
    """

    retry = SWEEP
    pause: ClassVar[float] = 0.8
    """Seconds for which the person sees their own turn before the reply."""
    rest: ClassVar[float] = 5.0
    """Seconds for which a game is left alone after the first failure."""
    patience: ClassVar[float] = 10.0
    """Seconds after which the person is told that the machine takes longer."""

    def __init__(
        self,
        client: discord.Client,
        opponents: OpponentService,
        games: GameService,
        thinkers: Workers,
        boards: tuple[BoardPublisher, BoardDelivery],
        live_shards: Callable[[Collection[int] | None], Awaitable[list[int]]],
        shard_count: Callable[[], int],
    ) -> None:
        super().__init__(SWEEP)
        self._client = client
        self._opponents = opponents
        self._games = games
        self._thinkers = thinkers
        self._publisher, self._delivery = boards
        self._live_shards = live_shards
        self._shard_count = shard_count
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._to_repeat: set[str] = set()
        self._told: dict[str, tuple[int, bool]] = {}
        """The games whose players were told, each with its number of entries at that moment, and whether the machine
        was away.
        """
        self._rests: dict[str, tuple[float, float]] = {}
        """The games that are left alone for a while, each with the end of that time (the loop's time) and
        its seconds.
        """
        self._slots = asyncio.Semaphore(AT_ONCE)

    def start(self) -> None:
        self._games.subscribe(self._on_commit)
        super().start()

    async def close(self) -> None:
        """Stops the worker. Other processes take over unfinished decisions."""
        await super().close()
        tasks = [*self._at_work.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._thinkers.close()

    async def run_once(self) -> float:
        """Starts tasks for the games that wait for a machine, the longest waiting first, up to MOST of them."""
        waiting = await self._games.waiting_for_machines(await self._live_shards(None), self._shard_count())
        now = asyncio.get_running_loop().time()
        for game_id in waiting:
            if len(self._at_work) >= MOST:
                return SOON
            if self._rests.get(game_id, (0.0, 0.0))[0] <= now:
                self._begin(game_id)
        return SWEEP

    def _on_commit(self, live: LiveGame) -> None:
        self._told.pop(live.id, None)
        self._rests.pop(live.id, None)
        if self._opponents.acting_seat(live) is not None:
            if live.id in self._at_work:
                self._to_repeat.add(live.id)
            self._begin(live.id)

    def _begin(self, game_id: str) -> None:
        if game_id not in self._at_work and not self.stopping:
            with about_game(game_id):  # the task inherits the context
                task = asyncio.create_task(self._work(game_id))
            self._at_work[game_id] = task
            task.add_done_callback(lambda _: self._on_done(game_id))

    def _on_done(self, game_id: str) -> None:
        del self._at_work[game_id]
        if game_id in self._to_repeat:
            self._to_repeat.discard(game_id)
            self._begin(game_id)

    async def _work(self, game_id: str) -> None:
        acting = asyncio.create_task(self._act(game_id))
        try:
            done, _ = await asyncio.wait({acting}, timeout=self.patience)
            if not done:
                await self._tell(game_id)
            await acting
        except Refused as refused:  # the person was faster, or time is up
            log.info("machine_refused", game=game_id, reason=refused.key)
        except Unavailable:
            self._rest(game_id)
            await self._publisher.wait_for_board(game_id, SHOWING)
            if await self._tell(game_id, away=True):
                log.warning("machine_unavailable", game=game_id)
        except UnreadableGame:  # logged already
            return
        except Exception:
            self._rest(game_id)
            log.exception("machine_failed", game=game_id)
        finally:
            acting.cancel()

    def _rest(self, game_id: str) -> None:
        """Pauses the tasks of a game in which the machine could not act: each time twice as long, up to
        LONGEST_REST.
        """
        _, before = self._rests.get(game_id, (0.0, 0.0))
        rest = min(max(self.rest, 2 * before), LONGEST_REST)
        self._rests[game_id] = asyncio.get_running_loop().time() + rest, rest

    async def _act(self, game_id: str) -> None:
        live = await self._games.newest(game_id)
        deed, _ = await asyncio.gather(self._opponents.decide(live), self._show(game_id))
        if deed is not None:
            async with self._slots:
                await deed()

    async def _show(self, game_id: str) -> None:
        """Waits until the person has seen their own turn."""
        await self._publisher.wait_for_board(game_id, SHOWING)
        await asyncio.sleep(self.pause)

    async def _tell(self, game_id: str, *, away: bool = False) -> bool:
        """Tells the person, once for each turn, that the machine takes longer, or that it is ``away`` and cannot play.

        Returns whether it did so now. The board says that the machine is away until it has moved; a message says
        anything else.
        """
        live = await self._games.get(game_id)
        if self._opponents.acting_seat(live) is None or self._told.get(game_id) == (live.seq, away):
            return False
        self._told[game_id] = live.seq, away
        channel = self._client.get_partial_messageable(live.place.channel_id, guild_id=live.place.guild_id)
        try:
            if away and await self._publisher.say_machine_away(live):
                return True
            why = "opponent.slow" if self._thinkers.is_on else "opponent.off"
            say = await self._publisher.language_of(live)
            sent = await channel.send(say(why), nonce=f"{game_id}:{live.seq}:s")
        except REQUEST_ERRORS as error:
            log.warning("machine_delay_not_told", game=game_id, error=str(error))
        else:
            await self._delivery.remove_ping_later(sent.id, live.place, TOLD_MS)
        return True
