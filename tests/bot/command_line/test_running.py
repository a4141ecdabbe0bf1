"""What must not be done under a bot that runs is refused, whatever the clocks of the two machines say."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import pytest
from click.testing import CliRunner
from sqlalchemy import insert

from bot.__main__ import main
from bot.clocks.heartbeats import service
from bot.clocks.heartbeats.tables import heartbeats
from bot.command_line.running import LOOKS, RUNS
from bot.core.processes.link import Link
from bot.core.processes.membership import SharedShards
from bot.core.processes.only_process import only_process
from bot.core.storage.database import Database
from bot.core.storage.revisions import newest, revisions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]

HOUR: Final = 3_600_000
REFUSED: Final = f"{RUNS}\n"


def invoke(url: str, *arguments: str) -> tuple[int, str]:
    done = CliRunner(env={"DATABASE_URL": url}).invoke(main, arguments)
    return done.exit_code, done.output


async def both(url: str, folder: Path) -> list[tuple[int, str]]:
    """Returns the outputs of a copy and of a downgrade."""
    target = f"sqlite:///{folder / 'new.sqlite3'}"
    commands = (("db", "copy", target), ("db", "downgrade", revisions()[0], "--yes"))
    return [await asyncio.to_thread(invoke, url, *command) for command in commands]


async def beat(database: Database, at: int) -> None:
    row = {"shard": 0, "shard_count": 1, "last_seen_at": at}
    statement = database.insert(heartbeats).values(row)
    async with database.writing() as connection:
        await connection.execute(statement.on_conflict_do_update(index_elements=["shard", "shard_count"], set_=row))


@asynccontextmanager
async def beating(url: str, ahead: int) -> AsyncIterator[None]:
    """Records the heartbeats of a bot whose clock is that much ahead."""
    async with Database(url) as database:

        async def go_on() -> None:
            while True:
                await asyncio.sleep(0.05)
                await beat(database, time.time_ns() // 1_000_000 + ahead)

        await beat(database, time.time_ns() // 1_000_000 + ahead)

        task = asyncio.create_task(go_on())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heartbeats are looked for a hundred times as often, for a hundredth of the time."""
    monkeypatch.setattr(service, "LOOK", service.LOOK / 100)
    monkeypatch.setattr(service, "GAP_MS", service.GAP_MS / 100)


@pytest.mark.parametrize("ahead", [-HOUR, 0, HOUR])
async def test_a_bot_whose_heartbeats_go_on_is_noticed(ahead: int, database_url: str, tmp_path: Path) -> None:
    async with beating(database_url, ahead):
        assert await both(database_url, tmp_path) == [(1, f"{LOOKS}\n{REFUSED}")] * 2
    assert not (tmp_path / "new.sqlite3").exists()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("ahead", [-HOUR, 0, HOUR])
async def test_a_bot_that_has_just_ended_is_in_nobodys_way(ahead: int, sqlite_url: str, tmp_path: Path) -> None:
    async with Database(sqlite_url) as database:
        await beat(database, time.time_ns() // 1_000_000 + ahead)
    (copied, said), downgraded = await both(sqlite_url, tmp_path)
    assert copied == 0, said
    assert downgraded == (0, f"{LOOKS}\nThe database has the schema {revisions()[0]}.\n")


async def test_nobody_waits_for_the_heartbeats_of_a_bot_that_ended_long_ago(sqlite_url: str, tmp_path: Path) -> None:
    async with Database(sqlite_url) as database, database.writing() as connection:
        await connection.execute(insert(heartbeats).values(shard=0, shard_count=1, last_seen_at=10**12))
    for status, said in await both(sqlite_url, tmp_path):
        assert (status, LOOKS in said) == (0, False)


async def test_a_process_on_a_file_is_noticed_at_once(sqlite_url: str, tmp_path: Path) -> None:
    """Even if it has no heartbeat, because Discord is away."""
    async with only_process(sqlite_url):
        assert await both(sqlite_url, tmp_path) == [(1, REFUSED)] * 2


async def test_a_process_on_a_server_is_noticed_at_once(postgres_url: str, tmp_path: Path) -> None:
    """A spare has no heartbeat either."""
    link = Link(postgres_url)
    spare = SharedShards(link)
    await spare.join(1, fixed=False)
    assert await both(postgres_url, tmp_path) == [(1, REFUSED)] * 2
    await spare.leave()
    await link.close()
    (copied, said), downgraded = await both(postgres_url, tmp_path)
    assert copied == 0, said
    assert downgraded[0] == 0


async def test_no_bot_starts_on_a_file_while_it_is_copied(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.core.processes.only_process.PATIENCE", 0.01)
    held = []

    async def copy_rows(*_: object) -> None:
        held.append(await asyncio.to_thread(invoke, sqlite_url, "db", "downgrade", revisions()[0], "--yes"))

    monkeypatch.setattr("bot.core.storage.copying.copy_rows", copy_rows)
    await asyncio.to_thread(invoke, sqlite_url, "db", "copy", f"sqlite:///{tmp_path / 'new.sqlite3'}")
    assert held == [(1, REFUSED)]


async def test_a_rebuild_changes_no_schema(database_url: str, newer: pytest.MonkeyPatch) -> None:
    """Nor does a copy: its source is only read."""
    del newer
    older = revisions()[-2]
    refused = (
        f"The database has the schema {older}, this version {newest()}:"
        " bring it up to date with `abakbot db upgrade`. Nothing was done.\n"
    )
    for command in (("rebuild",), ("copy", "sqlite:///new.sqlite3")):
        assert await asyncio.to_thread(invoke, database_url, "db", *command) == (1, refused)
    async with Database(database_url) as database:
        assert not await database.is_ready()


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("mysql://h/games", "URL: mysql is not supported; use sqlite:///FILE or postgresql://…"),
        ("sqlite:///{folder}/text", "The database file is not one of SQLite. Check URL; or move"),
        ("sqlite:///{folder}/empty", "{folder}/empty is empty: its games are lost."),
        (
            "postgresql://u@127.0.0.1:9/games",
            "The database of URL cannot be reached: Connection refused (127.0.0.1, port 9)",
        ),
    ],
)
async def test_a_target_that_cannot_be_used_is_named_before_anybody_waits(
    target: str, says: str, sqlite_url: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("this is no database, but long enough to have a header" * 40)
    async with beating(sqlite_url, 0):
        _, said = await asyncio.to_thread(invoke, sqlite_url, "db", "copy", target.format(folder=tmp_path))
    assert said.startswith(says.format(folder=tmp_path))
    assert "DATABASE_URL" not in said
