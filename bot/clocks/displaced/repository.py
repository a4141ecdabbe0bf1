"""SQL for games whose channel was deleted. Times in ms since 1970."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.displaced.tables import displaced_games, is_displaced
from bot.core.storage.database import Database
from bot.games.tables import IS_RUNNING, games


class DisplacedGameRepository:
    """A method that takes a connection works in the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, connection: AsyncConnection, channels: Mapping[str, int], since: int) -> None:
        """Stores contests with their deleted channels. Their games have neither deadlines nor boards from now on.

        One that is displaced already keeps its time.
        """
        for contest_id, channel_id in channels.items():
            row = {"contest_id": contest_id, "channel_id": channel_id, "since": since}
            statement = self.database.insert(displaced_games).values(row)
            again = {"channel_id": channel_id, "attempts": 0, "next_attempt_at": 0, "leased_until": 0}
            await connection.execute(statement.on_conflict_do_update(index_elements=["contest_id"], set_=again))
            there = (IS_RUNNING, games.c.channel_id == channel_id, _plays(contest_id))
            await connection.execute(update(games).where(*there).values(server_gone=True))

    async def since(self, connection: AsyncConnection, contest_id: str) -> int | None:
        """Returns since when a contest is displaced; None if it is not."""
        query = select(displaced_games.c.since).where(displaced_games.c.contest_id == contest_id)
        found: int | None = await connection.scalar(query)
        return found

    async def has_game(self, game_id: str) -> bool:
        """Returns whether a game is displaced."""
        query = select(games.c.id).where(games.c.id == game_id, is_displaced())
        return (await self.database.fetch(query)).first() is not None

    async def drop(self, connection: AsyncConnection, contest_id: str) -> None:
        """Lets the game of a contest go on with deadlines and boards, wherever it is."""
        await connection.execute(delete(displaced_games).where(displaced_games.c.contest_id == contest_id))
        theirs = (_plays(contest_id), games.c.server_gone, IS_RUNNING)
        goes_on = {"server_gone": False, "next_attempt_at": 0, "leased_until": 0}
        await connection.execute(update(games).where(*theirs).values(goes_on))


def _plays(contest_id: str) -> ColumnElement[bool]:
    """Makes the condition that a game belongs to a contest."""
    return or_(games.c.id == contest_id, games.c.match_id == contest_id)
