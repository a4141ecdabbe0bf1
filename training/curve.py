"""The picture of a learning curve."""

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

WIDTH: Final = 900
HEIGHT: Final = 500
LEFT: Final = 70
BELOW: Final = 50
MARGIN: Final = 20
INK: Final = "#222222"
FAINT: Final = "#dddddd"
LINE: Final = "#2f6f9f"
STEPS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
LINES: Final = 8

Point: TypeAlias = tuple[int, float, float]
"""How many games were played, or positions learnt; a value after them; and its error bar (95 %)."""


def mean(games: int, each: Sequence[float]) -> Point:
    """Returns the mean of values that do not depend on each other."""
    spread = statistics.stdev(each) if len(each) > 1 else 0.0
    return games, statistics.mean(each), 1.96 * spread / len(each) ** 0.5


def draw(path: Path, curve: Sequence[Point], label: str, below: str = "games of self-play") -> None:
    """Draws the values, with error bars, over the numbers, and saves the picture. ``below`` says what was counted."""
    most = max(games for games, _, _ in curve)
    low = min(points - error for _, points, error in curve)
    high = max(points + error for _, points, error in curve)
    step = next((step for step in STEPS if high - low <= LINES * step), STEPS[-1])
    low, high = step * (low // step), step * (high // step + 1)
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    pen = ImageDraw.Draw(image)

    def at(games: float, points: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - MARGIN) * games / most
        y = MARGIN + (HEIGHT - MARGIN - BELOW) * (high - points) / (high - low)
        return x, y

    for number in range(round((high - low) / step) + 1):
        points = low + number * step
        pen.line([at(0, points), at(most, points)], FAINT)
        pen.text((LEFT - 10, at(0, points)[1]), f"{points:.{2 + (step < 0.01)}f}", INK, anchor="rm")
    for number in range(6):
        games = most * number / 5
        pen.text((at(games, low)[0], at(0, low)[1] + 8), f"{games:,.0f}", INK, anchor="ma")
    pen.text((WIDTH / 2, HEIGHT - 8), below, INK, anchor="md")
    pen.text((LEFT + 10, MARGIN + 6), label, INK, anchor="la")
    for games, points, error in curve:
        pen.line([at(games, points - error), at(games, points + error)], LINE)
    pen.line([at(games, points) for games, points, _ in curve], LINE, 2)
    image.save(path)
