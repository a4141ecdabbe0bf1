"""Ratings and their changes as rows of the tables."""

from typing import Any

from sqlalchemy import Row

from bot.core.storage.rows import from_row, to_row
from bot.ratings.changes import RatingChange, Standing
from engine.rating.glicko import Rating


def standing_of(row: Row[Any]) -> Standing:
    return from_row(Standing, row, rating=from_row(Rating, row))


def standing_row(standing: Standing) -> dict[str, Any]:
    """Returns the columns of ``ratings`` apart from the key."""
    return to_row(standing) | to_row(standing.rating)


def change_of(row: Row[Any]) -> RatingChange:
    before = Rating(row.rating_before, row.deviation_before, row.volatility_before)
    after = Rating(row.rating_after, row.deviation_after, row.volatility_after)
    return from_row(RatingChange, row, before=before, after=after)


def change_row(seq: int, change: RatingChange) -> dict[str, Any]:
    """Returns the columns of ``rating_changes``."""
    before = {f"{name}_before": value for name, value in to_row(change.before).items()}
    after = {f"{name}_after": value for name, value in to_row(change.after).items()}
    return to_row(change, "before", "after", seq=seq, **before, **after)
