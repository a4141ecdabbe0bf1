"""SQL for the steps and the messages of rounds. Times in ms since 1970."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.core.workers import LONGEST_PAUSE, backoff
from bot.tournaments.results.round_names import FIRST, sizes_of
from bot.tournaments.rounds.notices import EXPECTED, Noticed
from bot.tournaments.rows import number_name, pairing_name, pairing_of, round_of, tournament_of
from bot.tournaments.tables import (
    IS_ACTIVE,
    IS_CLOSING,
    IS_UNOPENED,
    IS_UNSHOWN,
    tournament_log,
    tournament_pairings,
    tournament_players,
    tournament_rounds,
    tournaments,
)
from bot.tournaments.tournament import Status, StoredPairing, StoredRound, Tournament

_PAIRING = tournament_pairings.c
_ROUND = tournament_rounds.c


@dataclass(frozen=True, slots=True)
class UnshownRound:
    """A round whose message is behind."""

    tournament: Tournament
    round: StoredRound
    is_first: bool
    """Whether no process has tried to send it yet."""


@dataclass(frozen=True, slots=True)
class Closing:
    """A tournament whose last message is due."""

    tournament: Tournament
    is_first: bool
    """Whether no process has tried to send it yet."""


class RoundRepository:
    """Takes results and leases messages to show. Methods that take a connection work in the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def look_at_running(self, now: int) -> None:
        later = (tournaments.c.status == "running", tournaments.c.next_at > now)
        async with self.database.writing() as connection:
            await connection.execute(update(tournaments).where(*later).values(next_at=now))

    async def in_channel(self, channel_id: int) -> list[Tournament]:
        """Returns the readable active tournaments of a channel."""
        query = select(tournaments).where(IS_ACTIVE, tournaments.c.channel_id == channel_id)
        return readable("tournament", await self.database.fetch(query), tournament_of)

    async def ended_apart(self, contest_id: str) -> int | None:
        """Returns the place of a finished pairing outside its tournament's channel; None for any other contest."""
        query = (
            select(_PAIRING.channel_id)
            .join(tournaments, tournaments.c.id == _PAIRING.tournament_id)
            .where(_PAIRING.contest_id == contest_id, _PAIRING.state == "done")
            .where(_PAIRING.channel_id != tournaments.c.channel_id)
        )
        found: int | None = (await self.database.fetch(query)).scalar()
        return found

    async def voided_apart(self, guild_id: int, contest_id: str, channel_id: int) -> bool:
        """Returns whether an organiser of a tournament of this server has made that contest void, outside its channel.

        Its pairing is gone or has another game, so that only the log knows it.
        """
        acts, own = tournament_log.c, tournaments.c
        query = (
            select(acts.seq)
            .join(tournaments, own.id == acts.tournament_id)
            .where(own.guild_id == guild_id, own.channel_id != channel_id, acts.actor.is_not(None))
            .where(acts.detail.contains(f'"contest": "{contest_id}"', autoescape=True))
        )
        return (await self.database.fetch(query.limit(1))).first() is not None

    async def try_now(self, connection: AsyncConnection, tournament_id: str) -> None:
        """Makes the pairings due at once that wait for a free channel."""
        waiting = (_PAIRING.tournament_id == tournament_id, IS_UNOPENED, _PAIRING.next_attempt_at > 0)
        await connection.execute(update(tournament_pairings).where(*waiting).values(next_attempt_at=0))

    async def expects(self, tournament_id: str, user_id: int) -> bool:
        table = tournament_players.c
        query = (
            select(table.number)
            .join(tournaments, tournaments.c.id == table.tournament_id)
            .where(tournaments.c.id == tournament_id, tournaments.c.status == Status.CHECK_IN.value)
            .where(table.user_id == user_id, table.status.in_([one.value for one in EXPECTED]), ~table.checked_in)
        )
        return (await self.database.fetch(query)).first() is not None

    async def noticed(self, tournament_id: str, pairing_id: int) -> Noticed | None:
        """Returns the subject of a notice; None if the tournament is missing or unreadable.

        ``pairing_id`` 0: the whole tournament.
        """
        async with self.database.reading() as connection:
            query = select(tournaments).where(tournaments.c.id == tournament_id)
            row = (await connection.execute(query)).one_or_none()
            tournament = next(iter(readable("tournament", [] if row is None else [row], tournament_of)), None)
            if tournament is None:
                return None
            pairing = select(tournament_pairings).where(*_this(tournament_id, pairing_id))
            found = (await connection.execute(pairing)).one_or_none()
            if found is None:
                return Noticed(tournament, None, (), {})
            stored = next(iter(readable("pairing", [found], pairing_of, pairing_name)), None)
            if stored is None:
                return None
            table = tournament_players.c
            theirs = (table.tournament_id == tournament_id, table.number.in_(stored.pairing.players))
            listed = await connection.execute(select(table.number, table.user_id).where(*theirs))
            users = {player.number: player.user_id for player in listed}
            slots = select(_PAIRING.stage, _PAIRING.slot)
            slots = slots.where(_PAIRING.tournament_id == tournament_id, _PAIRING.slot.startswith(FIRST))
            sizes = sizes_of((row.stage, row.slot) for row in await connection.execute(slots))
            return Noticed(tournament, stored, tuple(users[number] for number in stored.pairing.players), sizes)

    async def take_result(self, connection: AsyncConnection, tournament_id: str, done: StoredPairing) -> None:
        """Writes the result of a pairing of a locked tournament, unless it has one or was taken back.

        After the last result of a round, the tournament is due at once.
        """
        now = done.ended or 0
        values = {
            "state": "done",
            "result": done.pairing.result.value if done.pairing.result else None,
            "decided_by": done.decided_by,
            "ended": now,
        }
        still = (*_this(tournament_id, done.id), _PAIRING.contest_id == done.contest_id, _PAIRING.state != "done")
        if not (await connection.execute(update(tournament_pairings).where(*still).values(values))).rowcount:
            return
        this_round = (_PAIRING.tournament_id == tournament_id, _PAIRING.round == done.pairing.round)
        left = select(func.count()).select_from(tournament_pairings).where(*this_round, _PAIRING.state != "done")
        changed: dict[str, Any] = {
            "version": tournaments.c.version + 1
        }  # the announcement shows the number of finished games
        if not await connection.scalar(left):
            changed["next_at"] = now
        await connection.execute(update(tournaments).where(tournaments.c.id == tournament_id).values(changed))
        at_round = and_(_ROUND.tournament_id == tournament_id, _ROUND.number == done.pairing.round)
        await connection.execute(update(tournament_rounds).where(at_round).values(version=_ROUND.version + 1))
        await self.try_now(connection, tournament_id)

    # --- messages of rounds --------------------------------------------------------------------------------------

    async def unshown(self, now: int, limit: int, until: int) -> list[UnshownRound]:
        """Leases rounds whose message is behind, until ``until``.

        Unreadable ones, and those of unreadable tournaments, are put off like messages that cannot be sent.
        """
        due = (IS_UNSHOWN, _ROUND.next_attempt_at <= now)
        query = select(tournament_rounds).where(*due).order_by(_ROUND.next_attempt_at).limit(limit)
        while True:
            async with self.database.writing() as connection:
                rows = list(await connection.execute(query.with_for_update(skip_locked=True)))
                if not rows:
                    return []
                keys = [(row.tournament_id, row.number) for row in rows]
                leased = update(tournament_rounds).where(tuple_(_ROUND.tournament_id, _ROUND.number).in_(keys))
                await connection.execute(leased.values(next_attempt_at=until))
                known = await _known(connection, {row.tournament_id for row in rows})
                ours = [row for row in rows if row.tournament_id in known]
                unshown = readable("round", ours, partial(_unshown, known), number_name)
                shown = {(one.tournament.id, one.round.number) for one in unshown}
                for row in rows:
                    if (row.tournament_id, row.number) not in shown:
                        this = and_(_ROUND.tournament_id == row.tournament_id, _ROUND.number == row.number)
                        later = {"next_attempt_at": now + backoff(row.attempts), "attempts": row.attempts + 1}
                        await connection.execute(update(tournament_rounds).where(this).values(later))
            if unshown:
                return unshown

    async def next_unshown(self) -> int | None:
        """Returns the time at which the next message of a round is due; None if none is behind."""
        due: int | None = (
            await self.database.fetch(select(func.min(_ROUND.next_attempt_at)).where(IS_UNSHOWN))
        ).scalar()
        return due

    async def shown(self, tournament_id: str, number: int, version: int, messages: list[int], next_at: int) -> None:
        """Stores the shown version of a round's messages. The next one follows at ``next_at`` at the earliest."""
        this = and_(_ROUND.tournament_id == tournament_id, _ROUND.number == number)
        values = {
            "shown": version,
            "message_id": messages[0] if messages else None,
            "more_ids": ",".join(str(one) for one in messages[1:]),
            "next_attempt_at": next_at,
            "attempts": 0,
        }
        async with self.database.writing() as connection:
            await connection.execute(update(tournament_rounds).where(this).values(values))

    async def show_again(self, tournament_id: str, number: int) -> None:
        """Marks the message of a round as behind although nothing has changed."""
        this = and_(_ROUND.tournament_id == tournament_id, _ROUND.number == number)
        async with self.database.writing() as connection:
            await connection.execute(update(tournament_rounds).where(this).values(version=_ROUND.version + 1))

    async def failed(
        self, tournament_id: str, number: int, attempts: int, at: int, given_up: int | None = None
    ) -> None:
        """Stores the failures of the message of a round, and the time of the next attempt.

        ``given_up``: a version to give up, so that only the next one is tried; None for none.
        """
        this = and_(_ROUND.tournament_id == tournament_id, _ROUND.number == number)
        values = {"attempts": attempts, "next_attempt_at": at} | ({} if given_up is None else {"shown": given_up})
        async with self.database.writing() as connection:
            await connection.execute(update(tournament_rounds).where(this).values(values))

    async def message_ids(self, tournament_id: str, number: int) -> tuple[int, ...]:
        """Returns the messages of a round; none if it is missing or unreadable."""
        this = and_(_ROUND.tournament_id == tournament_id, _ROUND.number == number)
        rows = await self.database.fetch(select(tournament_rounds).where(this))
        return next((one.message_ids for one in readable("round", rows, round_of, number_name)), ())

    # --- the last message ----------------------------------------------------------------------------------------

    async def closing(self, now: int, limit: int, until: int) -> list[Closing]:
        """Leases tournaments whose last message is due, by setting ``closing_at`` to ``until``.

        Unreadable ones are put off, the longer ago they ended, the longer.
        """
        due = (IS_CLOSING, tournaments.c.closing_at <= now)
        query = select(tournaments).where(*due).order_by(tournaments.c.closing_at).limit(limit)
        while True:
            async with self.database.writing() as connection:
                rows = list(await connection.execute(query.with_for_update(skip_locked=True)))
                found = readable("tournament", rows, tournament_of)
                leased = {one.id for one in found}
                for row in rows:
                    later = until + min(max(now - (row.ended or 0), 0), LONGEST_PAUSE)
                    values = {"closing_at": until if row.id in leased else later}
                    await connection.execute(update(tournaments).where(tournaments.c.id == row.id).values(values))
            if found or not rows:
                return [Closing(replace(one, closing_at=until), one.closing_at == one.ended) for one in found]

    async def next_closing(self) -> int | None:
        """Returns the time at which the next last message is due; None if there is none."""
        due: int | None = (
            await self.database.fetch(select(func.min(tournaments.c.closing_at)).where(IS_CLOSING))
        ).scalar()
        return due

    async def close_later(self, tournament: Tournament, at: int | None, message_id: int | None = None) -> None:
        """Ends the lease of the last message, which is then sent at ``at``; None if it exists already or is given up.

        After a correction meanwhile it is still edited. ``message_id``: the message, if known.
        """
        async with self.database.writing() as connection:
            this = tournaments.c.id == tournament.id
            if message_id is not None:
                await connection.execute(update(tournaments).where(this).values(closing_id=message_id))
            leased = (this, tournaments.c.closing_at == tournament.closing_at)
            await connection.execute(update(tournaments).where(*leased).values(closing_at=at))

    async def corrected_since(self, tournament_id: str, at: int) -> bool:
        """Returns whether an organiser has corrected a result since then."""
        table = tournament_log.c
        query = select(table.seq).where(table.tournament_id == tournament_id, table.at > at, table.act == "correct")
        return (await self.database.fetch(query.limit(1))).scalar() is not None

    async def plan_exactly(self, connection: AsyncConnection, tournament_id: str, at: int) -> None:
        """Schedules the next look at a locked tournament for that time, and ends its lease."""
        values = {"next_at": at, "leased_until": 0}
        await connection.execute(update(tournaments).where(tournaments.c.id == tournament_id).values(values))


async def _known(connection: AsyncConnection, ids: Collection[str]) -> dict[str, Tournament]:
    rows = await connection.execute(select(tournaments).where(tournaments.c.id.in_(ids)))
    return {one.id: one for one in readable("tournament", rows, tournament_of)}


def _unshown(known: Mapping[str, Tournament], row: Row[Any]) -> UnshownRound:
    return UnshownRound(known[row.tournament_id], round_of(row), row.next_attempt_at == 0)


def _this(tournament_id: str, pairing_id: int) -> tuple[ColumnElement[bool], ...]:
    return (_PAIRING.tournament_id == tournament_id, _PAIRING.id == pairing_id)
