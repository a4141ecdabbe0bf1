"""Tournaments in the database.

Every change locks the tournament's row first (``locked``): on PostgreSQL by SELECT FOR UPDATE, on SQLite by the one
writer. So two processes never change the same tournament at once, and a state read after the lock is current.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, TextClause, bindparam, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.displaced.tables import displaced_games
from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.core.storage.rows import to_row
from bot.tournaments.rows import (
    UnreadableTournament,
    entry_name,
    log_entry_of,
    number_name,
    pairing_name,
    pairing_of,
    pairing_row,
    player_of,
    player_row,
    read_all,
    read_tournament,
    round_of,
    tournament_of,
    tournament_row,
)
from bot.tournaments.tables import (
    IS_ACTIVE,
    tournament_log,
    tournament_organisers,
    tournament_pairings,
    tournament_players,
    tournament_rounds,
    tournaments,
)
from bot.tournaments.tournament import (
    LogEntry,
    Player,
    Status,
    StoredPairing,
    StoredRound,
    Tournament,
    TournamentSnapshot,
)


class TournamentRepository:
    """Reads and writes tournaments. Methods that take a connection work inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- tournaments ---------------------------------------------------------------------------------------------

    async def create(self, connection: AsyncConnection, tournament: Tournament) -> None:
        await connection.execute(insert(tournaments).values(id=tournament.id, **tournament_row(tournament)))

    async def locked(self, connection: AsyncConnection, tournament_id: str) -> Tournament | None:
        """Locks the tournament until the transaction ends, and reads it. Raises UnreadableTournament after the lock."""
        query = select(tournaments).where(tournaments.c.id == tournament_id).with_for_update()
        row = (await connection.execute(query)).one_or_none()
        return None if row is None else read_tournament(row)

    async def update(self, connection: AsyncConnection, tournament: Tournament) -> None:
        """Writes a locked tournament with the next version, so that its announcement is brought up to date."""
        values = tournament_row(tournament) | {"version": tournaments.c.version + 1}
        await connection.execute(update(tournaments).where(tournaments.c.id == tournament.id).values(values))

    async def plan_next(self, connection: AsyncConnection, tournament_id: str, at: int) -> None:
        """Schedules the next look at the tournament for ``at`` at the latest."""
        later = (tournaments.c.id == tournament_id, tournaments.c.next_at > at)
        await connection.execute(update(tournaments).where(*later).values(next_at=at))

    async def get(self, tournament_id: str) -> Tournament | None:
        """Reads a tournament; None if there is none. Raises UnreadableTournament."""
        query = select(tournaments).where(tournaments.c.id == tournament_id)
        row = (await self.database.fetch(query)).one_or_none()
        return None if row is None else read_tournament(row)

    async def listed(
        self, *where: ColumnElement[bool] | TextClause, limit: int | None = None, offset: int = 0
    ) -> list[Tournament]:
        """Returns tournaments, the newest first. Unreadable ones are left out."""
        query = select(tournaments).where(*where).order_by(tournaments.c.created.desc()).limit(limit).offset(offset)
        return readable("tournament", await self.database.fetch(query), tournament_of)

    async def unreadable(self, *where: ColumnElement[bool], limit: int) -> list[tuple[str, str]]:
        """Returns the ids and names of the unreadable tournaments, which ``listed`` leaves out."""
        query = select(tournaments).where(*where).order_by(tournaments.c.created.desc()).limit(limit)
        rows = list(await self.database.fetch(query))
        return [(row.id, row.name) for row in rows if not readable("tournament", [row], tournament_of)]

    async def due(self, now: int, limit: int, until: int) -> list[str]:
        """Leases active tournaments that have something to do, until ``until``. Returns their ids."""
        free = (IS_ACTIVE, tournaments.c.next_at <= now, tournaments.c.leased_until <= now)
        query = select(tournaments.c.id).where(*free).order_by(tournaments.c.next_at).limit(limit)
        async with self.database.writing() as connection:
            found = list(await connection.scalars(query.with_for_update(skip_locked=True)))
            if found:
                leased = update(tournaments).where(tournaments.c.id.in_(found))
                await connection.execute(leased.values(leased_until=until))
        return found

    async def release(self, tournament_id: str) -> None:
        async with self.database.writing() as connection:
            statement = update(tournaments).where(tournaments.c.id == tournament_id)
            await connection.execute(statement.values(leased_until=0))

    async def next_due(self, now: int) -> int | None:
        """Returns the next moment at which an active tournament has something to do; None if none has."""
        free = (IS_ACTIVE, tournaments.c.leased_until <= now)
        due: int | None = (await self.database.fetch(select(func.min(tournaments.c.next_at)).where(*free))).scalar()
        return due

    # --- players -------------------------------------------------------------------------------------------------

    async def players(self, connection: AsyncConnection, tournament_id: str) -> tuple[Player, ...]:
        """Returns players by number. Raises UnreadableTournament."""
        query = select(tournament_players).where(tournament_players.c.tournament_id == tournament_id)
        rows = await connection.execute(query.order_by(tournament_players.c.number))
        return read_all("tournament player", rows, player_of, number_name)

    async def add_player(self, connection: AsyncConnection, tournament_id: str, player: Player) -> None:
        values = {"tournament_id": tournament_id, **player_row(player)}
        await connection.execute(insert(tournament_players).values(values))

    async def update_players(self, connection: AsyncConnection, tournament_id: str, players: Iterable[Player]) -> None:
        """Writes players in one statement. With one statement each, a start of 1,024 would take the
        database seconds.
        """
        table = tournament_players.c
        theirs = (table.tournament_id == bindparam("of_tournament"), table.number == bindparam("of_number"))
        rows = [
            {"of_tournament": tournament_id, "of_number": player.number, **player_row(player)} for player in players
        ]
        if rows:
            await connection.execute(update(tournament_players).where(*theirs), rows)

    async def of_user(self, user_id: int, *where: ColumnElement[bool] | TextClause, limit: int) -> list[Tournament]:
        theirs = select(tournament_players.c.tournament_id).where(tournament_players.c.user_id == user_id)
        return await self.listed(tournaments.c.id.in_(theirs), *where, limit=limit)

    # --- pairings and rounds -------------------------------------------------------------------------------------

    async def pairings(self, connection: AsyncConnection, tournament_id: str) -> tuple[StoredPairing, ...]:
        """Returns pairings by id. Raises UnreadableTournament."""
        displaced = displaced_games.c.since.label("displaced"), displaced_games.c.channel_id.label("deleted_channel")
        query = (
            select(tournament_pairings, *displaced)
            .outerjoin(displaced_games, displaced_games.c.contest_id == tournament_pairings.c.contest_id)
            .where(tournament_pairings.c.tournament_id == tournament_id)
        )
        rows = await connection.execute(query.order_by(tournament_pairings.c.id))
        return read_all("pairing", rows, pairing_of, pairing_name)

    async def add_pairings(
        self, connection: AsyncConnection, tournament_id: str, pairings: Iterable[StoredPairing]
    ) -> None:
        rows = [{"tournament_id": tournament_id, **pairing_row(pairing)} for pairing in pairings]
        if rows:
            await connection.execute(insert(tournament_pairings), rows)

    async def update_pairing(
        self, connection: AsyncConnection, tournament_id: str, pairing: StoredPairing, **more: Any
    ) -> None:
        """Writes a pairing and the columns ``more``, and marks the message of its round as behind."""
        table = tournament_pairings.c
        this = (table.tournament_id == tournament_id, table.id == pairing.id)
        await connection.execute(update(tournament_pairings).where(*this).values(pairing_row(pairing) | more))
        await self.touch_round(connection, tournament_id, pairing.pairing.round)

    async def of_contest(self, connection: AsyncConnection, contest_id: str) -> tuple[str, StoredPairing] | None:
        """Returns the tournament and pairing of a game or match; None also if the pairing is unreadable."""
        query = select(tournament_pairings).where(tournament_pairings.c.contest_id == contest_id)
        rows = (await connection.execute(query)).all()
        found = readable("pairing", rows, lambda row: (row.tournament_id, pairing_of(row)), pairing_name)
        return found[0] if found else None

    async def names_of(self, contest_ids: Collection[str]) -> dict[str, str]:
        """Returns the names of the tournaments of contests, by contest id. Other contests are left out.

        So are games that go on after the end of their tournament, as they do not count there.
        """
        table = tournament_pairings.c
        counts = or_(tournaments.c.status == Status.RUNNING, table.result.is_not(None))
        query = (
            select(table.contest_id, tournaments.c.name)
            .join(tournaments, tournaments.c.id == table.tournament_id)
            .where(table.contest_id.in_(contest_ids), counts)
        )
        return {row.contest_id: row.name for row in await self.database.fetch(query)}

    async def add_round(self, connection: AsyncConnection, tournament_id: str, made: StoredRound) -> None:
        values = {
            "tournament_id": tournament_id,
            "number": made.number,
            "stage": made.stage,
            "started": made.started,
            "deadline": made.deadline,
        }
        await connection.execute(insert(tournament_rounds).values(values))

    async def rounds(self, connection: AsyncConnection, tournament_id: str) -> tuple[StoredRound, ...]:
        """Returns the rounds by number. Raises UnreadableTournament."""
        query = select(tournament_rounds).where(tournament_rounds.c.tournament_id == tournament_id)
        rows = await connection.execute(query.order_by(tournament_rounds.c.number))
        return read_all("round", rows, round_of, number_name)

    async def touch_round(self, connection: AsyncConnection, tournament_id: str, number: int) -> None:
        """Marks the message of a round as behind."""
        table = tournament_rounds.c
        this = (table.tournament_id == tournament_id, table.number == number)
        await connection.execute(update(tournament_rounds).where(*this).values(version=table.version + 1))

    async def shift_round(self, connection: AsyncConnection, tournament_id: str, number: int, shift: int) -> None:
        """Moves the deadline of a round by ``shift`` ms."""
        table = tournament_rounds.c
        this = (table.tournament_id == tournament_id, table.number == number, table.deadline.is_not(None))
        values = {"deadline": table.deadline + shift, "version": table.version + 1}
        await connection.execute(update(tournament_rounds).where(*this).values(values))

    async def load(self, connection: AsyncConnection, tournament: Tournament) -> TournamentSnapshot:
        """Reads the players and pairings of a tournament in the caller's transaction. Raises UnreadableTournament."""
        try:
            return TournamentSnapshot(
                tournament,
                await self.players(connection, tournament.id),
                await self.pairings(connection, tournament.id),
            )
        except UnreadableTournament as error:
            raise UnreadableTournament(tournament.name) from error

    async def snapshot(self, tournament_id: str) -> TournamentSnapshot | None:
        """Reads a tournament with its players and pairings in one transaction. Raises UnreadableTournament."""
        async with self.database.reading() as connection:
            query = select(tournaments).where(tournaments.c.id == tournament_id)
            row = (await connection.execute(query)).one_or_none()
            return None if row is None else await self.load(connection, read_tournament(row))

    # --- organisers and their log --------------------------------------------------------------------------------

    async def organisers(self, tournament_id: str) -> list[int]:
        """Returns the ids of the assistants, without the owner."""
        table = tournament_organisers.c
        query = select(table.user_id).where(table.tournament_id == tournament_id).order_by(table.user_id)
        return list((await self.database.fetch(query)).scalars())

    async def log(
        self, connection: AsyncConnection, tournament: Tournament, entry: LogEntry, *, to_finish: bool = False
    ) -> int:
        """Adds an entry to the log of a locked tournament. Returns its seq; that of ``entry`` is ignored.

        ``to_finish``: its games are still to be ended, and its line is to be posted.
        """
        table = tournament_log.c
        last = select(func.max(table.seq)).where(table.tournament_id == tournament.id)
        seq = (await connection.scalar(last) or 0) + 1
        key = {"tournament_id": tournament.id, "seq": seq}
        detail, at = json.dumps(entry.detail), entry.at if to_finish else None
        values = to_row(entry, "seq", "undone", **key, detail=detail, next_attempt_at=at)
        await connection.execute(insert(tournament_log).values(values))
        return seq

    async def newest_entry(self, connection: AsyncConnection, tournament_id: str) -> LogEntry | None:
        """Returns the newest entry of the log; None if there is none, or if it is unreadable."""
        query = select(tournament_log).where(tournament_log.c.tournament_id == tournament_id)
        rows = await connection.execute(query.order_by(tournament_log.c.seq.desc()).limit(1))
        return next(iter(readable("tournament log", rows, log_entry_of, entry_name)), None)

    async def amend(self, connection: AsyncConnection, tournament_id: str, entry: LogEntry) -> None:
        """Writes the detail and the subject of an entry anew."""
        same = (tournament_log.c.tournament_id == tournament_id, tournament_log.c.seq == entry.seq)
        values = {"detail": json.dumps(entry.detail), "subject": entry.subject}
        await connection.execute(update(tournament_log).where(*same).values(values))

    async def log_of(self, tournament_id: str, limit: int, before: int | None = None) -> Sequence[LogEntry]:
        """Returns entries of the log with a seq below ``before``, the newest first. Unreadable ones are left out."""
        table = tournament_log.c
        earlier: Collection[ColumnElement[bool]] = () if before is None else (table.seq < before,)
        query = select(tournament_log).where(table.tournament_id == tournament_id, *earlier)
        rows = await self.database.fetch(query.order_by(table.seq.desc()).limit(limit))
        return readable("tournament log", rows, log_entry_of, entry_name)
