"""Notices if a database's file is no longer the one that was opened.

SQLite goes on writing to a deleted or replaced file, and all of that is gone at the next start. The same holds for its
write-ahead log, and for an emptied file.
"""

import os
from pathlib import Path
from typing import Final

from bot.core.storage.faults.outages import DatabaseReplaced

SMALLEST: Final = 512
"""Bytes of SQLite's smallest page: a database with a table has more."""
ADVICE: Final = (
    "Nothing is saved until the first file is back, or the bot is started again with the file that should be used."
)
LOST: Final = "Nothing is saved any more. Stop the bot, look at the file, and restore a backup if games are missing."


class FileIdentity:
    """Remembers the file at a path as it was at first. Without a path, everything is in order."""

    def __init__(self, path: Path | None) -> None:
        self._path = None if path is None else str(path)  # every transaction asks, and a Path is slower
        self._known: tuple[int, int] | None = None
        self._filled = self._logged = False
        self._lost = ""
        """A fault that only a restart can mend: SQLite's memory no longer fits the file."""

    def check(self) -> None:
        """Remembers the file the first time. Raises DatabaseReplaced if it was deleted, replaced or emptied since."""
        if self._path is None:
            return
        if self._lost:
            raise DatabaseReplaced(self._lost)
        try:
            found = os.stat(self._path)  # noqa: PTH116 - a Path takes three times as long, and every transaction asks
        except FileNotFoundError:
            if self._known is None:  # not made yet
                return
            raise DatabaseReplaced(f"The database file {self._path} was deleted. {ADVICE}") from None
        if self._known is None:
            self._known = (found.st_dev, found.st_ino)
        elif self._known != (found.st_dev, found.st_ino):
            raise DatabaseReplaced(f"The database file {self._path} was replaced by another one. {ADVICE}")
        if found.st_size >= SMALLEST:
            self._filled = True
        elif self._filled:
            self._lose(f"The database file {self._path} was emptied.")

    def check_written(self) -> None:
        """Checks after a commit, which may be in the write-ahead log alone.

        Raises DatabaseReplaced like ``check``, and if that log was deleted.
        """
        self.check()
        if self._path is None:
            return
        if os.access(f"{self._path}-wal", os.F_OK):
            self._logged = True
        elif self._logged:  # while a connection is open, SQLite itself never deletes it
            self._lose(f"The write-ahead log {self._path}-wal was deleted.")

    def _lose(self, what: str) -> None:
        self._lost = f"{what} {LOST}"
        raise DatabaseReplaced(self._lost)
