"""The picture of a player's dice: the frequency of each number, beside the opponents' and that of fair dice."""

from dataclasses import dataclass
from typing import Final

from PIL import Image

from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, fitted
from render.theme import Colour, Theme
from render.view import DEFAULT_THEME

_MARGIN: Final = 48
_HEAD: Final = 150
_HIGH: Final = 470
_FOOT: Final = 150
_TITLE, _FACE, _SHARE, _SMALL = 50, 52, 36, 32
_BAR: Final = 66
_BESIDE: Final = 34
"""The widths of a bar of the player and of the opponents."""
_LOWEST: Final = 6
"""The least height of the bar of a rare number."""
FAIR: Final = 1 / 6


@dataclass(frozen=True, slots=True)
class DiceView:
    """The content of the picture. The caller gives all texts."""

    title: str
    about: str
    own: tuple[float, ...]
    """The frequency of each number from 1 to 6, as shares of 1."""
    opponents: tuple[float, ...]
    """The same for the opponents; empty if there are none."""
    shares: tuple[str, ...]
    """``own`` as texts."""
    usual: float
    """The range around a sixth that holds 95 of 100 samples of this size, as a share of 1."""
    legend: tuple[str, str, str]
    """Names of the player's bars, the opponents' bars and the usual range."""
    theme: str = DEFAULT_THEME


def draw_dice(theme: Theme, view: DiceView) -> Image.Image:
    """Draws the picture in full colour (RGB)."""
    top, bottom = _HEAD, _HEAD + _HIGH
    most = max(1.4 * FAIR, *view.own, *view.opponents, FAIR + view.usual) * 1.06
    high = _HIGH - 50

    def level(share: float) -> float:
        return bottom - share / most * high

    def bar(left: float, width: float, share: float, colour: Colour) -> None:
        if share:  # a number that has not come up yet has no bar
            pen.panel((left, min(level(share), bottom - _LOWEST), left + width, bottom), 4, colour)

    pen = Pen(WIDTH, bottom + _FOOT, theme.frame)
    pen.panel((_MARGIN / 2, top, WIDTH - _MARGIN / 2, bottom), 14, theme.active)
    band = (_MARGIN / 2, level(min(FAIR + view.usual, most)), WIDTH - _MARGIN / 2, level(max(FAIR - view.usual, 0)))
    pen.panel(band, 0, theme.frame_light)
    column = (WIDTH - 2 * _MARGIN) / 6
    for number, share in enumerate(view.own):
        middle = _MARGIN + column * (number + 0.5)
        left = middle - (_BAR + _BESIDE * bool(view.opponents)) / 2
        bar(left, _BAR, share, theme.chart)
        if view.opponents:
            bar(left + _BAR + 4, _BESIDE - 4, view.opponents[number], theme.faint)
    pen.line([(_MARGIN / 2, level(FAIR)), (WIDTH - _MARGIN / 2, level(FAIR))], 3, theme.ink)
    room = WIDTH - 2 * _MARGIN
    places = _legend(pen, theme, view, bottom + 112)
    sheet = Sheet(pen.finish())
    sheet.text(_MARGIN, 52, fitted(view.title, _TITLE, room, BOLD), _TITLE, theme.ink, anchor="l", weight=BOLD)
    sheet.text(_MARGIN, 110, fitted(view.about, _SMALL, room), _SMALL, theme.faint, anchor="l")
    for number, told in enumerate(view.shares):
        middle = _MARGIN + column * (number + 0.5)
        highest = max((view.own[number], *view.opponents[number : number + 1]))
        sheet.text(middle, level(highest) - 26, told, _SHARE, theme.ink)
        sheet.text(middle, bottom + 40, str(number + 1), _FACE, theme.ink, weight=BOLD)
    for place, text in zip(places, view.legend, strict=True):
        if text:
            sheet.text(
                place, bottom + 112, fitted(text, _SMALL, round(column * 2 - 60)), _SMALL, theme.faint, anchor="l"
            )
    return sheet.image


def _legend(pen: Pen, theme: Theme, view: DiceView, middle: float) -> list[float]:
    """Draws the three signs of the legend. Returns the left edges of their texts."""
    third = (WIDTH - 2 * _MARGIN) / 3
    places = [_MARGIN + third * number for number in range(3)]
    colours = (theme.chart, theme.faint, theme.frame_light)
    for left, colour, text in zip(places, colours, view.legend, strict=True):
        if text:
            pen.panel((left, middle - 14, left + 28, middle + 14), 4, colour)
    pen.line([(places[2], middle), (places[2] + 28, middle)], 3, theme.ink)
    return [left + 42 for left in places]
