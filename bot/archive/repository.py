"""SQL for the list of finished games. Every query reads the first rows of an index, so its time does not grow."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Row, and_, func, or_, select, true

from bot.archive.finished import Cursor, Filters, ListedGame
from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.core.storage.rows import columns_of, from_row
from bot.games.stored import Place
from bot.games.tables import IS_OVER, entries, games
from bot.players.machines import ANY_LEVEL, LEVELS
from engine.core.game import WITHOUT_RESULT, Outcome
from engine.core.record import TURN_KINDS, Kind
from engine.kits.cube import CubeAction, counts_points

SEATS: Final = ((games.c.seat0, games.c.seat1, games.c.points0), (games.c.seat1, games.c.seat0, games.c.points1))
"""For each seat: the column of its user, of the opponent, and of the user's points."""
LISTED: Final[tuple[Column[Any], ...]] = (
    *columns_of(ListedGame, games),
    *(games.c.options, games.c.seat0, games.c.seat1, games.c.guild_id, games.c.channel_id),
    *(games.c.points0, games.c.points1, games.c.reason),
)


class HistoryRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def page(
        self, filters: Filters, cursor: Cursor | None, limit: int, *, newer: bool = False
    ) -> list[ListedGame]:
        """Returns the games nearest to the cursor, the latest first: older ones, or ``newer`` ones. Without a cursor,
        returns the latest of all.
        """
        order = (games.c.ended, games.c.id.desc()) if newer else (games.c.ended.desc(), games.c.id)
        rows: dict[str, Row[Any]] = {}
        async with self.database.reading() as connection:
            for conditions in _parts(filters):
                query = select(*LISTED).where(IS_OVER, *conditions, _beyond(cursor, newer=newer))
                found = await connection.execute(query.order_by(*order).limit(limit))
                rows |= {row.id: row for row in found}
        listed = sorted(readable("game", rows.values(), _listed), key=lambda game: (-game.ended, game.id))
        return listed[-limit:] if newer else listed[:limit]

    async def turns(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Returns the number of turns played in each game. Cube actions do not count."""
        cube = or_(
            entries.c.body.in_([CubeAction.ROLL, CubeAction.DOUBLE, CubeAction.TAKE]),
            and_(entries.c.body == CubeAction.PASS, entries.c.kind != Kind.FORCED),
        )
        counted = (entries.c.game_id.in_(game_ids), entries.c.kind.in_(sorted(TURN_KINDS)), ~cube)
        query = select(entries.c.game_id, func.count()).where(*counted).group_by(entries.c.game_id)
        return {row[0]: row[1] for row in await self.database.fetch(query)}

    async def of_matches(self, match_ids: Iterable[str]) -> list[ListedGame]:
        query = select(*LISTED).where(IS_OVER, games.c.match_id.in_(list(match_ids)))
        rows = await self.database.fetch(query.order_by(games.c.match_id, games.c.match_game))
        return readable("game", rows, _listed)

    async def by_message(self, message_id: int) -> str | None:
        query = select(games.c.id).where(games.c.message_id == message_id)
        found: str | None = (await self.database.fetch(query.limit(1))).scalar()
        return found


def _parts(filters: Filters) -> list[tuple[ColumnElement[bool], ...]]:
    """Returns the conditions of the queries whose results together are the list. One index serves each query."""
    parts = []
    for user, opponent, points in SEATS:
        conditions = [user == filters.user_id]
        conditions += [games.c.game == filters.game] if filters.game else []
        if filters.result:
            drawn = and_(points == 0, games.c.reason.not_in(WITHOUT_RESULT))
            conditions.append({"won": points > 0, "lost": points < 0, "drawn": drawn}[filters.result])
        opponents = LEVELS if filters.opponent_id == ANY_LEVEL else [filters.opponent_id]
        against = [] if filters.opponent_id is None else [opponent.in_(opponents)]
        if filters.viewer_id in {filters.user_id, filters.opponent_id}:
            parts.append((*conditions, *against))
            continue
        if filters.opponent_id is None:
            parts.append((*conditions, opponent == filters.viewer_id))
        if filters.guild_id is not None:
            parts.append((*conditions, *against, games.c.guild_id == filters.guild_id))
    return parts


def _beyond(cursor: Cursor | None, *, newer: bool) -> ColumnElement[bool]:
    """Returns the games after the cursor in the list, or before it if ``newer``.
    The bound on ``ended`` limits the index.
    """
    ended, game_id = games.c.ended, games.c.id
    if cursor is None:
        return true()
    if newer:
        return and_(ended >= cursor.ended, or_(ended > cursor.ended, game_id < cursor.game_id))
    return and_(ended <= cursor.ended, or_(ended < cursor.ended, game_id > cursor.game_id))


def _listed(row: Row[Any]) -> ListedGame:
    options = json.loads(row.options)
    return from_row(
        ListedGame,
        row,
        players=(row.seat0, row.seat1),
        place=Place(row.guild_id, row.channel_id),
        outcome=Outcome((row.points0, row.points1), row.reason),
        match_id=row.match_id or "",
        to_points=bool(options.get("points")),
        counts_points=counts_points(options),
        turns=0,
    )
