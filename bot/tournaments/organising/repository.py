"""SQL of organising: assistants, rounds that are taken back, and unfinished acts."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.core.workers import backoff
from bot.tournaments.organising.rules.effect import OF_ORGANISERS, Act
from bot.tournaments.results.round_names import FIRST, sizes_of
from bot.tournaments.rows import entry_name, log_entry_of, number_name, read_all, round_of
from bot.tournaments.tables import (
    IS_ACTIVE,
    IS_UNFINISHED,
    IS_UNOPENED,
    IS_UNSHOWN,
    tournament_log,
    tournament_organisers,
    tournament_pairings,
    tournament_players,
    tournament_rounds,
    tournaments,
)
from bot.tournaments.tournament import LogEntry, PairingState, Status, StoredRound
from engine.tournament.model import Pairing


class Unfinished(NamedTuple):
    """An act with games that are still to be ended, or a line that is still to be posted."""

    tournament_id: str
    entry: LogEntry
    attempts: int


class Game(NamedTuple):
    """A pairing for an act, with the numbers of its players."""

    id: int
    stage: int
    round: int
    board: int
    first: int
    second: int
    slot: str
    attempt: int

    @property
    def pairing(self) -> Pairing:
        return Pairing(
            self.stage, self.round, self.board, self.first, self.second, slot=self.slot, attempt=self.attempt
        )


class SearchTerm(NamedTuple):
    """The condition that a pairing fits a typed word, by one of the two fields."""

    players: Sequence[int]
    """The pairing has one of these players, by number."""
    place: int | None
    """The round or the board of the pairing is this one."""


class OrganiserRepository:
    """Methods that take a connection work inside the caller's transaction, which has locked the tournament."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- the log -------------------------------------------------------------------------------------------------

    async def last_seq(self, tournament_id: str) -> int:
        """Returns the seq of the newest entry of the log; 0 if it is empty."""
        query = select(func.max(tournament_log.c.seq)).where(tournament_log.c.tournament_id == tournament_id)
        return (await self.database.fetch(query)).scalar() or 0

    async def by_others(
        self, connection: AsyncConnection, tournament_id: str, seen: int, actor: int
    ) -> LogEntry | None:
        """Returns the newest act of another organiser after the entry ``seen``. Raises UnreadableTournament."""
        table = tournament_log.c
        query = select(tournament_log).where(
            table.tournament_id == tournament_id,
            table.seq > seen,
            table.act.in_(OF_ORGANISERS),
            table.actor.is_not(None),
            table.actor != actor,
        )
        return await _entry(connection, query.order_by(table.seq.desc()).limit(1))

    async def entry(self, connection: AsyncConnection, tournament_id: str, seq: int) -> LogEntry | None:
        """Reads an entry of the log. Raises UnreadableTournament."""
        table = tournament_log.c
        query = select(tournament_log).where(table.tournament_id == tournament_id, table.seq == seq)
        return await _entry(connection, query)

    async def acts(
        self, connection: AsyncConnection, tournament_id: str, known: Collection[str], limit: int
    ) -> list[LogEntry]:
        """Returns the newest readable acts of these kinds that are not undone, the newest first."""
        table = tournament_log.c
        query = select(tournament_log).where(
            table.tournament_id == tournament_id,
            table.act.in_(known),
            table.actor.is_not(None),
            table.undone.is_(None),
        )
        rows = await connection.execute(query.order_by(table.seq.desc()).limit(limit))
        return readable("tournament log", rows, log_entry_of, entry_name)

    async def newest(self, connection: AsyncConnection, tournament_id: str) -> LogEntry | None:
        """Returns the newest entry of the log. Raises UnreadableTournament."""
        query = select(tournament_log).where(tournament_log.c.tournament_id == tournament_id)
        return await _entry(connection, query.order_by(tournament_log.c.seq.desc()).limit(1))

    async def has_act(self, connection: AsyncConnection, tournament_id: str, act: str) -> bool:
        table = tournament_log.c
        query = select(table.seq).where(table.tournament_id == tournament_id, table.act == act).limit(1)
        return await connection.scalar(query) is not None

    async def mark_undone(self, connection: AsyncConnection, tournament_id: str, seq: int, by: int) -> None:
        table = tournament_log.c
        this = (table.tournament_id == tournament_id, table.seq == seq)
        await connection.execute(update(tournament_log).where(*this).values(undone=by))

    # --- unfinished acts -----------------------------------------------------------------------------------------

    async def lease(self, now: int, until: int, limit: int) -> list[Unfinished]:
        """Leases due acts, the oldest first, until ``until``. Unreadable ones are put off."""
        table = tournament_log.c
        due = select(tournament_log).where(IS_UNFINISHED, table.next_attempt_at <= now)
        due = due.order_by(table.next_attempt_at, table.tournament_id, table.seq).limit(limit)
        while True:
            async with self.database.writing() as connection:
                rows = list(await connection.execute(due.with_for_update(skip_locked=True)))
                found = readable("tournament log", rows, _unfinished, entry_name)
                leased = {(one.tournament_id, one.entry.seq) for one in found}
                for row in rows:
                    this = (table.tournament_id == row.tournament_id, table.seq == row.seq)
                    at = until if (row.tournament_id, row.seq) in leased else now + backoff(row.attempts)
                    values = {"next_attempt_at": at, "attempts": row.attempts + 1}
                    await connection.execute(update(tournament_log).where(*this).values(values))
            if found or not rows:
                return found

    async def next_attempt(self, tournament_id: str, seq: int, at: int | None) -> None:
        """Stores the time at which the act is to be finished; None once it is finished."""
        table = tournament_log.c
        this = (table.tournament_id == tournament_id, table.seq == seq)
        async with self.database.writing() as connection:
            await connection.execute(update(tournament_log).where(*this).values(next_attempt_at=at))

    async def next_due(self) -> int | None:
        """Returns the time at which the next act is to be finished; None if there is none."""
        query = select(func.min(tournament_log.c.next_attempt_at)).where(IS_UNFINISHED)
        due: int | None = (await self.database.fetch(query)).scalar()
        return due

    # --- games for acts ------------------------------------------------------------------------------------------

    async def games(self, tournament_id: str, act: Act, words: Iterable[SearchTerm], limit: int) -> list[Game]:
        """Returns the games to adjudicate or correct that fit all the words, in the order of ``acts``."""
        table = tournament_pairings.c
        waits = table.state != PairingState.DONE.value
        decides = act is Act.ADJUDICATE
        query = select(*(table[field] for field in Game._fields)).where(
            table.tournament_id == tournament_id,
            table.second.is_not(None),
            waits if decides else table.result.is_not(None),
            *map(_has, words),
        )
        late_first = (table.state != PairingState.LATE.value,) if decides else ()
        query = query.order_by(*late_first, table.round.desc(), table.id).limit(limit)
        return [Game(*row) for row in await self.database.fetch(query)]

    async def bracket_sizes(self, tournament_id: str) -> dict[int, int]:
        """Returns the sizes of the brackets that have begun, by their stages."""
        table = tournament_pairings.c
        first = (table.tournament_id == tournament_id, table.slot.startswith(FIRST))
        rows = await self.database.fetch(select(table.stage, table.slot).where(*first))
        return sizes_of((row.stage, row.slot) for row in rows)

    async def users(self, tournament_id: str, numbers: Collection[int] | None = None) -> dict[int, int]:
        """Returns the users of players, by number; of all players for None."""
        table = tournament_players.c
        query = select(table.number, table.user_id).where(table.tournament_id == tournament_id)
        if numbers is not None:
            query = query.where(table.number.in_(numbers))
        return {row.number: row.user_id for row in await self.database.fetch(query)}

    # --- assistants ----------------------------------------------------------------------------------------------

    async def assistants(self, connection: AsyncConnection, tournament_id: str) -> list[int]:
        table = tournament_organisers.c
        query = select(table.user_id).where(table.tournament_id == tournament_id).order_by(table.user_id)
        return list(await connection.scalars(query))

    async def appoint(self, connection: AsyncConnection, tournament_id: str, user_id: int, *, adds: bool) -> None:
        if adds:
            values = {"tournament_id": tournament_id, "user_id": user_id}
            await connection.execute(insert(tournament_organisers).values(values))
            return
        table = tournament_organisers.c
        theirs = (table.tournament_id == tournament_id, table.user_id == user_id)
        await connection.execute(delete(tournament_organisers).where(*theirs))

    async def open_at_once(self, connection: AsyncConnection, tournament_id: str, pairing_id: int) -> None:
        """Makes the game of a pairing due to be opened at once, whatever has failed before."""
        table = tournament_pairings.c
        this = (table.tournament_id == tournament_id, table.id == pairing_id)
        values = {"attempts": 0, "next_attempt_at": 0, "leased_until": 0}
        await connection.execute(update(tournament_pairings).where(*this).values(values))

    # --- rounds and messages -------------------------------------------------------------------------------------

    async def rounds(self, connection: AsyncConnection, tournament_id: str) -> Sequence[StoredRound]:
        """Reads the rounds. Raises UnreadableTournament."""
        query = select(tournament_rounds).where(tournament_rounds.c.tournament_id == tournament_id)
        rows = await connection.execute(query.order_by(tournament_rounds.c.number))
        return read_all("round", rows, round_of, number_name)

    async def remove_round(self, connection: AsyncConnection, tournament_id: str, number: int) -> None:
        for table, column in (
            (tournament_pairings, tournament_pairings.c.round),
            (tournament_rounds, tournament_rounds.c.number),
        ):
            await connection.execute(delete(table).where(table.c.tournament_id == tournament_id, column == number))

    async def forget_messages(self, connection: AsyncConnection, tournament_id: str, numbers: Collection[int]) -> None:
        """Forgets the announcement and the messages of rounds, so that they are posted anew."""
        values: dict[str, Any] = {"message_id": None, "shown": -1, "attempts": 0, "next_attempt_at": 0}
        await connection.execute(
            update(tournaments).where(tournaments.c.id == tournament_id).values(posted=0, **values)
        )
        table = tournament_rounds.c
        these = (table.tournament_id == tournament_id, table.number.in_(numbers))
        await connection.execute(update(tournament_rounds).where(*these).values(more_ids="", **values))

    # --- tournaments of servers and users ------------------------------------------------------------------------

    async def active_of(self, guild_id: int) -> list[str]:
        query = select(tournaments.c.id).where(IS_ACTIVE, tournaments.c.guild_id == guild_id)
        return list((await self.database.fetch(query.order_by(tournaments.c.id))).scalars())

    async def try_again(self, guild_id: int, now: int) -> list[str]:
        """Makes failed messages of a server due at once. Returns the ids of their tournaments.

        Announcements that were given up are included, also those of tournaments that are over.
        """
        ids = await self.active_of(guild_id)
        given_up = await self._given_up(guild_id)
        waiting = (
            (tournaments, tournaments.c.id, tournaments.c.shown < tournaments.c.version),
            (tournament_pairings, tournament_pairings.c.tournament_id, IS_UNOPENED),
            (tournament_rounds, tournament_rounds.c.tournament_id, IS_UNSHOWN),
            (tournament_log, tournament_log.c.tournament_id, IS_UNFINISHED),
        )
        if not ids and not given_up:
            return []
        async with self.database.writing() as connection:
            announced = update(tournaments).where(tournaments.c.id.in_(given_up))
            await connection.execute(announced.values(shown=-1, next_attempt_at=now))
            for table, key, condition in waiting:
                late = (key.in_(ids), condition, table.c.attempts > 0, table.c.next_attempt_at > now)
                await connection.execute(update(table).where(*late).values(next_attempt_at=now))
        return list(dict.fromkeys([*ids, *given_up]))

    async def _given_up(self, guild_id: int) -> list[str]:
        """Returns the ids of the tournaments of a server whose announcement was given up."""
        table = tournaments.c
        query = select(table.id).where(table.guild_id == guild_id, table.attempts > 0, table.shown >= table.version)
        return list((await self.database.fetch(query.order_by(table.id))).scalars())

    async def active_outside(self, guild_ids: Collection[int]) -> list[str]:
        """Returns the ids of the active tournaments outside these servers that are not paused."""
        query = select(tournaments.c.id, tournaments.c.guild_id).where(IS_ACTIVE, tournaments.c.paused.is_(None))
        return [row.id for row in await self.database.fetch(query) if row.guild_id not in guild_ids]

    async def active_with(self, user_id: int) -> list[str]:
        theirs = select(tournament_players.c.tournament_id).where(tournament_players.c.user_id == user_id)
        query = select(tournaments.c.id).where(IS_ACTIVE, tournaments.c.id.in_(theirs))
        return list((await self.database.fetch(query.order_by(tournaments.c.id))).scalars())

    async def owned_by(self, user_id: int) -> list[tuple[str, Status]]:
        """Returns the ids of an owner's tournaments that are not over, including drafts."""
        table = tournaments.c
        lasting = table.status.not_in([Status.OVER.value, Status.CANCELLED.value])
        query = select(table.id, table.status).where(table.owner == user_id, lasting).order_by(table.id)
        return [(row.id, Status(row.status)) for row in await self.database.fetch(query)]

    async def delete_draft(self, tournament_id: str) -> None:
        async with self.database.writing() as connection:
            for table in (tournament_players, tournament_organisers, tournament_log):
                await connection.execute(delete(table).where(table.c.tournament_id == tournament_id))
            this = (tournaments.c.id == tournament_id, tournaments.c.status == Status.DRAFT.value)
            await connection.execute(delete(tournaments).where(*this))


async def _entry(connection: AsyncConnection, query: Select[Any]) -> LogEntry | None:
    """Reads the entry that a query finds. Raises UnreadableTournament."""
    found = read_all("tournament log", await connection.execute(query), log_entry_of, entry_name)
    return found[0] if found else None


def _unfinished(row: Row[Any]) -> Unfinished:
    return Unfinished(row.tournament_id, log_entry_of(row), row.attempts)


def _has(word: SearchTerm) -> ColumnElement[bool]:
    """Makes the condition that a pairing fits a word."""
    table = tournament_pairings.c
    found: list[ColumnElement[bool]] = []
    if word.players:
        found += [table.first.in_(word.players), table.second.in_(word.players)]
    if word.place is not None:
        found += [table.round == word.place, table.board == word.place]
    return or_(*found)
