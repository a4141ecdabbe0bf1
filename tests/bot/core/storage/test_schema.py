"""What `abakbot db check` says of a schema that is not the one of this version, on a PostgreSQL database itself."""

from __future__ import annotations

import asyncio

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.core.storage.database import Database
from bot.core.storage.revisions import newest
from bot.core.storage.schema import schema_faults

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]

DAMAGES = {
    "a missing index": ("DROP INDEX ix_tournaments_owner", "'add_index', Index('ix_tournaments_owner'"),
    "an index too many": ("CREATE INDEX ix_of_somebody ON games (seq)", "'remove_index', Index('ix_of_somebody'"),
    "a missing unique key": (
        "ALTER TABLE outages DROP CONSTRAINT uq_outages_shard_shard_count_guild_id_since",
        "'add_constraint', UniqueConstraint(Column('shard', NullType(), table=<outages>)",
    ),
    "a missing reference": (
        "ALTER TABLE entries DROP CONSTRAINT fk_entries_game_id_games",
        "fk_entries_game_id_games",
    ),
    "a missing check": (
        "ALTER TABLE games DROP CONSTRAINT ck_games_status",
        "the table games lacks its constraint ck_games_status",
    ),
    "a check too many": (
        "ALTER TABLE games ADD CONSTRAINT ck_odd CHECK (seq % 2 = 1)",
        "the table games has a constraint ck_odd too many",
    ),
    "a missing primary key": (
        "ALTER TABLE entries DROP CONSTRAINT pk_entries",
        "the table entries lacks its constraint pk_entries",
    ),
    "a column too many": ("ALTER TABLE games ADD COLUMN mine INTEGER", "'remove_column', None, 'games', Column('mine'"),
    "a table too many": ("CREATE TABLE mine (id INTEGER)", "'remove_table', Table('mine'"),
}


async def spoil(url: str, command: str) -> None:
    async with Database(url) as database, database.engine.begin() as connection:
        await connection.exec_driver_sql(command)


def check(url: str) -> tuple[int, str]:
    done = CliRunner(env={"DATABASE_URL": url}).invoke(main, ["db", "check"])
    return done.exit_code, done.output


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_check_names_what_is_wrong_in_the_schema_of_postgresql(damage: str, postgres_url: str) -> None:
    command, named = DAMAGES[damage]
    asyncio.run(spoil(postgres_url, command))
    code, said = check(postgres_url)
    fault, last = said.splitlines()
    assert (code, named in fault) == (1, True), said
    assert last.startswith("Faults: 1. `abakbot db rebuild` mends")


def test_a_postgresql_database_as_it_should_be_is_in_order(postgres_url: str) -> None:
    assert check(postgres_url) == (0, f"The database is in order. Its schema is {newest()}.\n")


async def test_a_new_schema_has_no_fault(database_url: str) -> None:
    async with Database(database_url) as database, database.reading() as connection:
        assert await connection.run_sync(schema_faults) == []
