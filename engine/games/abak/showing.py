"""The effects of a step: notes for labels, marks for pictures."""

from collections.abc import Iterator
from functools import lru_cache

from engine.core.game import Mark, Note
from engine.games.abak.board import BAR, CLASSES, MIDFIELD, OFF, WHOLE, State, cell
from engine.games.abak.keys import named
from engine.games.abak.moves import DRUID, FULL, HALF, HIT, LANDS, PASS, SIDES, TRAP, Step, View, node_of


@lru_cache(maxsize=16)
def _view(state: State) -> View:
    """Returns the facts about a state. They are cached, as the notes and marks of all its steps need them."""
    return View(SIDES[state.turn], node_of(state), state.general)


def effect_of(view: View, step: Step) -> int:
    """Returns the effect of a legal step's first landing: PLAIN, HIT, TRAP, or HALF for a pair capture."""
    return LANDS[CLASSES.index(step.stone) + 1][step.point][view.faces[step.point]]


def notes(state: State, step: Step) -> Iterator[Note]:
    """Yields the effects of a legal step beyond moving. Points have the mover's numbers."""
    if step == PASS:
        yield Note("abak.does.passes")
        return
    if step.source == BAR:
        yield Note("abak.does.enters", {"stone": named(step.stone), "point": step.point})
    view = _view(state)
    column = view.columns[step.point]
    effect = effect_of(view, step)
    if effect == HALF:
        yield Note("abak.does.captures", {"point": step.point})
    elif effect == TRAP:
        yield Note("abak.does.traps", {"stone": named(column[-1]), "point": step.point})
    elif effect == HIT:
        yield Note("abak.does.hits", {"stone": named(column[-1]), "point": step.point})
        if len(column) > 1:  # a run of one is on top of the mover's stones
            yield Note("abak.does.rescues", {"stone": named(column[-2]), "point": step.point})
    elif _secures(view, step):
        yield Note("abak.does.secures", {"point": step.point})
    for stone, source in ((step.stone, step.source), (step.second, step.second_source)):
        if stone and source != BAR:
            yield from _left(view, stone, source, step.point)
    if step.point == OFF:
        yield Note("abak.does.bears_off", {"stone": named(step.stone)})
        if len(state.off[state.turn]) + 1 == len(WHOLE):
            yield Note("abak.does.wins")


def _secures(view: View, step: Step) -> bool:
    """Returns whether the step covers an own druid that holds a prisoner."""
    column = view.columns[step.point]
    alone = len(column) > 1 and column[-2] not in view.side.own
    return step.point in MIDFIELD and alone and view.faces[step.point] % FULL == DRUID and view.faces[step.point] > 0


def _left(view: View, stone: str, source: int, point: int) -> Iterator[Note]:
    """Yields the effects of a stone's leaving its column: a retreat of the general, a freed prisoner."""
    if point > source:
        yield Note("abak.does.retreats", {"point": point})
    column = view.columns[source]
    if len(column) > 1 and column[-1].upper() == stone and column[-2] not in view.side.own:
        yield Note("abak.does.frees", {"stone": named(column[-2]), "point": source})


def marks(state: State, step: Step) -> Iterator[Mark]:
    """Yields the cells that a legal step touches."""
    if step == PASS:
        return
    seat = state.turn
    to = cell(seat, step.point)
    bar = list(state.bar[seat].upper())
    moved = [(step.stone, step.source), (step.second, step.second_source)]
    for stone, source in moved[: 1 + bool(step.second)]:
        level = bar.index(stone) if source == BAR else -1
        yield Mark("from", cell(seat, source), to, level)
        if source == BAR:
            del bar[level]
    yield Mark("to", to)
    effect = effect_of(_view(state), step)
    if effect in {HIT, HALF}:
        yield Mark("hit", to, cell(1 - seat, BAR))
    elif effect == TRAP:
        yield Mark("trap", to)
