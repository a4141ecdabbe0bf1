"""A disk that is full or read-only, and a file that has lost its content: caused for real, on SQLite.

What a process may do is taken from it before it starts, since root may write everywhere.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from harness.boards import assert_shown_once
from harness.bot import Room, bot_running, told, told_all
from harness.command_line import abakbot
from harness.process import TESTS
from harness.scene import FIRST
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError

from bot.command_line.settings import UNREACHED
from bot.core.storage.database import Database
from bot.core.storage.faults import outages
from bot.core.storage.faults.start_errors import BY_TEXT, explained

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from bot.sandbox.server import Server

pytestmark = pytest.mark.long

THEN: Final = "; import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
NOTHING_GROWS: Final = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))" + THEN
"""Every write into a file fails, as on a full disk."""
RIGHTS_HOLD: Final = "import ctypes; [ctypes.CDLL(None).prctl(24, one, 0, 0, 0) for one in (1, 2)]" + THEN
"""Also for root: PR_CAPBSET_DROP of CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH. Nobody else has them."""
FULL: Final = "The disk of {} is full: 0 MB are free. Make room, then start again."
ROOM: Final = 300_000
"""Bytes for the first half of a database without rows."""
AS_EVER: Final = "pass" + THEN
ENTRIES: Final = "SELECT game_id, seq, body FROM entries ORDER BY game_id, seq"


def path_of(url: str) -> Path:
    return Path(str(make_url(url).database))


def command(before: str, *words: str) -> list[str]:
    return [sys.executable, "-c", before, sys.executable, "-m", "bot", *words]


def started(before: str, url: str) -> tuple[int, str]:
    """Starts the bot on a database that it cannot use; its status, and what it says."""
    given = {"DATABASE_URL": url, "DISCORD_TOKEN": "token", "DISCORD_API_BASE": "http://127.0.0.1:9/api/v10"}
    process = subprocess.run(
        command(before, "run"), env=os.environ | given, cwd=TESTS.parent, capture_output=True, text=True, check=False
    )
    return process.returncode, process.stderr.strip()


def stored(path: Path) -> list[tuple[str, int, str]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(ENTRIES).fetchall()


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Yields a disk of its own, with room for a few MB."""
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    ballast = disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    assert not os.statvfs(disk).f_bavail
    yield
    ballast.unlink()


@contextmanager
def nothing_grows(_: Path) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def small_disk_url(sqlite_url: str, tmp_path: Path) -> Iterator[str]:
    with small_disk(tmp_path / "small") as disk:
        copy = disk / "games.sqlite3"
        copy.write_bytes(path_of(sqlite_url).read_bytes())
        yield f"sqlite:///{copy}"


# --- at the start ----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_disk_that_is_full_at_the_start_is_named(small_disk_url: str) -> None:
    """SQLite may need room before it writes: then it calls that an error of the disk."""
    path = path_of(small_disk_url)
    content = path.read_bytes()
    with filled(path.parent):
        assert started(AS_EVER, small_disk_url) == (UNREACHED, FULL.format(path.parent))
    assert path.read_bytes() == content


