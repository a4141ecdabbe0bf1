"""Counts which of the 36 rolls hit a blot or bring a checker past a block.

A mask has a bit for each of the roller's own points; bit 25 is the bar.
"""

from functools import lru_cache
from typing import Final

BAR: Final = 25
DICE: Final = range(1, 7)
PAIRS: Final = tuple((high, low) for high in range(2, 7) for low in range(1, high))
BLOCK: Final = 6
"""The length of a block that no checker can pass."""
PLACES: Final = 26


@lru_cache(maxsize=4096)
def turned(mask: int) -> int:
    """Returns a mask in the numbering of the other side."""
    return int(f"{mask:0{PLACES}b}"[::-1], 2)


@lru_cache(maxsize=4096)
def hits(by_odd: int, by_even: int, free: int, blots: int, on_bar: int = 0) -> int:
    """Counts the rolls that hit one of the ``blots``.

    ``by_odd`` and ``by_even`` are the points with checkers of the roller that such dice move, ``free`` those where it
    may land, with the blots, and ``on_bar`` is the number of its checkers on the bar.
    """
    if not blots:
        return 0
    by = (by_even, by_odd)
    if on_bar:
        return _hits_from_bar(by, free, blots, on_bar)
    if by_even | by_odd <= blots & -blots:  # no checker stands behind a blot
        return 0
    others = [die for die in DICE if not by[die & 1] & blots << die]  # no checker hits with such a die alone
    count = 36 - len(others) ** 2
    for low in others:
        for high in others:
            if high > low:
                movable = by[high & 1] & by[low & 1]
                between = (movable >> high & free) >> low | (movable >> low & free) >> high
                if between & blots:
                    count += 2
    return count + sum(_run_hits(by[die & 1], free, blots, die, 4) for die in others)


def _run_hits(movable: int, free: int, blots: int, die: int, times: int) -> bool:
    """Returns whether a checker hits with at most so many dice of the same number."""
    for _ in range(times):
        movable >>= die
        if movable & blots:
            return True
        movable &= free
    return False


def _hits_from_bar(by: tuple[int, int], free: int, blots: int, on_bar: int) -> int:
    count = 0
    for high, low in PAIRS:
        for die, then in ((high, low), (low, high)):
            entry = 1 << BAR - die
            if entry & blots or (on_bar == 1 and entry & free and (by[then & 1] | entry) >> then & blots):
                count += 2
                break
    for die in DICE:
        entry = 1 << BAR - die
        if entry & blots or (entry & free and _run_hits(by[die & 1] | entry, free, blots, die, 4 - on_bar)):
            count += 1
    return count


@lru_cache(maxsize=4096)
def escapes(blocked: int) -> int:
    """Counts the rolls that bring a checker past the last blocked point among the next six.

    Bit *n* of ``blocked`` is the point *n* ahead of the checker.
    """
    last = (blocked & (2 << BLOCK) - 1).bit_length() - 1
    if last < 1:
        return 36
    count = 0
    for high, low in PAIRS:
        both = high + low > last and not blocked >> high + low & 1 and not (blocked >> high & blocked >> low & 1)
        if both or any(die > last and not blocked >> die & 1 for die in (high, low)):
            count += 2
    for die in DICE:
        for way in range(die, 5 * die, die):
            if blocked >> way & 1:
                break
            if way > last:
                count += 1
                break
    return count
