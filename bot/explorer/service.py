"""The use cases of the explorer: counting finished games, and statistics of a position."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.faults.damage import DAMAGED
from bot.explorer.counting import Counts, counts_of, moves_of, position_key, rolls_of
from bot.explorer.repository import CountedMove, ExplorerRepository
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.games.running.log_context import about_game
from bot.games.service import GameService
from engine.core.errors import Refused
from engine.core.game import CHANCE, Game

MOVES: Final = 15
"""The most moves that are listed for a position."""
BATCH: Final = 25
"""Games that are counted in one transaction."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Explored:
    """The moves played from a position, or the rolls if one is due. The most frequent come first."""

    moves: Sequence[tuple[str, Counts]]
    total: Counts


class ExplorerService(GameHook):
    """Counts the moves of finished games by server, and returns the statistics of a position."""

    def __init__(self, repository: ExplorerRepository, games: GameService) -> None:
        self._repository = repository
        self._games = games

    # --- counting ------------------------------------------------------------------------------------------------

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        """Queues a game that ends. Its moves are counted later, so that the players do not wait for it."""
        ends = after.is_over and (before is None or not before.is_over)
        if ends and after.place.guild_id is not None and after.outcome and after.outcome.has_result:
            await self._repository.queue(connection, after.id)

    async def count_some(self) -> int:
        """Counts queued games. Returns their number."""
        game_ids = await self._repository.queued(BATCH)
        if game_ids:
            await self._repository.count({game_id: await self._counted(game_id) for game_id in game_ids})
        return len(game_ids)

    async def count_all(self) -> None:
        while await self.count_some():
            pass

    async def recount(self) -> int:
        """Counts all finished games again. Returns their number."""
        games = await self._repository.forget_all()
        await self.count_all()
        return games

    async def _counted(self, game_id: str) -> list[tuple[CountedMove, Counts]]:
        with about_game(game_id):
            try:
                live = await self._games.get(game_id)
                if live.outcome is None or live.place.guild_id is None:
                    return []
                moves = await asyncio.to_thread(moves_of, live.game, live.record)
            except DAMAGED as error:  # the game is left out
                log.warning("game_not_counted", game=game_id, error=f"{type(error).__name__}: {error}")
                return []
        counts = counts_of(live.outcome, live.table.options)
        return [(CountedMove(live.place.guild_id, key, move), counts) for key, move in moves]

    # --- asking --------------------------------------------------------------------------------------------------

    async def explore(self, guild_id: int, game: Game[Any, Any], state: Any) -> Explored:
        """Returns the moves played from the position in finished games on the server."""
        if game.to_act(state) != CHANCE:
            key = position_key(game, state)
            moves = await self._repository.moves(guild_id, key, MOVES)
            totals = await self._repository.totals(guild_id, [key])
            return Explored(moves, totals.get(key, Counts()))
        keys = {roll: position_key(game, after) for roll, after in rolls_of(game, state).items()}
        totals = await self._repository.totals(guild_id, list(keys.values()))
        rolls = [(roll, totals[key]) for roll, key in keys.items() if key in totals]
        rolls.sort(key=lambda one: (-one[1].games, one[0]))
        return Explored(rolls, sum(totals.values(), Counts()))

    async def require_fair(self, user_id: int, game: Game[Any, Any], state: Any, *, typed: bool) -> None:
        """Raises Refused if the answer would help the user in a rated game that they are playing.

        It would for the present position of such a game. During such a game every ``typed`` position is refused, too,
        as users can type any position.
        """
        for game_id in await self._repository.rated_games(user_id, game.key):
            live = await self._games.get(game_id)
            if typed or position_key(live.game, live.state) == position_key(game, state):
                raise Refused("explore.running")
