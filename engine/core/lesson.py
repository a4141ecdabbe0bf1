"""Rules by topic and guided tours, as data: positions, plays and message keys; the sentences live with whoever speaks.

The texts of a game's topics and lessons are under ``<game>.topic.<key>.title``, ``<game>.topic.<key>``,
``<game>.lesson.<key>`` (what to do), ``<game>.lesson.<key>.hint`` and ``<game>.lesson.<key>.done``.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """One rule, with the case that shows it."""

    key: str
    position: str
    """The position text of the case; a seat is to act."""
    steps: str = ""
    """A turn, or its beginning, that the rule is about; shown as marks on the position."""
    refused: str = ""
    """A play that the rule forbids there: reading it raises the first of ``errors``."""
    errors: tuple[str, ...] = ()
    """The keys of the refusals that this rule explains."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position where the player is to do one special thing, in one turn."""

    key: str
    topic: str
    """The key of the rule that it teaches."""
    position: str
    turns: tuple[str, ...]
    """Plays that do it, whole turns or beginnings; the first is a whole turn, to be shown to whoever gives up."""
    does: tuple[str, ...] = ()
    """If given, a turn whose steps have all these notes does it as well."""
    refused: str = ""
    """A play that may tempt, but that the rule forbids: where the rule leaves no choice, this is what is learnt."""
