"""The pictures of tournaments as PNG files. Each takes some tens of milliseconds: call it in a thread."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from PIL import Image

from render.canvas.sheet import png
from render.theme import THEMES, Theme
from render.tournaments.bracket import draw_bracket
from render.tournaments.calendar import draw_calendar
from render.tournaments.crosstable import draw_crosstable
from render.tournaments.ladder import draw_ladder
from render.tournaments.podium import draw_podium
from render.tournaments.standings import draw_standings
from render.tournaments.views import (
    BracketView,
    CalendarView,
    CrosstableView,
    LadderView,
    PodiumView,
    StandingsView,
)
from render.view import DEFAULT_THEME


class _Themed(Protocol):
    @property
    def theme(self) -> str: ...


V = TypeVar("V", bound=_Themed)


def standings(view: StandingsView) -> bytes:
    return _drawn(draw_standings, view)


def crosstable(view: CrosstableView) -> bytes:
    return _drawn(draw_crosstable, view)


def bracket(view: BracketView) -> bytes:
    """Draws the page ``view.page`` of a bracket."""
    return _drawn(draw_bracket, view)


def ladder(view: LadderView) -> bytes:
    return _drawn(draw_ladder, view)


def calendar(view: CalendarView) -> bytes:
    return _drawn(draw_calendar, view)


def podium(view: PodiumView) -> bytes:
    return _drawn(draw_podium, view)


def _drawn(draw: Callable[[Theme, V], Image.Image], view: V) -> bytes:
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return png(draw(theme, view), theme.colours(()))
