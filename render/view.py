"""How one person looks at a board: everything on a picture that is not the position itself."""

from dataclasses import dataclass

from engine.core.game import Mark, Seat

DEFAULT_THEME = "wood"


@dataclass(frozen=True, slots=True)
class View:
    """What to show besides the position. All text comes from here: a picture knows no language.

    Cells are named as in :class:`engine.core.game.Mark`.
    """

    below: Seat = 0
    """The seat from whose side the board is seen."""
    theme: str = DEFAULT_THEME
    last: tuple[Mark, ...] = ()
    """What the last play touched."""
    chosen: tuple[Mark, ...] = ()
    """The steps of a draft that is not confirmed."""
    targets: tuple[tuple[str, str], ...] = ()
    """Cells that may be chosen next, each with its short label: ``(("b4", "A"), ("c5", "B"))``.

    An empty label stands for a piece that may be chosen: the piece is ringed. Otherwise the place is badged.
    """
    names: tuple[str, str] = ("", "")
    """What the seats' players are called."""
    sides: tuple[str, str] = ("", "")
    """What the seats are called: stands for a name of which the pictures' font can draw no letter."""
    clocks: tuple[str, str] = ("", "")
    """The time that each seat has left, or any other short text."""
    stopped: tuple[bool, bool] = (False, False)
    """Whose time is marked as standing still, though it would be its turn to run: time off, a pause."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a result card says, in the words of the caller. Whatever is empty is left out.

    The players are called as in ``View.names``.
    """

    winner: Seat | None
    """None for a draw."""
    title: str = ""
    """Above all: the game, the tournament."""
    result: str = ""
    """Large: the points won, the score."""
    how: str = ""
    """How the game ended; three lines at most."""
    facts: tuple[str, ...] = ()
    """Lesser things, a line each, three at most: the number of turns, the date."""
