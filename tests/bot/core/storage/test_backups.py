"""Backups, copies and checks: everything is in them, of one moment, on both databases."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
import stat
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from click.testing import CliRunner
from harness.revisions import LATER
from harness.rows import ROWS, fill_every_table
from sqlalchemy import delete, func, insert, inspect, select, text, update

from bot.__main__ import main
from bot.core.storage.backups import NotPossible, restore_backup, silent, write_backup
from bot.core.storage.copying import copy_rows, differing_tables, is_empty
from bot.core.storage.database import Database
from bot.core.storage.revisions import newest, revisions
from bot.games.tables import games
from bot.players.tables import player_names, preferences
from bot.privacy.tables import deletions
from bot.profiles.tables import leaderboard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]

PAIRS = 40
ASIDE = "A file of an earlier database was in the way. It is now "


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = await Database.open(url)
    try:
        yield database
    finally:
        await database.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that is not there yet, or has no tables."""
    if request.param == "sqlite":
        return new(tmp_path / "not" / "there", "target")
    return str(request.getfixturevalue("empty_postgres_url"))


def new(folder: Path, name: str = "new") -> str:
    return f"sqlite:///{folder / name}.sqlite3"


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def told(table: str, rows: int) -> None:
    assert (table, rows) == (table, ROWS)


