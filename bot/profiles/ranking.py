"""Leaderboards and the players on them."""

from typing import Final, NamedTuple

from bot.ratings.service import Standing
from engine.rating.glicko import PROVISIONAL


class Ranked(NamedTuple):
    """A player on a leaderboard."""

    user_id: int
    rating: float
    contests: int


class Board(NamedTuple):
    """The key of a leaderboard: that of a server (``guild_id``, or EVERYBODY), and of a game at a pace."""

    guild_id: int
    game: str
    pace: str


class Listing(NamedTuple):
    """The content of a user's row on a leaderboard."""

    rating: float
    contests: int
    listed: bool
    """False while the rating is provisional or the player hides."""


UNRATED: Final = Listing(0.0, 0, listed=False)


def listing_of(standing: Standing, *, hidden: bool) -> Listing:
    """Returns the content of a leaderboard's row for a standing."""
    if not standing.contests:
        return UNRATED
    rating = standing.rating
    return Listing(rating.rating, standing.contests, listed=not hidden and rating.deviation < PROVISIONAL)
