"""Whether a database's file is still the one that was opened.

SQLite goes on writing to a file that was deleted or replaced, and all of that is gone at the next start. The same holds
for its write-ahead log, and for a file whose content was taken away.
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
    """The file at a path, as it was when it was first seen. Without a path, everything is in order."""

    def __init__(self, path: Path | None) -> None:
        self._path = None if path is None else str(path)  # every transaction asks, and a Path is slower
        self._known: tuple[int, int] | None = None
        self._filled = self._logged = False
        self._lost = ""
        """What cannot be put right while the bot runs: SQLite's memory no longer fits the file."""

    def check(self) -> None:
        """Remembers the file the first time.

        Raises DatabaseReplaced if there is none any more, or another one, or one without its content.
        """
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
        """After a commit, which may be in the write-ahead log alone.

        Raises DatabaseReplaced as ``check`` does, and if that log was deleted.
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