async def test_a_backup_can_be_restored(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    async with opened(database_url) as database:
        await fill_every_table(database)
        await write_backup(database_url, file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert [path for path in files_in(tmp_path) if "backup" in path.name] == [file]
        await restore_backup(file, new(tmp_path), told)
        async with opened(new(tmp_path)) as restored:
            assert await differing_tables(database, restored) == []
            async with restored.writing() as connection:
                await connection.execute(update(leaderboard).values(rating=0.1))
            assert await differing_tables(database, restored) == ["leaderboard"]


class Broken(Exception):
    pass


async def tables_of(url: str) -> list[str]:
    async with Database(url) as database, database.reading() as connection:
        return await connection.run_sync(lambda plain: inspect(plain).get_table_names())


@pytest.mark.parametrize("before", ["new", "empty"])
async def test_a_restore_that_fails_leaves_nothing(before: str, empty_database_url: str, tmp_path: Path) -> None:
    """Whatever was written is gone again, so that nobody takes the half for the whole."""
    file = tmp_path / "games.backup"
    async with opened(new(tmp_path)) as database:
        await fill_every_table(database)
        await write_backup(new(tmp_path), file)
    if before == "empty":
        await (await Database.open(empty_database_url)).close()
    there = files_below(tmp_path)
    written = 0

    def breaks(table: str, rows: int) -> None:
        nonlocal written
        written += rows
        if table == games.name:
            raise Broken

    with pytest.raises(Broken):
        await restore_backup(file, empty_database_url, breaks)
    assert written
    assert files_below(tmp_path) == there
    if before == "empty":
        async with opened(empty_database_url) as left:
            assert await is_empty(left)
    elif not empty_database_url.startswith("sqlite"):
        assert await tables_of(empty_database_url) == []
    await restore_backup(file, empty_database_url, told)


async def test_sqlite_goes_to_postgresql_and_back(sqlite_url: str, postgres_url: str, tmp_path: Path) -> None:
    """Each with its numbering: the id of a deleted row is not given again."""
    async with opened(sqlite_url) as first, opened(postgres_url) as second, opened(new(tmp_path)) as third:
        await fill_every_table(first)
        async with first.writing() as connection:
            await connection.execute(delete(deletions).where(deletions.c.id == 10**6 + ROWS))
        for source, target in ((first, second), (second, third)):
            await copy_rows(source, target, silent)
            assert await differing_tables(source, target) == []
        values = {column.name: 1 for column in deletions.columns if column.name not in {"id", "erased"}} | {
            "erased": False
        }
        for database in (second, third):
            async with database.writing() as connection:
                made = await connection.execute(insert(deletions).values(values).returning(deletions.c.id))
                assert made.scalar_one() == 10**6 + ROWS + 1


async def test_an_interrupted_copy_is_continued(sqlite_url: str, postgres_url: str) -> None:
    async with opened(sqlite_url) as source, opened(postgres_url) as target:
        await fill_every_table(source)

        def stops(table: str, rows: int) -> None:
            del rows
            if table == games.name:
                raise KeyError

        with pytest.raises(KeyError):
            await copy_rows(source, target, stops)
        assert await differing_tables(source, target)
        await copy_rows(source, target, told)
        assert await differing_tables(source, target) == []


async def test_a_backup_is_of_one_moment_while_everybody_plays(database_url: str, tmp_path: Path) -> None:
    """Each transaction writes two rows: a backup has both or neither, and is done before the players are."""
    async with opened(database_url) as database:
        stopped, on = asyncio.Event(), asyncio.Event()
        written = 0

        async def play() -> None:
            nonlocal written
            while not stopped.is_set():
                written += 1
                async with database.writing() as connection:
                    await connection.execute(insert(player_names).values(user_id=written, name="x" * 50, seen=1))
                    given = {"scope": "user", "id": written, "key": "theme", "value": "wood"}
                    await connection.execute(insert(preferences).values(given))
                if written % PAIRS == 0:
                    on.set()
                await asyncio.sleep(0)

        playing = asyncio.create_task(play())
        backups = []
        for number in range(5):
            on.clear()
            await on.wait()
            before, file = written, tmp_path / f"{number}.backup"
            await write_backup(database_url, file)
            backups.append((before, file, written))
        stopped.set()
        await playing
    for before, file, after in backups:
        with closing(sqlite3.connect(file)) as connection:
            names, settings = (
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608  two tables of ours
                for table in ("player_names", "preferences")
            )
        assert names == settings
        assert before - 1 <= names <= after


async def test_nothing_is_overwritten(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    async with opened(database_url) as database:
        await fill_every_table(database)
        await write_backup(database_url, file)
        taken = file.read_bytes()
        with pytest.raises(NotPossible, match="exists already"):
            await write_backup(database_url, file)
        assert file.read_bytes() == taken
        with pytest.raises(NotPossible, match="is not empty") as refused:
            await restore_backup(file, database_url)
        assert ("file" in str(refused.value)) == database_url.startswith("sqlite")
        async with database.reading() as connection:
            assert (await connection.execute(select(func.count()).select_from(games))).scalar() == ROWS


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"x" * 5000, None])
async def test_what_is_no_backup_is_refused(content: bytes | None, sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.backup"
    if content is None:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE visits (id INTEGER)")
    else:
        file.write_bytes(content)
    with pytest.raises(NotPossible, match="is not a backup"):
        await restore_backup(file, sqlite_url)
    with pytest.raises(NotPossible, match="There is no file"):
        await restore_backup(tmp_path / "none.backup", sqlite_url)


def spoilt(file: Path, how: str) -> bytes:
    """The content of a backup that was cut off, or with a damaged list of tables, or damaged rows in one of them."""
    content = file.read_bytes()
    if how == "cut off":
        return content[: len(content) // 2]
    with closing(sqlite3.connect(file)) as connection:
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tournaments'")
    first, last = (100, 4096) if how == "tables" else ((page - 1) * 4096, (page - 1) * 4096 + 64)
    return content[:first] + b"\xaa" * (last - first) + content[last:]


@pytest.mark.parametrize("how", ["cut off", "tables", "rows"])
async def test_a_damaged_backup_is_named_and_restores_nothing(
    how: str, sqlite_url: str, empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, file = tmp_path / "whole.backup", tmp_path / "games.backup"
    async with opened(sqlite_url) as database:
        await fill_every_table(database)
    await write_backup(sqlite_url, whole)
    content = spoilt(whole, how)
    file.write_bytes(content)
    size = whole.stat().st_size
    fault = f"is cut off: it has {len(content):,} bytes of {size:,}" if how == "cut off" else "is damaged"
    said = (1, f"{file} {fault}. Take another backup, or copy this one again.\n")
    monkeypatch.setenv("DATABASE_URL", empty_database_url)
    before = files_below(tmp_path)
    assert await asyncio.to_thread(invoke, "restore", str(file)) == said
    assert await asyncio.to_thread(invoke, "db", "check", "--backup", str(file)) == said
    assert files_below(tmp_path) == before
    if not empty_database_url.startswith("sqlite"):
        assert await tables_of(empty_database_url) == []


async def test_a_backup_with_a_row_that_cannot_be_restored_leaves_nothing(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence in the database's own words, without a traceback."""
    file = tmp_path / "games.backup"
    async with opened(new(tmp_path)) as database:
        await fill_every_table(database)
    await write_backup(new(tmp_path), file)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO entries VALUES ('none', 0, 1, 'play', 0, '')")
    monkeypatch.setenv("DATABASE_URL", empty_database_url)
    before = files_below(tmp_path)
    code, output = await asyncio.to_thread(invoke, "restore", str(file))
    said = output.splitlines()[-1]
    assert code == 1
    assert said.startswith(f"{file} has a row that cannot be restored: ")
    assert said.endswith(f". Nothing was restored. `abakbot db check --backup {file}` says more.")
    assert "class" not in said
    assert files_below(tmp_path) == before
    if not empty_database_url.startswith("sqlite"):
        assert await tables_of(empty_database_url) == []


@pytest.mark.parametrize(
    "left", [{"-wal": b"moves", "-shm": b"x"}, {"-wal": b""}, {"": b""}, {"": bytes(8192)}], ids=str
)
def test_what_is_left_of_an_earlier_file_is_moved_aside(
    left: dict[str, bytes], sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite would write an old log into the restored file. It may hold moves, so it is kept."""
    file = tmp_path / "games.backup"

    async def fill() -> None:
        async with opened(sqlite_url) as database:
            await fill_every_table(database)
        await write_backup(sqlite_url, file)

    async def differ() -> list[str]:
        async with opened(sqlite_url) as database, opened(f"sqlite:///{path}") as restored:
            return await differing_tables(database, restored)

    asyncio.run(fill())
    path = tmp_path / "again" / "games.sqlite3"
    path.parent.mkdir()
    for end, content in left.items():
        Path(f"{path}{end}").write_bytes(content)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    code, said = invoke("restore", str(file))
    assert code == 0
    named = [line.removeprefix(ASIDE).removesuffix(".") for line in said.splitlines() if line.startswith(ASIDE)]
    assert [Path(name).read_bytes() for name in named] == list(left.values())
    assert not Path(f"{path}-wal").exists()
    assert asyncio.run(differ()) == []


@pytest.mark.parametrize("change", ["ALTER TABLE games ADD COLUMN mine INTEGER", "CREATE TABLE mine (id INTEGER)"])
async def test_what_is_not_ours_is_treated_alike_on_both_databases(
    change: str, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot runs on it, a backup names it, and a restore leaves it out."""
    async with opened(database_url) as database, database.writing() as connection:
        await connection.execute(text(change))
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.chdir(tmp_path)
    mine = "the table games has a column mine too many" if "COLUMN" in change else "there is a table mine too many"
    (code, said), copied = [
        await asyncio.to_thread(invoke, *command)
        for command in (("backup", "one.backup"), ("db", "copy", "sqlite:///copy.sqlite3"))
    ]
    assert (code, said.splitlines()[0]) == (0, f"{mine}: a restore leaves it out.")
    assert (copied[0], copied[1].splitlines()[-2]) == (0, f"{mine}: the copy leaves it out.")
    code, said = await asyncio.to_thread(invoke, "db", "check", "--backup", "one.backup")
    assert (code, said.splitlines()[-1]) == (0, f"The database is in order. Its schema is {newest()}.")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///restored.sqlite3")
    assert (await asyncio.to_thread(invoke, "restore", "one.backup"))[0] == 0
    for url in ("sqlite:///copy.sqlite3", "sqlite:///restored.sqlite3"):
        monkeypatch.setenv("DATABASE_URL", url)
        assert (await asyncio.to_thread(invoke, "db", "check"))[0] == 0


async def test_a_backup_that_fails_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    with pytest.raises(NotPossible, match="There is no database"):
        await write_backup(new(tmp_path, "missing"), file)
    with pytest.raises(NotPossible, match="There is no folder"):
        await write_backup(new(tmp_path), tmp_path / "none" / "games.backup")
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("zeros", [0, 1, 8192])
@pytest.mark.parametrize("command", [("backup", "games.backup"), ("db", "check"), ("db", "rebuild")], ids=" ".join)
def test_a_file_that_has_lost_its_content_is_named_and_makes_no_backup(
    command: tuple[str, ...], zeros: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a backup each night would take the place of the good ones. The bot's start says the same."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///games.sqlite3")
    Path("games.sqlite3").write_bytes(bytes(zeros))
    said = (1, "games.sqlite3 is empty: its games are lost. Restore a backup, or delete the file to begin anew.\n")
    assert invoke(*command) == invoke("db", "upgrade") == said
    assert {path.name for path in files_in(tmp_path)} <= {"games.sqlite3", "games.sqlite3.lock"}


@pytest.mark.parametrize("tables", [(), ("visits",), ("games", "alembic_version")], ids=str)
def test_a_database_of_another_program_makes_no_backup(
    tables: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///games.sqlite3")
    with closing(sqlite3.connect("games.sqlite3")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for table in tables:
            connection.execute(f"CREATE TABLE {table} (version_num TEXT)")
    refused = "games.sqlite3 is not a database of Abakbot. Check DATABASE_URL.\n"
    assert invoke("backup", "games.backup") == (1, refused)
    assert not [path for path in files_in(tmp_path) if "backup" in path.name]


async def test_an_older_database_is_not_copied_from_postgresql(empty_postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(NotPossible, match="`abakbot db upgrade` makes them"):
        await write_backup(empty_postgres_url, tmp_path / "games.backup")
    assert files_in(tmp_path) == []


async def test_an_empty_database_is_known(database_url: str) -> None:
    async with opened(database_url) as database:
        assert await is_empty(database)
        await fill_every_table(database)
        assert not await is_empty(database)


def invoke(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.output


@pytest.mark.long
def test_the_commands_work_together(
    database_url: str, empty_postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", database_url)
    assert invoke("db", "upgrade") == (0, "The database is up to date.\n")
    assert invoke("backup", "one.backup")[0] == 0
    assert invoke("backup", "one.backup") == (1, "one.backup exists already. Choose another name for the backup.\n")
    assert invoke("db", "check") == (0, f"The database is in order. Its schema is {newest()}.\n")
    assert invoke("db", "check", "--backup", "one.backup") == (
        0,
        f"The database is in order. Its schema is {newest()}.\n",
    )
    code, output = invoke("db", "copy", empty_postgres_url)
    assert (code, output.splitlines()[-1]) == (
        0,
        "Both databases hold the same. Set DATABASE_URL to the new one, then start the bot.",
    )
    assert invoke("db", "copy", "mysql://x") == (2, invoke("db", "copy", "mysql://x")[1])
    monkeypatch.setenv("DATABASE_URL", "sqlite:///restored.sqlite3")
    assert invoke("restore", "one.backup")[1].endswith("The database holds what the backup holds.\n")


@pytest.mark.usefixtures("newer")
def test_a_database_is_taken_back_to_an_older_schema(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    older = revisions()[-2]
    assert invoke("db", "upgrade")[0] == 0
    assert invoke("db", "downgrade", older)[0] == 1  # nobody answers the question
    assert invoke("db", "downgrade", older, "--yes") == (0, f"The database has the schema {older}.\n")
    code, output = invoke("db", "check")
    assert code == 1
    assert f"database has the schema {older}, this version {LATER}: bring it up to date with `abakbot db upg" in output
    for revision in (older, LATER):
        refused = (1, f"The database has the schema {older}, and {revision} is not older. Nothing was changed.\n")
        assert invoke("db", "downgrade", revision) == refused
        assert invoke("db", "downgrade", revision, "--yes") == refused


def test_a_folder_that_takes_no_backup_is_named(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write everywhere."""

    def refuse(**_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert invoke("db", "upgrade")[0] == 0
    monkeypatch.setattr("bot.core.storage.backups.TemporaryDirectory", refuse)
    refused = (1, f"The folder {tmp_path} takes no backup: Permission denied.\n")
    assert invoke("backup", str(tmp_path / "one.backup")) == refused


@pytest.mark.parametrize(
    "command", [("rebuild",), ("check",), ("copy", "sqlite:///other.sqlite3"), ("downgrade", "abakbot_0001", "--yes")]
)
def test_a_mistake_in_the_name_of_the_database_makes_no_new_one(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///typo.sqlite3")
    assert invoke("db", *command) == (1, "There is no database typo.sqlite3.\n")
    assert not [*tmp_path.iterdir()]


def test_a_database_of_a_newer_version_that_allows_for_this_one_is_left_to_that_version(
    sqlite_url: str, newer: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert invoke("db", "upgrade")[0] == 0
    newer.undo()
    advice = "a newer version of Abakbot has written it; use that version"
    assert invoke("db", "check") == (1, f"the database has the schema {LATER}, this version {newest()}: {advice}\n")
    assert invoke("db", "downgrade", newest(), "--yes") == (1, f"The database has the schema {LATER}: {advice}.\n")


def test_a_schema_that_does_not_exist_is_refused_before_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///some.sqlite3")
    assert invoke("db", "upgrade")[0] == 0
    code, output = invoke("db", "downgrade", "xyz")
    assert (code, output) == (
        1,
        "There is no schema xyz. `abakbot db check` of the old version names the one it has.\n",
    )
