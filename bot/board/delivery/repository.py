"""Which boards have to be shown, what hinders them, and old ones that could not be tidied yet."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, TextClause, case, delete, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.database import Database
from bot.core.tables import IS_HINDERED, TO_SHOW, challenges, games, old_boards
from bot.games.repository import Place


@dataclass(frozen=True, slots=True)
class Hindered:
    """A game whose board cannot be shown. ``told``: whether each seat knows why."""

    id: str
    game: str
    place: Place
    players: tuple[int, int]
    hindrance: str
    told: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class OldBoard:
    """A board that has been followed by another: it is to be removed, or to lose its buttons."""

    message_id: int
    place: Place
    removed: bool
    tries: int = 0


class BoardStore:
    """Reads and changes; times in ms since 1970."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- boards to be shown --------------------------------------------------------------------------------------

    async def due(self, now: int) -> list[str]:
        """Ids of games with entries that the players have not been shown, the longest waiting first."""
        query = select(games.c.id).where(TO_SHOW, games.c.try_at <= now).order_by(games.c.moved, games.c.id)
        async with self.database.reading() as connection:
            return list(await connection.scalars(query))

    async def waiting_in(self, guild_id: int) -> list[str]:
        """The same for one server, due or not."""
        query = select(games.c.id).where(TO_SHOW, games.c.guild_id == guild_id).order_by(games.c.moved)
        async with self.database.reading() as connection:
            return list(await connection.scalars(query))

    async def tries(self, game_id: str) -> int:
        """How often the game's board has failed in a row."""
        async with self.database.reading() as connection:
            return int(await connection.scalar(select(games.c.tries).where(games.c.id == game_id)) or 0)

    async def hindrance(self, game_id: str) -> str:
        """Why the game's board cannot be shown."""
        async with self.database.reading() as connection:
            return await connection.scalar(select(games.c.hindrance).where(games.c.id == game_id)) or ""

    async def failed(self, connection: AsyncConnection, game_id: str, hindrance: str, try_at: int) -> None:
        """Notes a failure of a board that is still to be shown; another reason has to be told anew."""
        told = case((games.c.hindrance == hindrance, games.c.hindrance_told), else_=0)
        values = {"tries": games.c.tries + 1, "try_at": try_at, "hindrance": hindrance, "hindrance_told": told}
        await connection.execute(update(games).where(games.c.id == game_id, TO_SHOW).values(values))

    async def hindered(self, user_id: int) -> list[Hindered]:
        """The games of a user whose boards cannot be shown."""
        seated = literal(user_id, BigInteger).in_([games.c.seat0, games.c.seat1])  # few are: their index is short
        query = select(games).where(IS_HINDERED, seated).order_by(games.c.moved, games.c.id)
        async with self.database.reading() as connection:
            return [_hindered(row) for row in await connection.execute(query)]

    async def hindrance_told(self, game_id: str, hindrance: str, user_id: int) -> None:
        """Notes that a player knows what hinders the game's board."""
        first = case((games.c.seat0 == user_id, 1), else_=0)
        second = case((games.c.seat1 == user_id, 2), else_=0)
        told = games.c.hindrance_told.op("|")(first).op("|")(second)
        statement = update(games).where(games.c.id == game_id, games.c.hindrance == hindrance)
        async with self.database.writing() as connection:
            await connection.execute(statement.values(hindrance_told=told))

    # --- old boards ----------------------------------------------------------------------------------------------

    async def keep_old(self, old: OldBoard, try_at: int) -> None:
        """An old board to be tidied at ``try_at``, or later than was thought."""
        row = {
            "message_id": old.message_id,
            "guild_id": old.place.guild_id,
            "channel_id": old.place.channel_id,
            "removed": old.removed,
            "tries": old.tries,
            "try_at": try_at,
        }
        statement = self.database.insert(old_boards).values(row)
        statement = statement.on_conflict_do_update(
            index_elements=["message_id"], set_={"tries": old.tries, "try_at": try_at}
        )
        async with self.database.writing() as connection:
            await connection.execute(statement)

    async def drop_old(self, message_id: int) -> None:
        async with self.database.writing() as connection:
            await connection.execute(delete(old_boards).where(old_boards.c.message_id == message_id))

    async def old(self, now: int) -> list[OldBoard]:
        """Those that are due."""
        return await self._old(old_boards.c.try_at <= now)

    async def _old(self, *where: ColumnElement[bool] | TextClause) -> list[OldBoard]:
        query = select(old_boards).where(*where).order_by(old_boards.c.try_at, old_boards.c.message_id)
        async with self.database.reading() as connection:
            return [_old(row) for row in await connection.execute(query)]

    # --- closed challenges ---------------------------------------------------------------------------------------

    async def challenge_failed(self, challenge_id: str, tries: int, try_at: int) -> None:
        """Notes that the message of a closed challenge could not be changed."""
        values = {"tries": tries, "try_at": try_at}
        async with self.database.writing() as connection:
            await connection.execute(update(challenges).where(challenges.c.id == challenge_id).values(values))


def _hindered(row: Row[Any]) -> Hindered:
    return Hindered(
        row.id,
        row.game,
        Place(row.guild_id, row.channel_id),
        (row.seat0, row.seat1),
        row.hindrance,
        (bool(row.hindrance_told & 1), bool(row.hindrance_told & 2)),
    )


def _old(row: Row[Any]) -> OldBoard:
    return OldBoard(row.message_id, Place(row.guild_id, row.channel_id), row.removed, row.tries)
