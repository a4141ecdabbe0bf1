"""Runs a command from beginning to end: load the game, check, add elapsed time, apply, settle, commit."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from bot.core.storage.database import Conflict
from bot.games.live import LiveGame
from bot.games.repository import GameRepository
from bot.games.running.commit import ATTEMPTS, Also, GameCommit
from bot.games.running.elapsed_time import ElapsedTime
from bot.games.running.leaving import Leaver
from bot.games.running.live_games import LiveGames
from bot.games.running.settling import Settling
from engine.core.errors import Refused
from engine.core.game import Seat
from engine.core.table import Table

Command: TypeAlias = Callable[[LiveGame, Seat, int], Table[Any, Any]]
"""Returns the table after a seat's action at a time in ms since the game's start. Raises RuleError."""
Decision: TypeAlias = Callable[[LiveGame, int], Table[Any, Any]]
"""A Command without a seat."""


class CommandRunner:
    """Runs the commands of a game one at a time."""

    def __init__(
        self,
        repository: GameRepository,
        live_games: LiveGames,
        time: ElapsedTime,
        settling: Settling,
        commit: GameCommit,
    ) -> None:
        self._repository = repository
        self._live_games = live_games
        self._time = time
        self._settling = settling
        self._commit = commit

    async def run(
        self, game_id: str, user_id: int, seq: int | None, command: Command, leaver: Leaver | None = None
    ) -> LiveGame:
        """Runs a player's command and returns the game after it. Raises RuleError.

        ``seq``: see ``GameService.play``; ``leaver``: see ``GameCommit.append``.
        """
        async with self._live_games.lock(game_id):
            live = await self._live_games.read(game_id, seq)
            known = live.seq
            for _ in range(ATTEMPTS):
                try:
                    moved, in_time = await self._run_once(live, user_id, seq, command, leaver)
                    break
                except (
                    Conflict
                ) as conflict:  # another process has added entries; entries about time make no press stale
                    live = await self._live_games.load(game_id)
                    if not live.still_stands(known):
                        raise Refused("table.stale") from conflict
            else:
                raise Refused("table.stale")
        self._commit.notify(moved)
        if not in_time:
            raise Refused("table.time_up")
        return moved

    async def _run_once(
        self, live: LiveGame, user_id: int, seq: int | None, command: Command, leaver: Leaver | None
    ) -> tuple[LiveGame, bool]:
        """Returns the game after the command, and True; or a game that had already ended on time, and False.

        Raises RuleError, Conflict.
        """
        seats = live.seats_playing(user_id)
        if seq is not None and not live.still_stands(seq):
            raise Refused("table.stale")
        at = await self._time.of(live)
        ready = replace(live, table=await self._time.up_to(live, at))
        if ready.is_over:
            return await self._commit.append(live, ready.table, live.secret, leaver), False
        seat = ready.seat_to_act if ready.seat_to_act in seats else seats[0]
        done = await self._time.limit_losses(live, ready.table, command(ready, seat, at))
        settled = await self._settling.settle(done, live.players, at, live.secret)
        return await self._commit.append(live, *settled, leaver), True

    async def decide(self, game_id: str, decision: Decision, also: Also | None) -> LiveGame:
        """Applies a decision from outside and returns the game after it. ``also`` writes in the same transaction.

        Raises RuleError; Refused if the game is over, or has just ended on time.
        """
        async with self._live_games.lock(game_id):
            live = await self._live_games.load(game_id)
            for _ in range(ATTEMPTS):
                if live.is_over:
                    raise Refused("table.over")
                try:
                    moved, in_time = await self._decide_once(live, decision, also)
                    break
                except Conflict:  # another process has added entries: the decision applies to the game as it is now
                    live = await self._live_games.load(game_id)
            else:
                raise Refused("table.stale")
        self._commit.notify(moved)
        if not in_time:
            raise Refused("table.over")
        return moved

    async def _decide_once(self, live: LiveGame, decision: Decision, also: Also | None) -> tuple[LiveGame, bool]:
        """Applies a decision once: see ``_run_once``."""
        at = await self._time.of(live)
        ready = replace(live, table=await self._time.up_to(live, at))
        if ready.is_over:
            return await self._commit.append(live, ready.table, live.secret), False
        return await self._commit.append(live, decision(ready, at), live.secret, also=also), True

    async def tick(self, game_id: str) -> LiveGame:
        """Adds changes by time alone, and returns the game. Raises Refused if the game does not exist."""
        async with self._live_games.lock(game_id):
            live = await self._live_games.load(game_id)
            at = await self._time.of(live)
            try:
                table = await self._time.up_to(live, at)
                if table is live.table:
                    await self._repository.settle_deadline(live.id, live.table, at)
                    return live
                settled = await self._settling.settle(table, live.players, at, live.secret)
                moved = await self._commit.append(live, *settled)
            except Conflict:  # another process added entries in between: the next tick continues from there
                return await self._live_games.load(game_id)
        self._commit.notify(moved)
        return moved
