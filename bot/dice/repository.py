"""The counts of rolls in the database: a row for each user, side and roll. Reading costs the same for any number of
games.
"""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.writing.locks import lock_user
from bot.dice.tables import OPPONENTS, OWN, dice_counts, dice_uncounted
from bot.games.tables import OVER, games

COUNTING: Final = -(2**62)
"""The number of the lock for counting. No user has this id."""
Counts = Mapping[tuple[int, int, str], int]
"""The counts, by user, side and roll."""


class DiceRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def enqueue(self, connection: AsyncConnection, game_id: str) -> None:
        """Queues a finished game for counting, in the caller's transaction."""
        await connection.execute(insert(dice_uncounted).values(game_id=game_id))

    async def uncounted(self, limit: int) -> list[str]:
        """Returns some finished games that are still to be counted."""
        query = select(dice_uncounted.c.game_id).order_by(dice_uncounted.c.game_id).limit(limit)
        return list((await self.database.fetch(query)).scalars())

    async def count(self, game_id: str, counts: Counts, players: tuple[int, int] | None = None) -> None:
        """Adds the counts of a game, unless another process has done so.

        ``players`` are those who were counted. If one of them has had their data deleted meanwhile, the game stays
        queued.
        """
        async with self.database.writing() as connection:
            await lock_user(connection, COUNTING)
            seats = select(games.c.seat0, games.c.seat1).where(games.c.id == game_id).with_for_update(read=True)
            present = (await connection.execute(seats)).one_or_none()
            if players is not None and present is not None and tuple(present) != players:
                return
            removed = await connection.execute(delete(dice_uncounted).where(dice_uncounted.c.game_id == game_id))
            if removed.rowcount != 1 or not counts:
                return
            statement = self.database.insert(dice_counts)
            added = dice_counts.c.count + statement.excluded["count"]
            keys = [dice_counts.c.user_id, dice_counts.c.side, dice_counts.c.roll]
            rows = [
                {"user_id": user_id, "side": side, "roll": roll, "count": number}
                for (user_id, side, roll), number in sorted(counts.items())
            ]
            await connection.execute(statement.on_conflict_do_update(index_elements=keys, set_={"count": added}), rows)

    async def of(self, user_id: int) -> tuple[dict[str, int], dict[str, int]]:
        """Returns the counts of the user's own rolls, and those of the opponents."""
        query = select(dice_counts.c.side, dice_counts.c.roll, dice_counts.c.count.label("rolls")).where(
            dice_counts.c.user_id == user_id
        )
        found: dict[int, dict[str, int]] = {OWN: {}, OPPONENTS: {}}
        for row in await self.database.fetch(query):
            found[row.side][row.roll] = row.rolls
        return found[OWN], found[OPPONENTS]

    async def forget_all(self) -> int:
        """Deletes all counts, and queues every finished game with dice again. Returns the number of games."""
        over = select(games.c.id).where(games.c.status == OVER, games.c.commitment != "")
        async with self.database.writing() as connection:
            await lock_user(connection, COUNTING)
            await connection.execute(delete(dice_counts))
            await connection.execute(delete(dice_uncounted))
            await connection.execute(insert(dice_uncounted).from_select(["game_id"], over))
            return await connection.scalar(select(func.count()).select_from(dice_uncounted)) or 0
