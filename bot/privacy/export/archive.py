"""Zip files of a limited size, made in memory. Each is returned as soon as it is full."""

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
        """The approximate bytes of the present zip file."""

    def add(self, name: str, text: str) -> bytes | None:
        """Adds a file. If it did not fit into the present zip file, returns that one, without the new file."""
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
        self._zip.close()
        return self._buffer.getvalue()
