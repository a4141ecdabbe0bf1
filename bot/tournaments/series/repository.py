"""SQL about the tournaments of a series. Methods that take a connection work inside the caller's transaction."""

from typing import Final

from sqlalchemy import ColumnElement, and_, exists, func, insert, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.tournaments.tables import IS_REPEATED, tournament_organisers, tournament_players, tournaments
from bot.tournaments.tournament import PlayerStatus, Status
from engine.core.hours import MINUTE

PODIUM_WAIT: Final = MINUTE
"""How long the next one waits for the podium of the last, which is to stand above its announcement."""
LOOK: Final = 1000
"""The time until the next look for a podium."""
Places = dict[int, tuple[int, int]]
"""The first and last place of each user in a tournament."""

_TOURNAMENT = tournaments.c
_PLAYER = tournament_players.c


class SeriesRepository:
    """Times in ms since 1970."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def due(self, now: int, limit: int) -> list[str]:
        """Returns the ids of the tournaments whose successor is to be announced."""
        query = select(_TOURNAMENT.id).where(IS_REPEATED, _TOURNAMENT.repeat_at <= now, ~_awaits_podium(now))
        return list((await self.database.fetch(query.order_by(_TOURNAMENT.repeat_at).limit(limit))).scalars())

    async def next_due(self, after: int) -> int | None:
        """Returns the moment of the next announcement after ``after``, or of the next look whether it can be made;
        None if there is none.
        """
        later = or_(_TOURNAMENT.repeat_at > after, _awaits_podium(after))
        query = select(func.min(_TOURNAMENT.repeat_at)).where(IS_REPEATED, later)
        due: int | None = (await self.database.fetch(query)).scalar()
        return due if due is None or due > after else after + LOOK

    async def has(self, connection: AsyncConnection, series: str, edition: int) -> bool:
        query = select(_TOURNAMENT.id).where(_of(series), _TOURNAMENT.edition == edition).limit(1)
        return await connection.scalar(query) is not None

    async def was_played(self, connection: AsyncConnection, series: str, edition: int) -> bool:
        """Returns whether that tournament of the series goes on, or has ended with places."""
        placed = exists().where(_PLAYER.tournament_id == _TOURNAMENT.id, _PLAYER.first_place.is_not(None))
        ended = _TOURNAMENT.status.in_([Status.OVER.value, Status.CANCELLED.value])
        query = select(_TOURNAMENT.id).where(_of(series), _TOURNAMENT.edition == edition, or_(~ended, placed))
        return await connection.scalar(query.limit(1)) is not None

    async def copy_organisers(self, connection: AsyncConnection, from_id: str, to_id: str) -> None:
        table = tournament_organisers.c
        theirs = select(literal(to_id), table.user_id).where(table.tournament_id == from_id)
        statement = insert(tournament_organisers).from_select(["tournament_id", "user_id"], theirs)
        await connection.execute(statement)

    async def places(self, series: str, first: int, last: int) -> list[Places]:
        """Returns the places in the finished tournaments of a series, from one number to another.

        Deleted and expelled users are left out.
        """
        query = (
            select(_TOURNAMENT.edition, _PLAYER.user_id, _PLAYER.first_place, _PLAYER.last_place)
            .join(tournaments, _TOURNAMENT.id == _PLAYER.tournament_id)
            .where(
                _of(series),
                _TOURNAMENT.edition.between(first, last),
                _TOURNAMENT.status == Status.OVER.value,
                _PLAYER.first_place.is_not(None),
                _PLAYER.status != PlayerStatus.EXPELLED.value,
                _PLAYER.user_id > 0,
            )
            .order_by(_TOURNAMENT.edition, _PLAYER.first_place, _PLAYER.number)
        )
        found: dict[int, Places] = {}
        for row in await self.database.fetch(query):
            found.setdefault(row.edition, {})[row.user_id] = (row.first_place, row.last_place)
        return list(found.values())


def _awaits_podium(now: int) -> ColumnElement[bool]:
    """Returns the condition that the next tournament still waits for the podium of this one."""
    is_unposted = and_(_TOURNAMENT.status == Status.OVER.value, _TOURNAMENT.closing_at.is_not(None))
    return and_(is_unposted, _TOURNAMENT.repeat_at > now - PODIUM_WAIT)


def _of(series: str) -> ColumnElement[bool]:
    return or_(_TOURNAMENT.id == series, _TOURNAMENT.series == series)
