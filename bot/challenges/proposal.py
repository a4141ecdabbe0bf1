"""The proposal of a challenge: the user's wishes, completed by usual values, or refused if they do not fit together.

A form holds it as a draft, in the custom_ids of its buttons.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.core.interactions.press import InvalidPress
from bot.players.machines import is_machine
from bot.ratings.pace import LIVE, pace_of
from engine.core.clock import TimeControl
from engine.core.errors import Refused, RuleError, Translated
from engine.core.game import Option, Options, OptionValue, Seat
from engine.kits.cube import LONGEST, OFF, ON
from engine.kits.cube import OPTIONS as CUBE_OPTIONS
from engine.match.match import MOST_GAMES, Terms
from engine.registry import GAMES, find

HIGHEST: Final = 4000
"""The highest rating that can be asked for."""
RANGE: Final = re.compile(r"(\d{1,4})?\s*(?:[-\u2013\u2014]|\.\.)\s*(\d{1,4})?|(\d{1,4})\s*\+", re.ASCII)
DRAWN: Final = "drawn"
SHOWN: Final = 30
"""The most characters of an unreadable text that are quoted."""

Ratings = tuple[int | None, int | None]


COMMON: Final = {"layout", *(option.key for option in CUBE_OPTIONS)}
"""The options with rules and texts of their own here."""


def own_options(game: str) -> list[Option]:
    """Returns the options that players choose in this game, besides its layout and the cube."""
    return [option for option in find(game).options if not option.by_match and option.key not in COMMON]


@dataclass(frozen=True, slots=True)
class Wishes:
    """The wishes of the user. None: not given."""

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
    """The ratings that may accept, as typed."""
    jacoby: bool | None = None
    options: Options = field(default_factory=dict)
    """The chosen values of the game's own options."""
    side: str | None = None
    """The name of the challenger's seat; DRAWN or None: the sides are drawn."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The complete and valid content of a challenge."""

    game: str
    clock: str
    options: dict[str, OptionValue]
    terms: Terms
    rated: bool
    ratings: Ratings
    seat: Seat | None = None
    """The challenger's seat; None: it is drawn."""


def usual_points(game: str, clock: str, opponent: int | None, *, newcomer: bool = False) -> int:
    """Returns the points of the match that is proposed without other wishes; 0 for a single game. The match has the
    cube.
    """
    return 0 if newcomer or is_machine(opponent) or pace_of(clock) == LIVE else find(game).usual_match


def propose(wishes: Wishes, clock: str, opponent: int | None, *, in_server: bool, newcomer: bool = False) -> Proposal:
    """Returns the proposal. Raises RuleError for wishes that do not fit together; the rules check the layout later.

    Without wishes for points, games, cube or beavers, it is the game's usual match. By default a match to points has
    the cube if the game has a usual match, and a challenge to people in a server is rated. The defaults for a
    ``newcomer`` are a single game, no cube, and casual.
    """
    rules = find(wishes.game)
    known = {option.key for option in rules.options}
    if wishes.points and "points" not in known:
        raise Refused("challenge.no_points", game=rules.name)
    if wishes.cube and "cube" not in known:
        raise Refused("challenge.no_cube", game=rules.name)
    if wishes.beavers and "beavers" not in known:
        raise Refused("challenge.no_beavers", game=rules.name)
    if wishes.jacoby is not None and "jacoby" not in known:
        raise Refused("challenge.no_jacoby", game=rules.name)
    for key in wishes.options:
        if key not in known:
            raise Refused("challenge.no_option", game=rules.name, option=Translated(f"@option.{key}"))
    open_to_usual = (wishes.points, wishes.games, wishes.cube, wishes.beavers, wishes.jacoby) == (None,) * 5
    points = usual_points(wishes.game, clock, opponent, newcomer=newcomer) if open_to_usual else wishes.points or 0
    terms = Terms(points, 1 if wishes.games is None else wishes.games, wishes.bank or "game")
    usually_cube = terms.points > 1 and rules.usual_match > 0 and not newcomer
    cube = usually_cube if wishes.cube is None else wishes.cube
    if cube and terms.best_of > 1:
        raise Refused("challenge.series_cube")
    if wishes.beavers and (terms.points or not cube):
        raise Refused("challenge.beavers")
    if wishes.jacoby is not None and (terms.points or not cube):
        raise Refused("challenge.jacoby_cube")
    check_bank(terms, clock)
    options: dict[str, OptionValue] = {"layout": wishes.layout} if wishes.layout else {}
    options |= {"cube": ON if cube else OFF} if "cube" in known else {}
    options |= {"beavers": ON} if wishes.beavers else {}
    options |= {} if wishes.jacoby is None else {"jacoby": ON if wishes.jacoby else OFF}
    options |= wishes.options
    if wishes.ratings and opponent is not None:
        raise Refused("challenge.rating_opponent")
    usually_rated = in_server and not newcomer and not is_machine(opponent)
    rated = usually_rated if wishes.rated is None else wishes.rated
    return Proposal(wishes.game, clock, options, terms, rated, read_ratings(wishes.ratings or ""), seat_of(wishes))


