"""SQL for permission issues. An issue is kept until the permission is granted."""

from dataclasses import dataclass

from sqlalchemy import delete, select, update

from bot.board.delivery.tables import IS_NOT_REPORTED, permission_issues
from bot.core.storage.database import Database


@dataclass(frozen=True, slots=True)
class PermissionIssue:
    """A permission that the bot lacks in a channel. ``at``: the moment at which it was first noticed, in ms
    since 1970.
    """

    id: int
    guild_id: int | None
    channel_id: int
    permission: str
    at: int


class PermissionIssueRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, guild_id: int | None, channel_id: int, permission: str, now: int) -> bool:
        """Stores an issue. Returns whether it is new."""
        row = {"guild_id": guild_id, "channel_id": channel_id, "permission": permission, "at": now, "reported": False}
        statement = self.database.insert(permission_issues).values(row)
        async with self.database.writing() as connection:
            result = await connection.execute(
                statement.on_conflict_do_nothing(index_elements=["channel_id", "permission"])
            )
        return result.rowcount == 1

    async def not_informed(self, guild_id: int, limit: int) -> list[PermissionIssue]:
        """Returns issues of which nobody has been told, the oldest first."""
        columns = (
            permission_issues.c.id,
            permission_issues.c.guild_id,
            permission_issues.c.channel_id,
            permission_issues.c.permission,
            permission_issues.c.at,
        )
        query = (
            select(*columns)
            .where(IS_NOT_REPORTED, permission_issues.c.guild_id == guild_id)
            .order_by(permission_issues.c.at, permission_issues.c.id)
            .limit(limit)
        )
        return [PermissionIssue(*row) for row in await self.database.fetch(query)]

    async def mark_informed(self, issue_id: int) -> None:
        async with self.database.writing() as connection:
            await connection.execute(
                update(permission_issues).where(permission_issues.c.id == issue_id).values(reported=True)
            )

    async def clear(self, channel_id: int, permission: str | None) -> None:
        """Deletes the issues of a channel: of one permission, or all for None."""
        statement = delete(permission_issues).where(permission_issues.c.channel_id == channel_id)
        if permission is not None:
            statement = statement.where(permission_issues.c.permission == permission)
        async with self.database.writing() as connection:
            await connection.execute(statement)
