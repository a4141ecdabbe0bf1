"""Ratings and their changes as rows of the tables."""

from typing import Any

from sqlalchemy import Row

from bot.ratings.changes import RatingChange, Standing
from engine.rating.glicko import Rating


def standing_of(row: Row[Any]) -> Standing:
    """The standing in a row of ``ratings``."""
    rating = Rating(row.rating, row.deviation, row.volatility)
    return Standing(rating, row.contests, row.wins, row.draws, row.losses, row.last_at)


def standing_row(standing: Standing) -> dict[str, Any]:
    """The columns of ``ratings`` apart from the key."""
    return {
        "rating": standing.rating.rating,
        "deviation": standing.rating.deviation,
        "volatility": standing.rating.volatility,
        "contests": standing.contests,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "last_at": standing.last_at,
    }


def change_of(row: Row[Any]) -> RatingChange:
    """The change in a row of ``rating_changes``."""
    return RatingChange(
        contest_id=row.contest_id,
        player=row.player,
        user_id=row.user_id,
        opponent_id=row.opponent_id,
        game=row.game,
        pace=row.pace,
        score=row.score,
        weight=row.weight,
        before=Rating(row.rating_before, row.deviation_before, row.volatility_before),
        after=Rating(row.rating_after, row.deviation_after, row.volatility_after),
        ended=row.ended,
    )


def change_row(seq: int, change: RatingChange) -> dict[str, Any]:
    """The columns of ``rating_changes``."""
    return {
        "contest_id": change.contest_id,
        "player": change.player,
        "seq": seq,
        "user_id": change.user_id,
        "opponent_id": change.opponent_id,
        "game": change.game,
        "pace": change.pace,
        "score": change.score,
        "weight": change.weight,
        "rating_before": change.before.rating,
        "deviation_before": change.before.deviation,
        "volatility_before": change.before.volatility,
        "rating_after": change.after.rating,
        "deviation_after": change.after.deviation,
        "volatility_after": change.after.volatility,
        "ended": change.ended,
    }
