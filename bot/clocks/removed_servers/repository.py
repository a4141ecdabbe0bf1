"""SQL for servers that have removed the bot, and for their games. Times in ms since 1970."""

from collections.abc import Collection

from sqlalchemy import delete, select, update

from bot.clocks.displaced.tables import is_displaced
from bot.clocks.heartbeats.tables import OF_SERVER, outages, removed_servers
from bot.core.storage.database import Database
from bot.games.tables import IS_RUNNING, TO_SHOW, games


class RemovedServerRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, guild_id: int, since: int) -> None:
        """Stores the moment from which a server is without the bot. Its games then have no deadlines and no boards."""
        statement = self.database.insert(removed_servers).values(guild_id=guild_id, since=since)
        running = update(games).where(IS_RUNNING, games.c.guild_id == guild_id)
        async with self.database.writing() as connection:
            await connection.execute(statement.on_conflict_do_nothing())
            await connection.execute(running.values(server_gone=True))

    async def drop(self, guild_id: int, now: int) -> int | None:
        """Resumes the games of a server after the bot has come back, and records its absence as an outage.

        Returns the moment from which the server was without the bot; None if that is not stored. Even then, a game may
        stand still because it could not be ended.
        """
        gone = delete(removed_servers).where(removed_servers.c.guild_id == guild_id)
        still = (games.c.guild_id == guild_id, games.c.server_gone, IS_RUNNING, ~is_displaced())
        theirs = update(games).where(*still)
        async with self.database.writing() as connection:
            since: int | None = await connection.scalar(gone.returning(removed_servers.c.since))
            if since is not None and since < now:
                row = {**OF_SERVER, "guild_id": guild_id, "since": since, "until": now}
                await connection.execute(self.database.insert(outages).values(row).on_conflict_do_nothing())
            await connection.execute(theirs.values(server_gone=False, next_attempt_at=0, leased_until=0))
        return since

    async def forget(self, guild_id: int) -> None:
        """Deletes the entry of a server that has no running games any more."""
        async with self.database.writing() as connection:
            await connection.execute(delete(removed_servers).where(removed_servers.c.guild_id == guild_id))

    async def known(self, guild_ids: Collection[int] | None = None) -> list[int]:
        """Returns the servers that are without the bot; only those among ``guild_ids``, if given."""
        query = select(removed_servers.c.guild_id)
        if guild_ids is not None:
            query = query.where(removed_servers.c.guild_id.in_(guild_ids))
        async with self.database.reading() as connection:
            return list(await connection.scalars(query))

    async def due(self, before: int, limit: int) -> list[int]:
        """Returns at most ``limit`` servers that have been without the bot since before ``before``, the
        longest first.
        """
        query = select(removed_servers.c.guild_id).where(removed_servers.c.since <= before)
        async with self.database.reading() as connection:
            return list(await connection.scalars(query.order_by(removed_servers.c.since).limit(limit)))

    async def with_games(self) -> list[int]:
        query = select(games.c.guild_id).where(IS_RUNNING, games.c.guild_id.is_not(None)).distinct()
        async with self.database.reading() as connection:
            return list(await connection.scalars(query))

    async def with_failed_boards(self) -> list[int]:
        """Returns the servers in which boards could not be posted and wait for another attempt."""
        query = select(games.c.guild_id).where(TO_SHOW, games.c.attempts > 0, games.c.guild_id.is_not(None)).distinct()
        async with self.database.reading() as connection:
            return list(await connection.scalars(query))

    async def games(self, guild_id: int, after: str, limit: int) -> list[str]:
        """Returns the next running games of a server without the bot, in the order of their ids."""
        theirs = (IS_RUNNING, games.c.guild_id == guild_id, games.c.server_gone, games.c.id > after)
        async with self.database.reading() as connection:
            return list(await connection.scalars(select(games.c.id).where(*theirs).order_by(games.c.id).limit(limit)))
