"""The counts of each user's rolls, and the finished games whose rolls are still to be counted.

Both follow from the records of finished games, so they can be rebuilt.
"""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, SmallInteger, String, Table

from bot.core.personal_data import OnDeletion, PersonalData
from bot.core.storage.tables import metadata

OWN: Final = 0
OPPONENTS: Final = 1

dice_counts: Final = Table(
    "dice_counts",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("side", SmallInteger, primary_key=True, autoincrement=False, comment="0: own rolls, 1: the opponents'"),
    Column("roll", String(2), primary_key=True, comment="the dice, the higher first"),
    Column("count", BigInteger, nullable=False),
)

dice_uncounted: Final = Table(
    "dice_uncounted",
    metadata,
    Column("game_id", String(16), ForeignKey("games.id"), primary_key=True),
)

PERSONAL_DATA: Final = (
    # replaced, as it follows from the games that stay
    PersonalData(dice_counts, users=("user_id",), on_deletion=OnDeletion.REPLACE_ID, others=("count",)),
)
