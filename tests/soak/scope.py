"""Names what a soak has to play: every game to its end, and every tournament that has a channel of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.registry import GAMES
from soak.cups import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from soak.cups import Cup

LONG: Final = 600.0
"""Seconds from which a soak is long enough for everything."""


def finished(game: str) -> str:
    """Returns the name among the facts for games of that key that came to their end."""
    return f"{game} finished"


def unplayed(seconds: float, facts: Mapping[str, int], cups: Sequence[Cup]) -> list[str]:
    """Returns the games and tournaments that a soak of that length should have played, and has not.

    A long one plays everything for which it has the players: a tournament has them if a channel begins with it, as with
    300 players every one of KINDS does. How far a short one gets depends on the machine.
    """
    if seconds < LONG:
        return []
    missing = [game for game in GAMES if not facts.get(finished(game))]
    begun = {kind for cup in cups for kind in cup.started}
    wanted = dict.fromkeys(KINDS[cup.first % len(KINDS)] for cup in cups)
    return [
        *(f"no game of {game} was finished" for game in missing),
        *(f"no tournament of {kind} has begun" for kind in wanted if kind not in begun),
    ]


def left_out(cups: Sequence[Cup]) -> list[str]:
    """Returns the tournaments that were not played because there were too few players or too little time."""
    begun = {kind for cup in cups for kind in cup.started}
    return [str(kind) for kind in KINDS if kind not in begun]
