"""SQL for boards that have to be posted, their delivery errors, and old boards that have to be tidied."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Row,
    Select,
    TextClause,
    bindparam,
    case,
    delete,
    exists,
    literal,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.board.delivery.tables import old_boards, undelivered_of, untold
from bot.core.storage.database import Database
from bot.games.stored import BoardLease, Place
from bot.games.tables import TO_SHOW, games


class WaitingBoard(NamedTuple):
    """A game with entries that are not on its board yet. ``since``: its last entry. ``not_before``: the next attempt.

    Both in ms since 1970.
    """

    not_before: int
    since: int
    game_id: str


FIRST: Final = WaitingBoard(-1, -1, "")
"""A board that sorts before every other."""


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


# The statements of play are made only once, as making one costs more than executing it.
_WAITING: Final = (games.c.next_attempt_at, games.c.last_entry_at, games.c.id)
_AFTER: Final = tuple_(*map(bindparam, WaitingBoard._fields), types=[column.type for column in _WAITING])
_DUE: Final = (
    select(*_WAITING)
    .where(TO_SHOW, games.c.next_attempt_at <= bindparam("now"), games.c.board_leased_until <= bindparam("now"))
    .where(games.c.next_attempt_at >= bindparam("not_before"), tuple_(*_WAITING) > _AFTER)
    .order_by(*_WAITING)
    .limit(bindparam("limit", type_=Integer))
)
_IS_OPEN: Final = or_(games.c.board_leased_until <= bindparam("now"), games.c.board_leased_by == bindparam("owner"))
"""The condition that the board is not leased, or leased to the ``owner``."""
_LEASED: Final[dict[str, Any]] = {"board_leased_until": bindparam("until"), "board_leased_by": bindparam("owner")}
_FREE: Final = select(games.c.id).where(games.c.id == bindparam("of_id"), TO_SHOW, _IS_OPEN)
_LEASE: Final = (
    update(games).where(games.c.id.in_(_FREE.with_for_update(skip_locked=True).scalar_subquery())).values(_LEASED)
)
_HOLD: Final = (
    update(games)
    .where(games.c.id == bindparam("of_id"), games.c.seq == bindparam("of_seq"), TO_SHOW, _IS_OPEN)
    .values(_LEASED)
)
_LEASE_UNTIL: Final = (
    update(games)
    .where(games.c.id.in_(bindparam("of_ids", expanding=True)), games.c.board_leased_by == bindparam("owner"), TO_SHOW)
    .values(board_leased_until=bindparam("until"))
)
_ATTEMPTS: Final = select(games.c.attempts).where(games.c.id == bindparam("game_id"))
_CARD_PENDING: Final = (
    select(games.c.id)
    .where(games.c.match_id == bindparam("match_id"), games.c.match_game == bindparam("number"))
    .where(TO_SHOW, games.c.attempts == 0)
)
_FIRST_ATTEMPTS: Final = select(_ATTEMPTS.scalar_subquery().label("attempts"), exists(_CARD_PENDING).label("waits"))
_DROP_OLD: Final = delete(old_boards).where(old_boards.c.message_id.in_(bindparam("message_ids", expanding=True)))
_OLD: Final = (
    select(old_boards)
    .where(old_boards.c.next_attempt_at <= bindparam("now"))
    .order_by(old_boards.c.next_attempt_at, old_boards.c.message_id)
    .limit(bindparam("limit", type_=Integer))
)


class BoardRepository:
    """Times in ms since 1970."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- boards to be shown --------------------------------------------------------------------------------------

    async def due(self, now: int, limit: int, after: WaitingBoard = FIRST) -> list[WaitingBoard]:
        """Returns up to ``limit`` boards after ``after`` that are due at ``now`` and not leased.

        Boards without a failure come first, the longest wait first; then the others in the order in which they are due.
        """
        values = {"now": now, "limit": limit, **after._asdict()}
        return [WaitingBoard._make(row) for row in await self.database.fetch(_DUE, values)]

    async def waiting_in(self, guild_id: int, limit: int, after: WaitingBoard = FIRST) -> list[WaitingBoard]:
        """Returns up to ``limit`` boards of a server after ``after``, whether due or not, the longest wait first."""
        since, game_id = games.c.last_entry_at, games.c.id
        later = (since >= after.since, or_(since > after.since, game_id > after.game_id))
        query = select(games.c.next_attempt_at, since, game_id).where(TO_SHOW, games.c.guild_id == guild_id, *later)
        rows = await self.database.fetch(query.order_by(since, game_id).limit(limit))
        return [WaitingBoard(*row) for row in rows]

    async def lease(self, game_id: str, now: int, lease: BoardLease) -> bool:
        values = {"of_id": game_id, "now": now, "owner": lease.owner, "until": lease.until}
        async with self.database.writing() as connection:
            return bool((await connection.execute(_LEASE, values)).rowcount)

    async def hold(self, game_id: str, seq: int, now: int, lease: BoardLease) -> bool:
        """Renews the lease of a board that shows ``seq`` entries.

        Returns False if the game has other entries, if they are shown already, or if another process has leased the
        board.
        """
        values = {"of_id": game_id, "of_seq": seq, "now": now, "owner": lease.owner, "until": lease.until}
        async with self.database.writing() as connection:
            return bool((await connection.execute(_HOLD, values)).rowcount)

    async def lease_until(self, game_ids: Collection[str], owner: int, until: int) -> None:
        """Sets the end of the leases that the process ``owner`` still holds; 0 ends them."""
        values = {"of_ids": sorted(game_ids), "owner": owner, "until": until}
        async with self.database.writing() as connection:
            await connection.execute(_LEASE_UNTIL, values)

    async def attempts(self, game_id: str) -> int:
        """Returns the failures in a row of the game's board."""
        return (await self.database.fetch(_ATTEMPTS, {"game_id": game_id})).scalar() or 0

    async def first_attempts(self, game_id: str, match_id: str, number: int) -> int | None:
        """Returns the failures in a row of the first board of a match's game after the game ``number``.

        None if the board has to wait, as that game has entries to show, and its board has not failed yet.
        """
        values = {"game_id": game_id, "match_id": match_id, "number": number}
        row = (await self.database.fetch(_FIRST_ATTEMPTS, values)).one()
        return None if row.waits else row.attempts or 0

    async def delivery_error(self, game_id: str) -> str:
        """Returns why the game's board cannot be posted; "" if there is no delivery error."""
        return (await self.database.fetch(select(games.c.delivery_error).where(games.c.id == game_id))).scalar() or ""

    async def failed(
        self, connection: AsyncConnection, game_id: str, delivery_error: str, next_attempt_at: int
    ) -> None:
        """Stores a failure of a board that is not posted yet. A new reason has to be told to the players again."""
        told = case((games.c.delivery_error == delivery_error, games.c.delivery_error_informed), else_=0)
        values = {
            "attempts": games.c.attempts + 1,
            "next_attempt_at": next_attempt_at,
            "delivery_error": delivery_error,
            "delivery_error_informed": told,
            "board_leased_until": 0,
        }
        await connection.execute(update(games).where(games.c.id == game_id, TO_SHOW).values(values))

    async def retry_failed(self) -> None:
        """Makes every board due that has failed without a delivery error."""
        failed = (TO_SHOW, games.c.attempts > 0, games.c.delivery_error == "")
        async with self.database.writing() as connection:
            await connection.execute(update(games).where(*failed).values(next_attempt_at=0))

    async def undelivered(self, user_id: int, limit: int) -> list[UndeliveredBoard]:
        """Returns the user's games whose boards cannot be posted, the longest wait first."""
        return await self._undelivered(_in_order(undelivered_of(literal(user_id, BigInteger))).limit(limit))

    async def not_informed(self, user_id: int, limit: int) -> list[UndeliveredBoard]:
        """Returns the games of ``undelivered`` of which the user has not been told."""
        return await self._undelivered(_in_order(untold(literal(user_id, BigInteger))).limit(limit))

    async def _undelivered(self, query: Select[Any]) -> list[UndeliveredBoard]:
        return [_undelivered(row) for row in await self.database.fetch(query)]

    async def mark_informed(self, game_id: str, delivery_error: str, user_id: int) -> None:
        """Records that a player knows why the game's board cannot be posted."""
        first = case((games.c.seat0 == user_id, 1), else_=0)
        second = case((games.c.seat1 == user_id, 2), else_=0)
        told = games.c.delivery_error_informed.op("|")(first).op("|")(second)
        statement = update(games).where(games.c.id == game_id, games.c.delivery_error == delivery_error)
        async with self.database.writing() as connection:
            await connection.execute(statement.values(delivery_error_informed=told))

    # --- old boards ----------------------------------------------------------------------------------------------

    async def schedule_old(self, old: OldBoard, next_attempt_at: int) -> None:
        """Schedules the tidying of an old board, or postpones it."""
        async with self.database.writing() as connection:
            await self.add_old(connection, [old], next_attempt_at)

    async def add_old(self, connection: AsyncConnection, old: Sequence[OldBoard], next_attempt_at: int) -> None:
        """Schedules the tidying of several old boards in the caller's transaction."""
        rows = [
            {
                "message_id": one.message_id,
                "guild_id": one.place.guild_id,
                "channel_id": one.place.channel_id,
                "removed": one.removed,
                "attempts": one.attempts,
                "next_attempt_at": next_attempt_at,
            }
            for one in old
        ]
        if rows:
            added = self.database.insert(old_boards)
            changed = {name: added.excluded[name] for name in ("attempts", "next_attempt_at")}
            await connection.execute(added.on_conflict_do_update(index_elements=["message_id"], set_=changed), rows)

    async def drop_old(self, *message_ids: int) -> None:
        async with self.database.writing() as connection:
            await connection.execute(_DROP_OLD, {"message_ids": message_ids})

    async def lease_old(self, now: int, limit: int, until: int) -> list[OldBoard]:
        """Leases up to ``limit`` old boards that are due, until ``until``."""
        due = select(old_boards.c.message_id).where(old_boards.c.next_attempt_at <= now)
        due = due.order_by(old_boards.c.next_attempt_at, old_boards.c.message_id).limit(limit)
        due = select(
            due.with_for_update(skip_locked=True).cte("due").c.message_id
        )  # runs once: see GameRepository.lease
        statement = update(old_boards).where(old_boards.c.message_id.in_(due))
        async with self.database.writing() as connection:
            rows = await connection.execute(statement.values(next_attempt_at=until).returning(*old_boards.c))
            return sorted(map(_old, rows), key=lambda old: old.message_id)

    async def old(self, now: int, limit: int) -> list[OldBoard]:
        """Returns up to ``limit`` old boards that are due, the longest wait first."""
        return [_old(row) for row in await self.database.fetch(_OLD, {"now": now, "limit": limit})]

    async def later_removals(self, channel_id: int, since: int, now: int) -> list[int]:
        """Returns the messages of a channel that are to be removed later than ``now``, with ids above ``since``."""
        query = select(old_boards.c.message_id).where(
            old_boards.c.next_attempt_at > now,
            old_boards.c.channel_id == channel_id,
            old_boards.c.message_id > since,
            old_boards.c.removed == true(),
        )
        return list((await self.database.fetch(query)).scalars())


def _in_order(conditions: Sequence[ColumnElement[bool] | TextClause]) -> Select[Any]:
    """Returns the games that meet the conditions, the longest wait first."""
    return select(games).where(*conditions).order_by(games.c.last_entry_at, games.c.id)


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
