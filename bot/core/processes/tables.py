"""The tables by which processes agree on their requests to Discord. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, String, Table

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

identify_turns: Final = Table(
    "identify_turns",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False, comment="the shard modulo max_concurrency"),
    Column("taken_at", BigInteger, nullable=False, comment="when a process last identified a shard of it"),
)

command_registrations: Final = Table(
    "command_registrations",
    metadata,
    Column("application", BigInteger, primary_key=True, autoincrement=False, comment="the bot's id"),
    Column("digest", String, nullable=False, comment="of the commands as they were sent to Discord"),
    Column("registered", String, nullable=False, comment="the ids that Discord has given to them"),
)

PERSONAL_DATA: Final = (
    PersonalData(identify_turns, times=("taken_at",)),
    PersonalData(command_registrations, others=("application",)),
)
