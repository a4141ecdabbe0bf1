"""A command that is told to end takes back what it has half done."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest
from click.testing import CliRunner
from harness.rows import fill_every_table
from sqlalchemy import inspect

from bot.__main__ import main
from bot.command_line.settings import UNREACHED
from bot.core.storage.backups import write_backup
from bot.core.storage.database import Database

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]

WHILE_IT_COPIES: Final = """
import asyncio, os, signal, sys
from bot.__main__ import main
from bot.core.storage import backups, copying

async def copy_rows(source, target, tell):
    await copy(source, target, tell)
    os.kill(os.getpid(), signal.SIGKILL if sys.argv[1] == "killed" else signal.SIGTERM)
    await asyncio.sleep(300)

def copy_file(database, file):
    file.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL if sys.argv[1] == "killed" else signal.SIGTERM)

if sys.argv[1] == "ignored":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
copy, backups._copy_file = copying.copy_rows, copy_file
backups.copy_rows = copying.copy_rows = copy_rows
main(sys.argv[2:])
"""


def below(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def stopped(how: str, *command: str, url: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command that is stopped while it copies."""
    return subprocess.run(
        [sys.executable, "-c", WHILE_IT_COPIES, how, *command],
        cwd=folder,
        env={**os.environ, "DATABASE_URL": url, "TMPDIR": str(folder / "temporary")},
        capture_output=True,
        text=True,
        check=False,
    )


async def full_backup(folder: Path) -> Path:
    (folder / "temporary").mkdir()
    url, file = f"sqlite:///{folder / 'full.sqlite3'}", folder / "given.backup"
    async with await Database.open(url) as database:
        await fill_every_table(database)
        await write_backup(url, file)
    return file


@pytest.mark.parametrize("ctrl_c", ["heard", "ignored"])
@pytest.mark.parametrize("command", ["restore", "backup"])
def test_sigterm_leaves_nothing_half_done(command: str, ctrl_c: str, tmp_path: Path) -> None:
    """Also in the background of a shell, whose jobs ignore Ctrl+C."""
    given = asyncio.run(full_backup(tmp_path))
    url, file = ("sqlite:///new.sqlite3", given) if command == "restore" else ("sqlite:///full.sqlite3", "new.backup")
    before = below(tmp_path)
    done = stopped(ctrl_c, command, str(file), url=url, folder=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (1, "Aborted!")
    assert below(tmp_path) == before


def test_sigterm_takes_a_restore_into_postgresql_back(empty_postgres_url: str, tmp_path: Path) -> None:
    given = asyncio.run(full_backup(tmp_path))
    done = stopped("heard", "restore", str(given), url=empty_postgres_url, folder=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (1, "Aborted!")

    async def tables() -> list[str]:
        async with Database(empty_postgres_url) as database, database.reading() as connection:
            return await connection.run_sync(lambda plain: inspect(plain).get_table_names())

    assert asyncio.run(tables()) == []


def test_what_a_killed_restore_leaves_is_not_played_on(
    empty_postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = asyncio.run(full_backup(tmp_path))
    done = stopped("killed", "restore", str(given), url=empty_postgres_url, folder=tmp_path)
    assert done.returncode == -signal.SIGKILL
    monkeypatch.setenv("DATABASE_URL", empty_postgres_url)
    monkeypatch.setenv("DISCORD_TOKEN", "never.sent.anywhere")
    new = f"sqlite:///{tmp_path / 'new.sqlite3'}"
    commands = ["run", f"restore {given}", f"backup {tmp_path / 'another.backup'}", f"db copy {new}"]
    for command in [*commands, "db check", "db upgrade", "db rebuild"]:
        run = CliRunner().invoke(main, command.split())
        assert (command, run.exit_code) == (command, UNREACHED)
        assert "holds a part of a backup only: `abakbot restore` still runs, or was interrupted." in run.output


@pytest.mark.parametrize("command", ["restore", "backup"])
def test_what_a_killed_command_leaves_is_removed_by_the_next(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the secrets of the next rolls."""
    given = asyncio.run(full_backup(tmp_path))
    url, file = ("sqlite:///new.sqlite3", given) if command == "restore" else ("sqlite:///full.sqlite3", "new.backup")
    before = below(tmp_path)
    done = stopped("killed", command, str(file), url=url, folder=tmp_path)
    assert done.returncode == -signal.SIGKILL
    assert below(tmp_path) != before
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    run = CliRunner().invoke(main, [command, str(file)])
    assert run.exit_code == 0, run.output
    made = {path.name for path in {*below(tmp_path)} - {*before}}
    assert made == {"new.sqlite3" if command == "restore" else "new.backup"}


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_what_a_killed_copy_leaves_is_not_played_on_but_continued(
    target: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(full_backup(tmp_path))
    url = (
        f"sqlite:///{tmp_path / 'new.sqlite3'}" if target == "sqlite" else request.getfixturevalue("empty_postgres_url")
    )
    full = f"sqlite:///{tmp_path / 'full.sqlite3'}"
    done = stopped("killed", "db", "copy", url, url=full, folder=tmp_path)
    assert done.returncode == -signal.SIGKILL
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("DISCORD_TOKEN", "never.sent.anywhere")
    for command in ("run", "db upgrade", "db check"):
        run = CliRunner().invoke(main, command.split())
        assert (command, run.exit_code) == (command, UNREACHED)
        assert "holds a part of a copy only: `abakbot db copy` still runs, or was interrupted. Give the" in run.output
    monkeypatch.setenv("DATABASE_URL", full)
    monkeypatch.setattr("bot.core.storage.revisions.newest", lambda: "abakbot_9999")
    run = CliRunner().invoke(main, ["db", "copy", url])
    assert run.output.endswith("Another version of Abakbot began it. Set URL to a new database.\n")
    monkeypatch.undo()
    monkeypatch.setenv("DATABASE_URL", full)
    run = CliRunner().invoke(main, ["db", "copy", url])
    assert run.output.splitlines()[-1].startswith("Both databases hold the same.")
    monkeypatch.setenv("DATABASE_URL", url)
    assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0
