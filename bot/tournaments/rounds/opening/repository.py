"""SQL for opening the games of pairings. Times in ms since 1970."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row, func, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.displaced.tables import displaced_games
from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.core.workers import backoff
from bot.tournaments.rows import pairing_name, pairing_of, tournament_of
from bot.tournaments.tables import IS_UNOPENED, tournament_pairings, tournament_players, tournaments
from bot.tournaments.tournament import PairingState, StoredPairing, Tournament

_PAIRING = tournament_pairings.c


@dataclass(frozen=True, slots=True)
class Opening:
    """A pairing whose game is to be opened, with its tournament."""

    tournament: Tournament
    stored: StoredPairing


class OpeningRepository:
    """Leases games to open. Methods that take a connection work in the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def unopened(self, now: int, limit: int, until: int) -> list[Opening]:
        """Leases pairings to open, until ``until``, and counts an attempt for each.

        Unreadable ones, and those of unreadable tournaments, are put off like games that cannot be opened.
        """
        with_tournament = tournament_pairings.join(tournaments, _PAIRING.tournament_id == tournaments.c.id)
        query = (
            select(_PAIRING.tournament_id, _PAIRING.id)
            .select_from(with_tournament)
            .where(IS_UNOPENED, _PAIRING.next_attempt_at <= now, _PAIRING.leased_until <= now, *_running())
            .order_by(_PAIRING.next_attempt_at, _PAIRING.round, _PAIRING.section, _PAIRING.board)
            .limit(limit)
            .with_for_update(of=tournament_pairings, skip_locked=True)
        )
        while True:
            async with self.database.writing() as connection:
                keys = [(row.tournament_id, row.id) for row in await connection.execute(query)]
                if not keys:
                    return []
                found = tuple_(_PAIRING.tournament_id, _PAIRING.id).in_(keys)
                leased = {"leased_until": until, "attempts": _PAIRING.attempts + 1}
                await connection.execute(update(tournament_pairings).where(found).values(leased))
                rows = list(await connection.execute(select(tournament_pairings).where(found)))
                known = await _known(connection, {key for key, _ in keys})
                ours = [row for row in rows if row.tournament_id in known]
                openings = {
                    (opening.tournament.id, opening.stored.id): opening
                    for opening in readable("pairing", ours, partial(_opening, known), pairing_name)
                }
                for row in rows:
                    if (row.tournament_id, row.id) not in openings:
                        later = {"leased_until": 0, "next_attempt_at": now + backoff(row.attempts - 1)}
                        this = _this(row.tournament_id, row.id)
                        await connection.execute(update(tournament_pairings).where(*this).values(later))
            if openings:
                return [openings[key] for key in keys if key in openings]

    async def next_unopened(self, now: int) -> int | None:
        """Returns the time at which the next pairing is to be opened; None if there is none."""
        with_tournament = tournament_pairings.join(tournaments, _PAIRING.tournament_id == tournaments.c.id)
        query = (
            select(func.min(_PAIRING.next_attempt_at))
            .select_from(with_tournament)
            .where(IS_UNOPENED, _PAIRING.leased_until <= now, *_running())
        )
        due: int | None = (await self.database.fetch(query)).scalar()
        return due

    async def open_later(self, tournament_id: str, pairing_id: int, at: int) -> None:
        """Ends the lease of a pairing that could not be opened. It is tried again at that time."""
        async with self.database.writing() as connection:
            values = {"leased_until": 0, "next_attempt_at": at}
            await connection.execute(
                update(tournament_pairings).where(*_this(tournament_id, pairing_id)).values(values)
            )

    async def awaits_channel(self, connection: AsyncConnection, tournament_id: str) -> bool:
        """Returns whether a game of a tournament has lost its channel, and waits for a new place."""
        lost = (
            displaced_games.c.contest_id == _PAIRING.contest_id,
            displaced_games.c.channel_id == _PAIRING.channel_id,
        )
        going = _PAIRING.state.in_([PairingState.RUNNING.value, PairingState.LATE.value])
        query = select(_PAIRING.id).where(_PAIRING.tournament_id == tournament_id, going, *lost).limit(1)
        return await connection.scalar(query) is not None

    async def mark_opened(
        self,
        connection: AsyncConnection,
        tournament_id: str,
        pairing_id: int,
        contest_id: str,
        game_id: str,
        channel_id: int,
        now: int,
    ) -> bool:
        """Stores the game of a pairing. Returns False if the pairing no longer waits for one."""
        values = {
            "state": "running",
            "contest_id": contest_id,
            "game_id": game_id,
            "channel_id": channel_id,
            "opened": now,
            "leased_until": 0,
        }
        this = _this(tournament_id, pairing_id)
        result = await connection.execute(update(tournament_pairings).where(*this, IS_UNOPENED).values(values))
        return result.rowcount == 1

    async def waiting(self, connection: AsyncConnection, tournament_id: str) -> set[int]:
        """Returns the users who have games that are still to be opened."""
        table = tournament_players.c
        query = (
            select(table.user_id)
            .join(tournament_pairings, _PAIRING.tournament_id == table.tournament_id)
            .where(table.tournament_id == tournament_id, IS_UNOPENED)
            .where(or_(_PAIRING.first == table.number, _PAIRING.second == table.number))
        )
        return set(await connection.scalars(query))


async def _known(connection: AsyncConnection, ids: set[str]) -> dict[str, Tournament]:
    rows = await connection.execute(select(tournaments).where(tournaments.c.id.in_(ids)))
    return {one.id: one for one in readable("tournament", rows, tournament_of)}


def _opening(known: Mapping[str, Tournament], row: Row[Any]) -> Opening:
    return Opening(known[row.tournament_id], pairing_of(row))


def _running() -> tuple[ColumnElement[bool], ...]:
    return (tournaments.c.status == "running", tournaments.c.paused.is_(None))


def _this(tournament_id: str, pairing_id: int) -> tuple[ColumnElement[bool], ...]:
    return (_PAIRING.tournament_id == tournament_id, _PAIRING.id == pairing_id)
