"""SQL for drafts, for entries of a user, and for the announcements of tournaments."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.tournaments.rows import number_name, player_of, tournament_of
from bot.tournaments.tables import IS_UNSHOWN, tournament_players, tournaments
from bot.tournaments.tournament import Player, PlayerStatus, Status, Tournament

DRAFT = tournaments.c.status == Status.DRAFT.value
ANNOUNCED = tournaments.c.status != Status.DRAFT.value


class UnshownAnnouncement(NamedTuple):
    """An announcement that is behind its tournament."""

    tournament_id: str
    guild_id: int
    channel_id: int
    version: int
    created: int
    posted: int
    """The number of times that it was posted."""
    attempts: int
    """The number of failures."""
    due: int
    """The time at which it was due: the end of the last lease or pause; 0 if it was neither sent nor tried before."""


class RegistrationRepository:
    """Times in ms since 1970."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def drafts(self, guild_id: int, owner: int) -> Sequence[Tournament]:
        """Returns a user's drafts in a server, the newest first. Unreadable ones are left out."""
        query = select(tournaments).where(DRAFT, tournaments.c.guild_id == guild_id, tournaments.c.owner == owner)
        rows = await self.database.fetch(query.order_by(tournaments.c.created.desc()))
        return readable("tournament", rows, tournament_of)

    async def delete_draft(self, connection: AsyncConnection, tournament_id: str) -> None:
        """Deletes a locked draft. It has no players and no log yet."""
        await connection.execute(delete(tournaments).where(DRAFT, tournaments.c.id == tournament_id))

    async def forget_drafts(self, before: int, limit: int) -> int:
        """Deletes up to ``limit`` drafts that were created before that moment. Returns their number."""
        old = select(tournaments.c.id).where(DRAFT, tournaments.c.created < before).limit(limit)
        async with self.database.writing() as connection:
            found = list(await connection.scalars(old))
            if found:
                await connection.execute(delete(tournaments).where(DRAFT, tournaments.c.id.in_(found)))
        return len(found)

    async def entries(self, ids: Collection[str], user_id: int) -> tuple[dict[str, Player], dict[str, int]]:
        """Returns the user's entries in these tournaments, and the number of players of each running one.

        Unreadable entries are left out.
        """
        table = tournament_players.c
        theirs = select(tournament_players).where(table.tournament_id.in_(ids), table.user_id == user_id)
        inside = (
            select(table.tournament_id, func.count().label("inside"))
            .join(tournaments, tournaments.c.id == table.tournament_id)
            .where(tournaments.c.id.in_(ids), tournaments.c.status == Status.RUNNING.value)
            .where(table.status == PlayerStatus.IN.value)
            .group_by(table.tournament_id)
        )
        async with self.database.reading() as connection:
            rows = await connection.execute(theirs)
            known = readable("tournament player", rows, lambda row: (row.tournament_id, player_of(row)), number_name)
            counted = {row.tournament_id: row.inside for row in await connection.execute(inside)}
        return dict(known), counted

    # --- announcements -------------------------------------------------------------------------------------------

    async def unshown(self, now: int, until: int, limit: int) -> list[UnshownAnnouncement]:
        """Leases announcements that are behind, until ``until``."""
        table = tournaments.c
        columns = (table.id, table.guild_id, table.channel_id, table.version, table.created, table.posted)
        due = (IS_UNSHOWN, ANNOUNCED, table.next_attempt_at <= now)
        query = select(*columns, table.attempts, table.next_attempt_at).where(*due).order_by(table.next_attempt_at)
        async with self.database.writing() as connection:
            rows = await connection.execute(query.limit(limit).with_for_update(skip_locked=True))
            found = [UnshownAnnouncement(*row) for row in rows]
            if found:
                leased = update(tournaments).where(table.id.in_([one.tournament_id for one in found]))
                await connection.execute(leased.values(next_attempt_at=until))
        return found

    async def next_unshown(self) -> int | None:
        """Returns the time at which the next announcement is due; None if none is behind."""
        query = select(func.min(tournaments.c.next_attempt_at)).where(IS_UNSHOWN, ANNOUNCED)
        found: int | None = (await self.database.fetch(query)).scalar()
        return found

    async def shown(self, tournament_id: str, version: int, message_id: int | None, posted: int, at: int) -> None:
        """Stores the shown version of the announcement, its message, and the time from which it may be edited again."""
        values = {"message_id": message_id, "posted": posted, "attempts": 0, "next_attempt_at": at}
        this = tournaments.c.id == tournament_id
        async with self.database.writing() as connection:
            await connection.execute(update(tournaments).where(this).values(shown=version, **values))

    async def lost(self, tournament_id: str) -> None:
        """Stores that the message is gone, so that it is posted again now."""
        async with self.database.writing() as connection:
            statement = update(tournaments).where(tournaments.c.id == tournament_id)
            await connection.execute(statement.values(message_id=None, next_attempt_at=0))

    async def failed(self, tournament_id: str, attempts: int, at: int, given_up: int | None = None) -> None:
        """Stores the failures of the announcement, and the time of the next attempt.

        ``given_up``: a version to give up, so that only the next one is tried; None for none.
        """
        values = {"attempts": attempts, "next_attempt_at": at} | ({} if given_up is None else {"shown": given_up})
        async with self.database.writing() as connection:
            await connection.execute(update(tournaments).where(tournaments.c.id == tournament_id).values(values))

    async def post_again(self, connection: AsyncConnection, tournament_id: str) -> None:
        """Makes the announcement of a locked tournament a new message."""
        statement = update(tournaments).where(tournaments.c.id == tournament_id)
        await connection.execute(statement.values(message_id=None, posted=0, attempts=0, next_attempt_at=0))
