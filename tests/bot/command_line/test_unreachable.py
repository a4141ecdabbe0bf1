"""A PostgreSQL that does not answer: each command says so in one sentence, and ends with a status."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Final

import aiohttp
import asyncpg
import pytest
from harness.thinning import one_of
from sqlalchemy.exc import DBAPIError

from bot.__main__ import main
from bot.command_line.database import db
from bot.command_line.settings import DATABASE, DISCORD, UNREACHED, reaching
from bot.core.storage.backups import write_backup
from bot.core.storage.database import Database
from bot.core.storage.faults.outages import CommitUnknown, DatabaseUnavailable
from bot.core.storage.faults.start_errors import explained, reason

pytestmark = pytest.mark.long

ROOT: Final = Path(__file__).parents[3]
COMMANDS: Final = (
    "backup new.backup",
    "restore one.backup",
    "run",
    "db check",
    "db copy sqlite:///new.sqlite3",
    "db downgrade abakbot_0001 --yes",
    "db rebuild",
    "db upgrade",
)
"""All that need the database of DATABASE_URL."""
SENTENCE: Final = r"The database{} cannot be reached: [A-Z][a-z ]+ \((127\.0\.0\.1|nowhere\.invalid), port 1\)"


def test_the_list_of_commands_is_whole() -> None:
    listed = {words[1] if words[0] == "db" else words[0] for words in map(str.split, COMMANDS)}
    assert listed | {"health", "sandbox", "settings", "db"} == {*main.commands, *db.commands}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database and its backup."""
    folder = tmp_path_factory.mktemp("backup")
    url = f"sqlite:///{folder / 'one.sqlite3'}"

    async def fill() -> None:
        async with await Database.open(url):
            await write_backup(url, folder / "one.backup")

    asyncio.run(fill())
    return folder


@one_of("host", ["127.0.0.1", "nowhere.invalid"])
@one_of("command", [*COMMANDS, "db copy TARGET"])
def test_a_server_that_does_not_answer(command: str, host: str, folder: Path) -> None:
    before = {path.name for path in folder.iterdir()}
    target = f"postgresql://me:sesame@{host}:1/games"
    environment = {
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": "sqlite:///one.sqlite3" if "TARGET" in command else target,
        "DISCORD_TOKEN": "token",
        "DISCORD_API_BASE": "http://127.0.0.1:1/api/v10",
    }
    words = command.replace("TARGET", target).split()
    run = subprocess.run(
        [sys.executable, "-m", "bot", *words],
        env=os.environ | environment,
        cwd=folder,
        capture_output=True,
        timeout=200,
        check=False,
        text=True,
    )
    assert run.returncode == UNREACHED
    *logged, said = run.stderr.splitlines()
    assert re.fullmatch(SENTENCE.format(" of URL" if "TARGET" in command else ""), said)
    assert all("database_unavailable" in line for line in logged)
    assert "Traceback" not in run.stdout + run.stderr
    assert "sesame" not in run.stdout + run.stderr
    assert {path.name for path in folder.iterdir()} - {"one.sqlite3.lock"} == before - {"one.sqlite3.lock"}


def of_the_driver(error: BaseException) -> DBAPIError:
    """Returns an error of asyncpg, as SQLAlchemy passes it on: their own texts name classes."""
    translated = RuntimeError(f"{type(error)}: {error}")
    translated.__cause__ = error
    wrapped = DBAPIError("SELECT 1", None, translated, connection_invalidated=True)
    wrapped.__cause__ = translated
    return wrapped


def caused(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


LOST: Final = "connection was closed in the middle of operation"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError("Multiple exceptions: [Errno 111] Connect call failed, …"), "none of its addresses answers"),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "No route to host"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed ('::1', 5, 0, 0)"), "Connection refused"),
        (TimeoutError(), "no answer in time"),
        (CommitUnknown("connection is closed"), "connection is closed"),
        (caused(CommitUnknown(), of_the_driver(asyncpg.ConnectionDoesNotExistError(LOST))), LOST),
        (of_the_driver(asyncpg.ConnectionDoesNotExistError(LOST)), LOST),
        (DatabaseUnavailable("no answer in time (127.0.0.1, port 1)"), "no answer in time (127.0.0.1, port 1)"),
        (caused(DatabaseUnavailable("the encryption fails"), ssl.SSLError(1, "no")), "the encryption fails"),
    ],
    ids=repr,
)
def test_errors_that_a_test_cannot_cause(error: Exception, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A host has several addresses, is in another network, is lost in a commit, or never answers."""
    with pytest.raises(SystemExit) as ended, reaching(DATABASE):
        raise error
    assert ended.value.code == UNREACHED
    assert capsys.readouterr().err == f"The database cannot be reached: {says}\n"


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (aiohttp.ServerDisconnectedError(), "Discord"),
        (TimeoutError(), "Discord"),
        (DatabaseUnavailable("no answer"), "The database"),
        (caused(CommitUnknown(), OSError(errno.EPIPE, "no")), "The database"),
        (of_the_driver(asyncpg.ConnectionDoesNotExistError(LOST)), "The database"),
    ],
    ids=repr,
)
def test_a_bot_says_which_of_the_two_is_out_of_reach(
    error: Exception, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit), reaching(DISCORD):
        raise error
    assert capsys.readouterr().err.startswith(f"{what} cannot be reached: ")


@pytest.mark.parametrize("error", [ssl.SSLCertVerificationError(1, "expired"), ssl.SSLError(1, "no")])
def test_a_failure_of_the_encryption_is_not_taken_for_one_of_a_file(error: ssl.SSLError) -> None:
    """Its number is that of a system's error about rights."""
    assert explained(error) is None
    assert reason(error).startswith("the encryption fails: ")
