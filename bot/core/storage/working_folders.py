"""Folders for the unfinished files of a command, which hold secrets and personal data.

They go with the command. If it is killed, the next one in the same place removes them.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import structlog

from bot.core.storage.faults.start_errors import naming_full_disk
from bot.core.storage.migrate import locked

LOCK: Final = ".in-use"
"""A file in the folder that its command locks: the lock ends with the process."""

log = structlog.get_logger(__name__)


@contextmanager
def working_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Makes a folder for this command alone, and removes those with the same prefix that killed commands have left.

    Raises DiskFull if the block finds no room there.
    """
    with naming_full_disk(parent), TemporaryDirectory(dir=parent, prefix=prefix) as name:
        folder = Path(name)
        with (folder / LOCK).open("a+b") as lock:
            with suppress(OSError):  # a file system without locks: what is left there stays
                locked(lock)
            for other in parent.glob(f"{prefix}*"):
                with suppress(OSError):  # another command has removed it, or is about to make it
                    if other != folder and other.lstat().st_uid == folder.stat().st_uid:
                        _remove_left(other)
            try:
                yield folder
            finally:  # before the lock goes, or another command finds files of nobody
                for path in folder.iterdir():
                    if path.name != LOCK:
                        path.unlink()


def _remove_left(folder: Path) -> None:
    """Removes a folder whose command has ended. One with nothing but its lock may be just begun."""
    if not any(path.name != LOCK for path in folder.iterdir()):
        return
    with (folder / LOCK).open("r+b") as lock:
        if locked(lock):
            shutil.rmtree(folder)
            log.warning("leftovers_removed", folder=str(folder))
