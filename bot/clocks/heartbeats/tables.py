"""The tables of heartbeats and outages. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, Table, UniqueConstraint

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

heartbeats: Final = Table(
    "heartbeats",
    metadata,
    Column("shard", Integer, primary_key=True, autoincrement=False, comment="the number of the shard"),
    Column("shard_count", Integer, primary_key=True, autoincrement=False, comment="how many there are"),
    Column("last_seen_at", BigInteger, nullable=False, comment="when the shard was last known to be connected"),
)

outages: Final = Table(
    "outages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("shard", Integer, nullable=False),
    Column("shard_count", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    CheckConstraint("since < until", name="interval"),
    UniqueConstraint("shard", "shard_count", "since"),
    Index("ix_outages_until", "until"),
)

PERSONAL_DATA: Final = (
    PersonalData(heartbeats, times=("last_seen_at",)),
    PersonalData(outages, times=("since", "until")),
)
