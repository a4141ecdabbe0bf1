"""The time off that comes again every day or week: a player's rest hours and days off."""

from collections.abc import Mapping
from typing import Final

from bot.players.zones import offsets, span
from engine.core.hours import Hours

WEEKENDS: Final[Mapping[str, tuple[int, ...]]] = {"none": (), "sat_sun": (5, 6), "fri_sat": (4, 5)}
"""The values of the preference ``weekend`` as days; 0 is Monday."""


def hours_of(preferences: Mapping[str, str], since: int, now: int) -> Hours:
    """Returns a player's rest hours and days off by their preferences, with the offsets of their zone from ``since``
    on.

    ``since`` and ``now`` in ms since 1970.
    """
    rest, weekend = span(preferences["rest"]), WEEKENDS[preferences["weekend"]]
    if rest is None and not weekend:
        return Hours()
    return Hours(rest, weekend, offsets(preferences["zone"], since, now))
