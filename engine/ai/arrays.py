"""Arithmetic that serves a number and an array of numbers alike, and names for such values."""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Numbers: TypeAlias = Any
"""A whole number, or a row of them, one for each position."""
Counts: TypeAlias = NDArray[Any]
"""Whole numbers that make up a position, or a row of numbers for each of them."""
Inputs: TypeAlias = NDArray[Any]
"""What a network sees of a position, or a row for each of its inputs."""


def bits(mask: Numbers) -> Numbers:
    """How many bits are set, of the lowest 32."""
    mask = mask - (mask >> 1 & 0x55555555)
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F
    return (mask * 0x01010101 & 0xFFFFFFFF) >> 24
