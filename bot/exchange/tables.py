"""The table of analysis boards. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, Column, Index, String, Table, Text

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

analyses: Final = Table(
    "analyses",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("user_id", BigInteger, nullable=False, comment="the only one who sees it"),
    Column("games", Text, nullable=False, comment="JSON list: the records of the games or positions"),
    Column("names", Text, nullable=False, comment="JSON list: the names of the two players"),
    Column("line", Text, nullable=False, server_default="", comment="the record of what is tried; empty: nothing"),
    Column("touched", BigInteger, nullable=False, comment="when it was last looked at"),
    Index("ix_analyses_user_id_touched", "user_id", "touched"),
    Index("ix_analyses_touched", "touched"),
)

PERSONAL_DATA: Final = (PersonalData(analyses, users=("user_id",), times=("touched",), names=("names",)),)
