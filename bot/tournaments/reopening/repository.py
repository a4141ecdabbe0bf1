"""SQL for games of tournaments whose channel was deleted. Times in ms since 1970."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Row, and_, case, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.displaced.tables import CONTEST, displaced_games
from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.games.tables import RUNNING, games
from bot.tournaments.rows import pairing_name, pairing_of, tournament_of
from bot.tournaments.tables import IS_ACTIVE, tournament_log, tournament_pairings, tournament_rounds, tournaments
from bot.tournaments.tournament import PairingState, Status, StoredPairing, Tournament

_D = displaced_games.c
_P = tournament_pairings.c
_R = tournament_rounds.c
_L = tournament_log.c
_HAS_MOVED: Final = and_(_L.act == "resume", _L.detail.contains('"moves": true'))
"""The condition for an entry of the log: an organiser resumed the tournament in another channel (``Act.RESUME``)."""
_OPEN: Final = _P.state.in_([PairingState.RUNNING.value, PairingState.LATE.value])


class Step(StrEnum):
    """The next step for a displaced game."""

    DROP = "drop"
    """It is over, or no longer belongs to a tournament: nothing is to be opened."""
    RELEASE = "release"
    """Its tournament is over: the players take it elsewhere by themselves."""
    REOPEN = "reopen"
    """It gets a new place."""
    GO_ON = "go_on"
    """Its board is shown at a new place: the clock runs again."""


def _plays(contest_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Makes the condition that a game is the running one of a contest."""
    return and_(games.c.status == RUNNING, or_(games.c.id == contest_id, games.c.match_id == contest_id))


IS_ACTIVE_TOURNAMENT: Final = tournaments.c.status.in_([one.value for one in Status if one.is_active])
_GOES_ON: Final = and_(tournaments.c.status == Status.RUNNING.value, tournaments.c.paused.is_(None), _OPEN)
_MOVED: Final = games.c.channel_id != _D.channel_id
_STEP: Final = case(
    (or_(games.c.id.is_(None), _P.id.is_(None)), Step.DROP.value),
    (and_(_MOVED, games.c.message_id.is_not(None)), Step.GO_ON.value),
    (and_(~_MOVED, ~IS_ACTIVE_TOURNAMENT), Step.RELEASE.value),
    (and_(~_MOVED, _GOES_ON), Step.REOPEN.value),
)
"""The next step for a displaced game. NULL: it waits for an organiser, or for its board."""
_JOINED: Final = (
    displaced_games.outerjoin(games, _plays(_D.contest_id))
    .outerjoin(tournament_pairings, _P.contest_id == _D.contest_id)
    .outerjoin(tournaments, tournaments.c.id == _P.tournament_id)
)


class RunningPlace(NamedTuple):
    """The place of a running game of a tournament."""

    contest_id: str
    game_id: str
    guild_id: int | None
    channel_id: int
    deleted_channel: int | None
    """The deleted channel, if the game is displaced already."""


@dataclass(frozen=True, slots=True)
class Displaced:
    """A displaced game that is due."""

    contest_id: str
    channel_id: int
    """The channel that was deleted."""
    since: int
    attempts: int
    step: Step
    game_id: str | None
    """The running game of the contest; None if there is none."""
    tournament: Tournament | None
    stored: StoredPairing | None


