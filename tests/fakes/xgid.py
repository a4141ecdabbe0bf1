"""Positions of backgammon by the own points of each side."""

from collections.abc import Mapping


def xgid(white: Mapping[int, int], black: Mapping[int, int], rest: str = "0:0:1:00:0:0:0:0:10") -> str:
    """Returns the text of a position; ``rest``: its last nine fields."""
    cells = ["-"] * 26
    for point, count in white.items():
        cells[point] = chr(ord("A") - 1 + count)
    for point, count in black.items():
        cells[25 - point] = chr(ord("a") - 1 + count)
    return f"XGID={''.join(cells)}:{rest}"
