"""Functions over topics and lessons: the topic of a refusal, the drawing of a topic, the solution of a lesson."""

from collections.abc import Sequence

from engine.core.game import A, Game, Mark, S
from engine.core.lesson import Lesson, Topic


def topic_for(game: Game[S, A], error_key: str) -> Topic | None:
    """Returns the topic that explains a refusal; None if there is none."""
    return next((topic for topic in game.topics if error_key in topic.errors), None)


def case(game: Game[S, A], topic: Topic) -> tuple[S, tuple[Mark, ...]]:
    """Returns the drawing of a topic: the position before its play, and the marks of all steps of the play."""
    state = at = game.decode(topic.position)
    marks: list[Mark] = []
    for step in game.parse(state, topic.steps) if topic.steps else ():
        marks += game.marks(at, step)
        at = game.apply(at, step)
    return state, tuple(marks)


def solves(game: Game[S, A], lesson: Lesson, steps: Sequence[A]) -> bool:
    """Returns whether a legal turn from the lesson's position, or its beginning, solves the lesson.

    It does if it reaches, at its end or on the way, a position to which one of ``Lesson.turns`` leads. It also does if
    it has the notes and the steps that ``Lesson.does`` and ``Lesson.key_plays`` ask for. The order of steps matters
    only if it changes the position.
    """
    state = game.decode(lesson.position)
    wanted = {_after(game, state, game.parse(state, text)) for text in lesson.turns}
    keys = [game.parse(state, text) for text in lesson.key_plays]
    done: set[str] = set()
    for step in steps:
        done.update(note.key for note in game.notes(state, step))
        state = game.apply(state, step)
        if state in wanted:
            return True
    if not lesson.does and not keys:
        return False
    return done.issuperset(lesson.does) and (not keys or any(set(key).issubset(steps) for key in keys))


def _after(game: Game[S, A], state: S, steps: Sequence[A]) -> S:
    for step in steps:
        state = game.apply(state, step)
    return state
