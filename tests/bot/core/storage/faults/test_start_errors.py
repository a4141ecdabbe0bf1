"""A database that cannot be used at the start: the host reads one sentence, and no traceback."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import asyncpg
import pytest
import structlog
from click.testing import CliRunner
from fakes.databases import URL_VARIABLE, embedded, order, target
from harness.thinning import one_of
from sqlalchemy import delete
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from bot.__main__ import main
from bot.command_line.settings import UNREACHED
from bot.core.storage.database import Database
from bot.core.storage.faults.outages import is_outage
from bot.core.storage.faults.start_errors import BY_CODE, BY_TEXT, explained
from bot.core.storage.revisions import revisions
from bot.games.tables import games

GUARDED: Final = f"guarded_{os.getpid()}"
"""A role with a password, and its database."""


def migrate(url: str, patch: pytest.MonkeyPatch) -> str:
    patch.setenv("DATABASE_URL", url)
    run = CliRunner().invoke(main, ["db", "upgrade"])
    assert run.exit_code == UNREACHED, run.output
    assert run.exception is None or isinstance(run.exception, SystemExit)
    return run.output.strip()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"this is no database, but long enough to have a header" * 40, BY_TEXT["file is not a database"]),
        (b"SQLite format 3\0" + b"\xff" * 5000, BY_TEXT["file is not a database"]),
    ],
)
def test_a_file_that_is_no_database(
    content: bytes, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games.sqlite3").write_bytes(content)
    assert migrate(f"sqlite:///{tmp_path / 'games.sqlite3'}", monkeypatch) == sentence
    assert (tmp_path / "games.sqlite3").read_bytes() == content


@pytest.mark.parametrize("cut", [False, True])
def test_a_damaged_file(cut: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0
    stored = bytearray(path.read_bytes())
    if not cut:
        stored[100:4096] = b"\xaa" * (4096 - 100)  # the first page behind its header: the list of tables
    path.write_bytes(stored[: len(stored) // 2] if cut else stored)
    assert migrate(f"sqlite:///{path}", monkeypatch) == BY_TEXT["malformed"]
    monkeypatch.setenv("DISCORD_TOKEN", "never.sent.anywhere")
    for command in ("run", "db check", "db rebuild", f"backup {tmp_path / 'games.backup'}"):
        run = CliRunner().invoke(main, command.split())
        assert (command, run.exit_code, run.output) == (command, UNREACHED, BY_TEXT["malformed"] + "\n")


@one_of("zeros", [0, 1, 100, 4096, 100_000])
def test_a_file_that_has_lost_its_content(zeros: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not begin as a new bot without a word."""
    path = tmp_path / "games.sqlite3"
    path.write_bytes(bytes(zeros))
    assert migrate(f"sqlite:///{path}", monkeypatch).startswith(f"{path} is empty")
    assert path.read_bytes() == bytes(zeros)
    path.unlink()
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0


def test_a_log_whose_file_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, log = tmp_path / "games.sqlite3", tmp_path / "games.sqlite3-wal"
    log.write_bytes(b"a move that only the log holds")
    assert migrate(f"sqlite:///{path}", monkeypatch).startswith(f"{path} is missing, but its write-ahead log")
    assert not path.exists()
    assert log.read_bytes()


