"""Tests what `abakbot db check` says of a schema of another version, on a real PostgreSQL database."""

from __future__ import annotations

import asyncio

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.command_line.database import RESTORE
from bot.core.storage.database import Database
from bot.core.storage.revisions import UnknownSchema, newest
from bot.core.storage.schema import schema_faults

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]

DAMAGES = {
    "a missing index": (
        "DROP INDEX ix_tournaments_owner",
        "the table tournaments lacks its index ix_tournaments_owner",
    ),
    "an index too many": (
        "CREATE INDEX ix_of_somebody ON games (seq)",
        "the table games has an index ix_of_somebody too many",
    ),
    "a missing unique key": (
        "ALTER TABLE outages DROP CONSTRAINT uq_outages_shard_shard_count_guild_id_since",
        "the table outages lacks its constraint uq_outages_shard_shard_count_guild_id_since",
    ),
    "a missing reference": (
        "ALTER TABLE entries DROP CONSTRAINT fk_entries_game_id_games",
        "the table entries lacks its constraint fk_entries_game_id_games",
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
    "a column too many": ("ALTER TABLE games ADD COLUMN mine INTEGER", "the table games has a column mine too many"),
    "another type": (
        "ALTER TABLE heartbeats ALTER COLUMN last_seen_at TYPE TEXT",
        "the column last_seen_at of the table heartbeats has another type: TEXT, not BIGINT",
    ),
    "an empty value": (
        "ALTER TABLE games ALTER COLUMN seq DROP NOT NULL",
        "the column seq of the table games may be empty, and should not",
    ),
    "a table too many": ("CREATE TABLE mine (id INTEGER)", "there is a table mine too many"),
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
    last = f"The schema is not {newest()} as it should be. {RESTORE}"
    assert (code, said.splitlines()) == (1, [named, last])


def test_a_postgresql_database_as_it_should_be_is_in_order(postgres_url: str) -> None:
    assert check(postgres_url) == (0, f"The database is in order. Its schema is {newest()}.\n")


async def test_a_new_schema_has_no_fault(database_url: str) -> None:
    async with Database(database_url) as database, database.reading() as connection:
        assert await connection.run_sync(schema_faults) == []


@pytest.mark.parametrize("damage", [name for name in DAMAGES if name.startswith("a missing")])
async def test_a_start_names_what_is_missing(damage: str, postgres_url: str) -> None:
    command, named = DAMAGES[damage]
    await spoil(postgres_url, command)
    with pytest.raises(UnknownSchema) as caught:
        await Database.open(postgres_url)
    assert f"it lacks {named.split(' ')[-1]}: restore a backup" in str(caught.value)


async def test_a_start_on_a_file_names_what_is_missing(sqlite_url: str) -> None:
    await spoil(sqlite_url, "DROP INDEX ix_tournaments_owner")
    with pytest.raises(UnknownSchema, match="it lacks ix_tournaments_owner: restore a backup"):
        await Database.open(sqlite_url)


async def test_a_start_on_a_file_without_constraints_names_them(sqlite_url: str) -> None:
    """As if the rows had been copied by another program, which made the tables anew."""
    for command in ("ALTER TABLE heartbeats RENAME TO old", "CREATE TABLE heartbeats AS SELECT * FROM old"):
        await spoil(sqlite_url, command)
    with pytest.raises(UnknownSchema, match="it lacks pk_heartbeats: restore a backup"):
        await Database.open(sqlite_url)


async def test_what_is_there_beside_the_schema_does_not_disturb_a_start(database_url: str) -> None:
    await spoil(database_url, "CREATE INDEX ix_of_somebody ON games (seq)")
    await (await Database.open(database_url)).close()