def seat_of(wishes: Wishes) -> Seat | None:
    """Returns the seat that the challenger asks for; None if it is drawn.
    Raises Refused for a side that the game lacks.
    """
    rules = find(wishes.game)
    if wishes.side in {None, DRAWN}:
        return None
    if wishes.side not in rules.seats:
        raise Refused("challenge.no_side", game=rules.name)
    return rules.seats.index(wishes.side)


def check_bank(terms: Terms, clock: str) -> None:
    """Raises Refused for one bank for a whole match, if there is no match or no bank."""
    if terms.bank != "match":
        return
    if not terms.is_match:
        raise Refused("challenge.bank_single")
    if not clock or not TimeControl.parse(clock).bank:
        raise Refused("challenge.bank_none")


def read_ratings(text: str) -> Ratings:
    """Reads the lowest and the highest rating from ``1400-1700``, ``1400-``, ``1400+`` or ``-1700``. Raises Refused."""
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


def check_ratings(asked: Ratings, rating: float | None) -> None:
    """Raises Refused if the rating, rounded as it is shown, is outside the required range. None always passes."""
    if rating is None:
        return
    low, high = asked
    if low is not None and round(rating) < low:
        raise Refused("challenge.rating_below", rating=round(rating), low=low)
    if high is not None and round(rating) > high:
        raise Refused("challenge.rating_above", rating=round(rating), high=high)


def write_ratings(ratings: Ratings) -> str:
    """Writes the text from which ``read_ratings`` reads these."""
    low, high = ("" if bound is None else str(bound) for bound in ratings)
    return f"{low}-{high}" if low or high else ""


# --- the form ---------------------------------------------------------------------------------------------------------

USUAL: Final = "u"
"""Stands for the server's usual time control, if that is not one of the PRESETS."""
CUBE_MATCHES: Final = (3, 5, 7, 11)
MATCHES: Final = (3, 5, 7)
SERIES: Final = (3, 5, 7)
KIND: Final = re.compile(r"(?:s|p(?P<points>[1-9][0-9]?))(?P<cube>c?)|b(?P<games>[1-9][0-9]?)")
"""The kind of a game, match or series, by the letters of ``Draft.kind``."""
NO_SEAT: Final = ""
SEATS: Final = (NO_SEAT, "0", "1")
"""The sides that a challenger can take, in the order in which the button changes them."""
TIMES: Final = (USUAL, *map(str, range(len(typed_time.PRESETS))))
LONGEST_TIME: Final = 15
"""The most characters of another time control; a custom_id has no room for more."""


def newcomer_defaults(wishes: Wishes, clock: str, opponent: int | None, *, in_form: bool) -> list[str]:
    """Returns the defaults that differ for a newcomer with these wishes: ``single``, ``no_cube`` and ``casual``.

    A form gives every wish, so wishes equal to a newcomer's defaults count as not given there.
    """
    if in_form:
        wishes = replace(wishes, points=wishes.points or None, games=None if wishes.games == 1 else wishes.games)
        wishes = replace(wishes, cube=wishes.cube or None, rated=wishes.rated or None)
    usual, simple = (propose(wishes, clock, opponent, in_server=True, newcomer=newcomer) for newcomer in (False, True))
    differs = {
        "single": usual.terms != simple.terms,
        "no_cube": usual.options.get("cube") != simple.options.get("cube"),
        "casual": usual.rated != simple.rated,
    }
    return [name for name, holds in differs.items() if holds]


