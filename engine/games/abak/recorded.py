"""Fast parsing of recorded turns: canonical texts of turns that play all dice. ``notation`` parses all others."""

from typing import Final

from engine.games.abak.board import BAR, CLASSES, OFF, State
from engine.games.abak.moves import HALF, SIDES, Move, Step, View, general_after, landings, play, step_of
from engine.games.abak.turns import SPLITS, Dice, ended, place_of, state_at

_POINTS: Final = {"off": OFF, **{str(point): point for point in range(1, BAR)}}
_SOURCES: Final = {
    **{str(point): (point, 0) for point in range(1, BAR)},
    **{f"bar:{letter}": (BAR, stone) for stone, letter in enumerate(CLASSES, 1)},
}
"""The point, and the class if the text names it (else 0)."""


def turn(state: State, text: str) -> tuple[tuple[Step, ...], State] | None:
    """Reads the steps of a turn and the position after it; None for a text that ``notation`` must parse.

    A turn that plays all dice is legal if each of its moves is possible; no other rule can forbid it. Pair captures are
    left to ``notation``.
    """
    side = SIDES[state.turn]
    place = place_of(state)
    steps: list[Step] = []
    for word in text.split(" "):
        name, *stops = word.split("/")
        source = _SOURCES.get(name)
        for stop in stops:
            point = _POINTS.get(stop.rstrip("*^"))
            node, general, left = place
            if source is None or point is None or not left:
                return None
            view = View(side, node, general)
            view.sources = [known for known in view.sources if known[0] == source[0]]
            found = _move(view, source, point, left)
            if found is None:
                return None
            move, rest = found
            place = play(side, node, move), general_after(general, (move,)), rest
            steps.append(step_of((move,)))
            source = (point, 0)
    return None if place[2] else (tuple(steps), state_at(state, ended(place)))


def _move(view: View, source: tuple[int, int], point: int, left: Dice) -> tuple[Move, Dice] | None:
    """Finds the only move from a source to a point, and the dice left after it; None if there is not exactly one."""
    start, stone = source
    found: list[tuple[Move, Dice]] = []
    for die, rest in SPLITS[left]:
        if point != OFF and die != abs(start - point):
            continue
        for move in landings(view, die):
            if move[1] != start or move[2] != point or move[4] == HALF or stone not in {0, move[0]}:
                continue
            if point == OFF and start <= left[-1] < die:
                continue  # as in ``expand``: of two dice that can bear off, use the lower
            found.append((move, rest))
    return found[0] if len(found) == 1 else None
