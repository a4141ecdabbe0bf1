"""Fast parsing of recorded turns: canonical texts of turns that play all dice. ``reading`` parses all others."""

from typing import Final

from engine.games.backgammon.board import BAR, OFF, State, sides
from engine.games.backgammon.masks import BIT, COUNT, HIT, MOVES, Move, free_of, occupied_by, sources, stepped
from engine.games.backgammon.moves import placed

_POINTS: Final = {"bar": BAR, "off": OFF, **{str(point): point for point in range(1, BAR)}}
_TIMES: Final = {"(2)": 2, "(3)": 3, "(4)": 4}
"""The repetition counts of hops."""


def turn(state: State, text: str) -> tuple[tuple[Move, ...], State] | None:
    """Reads the steps of a turn and the position after it; None for a text that ``reading`` must parse.

    The steps are those that ``reading.parse`` finds first: the checker on the highest point goes first. A turn that
    plays all dice is legal if each of its moves is possible; no other rule can forbid it.
    """
    asked = _hops(text)
    moves = _moves(state, asked[0]) if asked else None
    if not asked or not moves:
        return None
    own, other = sides(state)
    occupied, free = occupied_by(own), free_of(other)
    hits = 0
    for point, die in moves:
        if not sources(occupied, free, die) & BIT[point]:
            return None
        own, occupied = stepped(own, occupied, point, die)
        target = point - die
        if target > 0 and other & COUNT[25 - target]:
            other += HIT[target]
            hits |= BIT[target]
    if hits != asked[1]:
        return None
    return tuple(MOVES[point][die] for point, die in moves), placed(own, other, state)


def _hops(text: str) -> tuple[list[tuple[int, int]], int] | None:
    """Reads the from and to of each hop, and the mask of the points that are marked as hit."""
    hops: list[tuple[int, int]] = []
    stars = 0
    for word in text.split(" "):
        times = _TIMES.get(word[-3:], 1)
        source, *stops = word[:-3].split("/") if times > 1 else word.split("/")
        point = _POINTS.get(source)
        for stop in stops:
            name = stop.rstrip("*")
            target = _POINTS.get(name)
            if point is None or target is None or target >= point:
                return None
            if name != stop:
                stars |= BIT[target]
            hops += [(point, target)] * times
            point = target
    return (hops, stars) if hops else None


def _moves(state: State, hops: list[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Finds the point and die of each move of the hops; None unless there is exactly one way to play all dice."""
    high, low = state.dice[0], state.dice[-1]
    if high == low:
        moves = [(point, high) for source, target in hops for point in range(source, target, -high)]
        exact = all(target == OFF or (source - target) % high == 0 for source, target in hops)
        return sorted(moves, reverse=True) if exact and len(moves) == len(state.dice) else None
    if len(state.dice) != 2:
        return None
    if len(hops) == 2:
        moves = sorted(((source, source - target) for source, target in hops), key=lambda move: (-move[0], move[1]))
        return moves if {moves[0][1], moves[1][1]} == {high, low} else None
    (source, target), *more = hops
    if more or source - target != high + low:
        return None
    other = sides(state)[1]
    between = [source - high, source - low]
    if any(other >> 4 * (25 - point) & 15 == 1 for point in between):
        return None  # the order of the dice decides what is hit
    first = low if other >> 4 * (25 - between[1]) & 15 == 0 else high
    return [(source, first), (source - first, high + low - first)]
