"""The use cases of finished games: pages of the list, and finding a game by its link."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.archive.finished import Cursor, Filters, ListedGame
from bot.archive.repository import HistoryRepository

PER_PAGE: Final = 8
"""The games on a page. More would not always fit into a message."""
LINK: Final = re.compile(
    r"<?https?://(?:\w+\.)?discord(?:app)?\.com/channels/(?:@me|\d+)/(?P<channel>\d{1,19})(?:/(?P<message>\d{1,19}))?/?>?"
)
"""The address of a message or a channel on Discord."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a match after one of its games, by that game's seats; in a series a draw is half a point."""

    first: float
    second: float


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the list, the latest game first."""

    games: Sequence[ListedGame]
    scores: dict[str, Score]
    """The score after each game that is part of a match, by the id of the game."""
    has_newer: bool
    has_older: bool


class HistoryService:
    def __init__(self, repository: HistoryRepository) -> None:
        self._repository = repository

    async def page(self, filters: Filters, cursor: Cursor | None = None, *, newer: bool = False) -> Page:
        """Returns the page after the cursor, or before it if ``newer``; without a cursor the first page."""
        found = await self._repository.page(filters, cursor, PER_PAGE + 1, newer=newer)
        more = len(found) > PER_PAGE
        if newer and not more:  # at the beginning of the list, a whole page with the newest games
            return await self.page(filters)
        shown = found[-PER_PAGE:] if newer else found[:PER_PAGE]
        turns = await self._repository.turns([game.id for game in shown])
        shown = [replace(game, turns=turns.get(game.id, 0)) for game in shown]
        matches = {game.match_id for game in shown if game.match_id}
        scores = match_scores(await self._repository.of_matches(matches)) if matches else {}
        return Page(shown, scores, has_newer=newer or cursor is not None, has_older=newer or more)

    async def by_message(self, message_id: int) -> str | None:
        """Returns the id of the game with its board in this message."""
        return await self._repository.by_message(message_id)


def match_scores(games: Sequence[ListedGame]) -> dict[str, Score]:
    """Returns the score after each game, by the id of the game. ``games`` are in the order of their matches."""
    scores: dict[str, Score] = {}
    totals: dict[tuple[str, int], float] = {}
    for game in games:
        for player, points in zip(game.players, game.outcome.points, strict=True):
            total = totals.get((game.match_id, player), 0)
            if game.to_points:
                total += max(points, 0)
            elif game.outcome.has_result:
                total += 0.5 if points == 0 else points > 0
            totals[game.match_id, player] = total
        first, second = (totals[game.match_id, player] for player in game.players)
        scores[game.id] = Score(first, second)
    return scores


def read_link(text: str) -> tuple[int, int | None] | None:
    """Returns the channel and the message of a link to Discord; None if the text is no such link."""
    match = LINK.fullmatch(text.strip())
    if match is None:
        return None
    return int(match["channel"]), int(match["message"]) if match["message"] else None
