"""Zip files of at most a given size. They are made in memory; each is returned as soon as it is full."""

import io
import zipfile
import zlib
from typing import Final

LIMIT: Final = 8 * 1024 * 1024
"""Bytes of a zip file. Discord takes files of up to 10 MiB."""
ENTRY: Final = 256
"""The approximate bytes of a zip file's lists for each file in it."""


class Archive:
    """Adds texts to the present zip file, and begins another when it is full."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._buffer = io.BytesIO()
        self._zip = zipfile.ZipFile(self._buffer, "w", zipfile.ZIP_DEFLATED)
        self._size = 0
        """The bytes of what was added to the present file, about."""

    def add(self, name: str, text: str) -> bytes | None:
        """Adds a file. Returns the zip file so far if the new one did not fit in it."""
        data = text.encode()
        size = len(zlib.compress(data, 6)) + ENTRY + len(name.encode()) * 2
        full = None
        if self._size and self._size + size > self._limit:
            full = self.close()
            self._buffer = io.BytesIO()
            self._zip = zipfile.ZipFile(self._buffer, "w", zipfile.ZIP_DEFLATED)
            self._size = 0
        self._zip.writestr(name, data)
        self._size += size
        return full

    def close(self) -> bytes:
        """Returns the last zip file."""
        self._zip.close()
        return self._buffer.getvalue()
