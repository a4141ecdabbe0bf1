"""Which leaderboard, and who stands on it."""

from typing import NamedTuple


class Ranked(NamedTuple):
    """A player on a leaderboard."""

    user_id: int
    rating: float
    contests: int


class Board(NamedTuple):
    """Which leaderboard: a server's (``guild_id``, or EVERYBODY), of a game at a pace."""

    guild_id: int
    game: str
    pace: str
