"""Turns as text: writing the canonical text, and splitting a typed one into hops (backgammon.md, Notation)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from engine.core.errors import BadNotation, IllegalMove
from engine.games.backgammon.board import BAR, OFF, State, sides
from engine.games.backgammon.masks import BIT, MOVES, Move, free_of, occupied_by, sources
from engine.games.backgammon.moves import PASS, Action, hits, legal_moves, moved
from engine.kits.cube import CubeAction
from engine.kits.dice import Roll

NO_PLAY: Final = "pass"
_PASSES: Final = {"pass", "passes", "nomove", "noplay", "cannotmove"}

_PLACE: Final = r"(?:bar|off|b|o|\d{1,2})"
_LANDING: Final = rf"[-/x]\s*{_PLACE}\s*\**\s*"
_ITEM: Final = re.compile(rf"({_PLACE}\s*(?:{_LANDING})+)(?:\(\s*([1-4])\s*\)\s*(\**))?\s*[,;]?\s*", re.ASCII)
_PART: Final = re.compile(rf"({_PLACE})\s*(\**)", re.ASCII)
_MOST_HOPS: Final = 8
_STROKES: Final = str.maketrans(dict.fromkeys("\u2013\u2014\u2212\u2192>\\", "/"))


Way: TypeAlias = tuple[int, ...]
"""The own points that one checker visits in a turn."""


class Typed(NamedTuple):
    """A typed turn: hops of one checker (each with one die or more), and the points marked as hit."""

    hops: tuple[Move, ...]
    stars: frozenset[int]


# --- writing ---------------------------------------------------------------------------------------------------------


_NAMES: Final = ("off", *map(str, range(1, BAR)), "bar")
_MARKED: Final = tuple(f"{name}*" for name in _NAMES)


def place(point: int) -> str:
    """Names an own point: ``bar``, ``off`` or its number."""
    return _NAMES[point] if OFF <= point <= BAR else str(point)


def step_text(move: Move) -> str:
    """Writes one step alone, without marks."""
    return f"{place(move.source)}/{place(move.target)}" if move != PASS else NO_PLAY


def write(state: State, steps: Sequence[Action]) -> str:
    """Writes a turn or its beginning: the highest point first, one checker's moves joined, stops only where needed.

    A stop is needed if the checker hit there, or if the text could otherwise be read as another turn.
    """
    if not steps:
        return ""
    own, other = sides(state)
    moves: list[Move] = []
    struck: set[int] = set()
    for step in steps:
        if isinstance(step, Roll | CubeAction):
            return " ".join(str(roll) for roll in steps)
        if step == PASS:
            return NO_PLAY
        if hits(other, step):
            struck.add(step.target)
        own, other = moved(own, other, step)
        moves.append(step)
    ways = Counter(_ways(moves))
    stars = {point: _hitter(ways, point) for point in struck}
    parts = []
    for way in sorted(ways, key=lambda way: (-way[0], -way[-1], way)):
        marked = {point for point, hitter in stars.items() if hitter == way}
        shown = marked.union(way[1:-1]) if len(way) == 3 and _misread(state, way, marked) else marked
        stops = [point for point in way[1:-1] if point in shown] if shown else []
        text = "/".join([_NAMES[way[0]], *((_MARKED if to in marked else _NAMES)[to] for to in (*stops, way[-1]))])
        parts.append(text if ways[way] == 1 else f"{text}({ways[way]})")
    return " ".join(parts)


def _ways(moves: Sequence[Move]) -> list[Way]:
    """Joins the moves into ways of single checkers, each as long as possible. Keeps one list for each set of moves."""
    ways: list[list[int]] = []
    for move in sorted(moves, reverse=True):
        way = next((way for way in ways if way[-1] == move.source), None)
        if way is None:
            ways.append([move.source, move.target])
        else:
            way.append(move.target)
    return [tuple(way) for way in ways]


def _hitter(ways: Iterable[Way], point: int) -> Way:
    """Chooses the way that gets the mark of a hit: preferably one that ends there, else one that passes."""
    through = [way for way in ways if point in way[1:]]
    return max(through, key=lambda way: (way[-1] == point, way))


def _misread(state: State, way: Way, marked: AbstractSet[int]) -> bool:
    """Returns whether a way with two different dice, written without its stop, could mean another turn.

    It could if playing the other die first would hit something, or if one die alone bears the checker off.
    """
    source, stop, target = way
    if len(state.dice) != 2 or state.dice[0] == state.dice[1] or stop in marked:
        return False
    own, other = sides(state)
    first, second = source - stop, sum(state.dice) - source + stop
    if target == OFF and second >= source and sources(occupied_by(own), free_of(other), second) & BIT[source]:
        return True
    detour = MOVES[source][second]
    return hits(other, detour) and Move(detour.target, target) in legal_moves(*moved(own, other, detour), (first,))


# --- reading ---------------------------------------------------------------------------------------------------------


def take_apart(text: str) -> Typed | None:
    """Splits a typed turn into its hops; None for a pass. Raises BadNotation or IllegalMove."""
    typed = text.strip().lower().translate(_STROKES)
    if re.sub(r"[\s'.-]", "", typed) in _PASSES:
        return None
    hops: list[Move] = []
    stars: set[int] = set()
    at = 0
    while at < len(typed):
        item = _ITEM.match(typed, at)
        if item is None or len(hops) > _MOST_HOPS:
            raise BadNotation("backgammon.unreadable", text=text.strip())
        at = item.end()
        stops = [_point(word) for word, _ in _PART.findall(item[1])]
        marks = [bool(star) for _, star in _PART.findall(item[1])]
        marks[-1] |= bool(item[3])
        if BAR in stops[1:] and "b" not in item[1]:  # typed as a number
            raise BadNotation("backgammon.no_point", point=BAR)
        for source, target in pairwise(stops):
            if target >= source:
                raise IllegalMove("backgammon.wrong_way", step=f"{place(source)}/{place(target)}")
            hops += [Move(source, target)] * int(item[2] or 1)
        stars.update(point for point, mark in zip(stops, marks, strict=True) if mark)
    if not hops:
        raise BadNotation("backgammon.unreadable", text=text.strip())
    return Typed(tuple(hops), frozenset(stars))


def _point(word: str) -> int:
    """Reads an own point. Raises BadNotation."""
    point = {"b": BAR, "o": OFF}.get(word[0])
    if point is None:
        point = int(word)
    if point > BAR:
        raise BadNotation("backgammon.no_point", point=point)
    return point
