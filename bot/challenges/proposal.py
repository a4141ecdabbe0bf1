"""What a challenge proposes: what the user asked for, completed by what is usual, or refused where it does not fit."""

import re
from dataclasses import dataclass
from typing import Final

from bot.ratings.pace import LIVE, pace_of
from engine.core.clock import TimeControl
from engine.core.errors import Refused
from engine.core.game import OptionValue
from engine.kits.cube import OFF, ON
from engine.match.match import Terms
from engine.registry import find

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "challenge.no_points": ("game",),
    "challenge.no_cube": ("game",),
    "challenge.no_beavers": ("game",),
    "challenge.beavers": (),
    "challenge.series_cube": (),
    "challenge.bank_single": (),
    "challenge.bank_none": (),
    "challenge.rating_opponent": (),
    "challenge.rating_text": ("text",),
    "challenge.rating_order": ("low", "high"),
}
"""Message keys and the names of their parameters."""
HIGHEST: Final = 4000
"""The highest rating that can be asked for."""
RANGE: Final = re.compile(r"(\d{1,4})?\s*(?:[-\u2013\u2014]|\.\.)\s*(\d{1,4})?|(\d{1,4})\s*\+", re.ASCII)
SHOWN: Final = 30
"""How many characters of an unreadable text are quoted."""

Ratings = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asked for. None: not said."""

    game: str
    layout: str | None = None
    points: int | None = None
    """The points of a match; 0: a single game."""
    cube: bool | None = None
    games: int | None = None
    """The most games of a series."""
    bank: str | None = None
    beavers: bool | None = None
    rated: bool | None = None
    ratings: str | None = None
    """Who may accept, as typed."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a challenge is about, complete and possible."""

    game: str
    clock: str
    options: dict[str, OptionValue]
    terms: Terms
    rated: bool
    ratings: Ratings


def usual_points(game: str, clock: str) -> int:
    """The points of the match if the user asks for nothing else; 0: a single game. The match has the cube."""
    return 0 if pace_of(clock) == LIVE else find(game).usual_match


def propose(wishes: Wishes, clock: str, opponent: int | None, *, in_server: bool) -> Proposal:
    """The proposal. Raises RuleError for what does not fit together; the rules check the layout later.

    Without wishes for points, games, cube or beavers, it is the game's usual match. A match to points of a game with
    a usual match has the cube if nothing is said. It is rated in servers if nothing is said.
    """
    rules = find(wishes.game)
    known = {option.key for option in rules.options}
    if wishes.points and "points" not in known:
        raise Refused("challenge.no_points", game=rules.name)
    if wishes.cube and "cube" not in known:
        raise Refused("challenge.no_cube", game=rules.name)
    if wishes.beavers and "beavers" not in known:
        raise Refused("challenge.no_beavers", game=rules.name)
    open_to_usual = (wishes.points, wishes.games, wishes.cube, wishes.beavers) == (None,) * 4
    points = usual_points(wishes.game, clock) if open_to_usual else wishes.points or 0
    terms = Terms(points, 1 if wishes.games is None else wishes.games, wishes.bank or "game")
    cube = terms.points > 1 and rules.usual_match > 0 if wishes.cube is None else wishes.cube
    if cube and terms.best_of > 1:
        raise Refused("challenge.series_cube")
    if wishes.beavers and (terms.points or not cube):
        raise Refused("challenge.beavers")
    check_bank(terms, clock)
    options: dict[str, OptionValue] = {"layout": wishes.layout} if wishes.layout else {}
    options |= {"cube": ON if cube else OFF} if "cube" in known else {}
    options |= {"beavers": ON} if wishes.beavers else {}
    if wishes.ratings and opponent is not None:
        raise Refused("challenge.rating_opponent")
    rated = in_server if wishes.rated is None else wishes.rated
    return Proposal(wishes.game, clock, options, terms, rated, read_ratings(wishes.ratings or ""))


def check_bank(terms: Terms, clock: str) -> None:
    """Raises Refused for one bank for a whole match, if there is no match or no bank."""
    if terms.bank != "match":
        return
    if not terms.is_match:
        raise Refused("challenge.bank_single")
    if not clock or not TimeControl.parse(clock).bank:
        raise Refused("challenge.bank_none")


def read_ratings(text: str) -> Ratings:
    """The lowest and the highest rating: of ``1400-1700``, ``1400-``, ``1400+`` or ``-1700``. Raises Refused."""
    typed = text.strip()
    if not typed:
        return None, None
    found = RANGE.fullmatch(typed)
    low, high = (found[1] or found[3], found[2]) if found else (None, None)
    ratings = (int(low) if low else None, int(high) if high else None)
    if ratings == (None, None) or max(ratings[0] or 0, ratings[1] or 0) > HIGHEST:
        raise Refused("challenge.rating_text", text=typed[:SHOWN])
    if ratings[0] is not None and ratings[1] is not None and ratings[0] > ratings[1]:
        raise Refused("challenge.rating_order", low=ratings[0], high=ratings[1])
    return ratings


def write_ratings(ratings: Ratings) -> str:
    """The text that ``read_ratings`` reads as these."""
    low, high = ("" if bound is None else str(bound) for bound in ratings)
    return f"{low}-{high}" if low or high else ""
