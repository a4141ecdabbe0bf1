"""Settings of Python's collector of cycles and of glibc's allocator, for little memory and short pauses.

Other C libraries need none of this.
"""

import contextlib
import ctypes
import gc
import sys
from typing import Final

ARENA_MAX: Final = (-8, 1)
TRIM_THRESHOLD: Final = (-1, 4_194_304)
MMAP_THRESHOLD: Final = (-3, 1_048_576)
"""Pairs of a parameter of glibc's mallopt (malloc.h) and its value. The environment calls the first two
``MALLOC_ARENA_MAX`` and ``MALLOC_TRIM_THRESHOLD_``.

A picture takes and frees some megabytes in small parts. If each were taken from the system and given back, it would
cost a page fault for every 4 kB: a fifth of the picture's time.
"""
ROUNDS: Final = (5_000, 5, 10)
"""The new objects between two rounds of the collector (some 20 answers, 1 MB), and the rounds between two
larger ones.
"""


def keep_little() -> None:
    """Makes all threads share one arena. Otherwise each thread that draws boards keeps some 30 MB.

    Call it before the threads start.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another libc, such as musl
            for parameter, value in (ARENA_MAX, TRIM_THRESHOLD, MMAP_THRESHOLD):
                ctypes.CDLL(None).mallopt(parameter, value)


def collect_less() -> None:
    """Makes the collector run less often, and skip all objects that exist now. Call it once the bot has started.

    Otherwise each full round visits the 200,000 objects of the start, and no answer is sent meanwhile.
    """
    gc.set_threshold(*ROUNDS)
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Gives free memory back to the system, which glibc keeps between used blocks. Does nothing with other
    libraries.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another libc, such as musl
            ctypes.CDLL(None).malloc_trim(0)
