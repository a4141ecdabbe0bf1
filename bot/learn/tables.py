"""The table of lessons done. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, Column, String, Table

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

lessons: Final = Table(
    "lessons",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("lesson", String(64), primary_key=True),
    Column("done_at", BigInteger, nullable=False),
)

PERSONAL_DATA: Final = (PersonalData(lessons, users=("user_id",), times=("done_at",)),)
