"""Whether a database's file is still the one that was opened.

SQLite goes on writing to a file that was deleted or replaced, and all of that is gone at the next start.
"""

import os
from pathlib import Path

from bot.core.storage.faults.outages import DatabaseReplaced


class FileIdentity:
    """The file at a path, as it was when it was first seen. Without a path, everything is in order."""

    def __init__(self, path: Path | None) -> None:
        self._path = None if path is None else str(path)  # every transaction asks, and a Path is slower
        self._known: tuple[int, int] | None = None

    def check(self) -> None:
        """Remembers the file the first time. Raises DatabaseReplaced if there is none any more, or another one."""
        if self._path is None:
            return
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


ADVICE = "Nothing is saved until the first file is back, or the bot is started again with the file that should be used."
