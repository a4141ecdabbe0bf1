"""What glibc's allocator does with the memory that the process frees. Other libraries need nothing of this."""

import contextlib
import ctypes
import sys
from typing import Final

ARENA_MAX: Final = (-8, 1)
TRIM_THRESHOLD: Final = (-1, 131_072)
"""Parameters of glibc's mallopt (malloc.h) and their values, as ``MALLOC_ARENA_MAX`` and ``MALLOC_TRIM_THRESHOLD_``."""


def keep_little() -> None:
    """Has all threads share one arena: else each that draws boards keeps some 30 MB. To be called before they start."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another libc, such as musl
            for parameter, value in (ARENA_MAX, TRIM_THRESHOLD):
                ctypes.CDLL(None).mallopt(parameter, value)


def give_back() -> None:
    """Does nothing but with glibc, which keeps free memory between what is in use until it is told to."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another libc, such as musl
            ctypes.CDLL(None).malloc_trim(0)
