"""SQL for profiles and leaderboards. It reads the tables of ratings, and owns those of the leaderboards."""

from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import ColumnElement, and_, case, func, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.games.tables import IS_OVER, games
from bot.matches.finished import SOURCES
from bot.profiles.profile import GameProfile, RatedResult, Tally
from bot.profiles.ranking import UNRATED, Board, Listing, Ranked, listing_of
from bot.profiles.tables import IS_LISTED, leaderboard
from bot.ratings.rows import standing_of
from bot.ratings.tables import rating_changes, ratings
from engine.core.game import WITHOUT_RESULT
from engine.rating.glicko import Rating

SEATS: Final = ((games.c.seat0, games.c.seat1, games.c.points0), (games.c.seat1, games.c.seat0, games.c.points1))
"""For each seat: the column of its user, of the opponent, and of the user's points."""


class ProfileRepository:
    """Reads profiles and leaderboards. Methods that take a connection work inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- profiles --------------------------------------------------------------------------------------------------

    async def games_of(self, user_id: int, most: int) -> list[GameProfile]:
        """Returns the games and paces in which the user has rated results, with the latest ``most`` results of each."""
        found = []
        async with self.database.reading() as connection:
            query = select(ratings).where(ratings.c.user_id == user_id)
            for row in (await connection.execute(query.order_by(ratings.c.contests.desc(), ratings.c.game))).all():
                rating = Rating(row.rating, row.deviation, row.volatility)
                results = await self._results(connection, user_id, row.game, row.pace, most)
                tally = Tally(row.wins, row.draws, row.losses)
                found.append(GameProfile(row.game, row.pace, rating, tally, results))
        return found

    async def _results(
        self, connection: AsyncConnection, user_id: int, game: str, pace: str, most: int
    ) -> tuple[RatedResult, ...]:
        changed = rating_changes.c
        query = (
            select(changed.seq, changed.ended, changed.score, changed.rating_before, changed.rating_after)
            .where(changed.user_id == user_id, changed.game == game, changed.pace == pace)
            .order_by(changed.seq.desc())
            .limit(most)
        )
        return tuple(RatedResult(*row) for row in reversed((await connection.execute(query)).all()))

    async def pairing(self, user_id: int, opponent_id: int) -> Tally:
        """Returns the user's rated results against an opponent, in all games."""
        score = rating_changes.c.score
        counts = (
            func.sum(case((matches, 1), else_=0)) for matches in (score == 1, and_(score > 0, score < 1), score == 0)
        )
        query = select(*counts).where(rating_changes.c.user_id == user_id, rating_changes.c.opponent_id == opponent_id)
        row = (await self.database.fetch(query)).one()
        return Tally(*(int(count or 0) for count in row))

    async def ratings_of(self, user_ids: Collection[int]) -> dict[int, list[tuple[str, str, Rating]]]:
        query = select(ratings).where(ratings.c.user_id.in_(user_ids)).order_by(ratings.c.game, ratings.c.pace)
        found: dict[int, list[tuple[str, str, Rating]]] = {}
        for row in await self.database.fetch(query):
            rating = Rating(row.rating, row.deviation, row.volatility)
            found.setdefault(row.user_id, []).append((row.game, row.pace, rating))
        return found

    async def finished_against(self, user_id: int, opponents: Collection[int]) -> dict[int, Tally]:
        """Returns the results of the user's finished games against each of these opponents, casual ones included."""
        found: dict[int, Tally] = {}
        for user, opponent, points in SEATS:
            counts = (func.sum(case((matches, 1), else_=0)) for matches in (points > 0, points == 0, points < 0))
            ended = (IS_OVER, user == user_id, opponent.in_(opponents), games.c.reason.not_in(WITHOUT_RESULT))
            for row in await self.database.fetch(select(opponent, *counts).where(*ended).group_by(opponent)):
                before = found.get(row[0], Tally())
                found[row[0]] = Tally(*(int(count) + known for count, known in zip(row[1:], before, strict=True)))
        return found

    # --- leaderboards ----------------------------------------------------------------------------------------------

    async def page(self, board: Board, start: int, limit: int) -> list[Ranked]:
        """Returns the players from place ``start`` on (0 is the first)."""
        columns = (leaderboard.c.user_id, leaderboard.c.rating, leaderboard.c.contests)
        query = select(*columns).where(*_on(board), IS_LISTED).order_by(*_BEST_FIRST).offset(start).limit(limit)
        return [Ranked(*row) for row in await self.database.fetch(query)]

    async def place(self, board: Board, user_id: int, most: int) -> int | None:
        """Returns the user's place, 0 for the first; None if they are not listed, or ``most`` players are
        before them.
        """
        async with self.database.reading() as connection:
            query = select(leaderboard.c.rating).where(*_on(board), leaderboard.c.user_id == user_id, IS_LISTED)
            rating = await connection.scalar(query)
            if rating is None:
                return None
            same = and_(leaderboard.c.rating == rating, leaderboard.c.user_id > user_id)
            better = or_(leaderboard.c.rating > rating, same)
            before = select(literal(1)).where(*_on(board), IS_LISTED, leaderboard.c.rating >= rating, better)
            count = await connection.scalar(select(func.count()).select_from(before.limit(most).subquery())) or 0
        return None if count == most else count

    async def add(
        self, connection: AsyncConnection, boards: Sequence[Board], user_id: int, listing: Listing = UNRATED
    ) -> None:
        """Adds the user to these leaderboards with that content, unless they are listed already."""
        rows = [{**board._asdict(), "user_id": user_id, **listing._asdict()} for board in boards]
        if rows:
            await connection.execute(self.database.insert(leaderboard).on_conflict_do_nothing(), rows)

    async def refresh(
        self, connection: AsyncConnection, user_id: int, game: str, pace: str, listing: Listing | None
    ) -> None:
        """Updates the user's rows on all leaderboards of the game and pace to this content."""
        if listing is not None:
            table = leaderboard.c
            theirs = (table.user_id == user_id, table.game == game, table.pace == pace)
            await connection.execute(update(leaderboard).where(*theirs).values(listing._asdict()))

    async def listing(
        self, connection: AsyncConnection, user_id: int, game: str, pace: str, *, hidden: bool
    ) -> Listing | None:
        """Returns the content of leaderboard rows for the user's present rating; None without one."""
        stored = (ratings.c.user_id == user_id, ratings.c.game == game, ratings.c.pace == pace)
        row = (await connection.execute(select(ratings).where(*stored))).one_or_none()
        return None if row is None else listing_of(standing_of(row), hidden=hidden)

    async def games_listed(self, connection: AsyncConnection, user_id: int) -> list[tuple[str, str]]:
        """Returns the games and paces in which the user stands on a leaderboard."""
        query = select(leaderboard.c.game, leaderboard.c.pace).where(leaderboard.c.user_id == user_id).distinct()
        return [(row.game, row.pace) for row in await connection.execute(query)]

    async def memberships(self, connection: AsyncConnection) -> set[tuple[int, int, str, str]]:
        """Returns the user, server, game and clock of every finished rated contest that counts.
        Former players are left out.
        """
        found: set[tuple[int, int, str, str]] = set()
        for source in SOURCES:
            ended = source().subquery().c
            for player in (ended.player0, ended.player1):
                query = select(player, ended.guild_id, ended.game, ended.clock).distinct()
                rows = await connection.execute(query.where(ended.guild_id.is_not(None), player > 0))
                found.update((user, guild, game, clock) for user, guild, game, clock in rows)
        return found

    async def rated(self, connection: AsyncConnection) -> list[tuple[int, str, str]]:
        """Returns the user, game and pace of every rating. Former players are left out."""
        query = select(ratings.c.user_id, ratings.c.game, ratings.c.pace).where(ratings.c.user_id > 0)
        return [(row.user_id, row.game, row.pace) for row in await connection.execute(query)]


_BEST_FIRST: Final = (leaderboard.c.rating.desc(), leaderboard.c.user_id.desc())
"""The order of the index, read backwards."""


def _on(board: Board) -> tuple[ColumnElement[bool], ...]:
    return leaderboard.c.guild_id == board.guild_id, leaderboard.c.game == board.game, leaderboard.c.pace == board.pace
