"""Folders of commands: each removes what killed ones have left, and nothing else."""

from pathlib import Path

import structlog

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
