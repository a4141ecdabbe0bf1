"""Folders of commands: each removes what killed ones have left, and nothing else."""

import errno
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import Mock

import pytest
import structlog

from bot.core.storage.database import Database
from bot.core.storage.faults.start_errors import explained
from bot.core.storage.working_folders import LOCK, working_folder


def filled(folder: Path, *names: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(b"moves")
    return folder


def test_what_is_in_use_or_of_somebody_else_stays(tmp_path: Path) -> None:
    left = filled(tmp_path / ".backup-left", "games", LOCK)
    others = [filled(tmp_path / ".backup-mine", "games"), filled(tmp_path / "backup-1", "games", LOCK)]
    with working_folder(tmp_path, ".backup-") as first:
        assert not left.exists()
        filled(first, "games")
        with structlog.testing.capture_logs() as lines, working_folder(tmp_path, ".backup-") as second:
            assert {*tmp_path.iterdir()} == {first, second, *others}
        assert lines == []
    assert {*tmp_path.iterdir()} == {*others}


def test_a_folder_that_is_just_begun_stays(tmp_path: Path) -> None:
    """Its command has not locked it yet."""
    begun = filled(tmp_path / ".backup-begun", LOCK)
    with working_folder(tmp_path, ".backup-"):
        assert begun.exists()


def test_a_folder_that_is_just_removed_is_not_taken_for_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its command holds no lock any more."""

    class Removed(TemporaryDirectory[str]):
        def __exit__(self, *error: object) -> None:
            monkeypatch.undo()
            with structlog.testing.capture_logs() as lines, working_folder(tmp_path, ".backup-"):
                assert (lines, Path(self.name).exists()) == ([], True)
            self.cleanup()

    monkeypatch.setattr("bot.core.storage.working_folders.TemporaryDirectory", Removed)
    with working_folder(tmp_path, ".backup-") as folder:
        filled(folder, "games")
    assert [*tmp_path.iterdir()] == []


@pytest.fixture(params=[errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP], ids=errno.errorcode.get)
def _without_locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32":
        pytest.skip("there is no flock")
    monkeypatch.setattr("fcntl.flock", Mock(side_effect=OSError(request.param, "no locks")))


@pytest.mark.usefixtures("_without_locks")
def test_a_file_system_without_locks_takes_backups(tmp_path: Path) -> None:
    """Whether a folder there is in use is not known, so all of them stay."""
    left = filled(tmp_path / ".backup-left", "games", LOCK)
    with working_folder(tmp_path, ".backup-") as folder:
        assert {*tmp_path.iterdir()} == {folder, left}
    assert {*tmp_path.iterdir()} == {left}


@pytest.mark.usefixtures("_without_locks")
async def test_a_file_system_without_locks_takes_no_database(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no locks") as refused:
        await Database.open(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    said = explained(refused.value)
    assert said
    assert said.startswith("The file system of the database has no file locks.")