class ReopeningRepository:
    """A method that takes a connection works in the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def places(self, tournament_id: str) -> list[RunningPlace]:
        """Returns the places of the running games of a tournament."""
        query = (
            select(_P.contest_id, games.c.id, games.c.guild_id, games.c.channel_id, _D.channel_id)
            .select_from(tournament_pairings.join(games, _plays(_P.contest_id)))
            .outerjoin(displaced_games, _D.contest_id == _P.contest_id)
            .where(_P.tournament_id == tournament_id, _OPEN)
        )
        return [RunningPlace(*row) for row in await self.database.fetch(query)]

    async def at(self, channel_id: int) -> tuple[str, RunningPlace] | None:
        """Returns the game of an active tournament that runs in a channel of its server, with the tournament's id."""
        query = (
            select(_P.tournament_id, _P.contest_id, games.c.id, games.c.guild_id, games.c.channel_id, _D.channel_id)
            .select_from(games)
            .join(tournament_pairings, _P.contest_id == CONTEST)
            .join(tournaments, tournaments.c.id == _P.tournament_id)
            .outerjoin(displaced_games, _D.contest_id == _P.contest_id)
            .where(games.c.channel_id == channel_id, games.c.status == RUNNING, _OPEN, IS_ACTIVE_TOURNAMENT)
            .where(tournaments.c.guild_id == games.c.guild_id)
        )
        row = (await self.database.fetch(query)).first()
        return None if row is None else (row[0], RunningPlace(*row[1:]))

    async def forget_place(self, channel_id: int) -> None:
        """Takes a deleted channel out of the finished games that were played there, or in a thread of it.

        Games that ended before their tournament moved to this channel have their threads elsewhere.
        """
        here = select(CONTEST).where(games.c.channel_id == channel_id)
        around = select(tournaments.c.id).where(tournaments.c.channel_id == channel_id)
        moved = select(func.max(_L.at)).where(_L.tournament_id == _P.tournament_id, _HAS_MOVED).scalar_subquery()
        since = or_(moved.is_(None), _P.ended > moved)
        there = or_(_P.contest_id.in_(here), and_(_P.tournament_id.in_(around), since))
        finished = (_P.state == PairingState.DONE.value, _P.channel_id.is_not(None), there)
        async with self.database.writing() as connection:
            found = await connection.execute(select(_P.tournament_id, _P.round).where(*finished).distinct())
            for tournament_id, number in found.all():
                this = (_P.tournament_id == tournament_id, _P.round == number, *finished)
                await connection.execute(update(tournament_pairings).where(*this).values(channel_id=None))
                row = (_R.tournament_id == tournament_id, _R.number == number)
                await connection.execute(update(tournament_rounds).where(*row).values(version=_R.version + 1))

    async def active(self, guild_ids: Collection[int]) -> list[Tournament]:
        """Returns the readable active tournaments of servers."""
        query = select(tournaments).where(IS_ACTIVE, tournaments.c.guild_id.in_(guild_ids))
        return readable("tournament", await self.database.fetch(query), tournament_of)

    async def due(self, now: int, limit: int, until: int) -> list[Displaced]:
        """Leases displaced games with something to do, until ``until``, and counts an attempt for each.

        Unreadable ones keep the lease, so they are tried again after it.
        """
        free = (_D.next_attempt_at <= now, _D.leased_until <= now)
        query = (
            select(displaced_games, games.c.id.label("game_id"), _STEP.label("step"))
            .select_from(_JOINED)
            .where(_STEP.is_not(None), *free)
            .order_by(_D.next_attempt_at, _D.contest_id)
            .limit(limit)
            .with_for_update(of=displaced_games, skip_locked=True)
        )
        async with self.database.writing() as connection:
            rows = list(await connection.execute(query))
            if not rows:
                return []
            ids = [row.contest_id for row in rows]
            leased = {"leased_until": until, "attempts": _D.attempts + 1}
            await connection.execute(update(displaced_games).where(_D.contest_id.in_(ids)).values(leased))
            pairings = list(await connection.execute(select(tournament_pairings).where(_P.contest_id.in_(ids))))
            theirs = tournaments.c.id.in_({row.tournament_id for row in pairings})
            found = await connection.execute(select(tournaments).where(theirs))
            known = {one.id: one for one in readable("tournament", found, tournament_of)}
        stored: dict[str, tuple[Tournament, StoredPairing]] = {}
        for row in pairings:
            for pairing in readable("pairing", [row], pairing_of, pairing_name):
                if row.tournament_id in known:
                    stored[row.contest_id] = known[row.tournament_id], pairing
        return [_displaced(row, stored) for row in rows if row.contest_id in stored or row.step == Step.DROP.value]

    async def outlook(self, now: int) -> tuple[int | None, bool]:
        """Returns when the next displaced game has something to do, None if none has; and whether a board is about to
        be shown at its new place.
        """
        due = and_(_STEP.is_not(None), _D.leased_until <= now)
        unshown = and_(_MOVED, games.c.message_id.is_(None))
        query = select(func.min(case((due, _D.next_attempt_at))), func.max(case((unshown, 1), else_=0)))
        at, is_unshown = (await self.database.fetch(query.select_from(_JOINED))).one()
        return at, bool(is_unshown)

    async def later(self, contest_id: str, at: int) -> None:
        """Ends the lease of a displaced game. It is tried again at that time."""
        values = {"leased_until": 0, "next_attempt_at": at}
        async with self.database.writing() as connection:
            await connection.execute(update(displaced_games).where(_D.contest_id == contest_id).values(values))

    async def try_again(self, guild_id: int, now: int) -> None:
        """Makes the failed ones of a server due at once."""
        theirs = select(_P.contest_id).join(tournaments, tournaments.c.id == _P.tournament_id)
        theirs = theirs.where(tournaments.c.guild_id == guild_id)
        late = (_D.attempts > 0, _D.next_attempt_at > now, _D.contest_id.in_(theirs))
        async with self.database.writing() as connection:
            await connection.execute(update(displaced_games).where(*late).values(next_attempt_at=now))

    async def pairing_of_contest(self, connection: AsyncConnection, contest_id: str) -> tuple[str, int] | None:
        """Returns the ids of the tournament and the open pairing of a contest; None if there is none."""
        query = select(_P.tournament_id, _P.id).where(_P.contest_id == contest_id, _OPEN)
        row = (await connection.execute(query)).first()
        return None if row is None else (row.tournament_id, row.id)


def _displaced(row: Row[Any], stored: Mapping[str, tuple[Tournament, StoredPairing]]) -> Displaced:
    tournament, pairing = stored.get(row.contest_id, (None, None))
    known = (row.contest_id, row.channel_id, row.since, row.attempts + 1, Step(row.step), row.game_id)
    return Displaced(*known, tournament, pairing)
