"""Rules by topic and guided tours, as data: positions, plays and message keys; the sentences live with whoever speaks.

The texts of a game's topics and lessons are under ``<game>.topic.<key>.title``, ``<game>.topic.<key>``,
``<game>.lesson.<key>`` (what to do), ``<game>.lesson.<key>.hint`` and ``<game>.lesson.<key>.done``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.game import A, Game, Mark, S


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


def topic_for(game: Game[S, A], error_key: str) -> Topic | None:
    """The topic that explains a refusal; None if there is none."""
    return next((topic for topic in game.topics if error_key in topic.errors), None)


def case(game: Game[S, A], topic: Topic) -> tuple[S, tuple[Mark, ...]]:
    """What to draw for a topic: the position before its play, and the marks of all steps of the play."""
    state = at = game.decode(topic.position)
    marks: list[Mark] = []
    for step in game.parse(state, topic.steps) if topic.steps else ():
        marks += game.marks(at, step)
        at = game.apply(at, step)
    return state, tuple(marks)


def solves(game: Game[S, A], lesson: Lesson, steps: Sequence[A]) -> bool:
    """Whether a legal turn from the lesson's position, or its beginning, does what is asked for.

    It does if it leads to, or passes through, a position to which one of ``turns`` leads, or does all that ``does``
    names. The order of steps matters only as far as it changes the position.
    """
    state = game.decode(lesson.position)
    wanted = {_after(game, state, game.parse(state, text)) for text in lesson.turns}
    done: set[str] = set()
    for step in steps:
        done.update(note.key for note in game.notes(state, step))
        state = game.apply(state, step)
        if state in wanted:
            return True
    return bool(lesson.does) and done.issuperset(lesson.does)


def _after(game: Game[S, A], state: S, steps: Sequence[A]) -> S:
    for step in steps:
        state = game.apply(state, step)
    return state
