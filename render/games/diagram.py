"""The board of 24 points in letters: for where no picture can be shown."""

from collections.abc import Callable, Iterable
from typing import Final

from engine.core.game import Seat
from engine.kits.dice import dice_of
from render.games.points import TALLEST, DiceState, seen

LETTERS: Final = "OX"
"""White and Black, where stones have no letters of their own."""


def diagram(state: DiceState, below: Seat, held: Callable[[str], str], sides: str) -> str:
    """The board from a seat's side; ``held`` names the stones of a cell, from the edge inwards, a letter each.

    Between the numbers of the points: the stones, the bar in the middle, a seat's number of stones borne off at the end
    of its own row of numbers. ``sides`` are the letters of White and Black before the dice.
    """

    def half(points: range, bar: str, off: int) -> list[str]:
        """The numbers of the points, and the levels of their stacks inwards; the bar fills from the middle."""
        sides = [[_stack(held(str(seen(str(point), below)))) for point in side] for side in (points[:6], points[6:])]
        middle = _stack(bar)[::-1]
        head = f"{_row(map(str, points[:6]))}   |   {_row(map(str, points[6:]))}  {off or ''}"
        levels = range(TALLEST)
        rows = [[_row(stack[level] for stack in side) for side in sides] for level in levels]
        return [head, *(f"{row[0]} | {middle[level]} | {row[1]}" for level, row in zip(levels, rows, strict=True))]

    above = half(range(13, 25), held(f"bar{below}"), len(held(f"off{1 - below}")))
    beneath = half(range(12, 0, -1), held(f"bar{1 - below}"), len(held(f"off{below}")))
    left = state.dice or dice_of(state.roll) if state.roll else ()
    roll = f"{sides[state.turn]} {' '.join(map(str, left))}" if left else ""
    return "\n".join(line.rstrip() for line in (*above, roll.center(41), *beneath[::-1]))


def _row(words: Iterable[str]) -> str:
    return " ".join(f"{word:>2}" for word in words)


def _stack(stones: str) -> list[str]:
    """What stands at each level; the last tells how many there are beyond."""
    shown = list(stones[:TALLEST].ljust(TALLEST))
    if len(stones) > TALLEST:
        shown[-1] = str(len(stones))
    return shown
