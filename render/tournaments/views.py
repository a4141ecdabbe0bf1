"""The content of the pictures of tournaments. The caller gives all texts; the pictures know no language and no format.

A name that the pictures' font cannot draw is replaced by ``#`` and the rank, place or seed beside it. Empty texts and
columns without texts take no room.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from render.view import DEFAULT_THEME

STANDINGS_ROWS: Final = 12
CROSSTABLE_ROWS: Final = 16
CROSSTABLE_CELLS: Final = 16
CROSSTABLE_ROUNDS: Final = 10
CALENDAR_ROWS: Final = 12
PODIUM_OTHERS: Final = 7
"""The most rows, cells (rounds whose cells name the opponent) and players of one picture.

A caller with more makes further pages.
"""


class Outcome(StrEnum):
    """The kind of a result for a player. Each has a tile of its own, distinct without colour."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    FORFEIT_WON = "forfeit_won"
    FORFEIT_LOST = "forfeit_lost"
    BYE = "bye"
    """Points without a game."""
    ABSENT = "absent"
    """Neither a game nor points: a round before a late entry or after a withdrawal."""
    RUNNING = "running"
    """Shown by a clock; the text is left out."""
    NONE = "none"
    """Nothing yet: shown by a dash; the text is left out."""
    SELF = "self"
    """The cell in which a player's row and column meet; the text is left out."""


class State(StrEnum):
    """The progress of a round or a pairing."""

    PLANNED = "planned"
    RUNNING = "running"
    DONE = "done"


class Cell(NamedTuple):
    """A result: its text (such as ``1``, ``½`` or ``W``) and its kind."""

    text: str
    outcome: Outcome
    against: str = ""
    """The opponent's rank, if the column does not show it."""


# --- standings --------------------------------------------------------------------------------------------------------


class StandingsHeads(NamedTuple):
    points: str
    tie_breaks: tuple[str, ...] = ()
    """Short: ``BH``."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    rank: str
    name: str
    points: str
    tie_breaks: tuple[str, ...] = ()
    """One for each head."""
    detail: str = ""
    """The line below the name: seed, rating."""
    form: tuple[Cell, ...] = ()
    """The results of the last rounds, the oldest first; at most six."""
    moved: int = 0
    """The number of ranks gained (above 0) or lost (below 0) since the last round."""
    is_reader: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class StandingsView:
    title: str
    about: str
    """The state of the tournament, such as ``Round 3: 14 of 20 finished``."""
    heads: StandingsHeads
    rows: tuple[StandingsRow, ...]
    empty: str = ""
    """The text in place of the rows if there are none."""
    page: str = ""
    """The page, such as ``1 / 4``; empty if there is only one."""
    qualified: int = 0
    """The number of rows above the line of players who go on; 0, or all of them: no line on this page."""
    theme: str = DEFAULT_THEME


# --- crosstable -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    rank: str
    name: str
    points: str
    cells: tuple[Cell, ...]
    """One for each head."""
    is_reader: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class CrosstableView:
    """A page of a crosstable: a cell for each round, or for each opponent."""

    title: str
    about: str
    heads: tuple[str, ...]
    """The heads of the cells: the numbers of the rounds or of the opponents."""
    points: str
    """The head of the points."""
    rows: tuple[CrosstableRow, ...]
    empty: str = ""
    page: str = ""
    qualified: int = 0
    """The same as in ``StandingsView``."""
    theme: str = DEFAULT_THEME


# --- bracket ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BracketLine:
    """One of the two players of a slot, or the player's origin."""

    name: str
    """The player's name; or, with ``known`` false, a text such as ``Winner of 5`` or ``bye``; may be empty."""
    seed: str = ""
    score: str = ""
    known: bool = True
    won: bool = False
    is_reader: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class BracketSlot:
    """A place of a bracket where two players meet."""

    id: str
    """As in ``engine.tournament.model.Pairing.slot``: side, column, ``-`` and row, such as ``W2-1``; ``F1``, ``T1``."""
    lines: tuple[BracketLine, BracketLine]
    tag: str = ""
    """A short name, by which other slots and pages refer to this one, such as ``12``."""
    note: str = ""
    """The text behind the tag."""
    state: State = State.PLANNED
    winner_to: str = ""
    """The id of the winner's next slot; empty for none."""
    hidden: bool = False
    """Whether it is left out of the picture, for a bye. The player's way leads on to ``winner_to``."""
    is_tie: bool = False
    """Whether its last game ended without a winner, in a draw."""

    @property
    def side(self) -> str:
        """``W``, ``L``, ``F`` or ``T``."""
        return self.id[:1]

    @property
    def column(self) -> int:
        """1 upwards within the side."""
        return int(self.id[1:].partition("-")[0])

    @property
    def row(self) -> int:
        """1 upwards within the column."""
        return int(self.id.partition("-")[2] or 1)


