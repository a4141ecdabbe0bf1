"""The games in the database. Entries are only appended; the key (game, seq) decides every race."""

import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Select,
    and_,
    case,
    false,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Conflict, Database, PlaceTaken, violated
from bot.core.storage.faults.damage import readable
from bot.core.storage.rows import columns_of
from bot.core.storage.writing.changes import announce
from bot.games.derived import derived, next_tick
from bot.games.queries import ENDED_AT, RUNNING_AT, THIS, WAITING_FOR_MACHINES, WAITING_FOR_USER, shard
from bot.games.rows import finished_game, packed, rows_of, running_game, stored_game, unpacked
from bot.games.stored import FREE, BoardLease, FinishedGame, GameVersion, Place, RunningGame, StoredGame
from bot.games.tables import GAME, IS_OVER, IS_RUNNING, IS_TIMED, ONE_PER_CHANNEL, entries, games, snapshots
from engine.core.record import dump_banks
from engine.core.table import Table

SNAPSHOT_EVERY: Final = 50
"""The entries between two snapshots. A snapshot is written with the turn that reaches a multiple of this number."""
ON_TIME: Final = "end.time"
NOT_FAILED: Final = {"attempts": 0, "next_attempt_at": 0, "delivery_error": "", "delivery_error_informed": 0}

LISTED: Final[tuple[Column[Any], ...]] = (
    *columns_of(RunningGame, games),
    *(games.c.seat0, games.c.seat1, games.c.guild_id, games.c.channel_id, games.c.time_off, games.c.server_gone),
)
"""The columns that the lists of running games need."""


@dataclass(frozen=True, slots=True)
class AffectedShards:
    """Shards (out of ``count``) with an outage until ``until``. It affects their games without an entry since then.

    ``up_to`` excludes games with a later deadline. Times in ms since 1970.
    """

    shards: tuple[int, ...]
    count: int
    until: int
    up_to: int | None = None

    def condition(self) -> ColumnElement[bool]:
        early = true() if self.up_to is None else games.c.deadline <= self.up_to
        return and_(shard(self.count).in_(self.shards), games.c.last_entry_at < self.until, early)


