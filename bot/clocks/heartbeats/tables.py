"""The tables of heartbeats, outages, and servers that have removed the bot. Times in ms since 1970."""

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
    Column("guild_id", BigInteger, nullable=False, server_default="0", comment="of this server only; 0: of all"),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    CheckConstraint("since < until", name="interval"),
    UniqueConstraint("shard", "shard_count", "guild_id", "since"),
    Index("ix_outages_until", "until"),
)

OF_SERVER: Final = {"shard": -1, "shard_count": 1}
"""Takes the place of the shard in an outage of a single server. No shard has this number."""

removed_servers: Final = Table(
    "removed_servers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False, comment="when it was noticed that the server has removed the bot"),
    Index("ix_removed_servers_since", "since"),
)

PERSONAL_DATA: Final = (
    PersonalData(heartbeats, times=("last_seen_at",)),
    PersonalData(outages, times=("since", "until"), others=("guild_id",)),
    PersonalData(removed_servers, times=("since",), others=("guild_id",)),
)
