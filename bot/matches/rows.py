"""A match as a row of its table, and back."""

import json
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Row

from bot.core.storage.rows import from_row
from bot.games.stored import Place
from bot.matches.live import LiveMatch
from bot.matches.tables import OVER, RUNNING
from engine.match.match import GameResult, Match, MatchHeader, Terms

DERIVED: Final = ("results", "score0", "score1", "status", "winner", "reason", "counts", "ended")
"""The columns that follow from the games."""


def derived(live: LiveMatch) -> dict[str, Any]:
    result = live.result
    return {
        "results": json.dumps([asdict(one) for one in live.match.results]),
        "score0": float(live.score[0]),
        "score1": float(live.score[1]),
        "status": RUNNING if result is None else OVER,
        "winner": result and result.winner,
        "reason": result and result.reason,
        "counts": result and result.counts,
        "ended": result and live.ended,
    }


def live_match(row: Row[Any]) -> LiveMatch:
    header = from_row(
        MatchHeader,
        row,
        terms=from_row(Terms, row),
        options=tuple(json.loads(row.options).items()),
    )
    results = tuple(GameResult(**{key: _value(found) for key, found in one.items()}) for one in json.loads(row.results))
    return LiveMatch(
        match=Match(header, results),
        players=(row.player0, row.player1),
        place=Place(row.guild_id, row.channel_id),
        locale=row.locale,
        ended=row.ended,
    )


def _value(found: Any) -> Any:
    """Converts a stored value of a result. JSON holds pairs as lists."""
    return tuple(found) if isinstance(found, list) else found
