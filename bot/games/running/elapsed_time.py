"""Adds changes by time alone to a game: the hooks' entries about time off, and losses on time."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.games.repository import GameRepository
from engine.core.hours import DAY
from engine.core.table import Table
from engine.core.timekeeping import ABANDONED, uncounted


class ElapsedTime:
    """Brings tables up to the present time. ``now`` returns ms since 1970."""

    def __init__(self, repository: GameRepository, hooks: Sequence[GameHook], now: Callable[[], int]) -> None:
        self._repository = repository
        self._hooks = hooks
        self._now = now

    @property
    def now(self) -> int:
        return self._now()

    async def of(self, live: LiveGame) -> int:
        """Returns the present time in ms since the game's start. It is never before the last entry, even if the
        system's clock is set back.
        """
        for hook in self._hooks:
            await hook.before_command(live.place.guild_id)
        return live.elapsed(self._now())

    async def up_to(self, live: LiveGame, at: int) -> Table[Any, Any]:
        """Returns the table with all entries about time up to ``at`` (ms since the start), before anybody acts."""
        table = live.table
        if table.outcome is not None:
            return table
        if (
            table.resuming is not None and at >= table.resuming.at
        ):  # before the time off of the players whose clock now runs
            table = table.end_pause()
        for hook in self._hooks:
            for entry in await hook.entries(replace(live, table=table), at):
                table = table.append(entry)
        clock = table.clock
        if clock is not None and table.overdue is None and clock.running is not None and clock.expired(at):
            table = await self.limit_losses(live, table, table.time_out(at))
        since = None if clock is not None or table.overdue is not None else table.absent_at(ABANDONED)
        if since is not None and at >= since:
            table = table.time_out(at)
        return table

    async def limit_losses(self, live: LiveGame, before: Table[Any, Any], after: Table[Any, Any]) -> Table[Any, Any]:
        """Marks a second loss on time within a day as uncounted for ratings.

        ``after`` is ``before`` with one more entry. Any other entry is left as it is.
        """
        if after.lost_on_time is None:
            return after
        async with self._repository.database.reading() as connection:
            counts = await self.counts(connection, live, after)
        return after if counts else before.append(uncounted(after.record.entries[-1]))

    async def counts(self, connection: AsyncConnection, before: LiveGame, table: Table[Any, Any]) -> bool:
        """Returns whether the result counts for ratings. A loss on time does not if the player had another one that
        day.

        Only counted losses in the 24 hours before are considered. Any other result counts.
        """
        late = table.lost_on_time
        if late is None:
            return True
        loser, moment = before.players[late], table.record.header.started + table.record.entries[-1].at
        return not await self._repository.lost_on_time(connection, loser, moment - DAY, before.id)
