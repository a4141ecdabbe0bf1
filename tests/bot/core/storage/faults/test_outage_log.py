"""The log of outages of a database: one entry when it begins, one when it ends."""

from __future__ import annotations

import io
import json
import sqlite3

import pytest
import structlog
from harness.storage import locked
from sqlalchemy.exc import OperationalError

from bot import logs
from bot.core.storage.database import Database
from bot.core.storage.faults.outages import (
    DatabaseReplaced,
    DatabaseUnavailable,
    OutageLog,
    drop_outages,
    is_outage,
)
from bot.core.storage.faults.start_errors import BY_TEXT
from bot.settings import Settings


def test_an_outage_is_logged_when_it_begins_and_when_it_ends() -> None:
    now = 0.0
    outages = OutageLog(lambda: now)
    with structlog.testing.capture_logs() as lines:
        outages.succeeded()
        for _ in range(3):
            outages.failed(locked())
            outages.refused()
        outages.failed(ValueError("a fault of ours"))
        now = 12.5
        outages.succeeded()
        outages.succeeded()
    assert [(line["event"], line.get("seconds"), line.get("refused")) for line in lines] == [
        ("database_unavailable", None, None),
        ("database_available", 12.5, 3),
    ]


def test_a_cause_that_can_be_named_is_logged_although_the_outage_began_with_another() -> None:
    """As when a server ends all connections, and takes no writes on the next ones."""
    outages = OutageLog(lambda: 0.0)
    with structlog.testing.capture_logs() as lines:
        for error in (
            ConnectionResetError(),
            DatabaseUnavailable("no answer"),
            locked(),
            locked(),
            DatabaseUnavailable(""),
        ):
            outages.failed(error)
    assert [line["cause"] for line in lines] == ["no answer", BY_TEXT["database is locked"]]


def test_an_outage_of_writing_does_not_end_with_what_is_read() -> None:
    now = 0.0
    outages = OutageLog(lambda: now)
    with structlog.testing.capture_logs() as lines:
        outages.failed(locked(), writes=True)
        for _ in range(3):
            now += 5.0
            outages.succeeded(wrote=False)
        assert not outages.is_over
        outages.succeeded()
        assert outages.is_over
    assert [line["event"] for line in lines] == ["database_unavailable", "database_available"]


def test_connections_that_learn_of_it_one_after_the_other_make_one_outage() -> None:
    now = 0.0
    outages = OutageLog(lambda: now)
    with structlog.testing.capture_logs() as lines:
        for _ in range(20):
            outages.failed(locked())
            outages.succeeded()
            now += 0.1
        now += 1.0
        outages.succeeded()
    assert [line["event"] for line in lines] == ["database_unavailable", "database_available"]


def test_who_learns_of_it_when_it_is_over_begins_no_other() -> None:
    now = 10.0
    outages = OutageLog(lambda: now)
    with structlog.testing.capture_logs() as lines:
        outages.failed(locked(), began=5.0)
        now = 20.0
        outages.succeeded()
        outages.failed(locked(), began=9.0)
        assert outages.is_over
        outages.failed(locked(), began=20.5)
        assert not outages.is_over
    assert [line["event"] for line in lines] == ["database_unavailable", "database_available", "database_unavailable"]


async def test_a_transaction_that_learns_of_it_late_begins_no_other(sqlite_url: str) -> None:
    now = 0.0
    async with Database(sqlite_url) as database:
        outages = database.outages = OutageLog(lambda: now)
        outages.failed(locked())

        async def read() -> None:
            nonlocal now
            async with database.reading():
                now = 10.0
                outages.succeeded()  # another one has read
                raise locked()

        with structlog.testing.capture_logs() as lines, pytest.raises(OperationalError):
            await read()
    assert [line["event"] for line in lines] == ["database_available"]


def test_what_an_outage_makes_fail_is_not_in_the_log_and_our_own_faults_are() -> None:
    target = io.StringIO()
    logs.configure(Settings.load(log_format="json"), target)
    log = structlog.get_logger("bot.test")
    for error in (locked(), DatabaseReplaced("gone"), ValueError("a fault of ours")):
        log.error("failed", exc_info=error)
    lines = [json.loads(line) for line in target.getvalue().splitlines()]
    assert len(lines) == 1
    assert "a fault of ours" in lines[0]["exception"]
    with pytest.raises(structlog.DropEvent):
        drop_outages(None, "error", {"exc_info": locked()})


def test_what_is_an_outage() -> None:
    no_table = sqlite3.OperationalError("no such table: games")
    no_table.sqlite_errorcode = sqlite3.SQLITE_ERROR
    assert not is_outage(OperationalError("SELECT", {}, no_table))
    assert is_outage(locked())
    assert not is_outage(ConnectionResetError())  # of Discord, say; the database's are wrapped
