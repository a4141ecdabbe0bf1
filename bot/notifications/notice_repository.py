"""SQL that finds out, in one query after each answer, whether a notice is to be shown beside it."""

from typing import Final

from sqlalchemy import BigInteger, bindparam, or_, select

from bot.board.delivery.tables import IS_NOT_REPORTED, permission_issues, untold
from bot.core.storage.database import Database
from bot.games.tables import games
from bot.notifications.tables import IS_FAILED, notifications

_USER: Final = bindparam("user_id", type_=BigInteger)
_SERVER: Final = bindparam("guild_id", type_=BigInteger)
_WAITING: Final = select(
    or_(
        select(games.c.id).where(*untold(_USER)).exists(),
        select(notifications.c.id).where(IS_FAILED, notifications.c.user_id == _USER).exists(),
        select(permission_issues.c.id).where(IS_NOT_REPORTED, permission_issues.c.guild_id == _SERVER).exists(),
    )
)


class NoticeRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def waiting(self, user_id: int, guild_id: int | None) -> bool:
        """Returns whether there is a missing board or a notification that the user has not seen, or a new issue in the
        server.

        ``guild_id``: None if the user cannot grant permissions there.
        """
        return bool((await self.database.fetch(_WAITING, {"user_id": user_id, "guild_id": guild_id})).scalar())
