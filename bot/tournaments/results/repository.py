"""The finished tournaments of a server."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from bot.core.storage.database import Database
from bot.tournaments.tables import tournament_players, tournaments
from bot.tournaments.tournament import Status


class Title(NamedTuple):
    """A player of the hall of fame, with the number of won tournaments."""

    user_id: int
    titles: int


class ResultRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def winners(self, tournament_ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
        table = tournament_players.c
        won = (table.tournament_id.in_(tournament_ids), table.first_place == 1)
        query = select(table.tournament_id, table.user_id).where(*won).order_by(table.seed)
        found: dict[str, tuple[int, ...]] = {}
        for row in await self.database.fetch(query):
            found[row.tournament_id] = (*found.get(row.tournament_id, ()), row.user_id)
        return found

    async def finished(self, guild_id: int) -> int:
        """Counts the finished tournaments of a server, also unreadable ones."""
        over = (tournaments.c.guild_id == guild_id, tournaments.c.status == Status.OVER.value)
        return (await self.database.fetch(select(func.count()).select_from(tournaments).where(*over))).scalar() or 0

    async def titles(self, guild_id: int, limit: int) -> list[Title]:
        """Returns the players with the most won tournaments of a server. Deleted users are left out."""
        table = tournament_players.c
        wins = func.count().label("wins")
        query = (
            select(table.user_id, wins)
            .join(tournaments, tournaments.c.id == table.tournament_id)
            .where(
                tournaments.c.guild_id == guild_id,
                tournaments.c.status == Status.OVER.value,
                table.first_place == 1,
                table.user_id > 0,
            )
            .group_by(table.user_id)
            .order_by(wins.desc(), table.user_id)
            .limit(limit)
        )
        return [Title(row.user_id, row.wins) for row in await self.database.fetch(query)]
