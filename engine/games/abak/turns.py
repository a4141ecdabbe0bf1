"""Turns: the steps that can still lead to playing as many dice as possible, and every whole turn (abak.md, Dice).

Positions are searched level by level, one level per die played, so that orders with the same result are followed only
once. Every position keeps its canonical text (abak.md, Notation): of the texts that lead to it, the first in sorting
order.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.core.sized_cache import remembered
from engine.games.abak.board import BAR, CLASSES, OFF, STILL, State, seen_from
from engine.games.abak.moves import (
    HALF,
    HIT,
    PASS,
    SIDES,
    TRAP,
    Action,
    Node,
    Side,
    Step,
    View,
    general_after,
    landings,
    node_of,
    play,
    second_halves,
    step_of,
)

Dice: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[Node, int, Dice]
"""A position within a turn: the node, the general's move, the dice left."""


def split(left: Dice) -> tuple[tuple[int, Dice], ...]:
    """Returns the different dice of ``left``, the higher first, each with the dice that then remain."""
    if not left:
        return ()
    if left[0] == left[-1]:
        return ((left[0], left[1:]),)
    return ((left[0], left[1:]), (left[1], left[:1]))


SPLITS: Final[dict[Dice, tuple[tuple[int, Dice], ...]]] = {
    left: split(left)
    for left in [(), *((die,) * count for die in range(1, 7) for count in range(1, 5))]
    + [(high, low) for high in range(2, 7) for low in range(1, high)]
}


def expand(side: Side, place: Place) -> Iterator[tuple[Action, Place]]:
    """Yields every next action by the rules of movement alone, with the place it leads to.

    If either of two dice can bear off a stone, only the lower one is used here: both are then high enough for every
    stone left, so the other bears off the next one.
    """
    node, general, left = place
    view = View(side, node, general)
    for die, rest in SPLITS[left]:
        for move in landings(view, die):
            if move[2] == OFF and move[1] <= left[-1] < die:
                continue
            after = play(side, node, move)
            moved = general_after(general, (move,))
            if move[4] != HALF:
                yield (move,), (after, moved if rest else STILL, rest)
            elif rest:
                halfway = View(side, after, moved)
                for second in second_halves(halfway, move[2], rest[0]):
                    action = (move, second)
                    now = general_after(general, action) if rest[1:] else STILL
                    yield action, (play(side, after, second), now, rest[1:])


def place_of(state: State) -> Place:
    return node_of(state), state.general, state.dice


def _most(side: Side, place: Place, known: dict[Place, int]) -> int:
    """Computes the greatest number of dice that can be played from ``place``."""
    left = place[2]
    if not left:
        return 0
    most = known.get(place)
    if most is None:
        most = 0
        for _, after in expand(side, place):
            most = max(most, len(left) - len(after[2]) + _most(side, after, known))
            if most == len(left):
                break
        known[place] = most
    return most


class Reach(NamedTuple):
    """An action and the most dice that it leads to."""

    action: Action
    place: Place
    dice: int
    """The most dice that a turn with this action next can play."""


def reaches(state: State) -> list[Reach]:
    """Lists every action by the rules of movement alone, with the most dice that it leads to."""
    side = SIDES[state.turn]
    here = place_of(state)
    known: dict[Place, int] = {}
    return [
        Reach(action, after, len(here[2]) - len(after[2]) + _most(side, after, known))
        for action, after in expand(side, here)
    ]


@lru_cache(maxsize=128)
def steps(state: State) -> dict[Step, Place]:
    """Finds the legal steps of a side with dice left, each with the place it leads to; empty if none can be played.

    The turn is over where no further die can be played.
    """
    found = reaches(state)
    most = max((reach.dice for reach in found), default=0)
    found = [reach for reach in found if reach.dice == most]
    if most == 1 and len(state.dice) == 2:
        high = max(reach.action[0][3] for reach in found)
        found = [reach for reach in found if reach.action[0][3] == high]
    return {
        step_of(action): place if len(state.dice) - len(place[2]) < dice else ended(place)
        for action, place, dice in found
    }


def movements(state: State) -> dict[Step, Place]:
    """Finds the steps that the rules of movement allow, wasteful ones included, each with the place it leads to."""
    return {step_of(action): after for action, after in expand(SIDES[state.turn], place_of(state))}


def state_at(state: State, place: Place) -> State:
    """Returns the state at a place within the turn of ``state``. Without dice, the turn is over."""
    (columns, bar, enemy_bar, off), general, left = place
    seat = state.turn
    board = seen_from(columns, seat)
    if seat == 0:
        bars, trays = (bar, enemy_bar), (off, state.off[1])
    else:
        bars, trays = (enemy_bar, bar), (state.off[0], off)
    if left:
        return State(board, bars, trays, seat, state.roll, left, general, fields=state.fields)
    return State(board, bars, trays, 1 - seat, None, (), fields=state.fields)