@dataclass(frozen=True, slots=True)
class BracketView:
    """A whole bracket, and the page to show (``paging.pages`` has the content of each)."""

    title: str
    about: str
    slots: tuple[BracketSlot, ...]
    """The slots of all sides, in any order; slots that are never played are hidden or left out."""
    heads: tuple[tuple[str, str], ...] = ()
    """Texts by column, such as ``("W1", "Round of 16")``; ``F1`` and ``F2`` for the grand final and its second match,
    ``T1`` for the match for third place."""
    sides: tuple[tuple[str, str], ...] = ()
    """Texts by side, such as ``("L", "Losers' bracket")``; empty for a single elimination."""
    empty: str = ""
    page: int = 1
    """1 upwards; a number too high is the last page."""
    theme: str = DEFAULT_THEME


# --- ladder -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LadderRow:
    rank: str
    name: str
    detail: str = ""
    """The line below the name: rating, wins and losses."""
    note: str = ""
    """The text at the right, such as the time by which a challenge must be played."""
    moved: int = 0
    """The number of places lately gained (above 0) or lost (below 0)."""
    is_reader: bool = False
    withdrawn: bool = False


class LadderChallenge(NamedTuple):
    """A challenge that is not decided: the positions of both players among the rows of the page, from 0."""

    challenger: int
    opponent: int
    state: State = State.RUNNING
    """Planned: not accepted yet."""


@dataclass(frozen=True, slots=True)
class LadderView:
    title: str
    about: str
    rows: tuple[LadderRow, ...]
    challenges: tuple[LadderChallenge, ...] = ()
    """The challenges with both players on the page."""
    empty: str = ""
    page: str = ""
    theme: str = DEFAULT_THEME


# --- calendar ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """A round, or another date such as the end of the registration."""

    name: str
    dates: str
    state: State
    detail: str = ""
    """A detail, such as ``14 of 20 finished``."""
    share: float | None = None
    """The finished share, from 0 to 1, as a bar; None: no bar."""


@dataclass(frozen=True, slots=True)
class CalendarView:
    title: str
    about: str
    rows: tuple[CalendarRow, ...]
    empty: str = ""
    page: str = ""
    zone: str = ""
    """The time zone of the dates, such as ``Europe/Madrid``."""
    theme: str = DEFAULT_THEME


# --- podium -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A player at the end of a tournament."""

    place: int
    """1 upwards. Players who share a place all have its first number: 3 and 3 for a shared third place."""
    name: str
    points: str = ""
    is_reader: bool = False


@dataclass(frozen=True, slots=True)
class PodiumView:
    """The podium: places 1 to 3 stand on steps, the others in a small list below."""

    title: str
    """The tournament's name."""
    about: str
    """The subject, such as the game and the format."""
    places: tuple[PodiumPlace, ...]
    """The places in order, at most ``PODIUM_OTHERS`` of them below the third."""
    facts: tuple[str, ...] = ()
    """Facts, such as the number of players and the date, at most three; they stand in one line at the bottom."""
    theme: str = DEFAULT_THEME
