"""The content of a picture besides the position."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeVar, cast

from engine.core.game import Mark, Seat

DEFAULT_THEME = "wood"
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class View:
    """The content of a picture besides the position. It has all text of the picture, in the reader's language.

    Cells are named as in :class:`engine.core.game.Mark`.
    """

    below: Seat = 0
    """The seat at the lower edge of the board."""
    theme: str = DEFAULT_THEME
    last: tuple[Mark, ...] = ()
    """The marks of the last play."""
    chosen: tuple[Mark, ...] = ()
    """The marks of an unconfirmed draft (see ``before``)."""
    before: Hashable = None
    """The position before the draft. Its seat to move and its dice are still shown.

    Without it, ``chosen`` is a plan that the position does not show yet: its pieces stand at their origins.
    """
    targets: tuple[tuple[str, str], ...] = ()
    """Cells that may be chosen next, each with its short label: ``(("b4", "A"), ("c5", "B"))``.

    An empty label stands for a piece that may be chosen and gets a ring. Other labels are drawn on a badge.
    """
    names: tuple[str, str] = ("", "")
    """The players' names, by seat."""
    ratings: tuple[str, str] = ("", "")
    """The texts behind the players' names, by seat: ``(1532)``, or ``1532 (+11)`` on a result card."""
    sides: tuple[str, str] = ("", "")
    """The seats' names, used for a player whose name the pictures' font cannot draw."""
    scores: tuple[str, str] = ("", "")
    """Each seat's score in the match, such as ``3/7``; empty for a single game."""
    counts: tuple[str, str] = ("", "")
    """Each seat's number in the game, with words: ``194 pips``; if empty, the number stands alone."""
    clocks: tuple[str, str] = ("", "")
    """The time that each seat has left, or any other short text."""
    passed: tuple[Seat, tuple[int, int]] | None = None
    """The seat that has just passed, with the dice that allowed no move."""
    over: bool = False
    """Whether the game is over although the position allows a move, as after a resignation. For the texts,
    not drawn.
    """
    stopped: tuple[bool, bool] = (False, False)
    """The seats whose clock is shown as stopped, for time off or a pause, although it is their turn."""


def begun(state: S, view: View) -> S:
    """Returns the position before the draft; without a draft, the state itself."""
    return state if view.before is None else cast("S", view.before)


@dataclass(frozen=True, slots=True)
class Card:
    """The texts of a result card. Empty ones are left out.

    The players' names come from ``View.names``, the line of their ratings from ``View.ratings``.
    """

    winner: Seat | None
    """None for a draw."""
    title: str = ""
    """The text at the top: the game, the tournament."""
    result: str = ""
    """The text in large letters: the points won, the score."""
    how: str = ""
    """The reason of the end; three lines at most."""
    facts: tuple[str, ...] = ()
    """Details, at most three: the number of turns, the date."""