class GameRepository:
    """Reads and writes games. Methods that take a connection work inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- writing -------------------------------------------------------------------------------------------------

    async def create(
        self, connection: AsyncConnection, stored: StoredGame, table: Table[Any, Any], board_lease: BoardLease = FREE
    ) -> None:
        """Inserts a new game with its first entries. Raises PlaceTaken if a game runs in that channel.

        ``board_lease``: the process that shows the new entries, and its time for that.
        """
        header = stored.record.header
        row = {
            "id": header.id,
            "game": header.game,
            "version": header.version,
            "options": json.dumps(dict(header.options)),
            "position": header.position,
            "started": header.started,
            "commitment": header.commitment,
            "clock": header.clock,
            "timeout_policy": header.timeout_policy,
            "banks": dump_banks(header.banks),
            "match_id": header.match or None,
            "match_game": header.match_game,
            "rated": header.rated,
            "seat0": stored.players[0],
            "seat1": stored.players[1],
            "guild_id": stored.place.guild_id,
            "channel_id": stored.place.channel_id,
            "locale": stored.locale,
            "secret": stored.secret,
            "shown_seq": stored.shown_seq,
            "message_id": stored.message_id,
            "board_leased_until": board_lease.until,
            "board_leased_by": board_lease.owner,
        }
        try:
            await connection.execute(insert(games).values(**row, **derived(table)))
        except IntegrityError as error:
            if violated(error) == ONE_PER_CHANNEL:
                raise PlaceTaken from error
            raise
        if rows := rows_of(header.id, 0, stored.record.entries):
            await connection.execute(insert(entries), rows)

    async def append(
        self,
        game_id: str,
        seq: int,
        table: Table[Any, Any],
        secret: str,
        also: Callable[[AsyncConnection], Awaitable[None]] | None = None,
        channel_id: int | None = None,
        edits: int | None = None,
        *,
        board_lease: BoardLease = FREE,
    ) -> int:
        """Appends the entries of ``table`` from ``seq`` on and updates the derived columns, in one transaction.

        ``also`` writes further data in this transaction; its exceptions pass through. ``board_lease``: see ``create``.
        Returns the failures in a row of the game's board. Raises Conflict if the game does not have exactly ``seq``
        entries, is no longer played in that channel, or was edited more than ``edits`` times.
        """
        fits = [games.c.id == game_id, games.c.seq == seq]
        if channel_id is not None:
            fits.append(games.c.channel_id == channel_id)
        if edits is not None:
            fits.append(games.c.edits == edits)
        values = {
            "secret": secret,
            "next_attempt_at": 0,
            "board_leased_until": board_lease.until,
            "board_leased_by": board_lease.owner,
            **derived(table),
        }
        async with self.database.writing() as connection:
            moved = update(games).where(*fits).values(values).returning(games.c.attempts)
            attempts: int | None = await connection.scalar(moved)
            if attempts is None:
                raise Conflict
            if added := rows_of(game_id, seq, table.record.entries[seq:]):
                try:
                    await connection.execute(insert(entries), added)
                except IntegrityError as error:
                    raise Conflict from error
            if seq // SNAPSHOT_EVERY < table.seq // SNAPSHOT_EVERY and (snapshot := table.snapshot()) is not None:
                await self._keep(connection, game_id, snapshot)
            await announce(connection, GAME, game_id)
            if also is not None:
                await also(connection)
        return attempts

    async def _keep(self, connection: AsyncConnection, game_id: str, snapshot: str) -> None:
        added = self.database.insert(snapshots).values(game_id=game_id, text=packed(snapshot))
        await connection.execute(
            added.on_conflict_do_update(index_elements=[snapshots.c.game_id], set_={"text": added.excluded.text})
        )

    async def settle_deadline(self, game_id: str, table: Table[Any, Any], at: int) -> None:
        """Writes the deadline of a game after ``at``, and ends its lease, if it has exactly the entries of
        ``table``.
        """
        unchanged = (games.c.id == game_id, games.c.seq == table.seq)
        async with self.database.writing() as connection:
            values = {"deadline": next_tick(table, at), "leased_until": 0}
            await connection.execute(update(games).where(*unchanged).values(values))

    async def move(
        self,
        connection: AsyncConnection,
        game_id: str,
        seq: int,
        channel_id: int,
        place: Place,
        board_lease: BoardLease = FREE,
    ) -> None:
        """Moves a running game with ``seq`` entries from a channel to another place, where its board is not shown yet.

        Raises PlaceTaken if a game runs there; Conflict if the game has new entries, is over or is elsewhere.
        """
        here = (games.c.seq == seq, games.c.channel_id == channel_id)
        statement = update(games).where(games.c.id == game_id, *here, IS_RUNNING)
        values = {
            "guild_id": place.guild_id,
            "channel_id": place.channel_id,
            "message_id": None,
            "shown_seq": case((games.c.shown_seq >= games.c.seq, games.c.seq - 1), else_=games.c.shown_seq),
            "board_leased_until": board_lease.until,
            "board_leased_by": board_lease.owner,
            "server_gone": False,
        }
        try:
            result = await connection.execute(statement.values(**NOT_FAILED, **values))
        except IntegrityError as error:
            if violated(error) == ONE_PER_CHANNEL:
                raise PlaceTaken from error
            raise
        if result.rowcount != 1:
            raise Conflict
        await announce(connection, GAME, game_id)

    async def mark_shown(
        self,
        game_id: str,
        seq: int,
        message_id: int | None,
        channel_id: int | None = None,
        also: Callable[[AsyncConnection], Awaitable[None]] | None = None,
    ) -> None:
        """Stores that the players were shown ``seq`` entries; the number never falls. ``also``: see ``append``.

        If ``message_id`` is None, the stored one stays. Nothing is stored if the game is no longer in that channel.
        """
        shown = [games.c.id == game_id, games.c.shown_seq <= seq]
        if channel_id is not None:
            shown.append(games.c.channel_id == channel_id)
        values: dict[str, Any] = {**NOT_FAILED, "shown_seq": seq}
        if message_id is not None:
            values["message_id"] = message_id
        async with self.database.writing() as connection:
            await connection.execute(update(games).where(*shown).values(values))
            await announce(connection, GAME, game_id)
            if also is not None:
                await also(connection)

    # --- reading -------------------------------------------------------------------------------------------------

    async def load(self, game_id: str) -> StoredGame | None:
        """Returns a game with all its entries, in one snapshot; None if it does not exist. Raises CorruptRecord."""
        async with self.database.reading() as connection:
            listed = select(entries).where(entries.c.game_id == game_id).order_by(entries.c.seq)
            found = (await connection.execute(listed)).all()
            game = select(games, snapshots.c.text.label("snapshot")).outerjoin(snapshots)
            row = (await connection.execute(game.where(games.c.id == game_id))).one_or_none()
        return None if row is None else replace(stored_game(row, found), snapshot=unpacked(row.snapshot))

    async def version(self, game_id: str) -> GameVersion | None:
        return await self._version(THIS, game_id)

    async def running_at(self, channel_id: int) -> GameVersion | None:
        return await self._version(RUNNING_AT, channel_id)

    async def ended_at(self, channel_id: int) -> GameVersion | None:
        return await self._version(ENDED_AT, channel_id)

    async def running_of(self, user_id: int) -> list[RunningGame]:
        """Returns the user's running games. The one with the oldest last entry comes first."""
        theirs = or_(games.c.seat0 == user_id, games.c.seat1 == user_id)
        query = select(*LISTED).where(IS_RUNNING, theirs).order_by(games.c.last_entry_at, games.c.id)
        return readable("game", await self.database.fetch(query), running_game)

    async def waiting_for(self, user_id: int, excluded_id: str) -> int:
        """Counts the running games that wait for the user's turn or answer, without the game ``excluded_id``.

        Games against a machine without a clock do not count, as nobody waits there.
        """
        count: int = (
            await self.database.fetch(WAITING_FOR_USER, {"user": user_id, "excluded": excluded_id})
        ).scalar_one()
        return count

    async def waiting_for_machines(self, shards: Collection[int], count: int, late_since: int) -> list[str]:
        """Returns the ids of running games in these shards (out of ``count``) that need an act of a machine, the
        longest wait first.

        Such a game waits for a machine's turn or answer, its pause is to end, or it is abandoned. With a clock, a game
        is abandoned if its time is up and nothing has happened since ``late_since`` (ms since 1970).
        """
        where = {"shards": list(shards), "count": count, "late_since": late_since}
        return [row.id for row in await self.database.fetch(WAITING_FOR_MACHINES, where)]

    async def finished_by(self, user_id: int, limit: int) -> list[FinishedGame]:
        # one query for each seat, so each reads only the first rows of its index
        first = _latest(limit, games.c.seat0 == user_id)
        second = _latest(limit, games.c.seat1 == user_id, games.c.seat0 != user_id)
        async with self.database.reading() as connection:
            rows = [row for query in (first, second) for row in await connection.execute(query)]
        return sorted(map(finished_game, rows), key=lambda game: (-game.ended, game.id))[:limit]

    async def lease(self, now: int, until: int, shards: Sequence[int], count: int, limit: int) -> list[str]:
        """Leases games in these shards (out of ``count``) whose deadline has passed, until ``until``.

        Returns their ids, the earliest deadline first. Times in ms since 1970.
        """
        due = select(games.c.id).where(IS_TIMED, games.c.deadline <= now, games.c.leased_until <= now)
        due = due.where(shard(count).in_(shards)).order_by(games.c.deadline, games.c.id).limit(limit)
        # a CTE runs once; PostgreSQL may run a subquery for each row, each time past the leased ones
        due = select(due.with_for_update(skip_locked=True).cte("due").c.id)
        statement = update(games).where(games.c.id.in_(due)).values(leased_until=until)
        async with self.database.writing() as connection:
            rows = (await connection.execute(statement.returning(games.c.deadline, games.c.id))).all()
        return [row.id for row in sorted(rows, key=lambda row: (row.deadline, row.id))]

    async def affected(
        self, outages: Sequence[AffectedShards], shards: Sequence[int], count: int, after: tuple[int, str], limit: int
    ) -> list[tuple[int, str]]:
        """Returns the (deadline, id) of games that may have lost time in these outages, in order, after the pair
        ``after``.

        A game with an entry since the outage got its time back with that entry. Only games in these shards (out of
        ``count``) are listed.
        """
        deadline, missed = games.c.deadline, [one.condition() for one in outages]
        later = (deadline >= after[0], or_(deadline > after[0], games.c.id > after[1]))
        query = select(deadline, games.c.id).where(IS_TIMED, *later, shard(count).in_(shards), or_(false(), *missed))
        rows = await self.database.fetch(query.order_by(deadline, games.c.id).limit(limit))
        return [(row.deadline, row.id) for row in rows]

    async def next_deadline(self, after: int) -> int | None:
        """Returns the earliest deadline after that moment, in ms since 1970; None if there is none."""
        query = select(func.min(games.c.deadline)).where(IS_TIMED, games.c.deadline > after)
        due: int | None = (await self.database.fetch(query)).scalar()
        return due

    async def make_due(self, user_id: int, now: int, limit: int) -> list[tuple[str, int | None]]:
        """Brings the deadlines of up to ``limit`` running games of a user forward to ``now``, the nearest first.

        Returns their ids with their servers: fewer than ``limit`` if these were all.
        """
        theirs = or_(games.c.seat0 == user_id, games.c.seat1 == user_id)
        later = select(games.c.id).where(IS_RUNNING, IS_TIMED, theirs, games.c.deadline > now)
        few = later.order_by(games.c.deadline, games.c.id).limit(limit).scalar_subquery()
        statement = update(games).where(games.c.id.in_(few)).values(deadline=now)
        async with self.database.writing() as connection:
            rows = await connection.execute(statement.returning(games.c.id, games.c.guild_id))
            return sorted((row.id, row.guild_id) for row in rows)

    async def lost_on_time(self, connection: AsyncConnection, user_id: int, since: int, excluded_id: str) -> bool:
        """Returns whether the user lost a game on time after ``since`` (ms since 1970) that counts for ratings.

        The game ``excluded_id`` is left out.
        """
        for player, points in ((games.c.seat0, games.c.points0), (games.c.seat1, games.c.points1)):
            lost = (player == user_id, points < 0, games.c.reason == ON_TIME, games.c.counts)
            query = select(games.c.id).where(IS_OVER, games.c.ended > since, games.c.id != excluded_id, *lost)
            if await connection.scalar(query.limit(1)) is not None:
                return True
        return False

    async def _version(self, query: Select[Any], id_: str | int) -> GameVersion | None:
        row = (await self.database.fetch(query, {"id": id_})).one_or_none()
        return None if row is None else GameVersion._make(row)


def _latest(limit: int, *where: ColumnElement[bool]) -> Select[Any]:
    return select(games).where(IS_OVER, *where).order_by(games.c.ended.desc(), games.c.id).limit(limit)
