"""The tables of deletions and of servers that removed the bot. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Integer, Table, false, text

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

# Conditions of queries. SQLite uses the index only with the same text.
IS_DONE: Final = text("done_at IS NOT NULL")

deletions: Final = Table(
    "deletions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", BigInteger, unique=True, comment="NULL as soon as the deletion is done"),
    Column("pseudonym", BigInteger, comment="replaces the id; NULL as soon as the deletion is done"),
    Column("asked_at", BigInteger, nullable=False),
    Column("done_at", BigInteger, comment="tells other processes to empty their caches"),
    Column(
        "erased", Boolean, nullable=False, server_default=false(), comment="whether no byte is left in SQLite's file"
    ),
    sqlite_autoincrement=True,  # other processes remember the last id that they know
)

absent_servers: Final = Table(
    "absent_servers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("since", BigInteger, nullable=False, comment="when the bot was first found to be no longer there"),
)

PERSONAL_DATA: Final = (
    # not among ``users``: the deletion itself clears them
    PersonalData(deletions, times=("asked_at", "done_at"), others=("user_id", "pseudonym")),
    PersonalData(absent_servers, times=("since",), others=("guild_id",)),
)
