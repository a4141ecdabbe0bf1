"""The table of games whose channel was deleted. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, Column, ColumnElement, Index, Integer, String, Table, func, select

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata
from bot.games.tables import games

displaced_games: Final = Table(
    "displaced_games",
    metadata,
    Column("contest_id", String(16), primary_key=True, comment="the game, or the match that it is part of"),
    Column("channel_id", BigInteger, nullable=False, comment="the channel or thread that was deleted"),
    Column("since", BigInteger, nullable=False, comment="from then on no clock runs, until a board is shown elsewhere"),
    Column("attempts", Integer, nullable=False, server_default="0", comment="how often it was tried to reopen it"),
    Column("next_attempt_at", BigInteger, nullable=False, server_default="0"),
    Column("leased_until", BigInteger, nullable=False, server_default="0", comment="a process reopens it until then"),
    Index("ix_displaced_games_next_attempt_at", "next_attempt_at"),
)

CONTEST: Final = func.coalesce(games.c.match_id, games.c.id)
"""The contest of a game: its match, or the game itself."""


def is_displaced() -> ColumnElement[bool]:
    """Makes the condition that a game of the outer query is displaced."""
    return select(displaced_games.c.contest_id).where(displaced_games.c.contest_id == CONTEST).exists()


PERSONAL_DATA: Final = (
    PersonalData(
        displaced_games,
        times=("since", "next_attempt_at", "leased_until"),
        others=("channel_id",),
    ),
)
