"""Memory that the process has freed, given back to the system."""

import contextlib
import ctypes
import sys


def give_back() -> None:
    """Does nothing but with glibc, which keeps free memory between what is in use until it is told to."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another libc, such as musl
            ctypes.CDLL(None).malloc_trim(0)
