"""Matches by their service alone: how one begins, its present game, and its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fakes.outbox import ANN, BOB, HERE
from sqlalchemy import select

from bot.matches.tables import matches as match_rows
from engine.match.match import Terms

if TYPE_CHECKING:
    from bot.core.storage.database import Database
    from bot.games.live import LiveGame
    from bot.games.service import GameService
    from bot.matches.service import MatchService

TO_FIVE: Final = Terms(points=5)


async def begin(matches: MatchService, terms: Terms = TO_FIVE, game: str = "backgammon", **more: Any) -> LiveGame:
    return await matches.open(terms, game, more.pop("options", {}), (ANN, BOB), HERE, "en", **more)


async def present(games: GameService) -> LiveGame:
    found = await games.at(HERE.channel_id)
    assert found is not None
    return found


async def stored(database: Database) -> list[dict[str, Any]]:
    async with database.reading() as connection:
        return [dict(row) for row in (await connection.execute(select(match_rows))).mappings()]
