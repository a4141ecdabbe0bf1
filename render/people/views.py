"""The content of the pictures of players.

The caller gives all texts; the pictures know no language and no rating system.
"""

from dataclasses import dataclass
from typing import NamedTuple

from render.view import DEFAULT_THEME


class Tally(NamedTuple):
    """The numbers of won, drawn and lost results."""

    won: int
    drawn: int
    lost: int

    @property
    def total(self) -> int:
        return sum(self)


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game at one pace in a profile."""

    title: str
    """The game's name."""
    pace: str
    rating: str
    change: str
    """The recent gain or loss of the rating; empty if unknown."""
    curve: tuple[float, ...]
    """The ratings after each rated result, the oldest first; a curve needs at least two."""
    tally: Tally


@dataclass(frozen=True, slots=True)
class Pairing:
    """The results of two players against each other, from the view of the first."""

    title: str
    tally: Tally


class Result(NamedTuple):
    """A recent result: its letter, and its points: 1, 0 or -1."""

    letter: str
    sign: int


@dataclass(frozen=True, slots=True)
class ProfileView:
    """A profile. Letters are those of won, drawn and lost in the reader's language."""

    name: str
    about: str
    rows: tuple[GameRow, ...]
    empty: str
    """The text in place of the rows if there are none."""
    letters: tuple[str, str, str]
    form_title: str = ""
    form: tuple[Result, ...] = ()
    """The latest results, the oldest first."""
    pairing: Pairing | None = None
    facts: tuple[tuple[str, str], ...] = ()
    """Further lines, each with a name and a value."""
    theme: str = DEFAULT_THEME


class Rank(NamedTuple):
    place: str
    name: str
    rating: str
    detail: str
    is_reader: bool = False


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    title: str
    about: str
    ranks: tuple[Rank, ...]
    empty: str
    theme: str = DEFAULT_THEME


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game of a match, as a row."""

    number: str
    winner: str
    how: str
    points: str
    cube: str
    score: str
    """The score after it."""


@dataclass(frozen=True, slots=True)
class MatchCard:
    title: str
    names: tuple[str, str]
    ratings: tuple[str, str]
    """The texts behind the names."""
    scores: tuple[str, str]
    winner: int | None
    """0 or 1, as in ``names``; None if nobody won."""
    how: str
    headings: MatchGame
    """The headings of the columns. Points and cube are left out of all rows if their headings are empty."""
    games: tuple[MatchGame, ...]
    theme: str = DEFAULT_THEME
