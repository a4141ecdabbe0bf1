"""Rules by topic and guided tours, as data: positions, plays and message keys, without sentences.

The texts of a game's topics and lessons are under ``<game>.topic.<key>.title``, ``<game>.topic.<key>``,
``<game>.lesson.<key>`` (what to do), ``<game>.lesson.<key>.hint`` and ``<game>.lesson.<key>.done``.
"""

from dataclasses import dataclass
from typing import Final

PLAN: Final = "plan"
"""The key of the topic about the aims of play; read after the tour."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A rule with an example."""

    key: str
    position: str
    """The position text of the example; a seat is to act."""
    steps: str = ""
    """A turn, or its beginning, that shows the rule; drawn as marks on the position."""
    refused: str = ""
    """A play that the rule forbids there: parsing it raises the first of ``errors``."""
    errors: tuple[str, ...] = ()
    """The keys of the refusals that this rule explains."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position and a task to solve in one turn."""

    key: str
    topic: str
    """The key of the rule that it teaches."""
    position: str
    turns: tuple[str, ...]
    """Plays that solve it, whole turns or beginnings; the first is a whole turn, the solution to show."""
    does: tuple[str, ...] = ()
    """Notes of steps. If given, a turn with all of them solves the lesson as well."""
    key_plays: tuple[str, ...] = ()
    """Further plays.

    If given, a turn with all steps of one of them, and all notes of ``does``, solves the lesson as well.
    """
    refused: str = ""
    """A tempting play that the rule forbids; for rules that leave no choice, the refusal is the lesson."""