@dataclass(frozen=True, slots=True)
class Draft:
    """The choices in the form."""

    game: str
    layout: str
    """The layout; empty for the usual one."""
    kind: str
    """The kind: ``s`` a single game, ``p3`` a match to 3 points, ``b3`` best of 3; a ``c`` after it: with the cube."""
    time: str
    """The number of one of the PRESETS, USUAL, or another time control."""
    rated: bool
    ratings: str
    """The ratings that may accept, if there is no opponent, in the format of ``write_ratings``."""
    seat: str = NO_SEAT
    """The digit of the challenger's seat, or NO_SEAT if it is drawn."""
    changes: str = ""
    """The id of the challenge that the form changes; empty: it makes a new one."""

    def __str__(self) -> str:
        rated = "r" if self.rated else ""
        return f"{self.game},{self.layout},{self.kind},{self.time},{rated},{self.ratings},{self.seat},{self.changes}"

    @classmethod
    def read(cls, text: str) -> "Draft":
        """Reads a draft. Raises InvalidPress for a text that no form writes."""
        game, layout, kind, time, rated, ratings, seat, changes = text.split(",")
        return cls(game, layout, kind, time, rated == "r", ratings, seat, changes)

    def __post_init__(self) -> None:
        if (
            self.game not in GAMES
            or self.layout not in {"", *layouts(self.game)}
            or not self._is_kind
            or not (self.time in TIMES or _is_clock(self.time))
            or self.seat not in SEATS
        ):
            raise InvalidPress

    @property
    def _is_kind(self) -> bool:
        """Whether the game can be played for this kind. A typed challenge can have more kinds than the form offers."""
        found, known = KIND.fullmatch(self.kind), {option.key for option in find(self.game).options}
        if found is None or (found["cube"] and "cube" not in known) or (found["points"] and "points" not in known):
            return False
        return int(found["points"] or 1) <= LONGEST and int(found["games"] or 1) <= MOST_GAMES

    @property
    def wishes(self) -> Wishes:
        number = int(self.kind[1:].removesuffix("c") or 0)
        return Wishes(
            self.game,
            self.layout or None,
            number if self.kind[0] == "p" else 0,
            self.kind.endswith("c"),
            number if self.kind[0] == "b" else 1,
            rated=self.rated,
            ratings=self.ratings,
            side=find(self.game).seats[int(self.seat)] if self.seat else None,
        )


def kinds(game: str) -> list[str]:
    """Returns the kinds of games, matches and series that a game allows, by the letters of ``Draft.kind``."""
    known = {option.key for option in find(game).options}
    found = ["s"]
    found += ["sc"] if "cube" in known else []
    found += [f"p{points}c" for points in CUBE_MATCHES] if {"points", "cube"} <= known else []
    found += [f"p{points}" for points in MATCHES] if "points" in known else []
    return found + [f"b{games}" for games in SERIES]


def clock_of(draft: Draft, server: Mapping[str, str]) -> str:
    if draft.time not in TIMES:
        return draft.time
    return time_limits.default_control(server) if draft.time == USUAL else typed_time.PRESETS[int(draft.time)]


def _is_clock(text: str) -> bool:
    try:
        return len(text) <= LONGEST_TIME and str(TimeControl.parse(text)) == text
    except RuleError:
        return False


def layouts(game: str) -> Sequence[str]:
    """Returns a game's start positions; ``standard`` for a game with only one."""
    return next((option.choices for option in find(game).options if option.key == "layout"), ("standard",))


def boards() -> list[tuple[str, str, Any]]:
    """Returns every game with each of its layouts, up to the number that a menu of Discord holds."""
    return [(key, layout, game) for key, game in GAMES.items() for layout in layouts(key)][:25]
