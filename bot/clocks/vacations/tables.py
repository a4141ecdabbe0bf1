"""The table of vacations. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, Table

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

vacations: Final = Table(
    "vacations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False, comment="earlier than planned if the user comes back early"),
    CheckConstraint("since < until", name="interval"),
    Index("ix_vacations_user_id_until", "user_id", "until"),
)

PERSONAL_DATA: Final = (PersonalData(vacations, users=("user_id",), times=("since", "until")),)
