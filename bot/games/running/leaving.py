"""Replaces a player who is gone for good by a pseudonym."""

from typing import NamedTuple

from sqlalchemy import case, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.tables import games


class Leaver(NamedTuple):
    """A leaving user, and the negative id that replaces theirs."""

    user_id: int
    pseudonym: int


async def replace_player(connection: AsyncConnection, game_id: str, leaver: Leaver) -> None:
    """Gives the leaver's seat to their pseudonym, in the transaction in which they leave."""
    seats = {
        seat.name: case((seat == leaver.user_id, leaver.pseudonym), else_=seat)
        for seat in (games.c.seat0, games.c.seat1)
    }
    await connection.execute(update(games).where(games.c.id == game_id).values(seats))


def players_after(players: tuple[int, int], leaver: Leaver) -> tuple[int, int]:
    """Returns the players of a game after ``replace_player``."""
    first, second = (leaver.pseudonym if player == leaver.user_id else player for player in players)
    return first, second
