"""Topics and lessons at work: which topic explains a refusal, what to draw for it, what solves a lesson."""

from collections.abc import Sequence

from engine.core.game import A, Game, Mark, S
from engine.core.lesson import Lesson, Topic


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
