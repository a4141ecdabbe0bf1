"""What becomes of memory that is no longer needed: Python's collector of cycles, and glibc's allocator.

Other libraries than glibc need nothing of this.
"""

import contextlib
import ctypes
import gc
import sys
from typing import Final

ARENA_MAX: Final = (-8, 1)
TRIM_THRESHOLD: Final = (-1, 4_194_304)
MMAP_THRESHOLD: Final = (-3, 1_048_576)
"""Parameters of glibc's mallopt (malloc.h) and their values, as ``MALLOC_ARENA_MAX`` and ``MALLOC_TRIM_THRESHOLD_``.

A picture takes and frees some megabytes in small parts. Taken from the system and given back each time, they would cost
a page fault for every 4 kB: a fifth of the picture's time.
"""
ROUNDS: Final = (5_000, 5, 10)
"""New objects between two rounds of the collector (some 20 answers, 1 MB), and rounds between two larger ones."""


def keep_little() -> None:
    """Has all threads share one arena: else each that draws boards keeps some 30 MB. To be called before they start."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another libc, such as musl
            for parameter, value in (ARENA_MAX, TRIM_THRESHOLD, MMAP_THRESHOLD):
                ctypes.CDLL(None).mallopt(parameter, value)


def collect_less() -> None:
    """Has the collector look for cycles less often, and never again in what there is now. To be called once started.

    Else it goes through all of the start with each full round: 200,000 objects, during which nobody is answered.
    """
    gc.set_threshold(*ROUNDS)
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Does nothing but with glibc, which keeps free memory between what is in use until it is told to."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another libc, such as musl
            ctypes.CDLL(None).malloc_trim(0)
