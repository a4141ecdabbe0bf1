"""The matches in the database. A row changes only in the transaction in which one of its games ends or moves."""

import json
from collections.abc import Collection

from sqlalchemy import case, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.games.stored import Place
from bot.games.tables import games
from bot.matches.live import LiveMatch
from bot.matches.rows import derived, live_match
from bot.matches.tables import matches


class MatchRepository:
    """Reads and writes matches. Methods that take a connection work inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def create(self, connection: AsyncConnection, live: LiveMatch) -> None:
        header, terms = live.match.header, live.terms
        row = {
            "id": header.id,
            "game": header.game,
            "version": header.version,
            "options": json.dumps(dict(header.options)),
            "points": terms.points,
            "best_of": terms.best_of,
            "bank": terms.bank,
            "clock": header.clock,
            "timeout_policy": header.timeout_policy,
            "rated": header.rated,
            "started": header.started,
            "player0": live.players[0],
            "player1": live.players[1],
            "guild_id": live.place.guild_id,
            "channel_id": live.place.channel_id,
            "locale": live.locale,
        }
        await connection.execute(insert(matches).values(**row, **derived(live)))

    async def update(self, connection: AsyncConnection, after: LiveMatch) -> None:
        """Writes the derived columns of a match that the transaction has locked."""
        await connection.execute(update(matches).where(matches.c.id == after.id).values(derived(after)))

    async def move(self, connection: AsyncConnection, match_id: str, place: Place) -> None:
        values = {"guild_id": place.guild_id, "channel_id": place.channel_id}
        await connection.execute(update(matches).where(matches.c.id == match_id).values(values))

    async def replace_player(self, connection: AsyncConnection, match_id: str, user_id: int, pseudonym: int) -> None:
        """Gives a user's place in the match, and the seats in all its games, to the pseudonym."""
        for where, columns in (
            (matches.c.id == match_id, (matches.c.player0, matches.c.player1)),
            (games.c.match_id == match_id, (games.c.seat0, games.c.seat1)),
        ):
            values = {column.name: case((column == user_id, pseudonym), else_=column) for column in columns}
            await connection.execute(update(columns[0].table).where(where).values(values))

    async def lock(self, connection: AsyncConnection, match_id: str) -> LiveMatch:
        """Locks a match until the transaction ends, and returns it. Raises NoResultFound."""
        query = select(matches).where(matches.c.id == match_id).with_for_update()
        return live_match((await connection.execute(query)).one())

    async def get(self, match_id: str) -> LiveMatch | None:
        found = await self.several([match_id])
        return found.get(match_id)

    async def several(self, match_ids: Collection[str]) -> dict[str, LiveMatch]:
        query = select(matches).where(matches.c.id.in_(match_ids))
        return {
            match.match.header.id: match for match in readable("match", await self.database.fetch(query), live_match)
        }

    async def game_id(self, match_id: str, number: int) -> str | None:
        query = select(games.c.id).where(games.c.match_id == match_id, games.c.match_game == number)
        found: str | None = (await self.database.fetch(query)).scalar()
        return found

    async def game_ids(self, match_id: str) -> list[str]:
        query = select(games.c.id).where(games.c.match_id == match_id).order_by(games.c.match_game)
        return list((await self.database.fetch(query)).scalars())
