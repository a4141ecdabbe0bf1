"""Conditional moves in the database. Every change locks the game, so that no other process adds to it meanwhile.

A change also counts as an edit of the game (``games.c.edits``),
so processes with cached moves notice it without reading them again.
"""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import replace

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.conditional.logic.move import ConditionalMove
from bot.conditional.tables import conditional_moves
from bot.core.storage.database import Conflict, Database
from bot.core.storage.rows import from_row, to_row
from bot.games.tables import games


class ConditionalMoveRepository:
    """Reads and writes conditional moves. Methods that take a connection work inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(self, game_id: str) -> list[ConditionalMove]:
        """Returns both players' moves of a game, the oldest first."""
        async with self.database.reading() as connection:
            return await self.listed(connection, game_id)

    async def listed(self, connection: AsyncConnection, game_id: str) -> list[ConditionalMove]:
        query = select(conditional_moves).where(conditional_moves.c.game_id == game_id).order_by(conditional_moves.c.id)
        return [from_row(ConditionalMove, row) for row in await connection.execute(query)]

    @asynccontextmanager
    async def editing(self, game_id: str, seq: int) -> AsyncIterator[AsyncConnection]:
        """Opens a transaction during which the game has exactly ``seq`` entries. Raises Conflict if it has others."""
        async with self.database.writing() as connection:
            edited = update(games).where(games.c.id == game_id, games.c.seq == seq).values(edits=games.c.edits + 1)
            if (await connection.execute(edited)).rowcount != 1:
                raise Conflict
            yield connection

    async def add(self, connection: AsyncConnection, game_id: str, move: ConditionalMove) -> ConditionalMove:
        """Stores a new move; returns it with its id."""
        row = to_row(move, "id", game_id=game_id)
        statement = insert(conditional_moves).values(row).returning(conditional_moves.c.id)
        return replace(move, id=(await connection.execute(statement)).scalar_one())

    async def reply(self, connection: AsyncConnection, move_id: int, reply: str | None) -> None:
        await connection.execute(update(conditional_moves).where(conditional_moves.c.id == move_id).values(reply=reply))

    async def make_roots(self, connection: AsyncConnection, move_ids: Collection[int]) -> None:
        """Makes these moves the roots of the tree. The caller removes their parents in the same transaction."""
        if move_ids:
            await connection.execute(
                update(conditional_moves).where(conditional_moves.c.id.in_(move_ids)).values(parent_id=None)
            )

    async def remove(self, connection: AsyncConnection, move_ids: Collection[int]) -> None:
        """Removes moves. They must be whole branches: no remaining move may have a removed parent."""
        if move_ids:
            await connection.execute(delete(conditional_moves).where(conditional_moves.c.id.in_(move_ids)))