def test_a_command_says_which_disk_is_full(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the backup, or that for temporary files."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    with small_disk(tmp_path / "small") as disk, filled(disk):
        os.truncate(disk / "ballast", (disk / "ballast").stat().st_size - ROOM)
        full = (UNREACHED, FULL.format(disk) + "\n")
        assert abakbot("backup", str(disk / "new.backup")) == full
        monkeypatch.setattr("tempfile.tempdir", str(disk))
        assert abakbot("db", "check") == full
        assert [path.name for path in disk.iterdir()] == ["ballast"]


def test_a_disk_that_takes_nothing_at_the_start_is_named(sqlite_url: str) -> None:
    content = path_of(sqlite_url).read_bytes()
    assert started(NOTHING_GROWS, sqlite_url) == (UNREACHED, BY_TEXT["disk I/O error"])
    assert path_of(sqlite_url).read_bytes() == content


@pytest.mark.thorough
def test_a_read_only_disk_is_named_at_the_start(sqlite_url: str) -> None:
    path = path_of(sqlite_url)
    files = [file for file in path.parent.iterdir() if file.is_file()]
    for file in files:
        file.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        assert started(RIGHTS_HOLD, sqlite_url) == (UNREACHED, BY_TEXT["readonly database"])
        assert sorted(path.parent.iterdir()) == sorted(files)
    finally:
        path.parent.chmod(0o700)


@pytest.mark.thorough
def test_a_file_of_zeros_where_the_games_were_waits_for_a_decision(sqlite_url: str) -> None:
    """As after a power cut on some file systems. The bot neither begins anew nor touches it."""
    path = path_of(sqlite_url)
    zeros = bytes(path.stat().st_size)
    assert zeros
    path.write_bytes(zeros)
    status, said = started(AS_EVER, sqlite_url)
    assert status == UNREACHED
    assert said == f"{path} is empty: its games are lost. Restore a backup, or delete the file to begin anew."
    assert path.read_bytes() == zeros


# --- in play ---------------------------------------------------------------------------------------------------------


async def refused_and_then_played(server: Server, url: str, fault: AbstractContextManager[None]) -> None:
    """Checks that a move during the fault is refused in words and not stored, and that play goes on afterwards."""
    async with bot_running(server, url, faults=1) as bot:
        room = Room.of(server, bot)
        live = await room.begin("apb")
        before = stored(path_of(url))
        with fault:
            for _ in range(2):
                await room.type(live, FIRST)
                assert told(room.ana) == room.say("error.no_database")
                assert await room.present() == live
        assert stored(path_of(url)) == before
        assert len(room.boards) == 1
        await room.type(live, FIRST)
        assert_shown_once(room, await room.shown())
        assert stored(path_of(url))[: len(before)] == before
        assert len(stored(path_of(url))) > len(before)


@pytest.fixture
def one_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line in the log, however slow the machine is."""
    monkeypatch.setattr(outages, "SETTLED", 600)


@pytest.mark.usefixtures("one_outage")
async def test_a_disk_that_is_full_in_play_takes_the_move_later(stand_in: Server, small_disk_url: str) -> None:
    await refused_and_then_played(stand_in, small_disk_url, filled(path_of(small_disk_url).parent))


@pytest.mark.usefixtures("one_outage")
async def test_a_disk_that_takes_nothing_in_play_takes_the_move_later(stand_in: Server, sqlite_url: str) -> None:
    await refused_and_then_played(stand_in, sqlite_url, nothing_grows(path_of(sqlite_url)))


@pytest.mark.usefixtures("one_outage")
async def test_what_is_damaged_in_play_is_not_written_to(stand_in: Server, sqlite_url: str) -> None:
    """Afterwards the bot does not start on it, and names the damage."""
    path = path_of(sqlite_url)
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await told_all(bot)
        with closing(sqlite3.connect(path, timeout=30)) as connection:
            assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xaa" * (path.stat().st_size - 4096))
        await room.type(live, FIRST)
        assert told(room.ana) == room.say("error.no_database")
        assert len(room.boards) == 1
    with pytest.raises(DatabaseError) as refused:
        await Database.open(sqlite_url)
    assert explained(refused.value) == BY_TEXT["malformed"]


def test_a_file_that_may_only_be_read_is_named_at_the_start(sqlite_url: str) -> None:
    """SQLite opens it all the same, and would refuse only the first move."""
    path = path_of(sqlite_url)
    asyncio.run(created(sqlite_url))
    before = path.read_bytes()
    path.chmod(0o400)
    assert started(RIGHTS_HOLD, sqlite_url) == (UNREACHED, BY_TEXT["readonly database"])
    assert path.read_bytes() == before


def test_a_first_start_that_could_write_nothing_leaves_no_file(sqlite_url: str) -> None:
    """It would look like one that has lost its games."""
    path_of(sqlite_url).unlink()
    status, _ = started(NOTHING_GROWS, sqlite_url)
    assert status == UNREACHED
    assert not path_of(sqlite_url).exists()
    asyncio.run(created(sqlite_url))


async def created(url: str) -> None:
    """Creates a new, empty database."""
    await (await Database.open(url)).close()
