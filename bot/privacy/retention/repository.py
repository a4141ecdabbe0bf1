"""SQL for the deletion of old data: inactive users, servers that removed the bot, finished deletions."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import delete, exists, select, tuple_

from bot.board.delivery.tables import old_boards, permission_issues
from bot.core.storage.database import Database
from bot.games.tables import games
from bot.players.tables import SERVER, player_names, preferences
from bot.privacy.tables import IS_DONE, absent_servers, deletions

FIRST: Final = (0, 0)
"""The position before the first user, in the order of ``inactive``."""


class RetentionRepository:
    """Reads and deletes old data. Times in ms since 1970."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def inactive(self, before: int, after: tuple[int, int], limit: int) -> list[tuple[int, int, bool]]:
        """Returns the next users after the pair ``after`` who were last met before ``before``.

        For each: the time of that meeting, the id, and whether they have games.
        """
        seen, user_id = player_names.c.seen, player_names.c.user_id
        has_games = exists().where(games.c.seat0 == user_id) | exists().where(games.c.seat1 == user_id)
        query = select(seen, user_id, has_games.label("has_games")).where(seen < before, tuple_(seen, user_id) > after)
        rows = await self.database.fetch(query.order_by(seen, user_id).limit(limit))
        return [(row.seen, row.user_id, bool(row.has_games)) for row in rows]

    async def servers(self) -> set[int]:
        """Returns the servers with stored data of their own."""
        queries = (
            select(preferences.c.id).where(preferences.c.scope == SERVER).distinct(),
            select(permission_issues.c.guild_id).where(permission_issues.c.guild_id.is_not(None)).distinct(),
            select(old_boards.c.guild_id).where(old_boards.c.guild_id.is_not(None)).distinct(),
        )
        async with self.database.reading() as connection:
            return {guild_id for query in queries for guild_id in await connection.scalars(query)}

    async def mark_absent(self, absent: Collection[int], present: Collection[int], now: int) -> None:
        """Stores from when the bot is absent from the ``absent`` servers, and that it is in the ``present`` ones."""
        async with self.database.writing() as connection:
            marked = set(await connection.scalars(select(absent_servers.c.guild_id)))
            if back := marked & set(present):
                await connection.execute(delete(absent_servers).where(absent_servers.c.guild_id.in_(back)))
            rows = [{"guild_id": guild_id, "since": now} for guild_id in set(absent) - marked]
            if rows:
                await connection.execute(self.database.insert(absent_servers).on_conflict_do_nothing(), rows)

    async def absent(self, before: int, limit: int, after: int = 0) -> list[int]:
        """Returns the next servers after ``after`` from which the bot has been absent since before that moment."""
        server = absent_servers.c.guild_id
        query = select(server).where(absent_servers.c.since < before, server > after).order_by(server).limit(limit)
        return list((await self.database.fetch(query)).scalars())

    async def drop_server(self, guild_id: int) -> None:
        """Deletes a server's settings, permission issues, list of old boards, and note of absence."""
        theirs = (preferences.c.scope == SERVER, preferences.c.id == guild_id)
        async with self.database.writing() as connection:
            await connection.execute(delete(preferences).where(*theirs))
            for table in (permission_issues, old_boards, absent_servers):
                await connection.execute(delete(table).where(table.c.guild_id == guild_id))

    async def forget_deletions(self, before: int) -> None:
        """Deletes the rows of deletions that were done before that moment."""
        done = (IS_DONE, deletions.c.erased, deletions.c.done_at < before)
        async with self.database.writing() as connection:
            await connection.execute(delete(deletions).where(*done))
