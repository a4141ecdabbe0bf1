"""The counts of rolls, against trying all 36."""

import random
from collections.abc import Iterator

import pytest

from engine.ai.shots import BAR, escapes, hits, turned


def orders(first: int, second: int) -> list[tuple[int, ...]]:
    return [(first,) * 4] if first == second else [(first, second), (second, first)]


def mask(points: list[int]) -> int:
    return sum(1 << point for point in points)


def ways(start: frozenset[int], free: int, blots: int, on_bar: int, dice: tuple[int, ...]) -> Iterator[bool]:
    """Yields for each way to play the dice in this order whether it hits."""
    yield False
    if not dice:
        return
    for point in [BAR] if on_bar else start:
        to = point - dice[0]
        if to > 0 and blots >> to & 1:
            yield True
        elif to > 0 and free >> to & 1:
            yield from ways(start | {to}, free, blots, on_bar - (point == BAR), dice[1:])


@pytest.mark.parametrize("on_bar", [0, 1, 2, 3])
def test_hits_are_those_of_all_rolls(on_bar: int) -> None:
    luck = random.Random(on_bar)
    for _ in range(15):
        own = luck.sample(range(1, BAR), 3)
        free = [point for point in range(1, BAR) if point in own or luck.random() < 0.6]
        blots = [point for point in free if point not in own and luck.random() < 0.2]
        by, at = mask(own), mask(blots)
        expected = sum(
            any(any(ways(frozenset(own), mask(free), at, on_bar, dice)) for dice in orders(first, second))
            for first in range(1, 7)
            for second in range(1, 7)
        )
        assert hits(by, by, mask(free), at, on_bar) == expected


def test_a_checker_bound_to_even_dice_hits_with_these_alone() -> None:
    everywhere = mask([*range(1, BAR)])
    assert hits(0, mask([10]), everywhere, mask([8])) == 11  # each 2
    assert hits(0, mask([10]), everywhere, mask([4])) == 11 + 2 + 1  # each 6, 4-2, 2-2
    assert hits(0, mask([10]), everywhere, mask([7])) == 0


def test_a_full_prime_lets_no_roll_through() -> None:
    assert escapes(0) == 36
    assert escapes(mask([1, 2, 3, 4, 5, 6])) == 0
    assert escapes(mask([1, 2, 3, 4, 5])) == 11  # each 6
    assert escapes(mask([2, 3, 4, 5, 6])) == 2  # 6-1, the 1 first


def test_masks_turn_round() -> None:
    assert turned(mask([1, 6])) == mask([24, 19])
    assert turned(turned(mask([3, 25]))) == mask([3, 25])
