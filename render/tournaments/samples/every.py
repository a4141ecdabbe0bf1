"""Every sample by its name."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from render.tournaments import pictures
from render.tournaments.samples.brackets import double, single
from render.tournaments.samples.tables import (
    ARENA,
    CROSSTABLE,
    CROSSTABLE_ALL,
    CROSSTABLE_GROUP,
    CROSSTABLE_LONG,
    NAMES,
    STANDINGS,
    STANDINGS_LARGE,
    STANDINGS_ONE,
    STANDINGS_SHORT,
    halves,
)
from render.tournaments.views import (
    CalendarRow,
    CalendarView,
    LadderChallenge,
    LadderRow,
    LadderView,
    PodiumPlace,
    PodiumView,
    State,
)


def _rung(number: int) -> LadderRow:
    return LadderRow(
        str(number + 1),
        NAMES[number],
        f"{1890 - 31 * number} · {9 - number // 2} won, {number // 3} lost",
        {2: "until 28 Nov", 4: "until 2 Dec", 6: "until 30 Nov", 9: "not accepted yet"}.get(number, ""),
        (0, 3, -1, -1, 0, 0, 0, 1, -1, 0, 0, 0)[number],
        is_reader=number == 6,
        withdrawn=number == 11,
    )


LADDER: Final = LadderView(
    "Abalone ladder",
    "12 players · 4 challenges",
    tuple(map(_rung, range(12))),
    (LadderChallenge(2, 0), LadderChallenge(4, 1), LadderChallenge(6, 4), LadderChallenge(9, 7, State.PLANNED)),
    "Nobody stands on it yet",
)
_DATES: Final = (
    "2 to 8 Nov",
    "9 to 15 Nov",
    "16 to 22 Nov",
    "23 to 29 Nov",
    "30 Nov to 6 Dec",
    "7 to 13 Dec",
    "14 to 20 Dec",
    "11 to 17 Jan",
    "18 to 24 Jan",
)
_NOW: Final = 3


def _round(number: int) -> CalendarRow:
    name = f"Round {number + 1}"
    if number == _NOW:
        return CalendarRow(name, _DATES[number], State.RUNNING, "14 of 20 finished · 2 days left", 0.7)
    state = State.DONE if number < _NOW else State.PLANNED
    return CalendarRow(name, _DATES[number], state, "After the holidays" * (number == 7))


CALENDAR: Final = CalendarView("Winter Swiss 2026", "9 rounds, one week each", tuple(map(_round, range(9))), zone="UTC")
_PLACES: Final = tuple(
    PodiumPlace(number + 1, NAMES[number], f"{halves(7.5 - number / 2)} points", number == 5) for number in range(8)
)
PODIUM: Final = PodiumView(
    "Winter Swiss 2026", "Abak Evolution Backgammon · Swiss, 9 rounds", _PLACES, ("40 players", "22 November 2026")
)
PODIUM_SHARED: Final = replace(
    PODIUM,
    title="Abak Cup",
    about="Knockout of 16",
    places=tuple(PodiumPlace(place, name) for place, name in zip((1, 2, 3, 3, 5, 5, 5, 5), NAMES, strict=False)),
)

SAMPLES: Final[dict[str, Callable[[str], bytes]]] = {
    name: partial(lambda draw, view, theme: draw(replace(view, theme=theme)), draw, view)
    for name, draw, view in (
        ("standings", pictures.standings, STANDINGS),
        ("standings-one", pictures.standings, STANDINGS_ONE),
        ("standings-short", pictures.standings, STANDINGS_SHORT),
        ("standings-arena", pictures.standings, ARENA),
        ("standings-large", pictures.standings, STANDINGS_LARGE),
        ("standings-empty", pictures.standings, replace(STANDINGS, rows=(), page="")),
        ("crosstable", pictures.crosstable, CROSSTABLE),
        ("crosstable-long", pictures.crosstable, CROSSTABLE_LONG),
        ("crosstable-group", pictures.crosstable, CROSSTABLE_GROUP),
        ("crosstable-all", pictures.crosstable, CROSSTABLE_ALL),
        ("bracket-16", pictures.bracket, single(16, 16, 13, third=True)),
        ("bracket-6", pictures.bracket, single(6, 8, 9, third=True)),
        ("bracket-64", pictures.bracket, replace(single(64, 64, 50), page=2)),
        ("bracket-64-end", pictures.bracket, replace(single(64, 64, 60), page=5)),
        ("double-8", pictures.bracket, double(8, 8, 10)),
        ("double-5", pictures.bracket, double(5, 8, 20)),
        ("double-16-losers", pictures.bracket, replace(double(16, 16, 27), page=3)),
        ("ladder", pictures.ladder, LADDER),
        ("calendar", pictures.calendar, CALENDAR),
        ("podium", pictures.podium, PODIUM),
        ("podium-2", pictures.podium, replace(PODIUM, places=_PLACES[:2])),
        ("podium-3", pictures.podium, replace(PODIUM, places=_PLACES[:3])),
        ("podium-shared", pictures.podium, PODIUM_SHARED),
    )
}
