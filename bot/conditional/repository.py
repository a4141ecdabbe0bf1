"""What players have laid down ahead of time. Every change is made while nobody can add to the game."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import replace

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.conditional.move import ConditionalMove
from bot.conditional.tables import plans
from bot.core.database import Conflict, Database
from bot.games.tables import games


class ConditionalMoveRepository:
    """A method that takes a connection works inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def of(self, game_id: str) -> list[ConditionalMove]:
        """Both players' plans of a game, the oldest first."""
        async with self.database.reading() as connection:
            return await self.listed(connection, game_id)

    async def listed(self, connection: AsyncConnection, game_id: str) -> list[ConditionalMove]:
        query = select(plans).where(plans.c.game_id == game_id).order_by(plans.c.id)
        return [
            ConditionalMove(row.id, row.seat, row.parent, row.their, row.reply, row.persistent, row.created)
            for row in await connection.execute(query)
        ]

    @asynccontextmanager
    async def editing(self, game_id: str, seq: int) -> AsyncIterator[AsyncConnection]:
        """A transaction during which the game has exactly ``seq`` entries. Raises Conflict if it has others."""
        async with self.database.writing() as connection:
            query = select(games.c.seq).where(games.c.id == game_id).with_for_update()
            if await connection.scalar(query) != seq:
                raise Conflict
            yield connection

    async def add(self, connection: AsyncConnection, game_id: str, plan: ConditionalMove) -> ConditionalMove:
        """A new plan, as it is stored."""
        columns = {
            "seat": plan.seat,
            "parent": plan.parent,
            "their": plan.their,
            "reply": plan.reply,
            "persistent": plan.persistent,
            "created": plan.created,
        }
        statement = insert(plans).values(game_id=game_id, **columns).returning(plans.c.id)
        return replace(plan, id=(await connection.execute(statement)).scalar_one())

    async def reply(self, connection: AsyncConnection, plan_id: int, reply: str | None) -> None:
        await connection.execute(update(plans).where(plans.c.id == plan_id).values(reply=reply))

    async def begin_with(self, connection: AsyncConnection, plan_ids: Collection[int]) -> None:
        """From now on these come next; what was before them goes in the same transaction."""
        if plan_ids:
            await connection.execute(update(plans).where(plans.c.id.in_(plan_ids)).values(parent=None))

    async def remove(self, connection: AsyncConnection, plan_ids: Collection[int]) -> None:
        """Takes away whole branches: no plan that stays comes after one that goes."""
        if plan_ids:
            await connection.execute(delete(plans).where(plans.c.id.in_(plan_ids)))
