"""Reasons why a game of a rated tournament is not rated."""

from collections.abc import Mapping

from bot.players.machines import is_machine, plays_rated
from bot.ratings.service import RatingService


async def why(players: tuple[int, int], server: Mapping[str, str], ratings: RatingService) -> str:
    """Returns the key of the reason; "" if the game is rated. ``server``: the server's preferences."""
    if any(map(is_machine, players)) and not plays_rated(server):
        return "machine.casual"
    return "" if await ratings.may_rate(*players) else "tournament.notice.casual"
