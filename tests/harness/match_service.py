"""Matches by their service alone: how one begins, its present game, its rows, and what has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fakes.outbox import ANN, BOB, HERE
from sqlalchemy import select

from bot.games.new_game import NewGame
from bot.matches.contests import ContestHook, FinishedContest
from bot.matches.tables import matches as match_rows
from engine.match.match import Terms

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bot.core.storage.database import Database
    from bot.games.live import LiveGame
    from bot.games.service import GameService
    from bot.matches.service import MatchService

TO_FIVE: Final = Terms(points=5)


async def begin(matches: MatchService, terms: Terms = TO_FIVE, game: str = "backgammon", **more: Any) -> LiveGame:
    new = NewGame(game, more.pop("options", {}), HERE, "en", **more)
    return await matches.open(terms, new, (ANN, BOB))


async def present(games: GameService) -> LiveGame:
    found = await games.at(HERE.channel_id)
    assert found is not None
    return found


async def stored(database: Database) -> list[dict[str, Any]]:
    async with database.reading() as connection:
        return [dict(row) for row in (await connection.execute(select(match_rows))).mappings()]


class Ends(ContestHook):
    """The contests that ended."""

    def __init__(self) -> None:
        self.found: list[FinishedContest] = []

    async def on_end(self, connection: AsyncConnection, contest: FinishedContest) -> None:
        del connection
        self.found.append(contest)
