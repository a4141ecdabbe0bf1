"""SQL of the explorer. A position is one range of the primary key."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Row, delete, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.writing.locks import lock_user
from bot.explorer.counting import Counts
from bot.explorer.tables import explored_moves, uncounted_games
from bot.games.tables import IS_OVER, IS_RUNNING, games
from engine.core.game import WITHOUT_RESULT

COUNTING: Final = -(2**62) + 1
"""The number of the lock for counting. No user has this id."""
SUMS = tuple(func.sum(explored_moves.c[name]) for name in ("games", "wins0", "wins1", "points0"))


class CountedMove(NamedTuple):
    """A key of ``explored_moves``."""

    guild_id: int
    position: int
    move: str


class ExplorerRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def queue(self, connection: AsyncConnection, game_id: str) -> None:
        """Queues a game for counting, in the transaction in which it ends."""
        await connection.execute(insert(uncounted_games).values(game_id=game_id))

    async def queued(self, limit: int) -> list[str]:
        rows = await self.database.fetch(select(uncounted_games.c.game_id).limit(limit))
        return [row.game_id for row in rows]

    async def count(self, found: Mapping[str, Iterable[tuple[CountedMove, Counts]]]) -> None:
        """Adds the moves of each game to the counts, unless another process has done so."""
        mine = delete(uncounted_games).where(uncounted_games.c.game_id.in_(sorted(found)))
        async with self.database.writing() as connection:
            await lock_user(connection, COUNTING)
            rows = await connection.execute(mine.returning(uncounted_games.c.game_id))
            added: dict[CountedMove, Counts] = {}
            for row in rows.all():
                for move, counts in found[row.game_id]:
                    added[move] = added.get(move, Counts()) + counts
            if added:
                await self._add(connection, added)

    async def forget_all(self) -> int:
        """Deletes all counts, and queues every finished game that is counted. Returns their number."""
        counted = (IS_OVER, games.c.guild_id.is_not(None), games.c.reason.not_in(WITHOUT_RESULT))
        async with self.database.writing() as connection:
            await lock_user(connection, COUNTING)
            await connection.execute(delete(explored_moves))
            await connection.execute(delete(uncounted_games))
            await connection.execute(
                insert(uncounted_games).from_select(["game_id"], select(games.c.id).where(*counted))
            )
            return await connection.scalar(select(func.count()).select_from(uncounted_games)) or 0

    async def _add(self, connection: AsyncConnection, added: Mapping[CountedMove, Counts]) -> None:
        names = ("games", "wins0", "wins1", "points0")
        # always in the same order, so that two transactions never wait for each other
        rows = [
            {**move._asdict(), **{name: getattr(counts, name) for name in names}}
            for move, counts in sorted(added.items(), key=lambda item: item[0])
        ]
        statement = self.database.insert(explored_moves).values(rows)
        sums = {name: explored_moves.c[name] + statement.excluded[name] for name in names}
        await connection.execute(statement.on_conflict_do_update(index_elements=CountedMove._fields, set_=sums))

    async def moves(self, guild_id: int, position: int, limit: int) -> list[tuple[str, Counts]]:
        """Returns the moves that were played most often from a position."""
        query = select(explored_moves).where(*_at(guild_id, [position]))
        query = query.order_by(explored_moves.c.games.desc(), explored_moves.c.move).limit(limit)
        return [
            (row.move, Counts(row.games, row.wins0, row.wins1, row.points0)) for row in await self.database.fetch(query)
        ]

    async def totals(self, guild_id: int, positions: Sequence[int]) -> dict[int, Counts]:
        """Returns the counts of all games from each position. Positions that no game has reached are left out."""
        query = select(explored_moves.c.position, *SUMS).where(*_at(guild_id, positions))
        rows: Iterable[Row[Any]] = await self.database.fetch(query.group_by(explored_moves.c.position))
        return {row[0]: Counts(*map(int, row[1:])) for row in rows}

    async def rated_games(self, user_id: int, game: str) -> list[str]:
        """Returns the ids of the user's running rated games of that kind."""
        theirs = or_(games.c.seat0 == user_id, games.c.seat1 == user_id)
        query = select(games.c.id).where(IS_RUNNING, theirs, games.c.rated, games.c.game == game)
        return [row.id for row in await self.database.fetch(query)]


def _at(guild_id: int, positions: Sequence[int]) -> tuple[ColumnElement[bool], ...]:
    return explored_moves.c.guild_id == guild_id, explored_moves.c.position.in_(positions)
