"""The commands about the database, together and with mistakes in what they are given."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest
from harness.command_line import abakbot
from harness.revisions import LATER
from harness.storage import files_in, opened
from sqlalchemy import text

from bot.core.storage.revisions import newest, revisions

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE games ADD COLUMN mine INTEGER",
        pytest.param("CREATE TABLE mine (id INTEGER)", marks=pytest.mark.thorough),
    ],
)
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
        await asyncio.to_thread(abakbot, *command)
        for command in (("backup", "one.backup"), ("db", "copy", "sqlite:///copy.sqlite3"))
    ]
    assert (code, said.splitlines()[0]) == (0, f"{mine}: a restore leaves it out.")
    assert (copied[0], copied[1].splitlines()[-2]) == (0, f"{mine}: the copy leaves it out.")
    code, said = await asyncio.to_thread(abakbot, "db", "check", "--backup", "one.backup")
    assert (code, said.splitlines()[-1]) == (0, f"The backup is in order. Its schema is {newest()}.")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///restored.sqlite3")
    assert (await asyncio.to_thread(abakbot, "restore", "one.backup"))[0] == 0
    for url in ("sqlite:///copy.sqlite3", "sqlite:///restored.sqlite3"):
        monkeypatch.setenv("DATABASE_URL", url)
        assert (await asyncio.to_thread(abakbot, "db", "check"))[0] == 0


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
    assert abakbot(*command) == abakbot("db", "upgrade") == said
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
    assert abakbot("backup", "games.backup") == (1, refused)
    assert not [path for path in files_in(tmp_path) if "backup" in path.name]


@pytest.mark.long
def test_the_commands_work_together(
    database_url: str, empty_postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", database_url)
    assert abakbot("db", "upgrade") == (0, "The database is up to date.\n")
    assert abakbot("backup", "one.backup")[0] == 0
    assert abakbot("backup", "one.backup") == (1, "one.backup exists already. Choose another name for the backup.\n")
    assert abakbot("db", "check") == (0, f"The database is in order. Its schema is {newest()}.\n")
    assert abakbot("db", "check", "--backup", "one.backup") == (
        0,
        f"The backup is in order. Its schema is {newest()}.\n",
    )
    code, output = abakbot("db", "copy", empty_postgres_url)
    assert (code, output.splitlines()[-1]) == (
        0,
        "Both databases hold the same. Set DATABASE_URL to the new one, then start the bot.",
    )
    assert abakbot("db", "copy", "mysql://x") == (2, abakbot("db", "copy", "mysql://x")[1])
    monkeypatch.setenv("DATABASE_URL", "sqlite:///restored.sqlite3")
    assert abakbot("restore", "one.backup")[1].endswith("The database holds what the backup holds.\n")


@pytest.mark.usefixtures("newer")
def test_a_database_is_taken_back_to_an_older_schema(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    older = revisions()[-2]
    assert abakbot("db", "upgrade")[0] == 0
    assert abakbot("db", "downgrade", older)[0] == 1  # nobody answers the question
    assert abakbot("db", "downgrade", older, "--yes") == (0, f"The database has the schema {older}.\n")
    code, output = abakbot("db", "check")
    assert code == 1
    assert f"database has the schema {older}, this version {LATER}: bring it up to date with `abakbot db upg" in output
    for revision in (older, LATER):
        refused = (1, f"The database has the schema {older}, and {revision} is not older. Nothing was changed.\n")
        assert abakbot("db", "downgrade", revision) == refused
        assert abakbot("db", "downgrade", revision, "--yes") == refused


def test_a_folder_that_takes_no_backup_is_named(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write everywhere."""

    def refuse(**_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert abakbot("db", "upgrade")[0] == 0
    monkeypatch.setattr("bot.core.storage.working_folders.TemporaryDirectory", refuse)
    refused = (1, f"The folder {tmp_path} takes no backup: Permission denied.\n")
    assert abakbot("backup", str(tmp_path / "one.backup")) == refused


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("backup folder", "folder is a folder. Name a new file for the backup, such as folder/today.backup."),
        ("restore folder", "folder is a folder. Name the file of the backup."),
        ("db check --backup folder", "folder is a folder. Name the file of the backup."),
        ("db copy sqlite:///folder", "There is a folder where the database file should be. Check its path."),
    ],
)
def test_a_folder_in_the_place_of_a_file_is_named(
    command: str, says: str, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert abakbot(*command.split()) == (1, f"{says}\n")
    assert not files_in(Path("folder"))


@pytest.mark.parametrize("command", ["db upgrade", "db check", "backup new.backup"])
def test_a_folder_in_the_place_of_the_database_is_named(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    monkeypatch.setenv("DATABASE_URL", "sqlite:///folder")
    said = (1, "There is a folder where the database file should be. Check its path.\n")
    assert abakbot(*command.split()) == said
    assert [path.name for path in files_in(tmp_path)] == ["folder"]


@pytest.mark.parametrize(
    "command", [("rebuild",), ("check",), ("copy", "sqlite:///other.sqlite3"), ("downgrade", "abakbot_0001", "--yes")]
)
def test_a_mistake_in_the_name_of_the_database_makes_no_new_one(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///typo.sqlite3")
    assert abakbot("db", *command) == (1, "There is no database typo.sqlite3.\n")
    assert not [*tmp_path.iterdir()]


def test_a_database_of_a_newer_version_that_allows_for_this_one_is_left_to_that_version(
    sqlite_url: str, newer: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert abakbot("db", "upgrade")[0] == 0
    newer.undo()
    advice = "a newer version of Abakbot has written it; use that version"
    assert abakbot("db", "check") == (1, f"the database has the schema {LATER}, this version {newest()}: {advice}\n")
    assert abakbot("db", "downgrade", newest(), "--yes") == (1, f"The database has the schema {LATER}: {advice}.\n")


def test_a_schema_that_does_not_exist_is_refused_before_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///some.sqlite3")
    assert abakbot("db", "upgrade")[0] == 0
    code, output = abakbot("db", "downgrade", "xyz")
    assert (code, output) == (
        1,
        "There is no schema xyz. `abakbot db check` of the old version names the one it has.\n",
    )
