"""The tables of the explorer: the counts of each move in a position on a server, with the results of its games.

They hold no players and no games, so they stay unchanged when a player's data are deleted.
"""

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, String, Table

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

MOVE_LENGTH: Final = 100

explored_moves: Final = Table(
    "explored_moves",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("position", BigInteger, primary_key=True, autoincrement=False, comment="the hash of game and position"),
    Column("move", String(MOVE_LENGTH), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("wins0", Integer, nullable=False, comment="games that the first seat won"),
    Column("wins1", Integer, nullable=False),
    Column("points0", Integer, nullable=False, comment="the sum of the first seat's points"),
    sqlite_with_rowid=False,
)

uncounted_games: Final = Table(
    "uncounted_games",
    metadata,
    Column("game_id", String(16), primary_key=True, comment="a finished game whose moves are still to be counted"),
)

PERSONAL_DATA: Final = (PersonalData(explored_moves, others=("guild_id", "position")),)