def ended(place: Place) -> Place:
    return place[0], STILL, ()


def advance(state: State, step: Step) -> State:
    """Returns the state after a legal step. Ends the turn when no further die can be played. Raises KeyError."""
    if step == PASS and not steps(state):
        return state_at(state, ended(place_of(state)))
    return state_at(state, steps(state)[step])


# --- whole turns -----------------------------------------------------------------------------------------------------

Line: TypeAlias = "tuple[str, int, Line | None, Action]"
"""The text so far, the point of the last stone moved alone (-1 for none), the line before, and the last action."""

_MARKS: Final = {HIT: "*", TRAP: "^"}
_TO: Final = tuple(
    tuple(("off" if point == OFF else str(point)) + _MARKS.get(effect, "") for effect in range(HALF + 1))
    for point in range(BAR)
)
"""``_TO[point][effect]``; the first half of a capture has no mark."""


def source_text(stone: int, source: int) -> str:
    """Writes ``13``, or ``bar:G``."""
    return f"bar:{CLASSES[stone - 1]}" if source == BAR else str(source)


_FROM: Final = tuple(tuple(source_text(stone, source) for source in range(BAR + 1)) for stone in range(7))


def _line(before: Line, action: Action) -> Line:
    stone, source, point, _, effect = action[0]
    text, last, _, _ = before
    if len(action) == 2:
        other, other_source, _, _, _ = action[1]
        pair = f"{_FROM[stone][source]}/{point}+{_FROM[other][other_source]}/{point}*"
        return (f"{text} {pair}" if text else pair), -1, before, action
    if last == source:
        return f"{text}/{_TO[point][effect]}", point, before, action
    hop = f"{_FROM[stone][source]}/{_TO[point][effect]}"
    return (f"{text} {hop}" if text else hop), point, before, action


def _steps_of(line: Line) -> tuple[Step, ...]:
    actions: list[Action] = []
    at: Line | None = line
    while at is not None and at[3]:
        actions.append(at[3])
        at = at[2]
    return tuple(step_of(action) for action in reversed(actions))


class Tree(NamedTuple):
    """All places that a side can reach in a turn, with the canonical line to each."""

    places: dict[Place, Line]
    """The places within the turn, and those at its end with no dice left."""
    ends: dict[Node, Line]
    """The places at the end of a turn that plays as many dice as possible."""


ROOM: Final = 3_000
"""The most places of all trees that are kept; a place takes about 900 bytes, and a tree has 20 to 500 of them."""


@remembered(ROOM, lambda found: len(found.places))
def tree(state: State) -> Tree:
    """Searches everything that can be reached from a state with dice left."""
    side = SIDES[state.turn]
    root: Line = ("", -1, None, ())
    layers: list[dict[Place, Line]] = [{place_of(state): root}, *({} for _ in state.dice)]
    for layer in layers[:-1]:
        for place, line in layer.items():
            for action, after in expand(side, place):
                deeper = layers[len(state.dice) - len(after[2])]
                longer = _line(line, action)
                known = deeper.get(after)
                if known is None or longer[0] < known[0]:
                    deeper[after] = longer
    most = max(used for used, layer in enumerate(layers) if layer)
    last = layers[most]
    if most == 1 and len(state.dice) == 2:
        left = min(place[2] for place in last)
        last = {place: line for place, line in last.items() if place[2] == left}
    ends: dict[Node, Line] = {}
    for (node, _, _), line in last.items():
        if most and (node not in ends or line[0] < ends[node][0]):
            ends[node] = line
    return Tree({place: line for layer in layers for place, line in layer.items()}, ends)


def whole_turns(state: State) -> list[tuple[tuple[Step, ...], State]]:
    """Lists every position that a turn can lead to, with its canonical steps, in the order of their texts."""
    ends = _sorted_ends(state)
    if not ends:
        return [((PASS,), state_at(state, ended(place_of(state))))]
    return [(_steps_of(line), state_at(state, (node, STILL, ()))) for node, line in ends]


def written_turns(state: State) -> list[tuple[tuple[Step, ...], str]]:
    """Lists the same turns with their texts; none if the turn is a pass."""
    return [(_steps_of(line), line[0]) for _, line in _sorted_ends(state)]


def _sorted_ends(state: State) -> list[tuple[Node, Line]]:
    return sorted(tree(state).ends.items(), key=lambda end: end[1][0])


def line_text(state: State, target: State) -> str | None:
    """Writes the canonical text from ``state`` to a ``target`` in its turn or at its end; None if out of reach."""
    reached = tree(state)
    seat = state.turn
    if target.turn == seat and target.dice:
        line = reached.places.get(place_of(target))
    else:
        columns = seen_from(target.columns, seat)
        line = reached.ends.get((columns, target.bar[seat], target.bar[1 - seat], target.off[seat]))
    return line[0] if line else None