@pytest.mark.parametrize(("part", "code"), [("database", "3D000"), ("username", "28000")])
def test_postgres_without_that_database_or_role(
    part: str, code: str, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = make_url(postgres_url).set(**{part: "nobody_knows"})
    assert migrate(wrong.render_as_string(hide_password=False), monkeypatch) == BY_CODE[code]


@pytest.fixture
def own_server(postgres_server: str) -> Iterator[str]:
    """The URL of a server of this process alone, whose rules about who comes in may be changed."""
    if URL_VARIABLE not in os.environ:
        yield postgres_server
        return
    with embedded() as url:
        yield url


async def ask(url: str, question: str) -> str:
    connection = await asyncpg.connect(make_url(url).render_as_string(hide_password=False))
    try:
        return str(await connection.fetchval(question))
    finally:
        await connection.close()


@pytest.fixture
def guarded_url(own_server: str) -> Iterator[str]:
    """A database of a role that has to give its password; for all others the server stays as it is."""
    rules = Path(asyncio.run(ask(own_server, "SHOW hba_file")))
    before = rules.read_text(encoding="utf-8")
    asyncio.run(order(own_server, f"CREATE ROLE {GUARDED} LOGIN PASSWORD 'right'"))
    asyncio.run(order(own_server, f"CREATE DATABASE {GUARDED} OWNER {GUARDED}"))
    try:
        lines = [f"local all {GUARDED} scram-sha-256"]
        lines += [f"host all {GUARDED} {address} scram-sha-256" for address in ("127.0.0.1/32", "::1/128")]
        rules.write_text("\n".join([*lines, before]), encoding="utf-8")
        asyncio.run(order(own_server, "SELECT pg_reload_conf()"))
        yield make_url(target(own_server, GUARDED)).set(username=GUARDED).render_as_string(hide_password=False)
    finally:
        rules.write_text(before, encoding="utf-8")
        asyncio.run(order(own_server, "SELECT pg_reload_conf()"))
        asyncio.run(order(own_server, f"DROP DATABASE {GUARDED} WITH (FORCE)", f"DROP ROLE {GUARDED}"))


def test_postgres_with_a_wrong_password(sqlite_url: str, guarded_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded = make_url(guarded_url)
    for password in ("wrong", "", None):
        url = guarded.set(password=password).render_as_string(hide_password=False)
        assert migrate(url, monkeypatch) == BY_CODE["28P01"]
        monkeypatch.setenv("DATABASE_URL", sqlite_url)
        said = CliRunner().invoke(main, ["db", "copy", url]).output
        assert said.startswith("The database does not accept this password. Check the password in URL, or PGPASSWORD.")
    monkeypatch.setenv("DATABASE_URL", guarded.set(password="right").render_as_string(hide_password=False))
    assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0


@pytest.mark.parametrize(
    ("variable", "what"),
    [
        ("PGSSLMODE", "`sslmode` parameter must be one of: disable, allow, prefer, require, verify-ca, verify-full"),
        ("PGSSLNEGOTIATION", "`sslnegotiation` parameter must be one of: postgres, direct"),
    ],
)
def test_a_variable_that_the_driver_refuses(variable: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "nonsense")
    said = f"The driver of PostgreSQL refuses a setting: {what}. Check DATABASE_URL, and variables such as PGSSLMODE."
    assert migrate("postgresql://u@127.0.0.1:9/games", monkeypatch) == said


@pytest.mark.parametrize(
    ("certificate", "says"),
    [
        ("", BY_TEXT["root certificate file"]),
        (
            "/not/there.crt",
            "The database cannot be reached: PGSSLROOTCERT names /not/there.crt, which is no file (127.0.0.1, port 9)",
        ),
    ],
)
def test_postgres_whose_certificate_cannot_be_verified(
    certificate: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PGSSLROOTCERT", certificate)
    assert migrate("postgresql://u@127.0.0.1:9/games?sslmode=verify-full", monkeypatch) == says


def test_postgres_that_takes_no_writes(
    empty_postgres_url: str, postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = make_url(empty_postgres_url).database
    asyncio.run(order(postgres_server, f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    assert migrate(empty_postgres_url, monkeypatch) == BY_CODE["25006"]


@pytest.mark.changes_schema
def test_a_start_on_postgres_that_takes_no_writes_any_more(
    postgres_url: str, postgres_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing has to be changed at the start, and the first move would fail. What only reads works."""
    name = make_url(postgres_url).database
    asyncio.run(order(postgres_server, f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    monkeypatch.setenv("DATABASE_URL", postgres_url)
    monkeypatch.setenv("DISCORD_TOKEN", "never.sent.anywhere")
    backup = tmp_path / "one.backup"
    for command in (f"backup {backup}", f"db copy sqlite:///{tmp_path / 'new.sqlite3'}", "db check"):
        run = CliRunner().invoke(main, command.split())
        assert run.exit_code == 0, run.output
    older = f"db downgrade {revisions()[0]} --yes"
    for command in ("run", "db upgrade", "db rebuild", older, f"restore {backup}"):
        run = CliRunner().invoke(main, command.split())
        assert (command, run.exit_code, run.output) == (command, UNREACHED, BY_CODE["25006"] + "\n")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (sqlite3.OperationalError("attempt to write a readonly database"), BY_TEXT["readonly database"]),
        (sqlite3.OperationalError("database or disk is full"), BY_TEXT["disk is full"]),
        (OSError(errno.ENOSPC, "No space left on device"), BY_TEXT["disk is full"]),
        (PermissionError(errno.EACCES, "Permission denied"), BY_TEXT["readonly database"]),
    ],
)
def test_errors_that_a_test_cannot_cause(error: Exception, sentence: str) -> None:
    """Root may write everywhere."""
    wrapped = DBAPIError("SELECT 1", None, error)
    wrapped.__cause__ = error
    assert explained(error) == explained(wrapped) == sentence


def test_other_errors_are_not_explained_away() -> None:
    assert explained(ValueError("a fault of ours")) is None


async def test_a_server_that_takes_no_writes_any_more_is_an_outage(postgres_url: str, postgres_server: str) -> None:
    """A standby answers after a fail-over. Only a start that has to change the schema ends with the sentence above."""
    name = make_url(postgres_url).database
    async with Database(postgres_url) as database:
        await order(postgres_server, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        with structlog.testing.capture_logs() as lines, pytest.raises(DBAPIError) as refused:
            async with database.writing() as connection:
                await connection.execute(delete(games))
        assert is_outage(refused.value)
        assert [line["event"] for line in lines] == ["database_unavailable"]
        await order(postgres_server, f"ALTER DATABASE {name} RESET default_transaction_read_only")
