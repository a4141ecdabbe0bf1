"""SQL for boards that have to be posted, their delivery errors, and old boards that have to be tidied."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Row, Select, case, delete, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.board.delivery.tables import old_boards
from bot.core.storage.database import Database
from bot.games.stored import Place
from bot.games.tables import IS_UNDELIVERED, TO_SHOW, games


class WaitingBoard(NamedTuple):
    """A game with entries that are not on its board yet. ``since``: its last entry, in ms since 1970."""

    since: int
    game_id: str


FIRST: Final = WaitingBoard(-1, "")
"""Sorts before every other."""


@dataclass(frozen=True, slots=True)
class UndeliveredBoard:
    """A game whose board cannot be posted. ``informed``: whether each seat knows why."""

    id: str
    game: str
    place: Place
    players: tuple[int, int]
    delivery_error: str
    informed: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class OldBoard:
    """A board that a newer one replaces. ``removed``: it is deleted; otherwise it loses its buttons."""

    message_id: int
    place: Place
    removed: bool
    attempts: int = 0


class BoardRepository:
    """Times in ms since 1970."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- boards to be shown --------------------------------------------------------------------------------------

    async def due(self, now: int, limit: int, after: WaitingBoard = FIRST) -> list[WaitingBoard]:
        """Up to ``limit`` boards after ``after`` that are due at ``now``, longest waiting first."""
        return await self._waiting(limit, after, games.c.next_attempt_at <= now)

    async def waiting_in(self, guild_id: int, limit: int, after: WaitingBoard = FIRST) -> list[WaitingBoard]:
        """The same for one server, whether due or not."""
        return await self._waiting(limit, after, games.c.guild_id == guild_id)

    async def _waiting(self, limit: int, after: WaitingBoard, where: ColumnElement[bool]) -> list[WaitingBoard]:
        since, game_id = games.c.last_entry_at, games.c.id
        later = (since >= after.since, or_(since > after.since, game_id > after.game_id))
        query = select(since, game_id).where(TO_SHOW, where, *later).order_by(since, game_id).limit(limit)
        async with self.database.reading_once() as connection:
            return [WaitingBoard(*row) for row in await connection.execute(query)]

    async def attempts(self, game_id: str) -> int:
        """How often in a row the game's board has failed."""
        async with self.database.reading_once() as connection:
            return int(await connection.scalar(select(games.c.attempts).where(games.c.id == game_id)) or 0)

    async def card_pending(self, match_id: str, number: int) -> bool:
        """Whether a match's game has entries to show, and its board has not failed yet."""
        pending = (games.c.match_id == match_id, games.c.match_game == number, TO_SHOW, games.c.attempts == 0)
        async with self.database.reading_once() as connection:
            return await connection.scalar(select(games.c.id).where(*pending)) is not None

    async def delivery_error(self, game_id: str) -> str:
        """Why the game's board cannot be posted; "" if there is no delivery error."""
        async with self.database.reading_once() as connection:
            return await connection.scalar(select(games.c.delivery_error).where(games.c.id == game_id)) or ""

    async def failed(
        self, connection: AsyncConnection, game_id: str, delivery_error: str, next_attempt_at: int
    ) -> None:
        """Records a failure of a board that is not posted yet. A new reason has to be told to the players again."""
        told = case((games.c.delivery_error == delivery_error, games.c.delivery_error_informed), else_=0)
        values = {
            "attempts": games.c.attempts + 1,
            "next_attempt_at": next_attempt_at,
            "delivery_error": delivery_error,
            "delivery_error_informed": told,
        }
        await connection.execute(update(games).where(games.c.id == game_id, TO_SHOW).values(values))

    async def undelivered(self, user_id: int, limit: int) -> list[UndeliveredBoard]:
        """Games of a user whose boards cannot be posted, longest waiting first."""
        return await self._undelivered(_undelivered_of(user_id).limit(limit))

    async def not_informed(self, user_id: int, limit: int) -> list[UndeliveredBoard]:
        """Those of them that the user has not been told about."""
        told = games.c.delivery_error_informed
        # no condition on the seats: it would make the database use their long indexes
        bit = case((games.c.seat0 == user_id, 1), else_=2)
        return await self._undelivered(_undelivered_of(user_id).where(told.op("&")(bit) == 0).limit(limit))

    async def _undelivered(self, query: Select[Any]) -> list[UndeliveredBoard]:
        async with self.database.reading_once() as connection:
            return [_undelivered(row) for row in await connection.execute(query)]

    async def mark_informed(self, game_id: str, delivery_error: str, user_id: int) -> None:
        """Records that a player knows why the game's board cannot be posted."""
        first = case((games.c.seat0 == user_id, 1), else_=0)
        second = case((games.c.seat1 == user_id, 2), else_=0)
        told = games.c.delivery_error_informed.op("|")(first).op("|")(second)
        statement = update(games).where(games.c.id == game_id, games.c.delivery_error == delivery_error)
        async with self.database.writing_once() as connection:
            await connection.execute(statement.values(delivery_error_informed=told))

    # --- old boards ----------------------------------------------------------------------------------------------

    async def schedule_old(self, old: OldBoard, next_attempt_at: int) -> None:
        """Schedules the tidying of an old board, or postpones it."""
        row = {
            "message_id": old.message_id,
            "guild_id": old.place.guild_id,
            "channel_id": old.place.channel_id,
            "removed": old.removed,
            "attempts": old.attempts,
            "next_attempt_at": next_attempt_at,
        }
        statement = self.database.insert(old_boards).values(row)
        statement = statement.on_conflict_do_update(
            index_elements=["message_id"], set_={"attempts": old.attempts, "next_attempt_at": next_attempt_at}
        )
        async with self.database.writing_once() as connection:
            await connection.execute(statement)

    async def drop_old(self, message_id: int) -> None:
        async with self.database.writing_once() as connection:
            await connection.execute(delete(old_boards).where(old_boards.c.message_id == message_id))

    async def old(self, now: int, limit: int) -> list[OldBoard]:
        """Up to ``limit`` old boards that are due, longest waiting first."""
        query = select(old_boards).where(old_boards.c.next_attempt_at <= now)
        query = query.order_by(old_boards.c.next_attempt_at, old_boards.c.message_id).limit(limit)
        async with self.database.reading_once() as connection:
            return [_old(row) for row in await connection.execute(query)]


def _undelivered_of(user_id: int) -> Select[Any]:
    # few games match IS_UNDELIVERED, so its index is short; the condition on the seats is left to the rows it finds
    live = literal(user_id, BigInteger).in_([games.c.seat0, games.c.seat1])
    return select(games).where(IS_UNDELIVERED, live).order_by(games.c.last_entry_at, games.c.id)


def _undelivered(row: Row[Any]) -> UndeliveredBoard:
    return UndeliveredBoard(
        row.id,
        row.game,
        Place(row.guild_id, row.channel_id),
        (row.seat0, row.seat1),
        row.delivery_error,
        (bool(row.delivery_error_informed & 1), bool(row.delivery_error_informed & 2)),
    )


def _old(row: Row[Any]) -> OldBoard:
    return OldBoard(row.message_id, Place(row.guild_id, row.channel_id), row.removed, row.attempts)
