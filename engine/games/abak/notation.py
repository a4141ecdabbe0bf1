"""Turns as text (abak.md, Notation): writes the canonical text, and reads a typed one.

A typed text is read in its written order. Marks are optional, and only ``+`` is checked.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from engine.core.errors import AmbiguousMove, BadNotation, IllegalMove
from engine.games.abak.board import BAR, OFF, State
from engine.games.abak.moves import PASS, Step
from engine.games.abak.refusals import Choice, Hop, hop_refused, pair_refused, refusal
from engine.games.abak.turns import Place, advance, line_text, movements, state_at, steps
from engine.kits.cube import CubeAction
from engine.kits.dice import Roll

PASS_TEXT: Final = "pass"  # noqa: S105 — a word of the notation
_PASSES: Final = frozenset({"pass", "passes", "nomove", "noplay", "cannotmove"})
_STROKES: Final = str.maketrans(dict.fromkeys("–—−→>\\", "/"))  # noqa: RUF001 — what keyboards make of a stroke
_SOURCE: Final = r"(?:(?:bar|b)\s*:?\s*[sgkdeo]?|[0-9]{1,2})"
_LANDING: Final = r"[-/x]+\s*(?:off|o|[0-9]{1,2}(?![0-9]))\s*[*^]*\s*"
_CHAIN: Final = re.compile(rf"({_SOURCE})\s*[*^]*\s*((?:{_LANDING})+)(?:\(\s*([1-4])\s*\)\s*[*^]*\s*)?([+,;]?)\s*")
_STOP: Final = re.compile(r"off|o|[0-9]{1,2}")
_BAR: Final = re.compile(r"b(?:ar)?\s*:?\s*([sgkdeo]?)")
_MOST_HOPS: Final = 8
_HIGHEST_NAMED: Final = 30
"""The highest point that may be typed. A way back beyond the own 24-point gets a refusal that names the rule."""


_Way: TypeAlias = tuple[tuple[Step, ...], int]
"""Steps, and the number of typed hops that they make up."""


class Asked(NamedTuple):
    """A hop and whether it is joined to the next by ``+``."""

    hop: Hop
    paired: bool


# --- writing ---------------------------------------------------------------------------------------------------------


def write(state: State, played: Sequence[Choice]) -> str:
    """Writes the canonical text of a turn or its beginning: of all orders to the same position, the first when sorted.

    Raises IllegalMove.
    """
    after = state
    for step in played:
        if isinstance(step, Roll | CubeAction):
            return " ".join(map(str, played))
        refused = refusal(after, step)
        if refused is not None:
            raise refused
        if step == PASS:
            return PASS_TEXT
        after = advance(after, step)
    return line_text(state, after) or ""


# --- reading ---------------------------------------------------------------------------------------------------------


def read(state: State, text: str) -> tuple[Step, ...]:
    """Reads the steps of a typed turn or its beginning. Raises BadNotation, AmbiguousMove or IllegalMove."""
    asked = take_apart(text)
    if asked is None:
        return (PASS,)
    reader = _Reader(state.roll.told if state.roll else "", asked, legal=True)
    found: dict[State, tuple[Step, ...]] = {}
    for played, after in reader.follow(state, 0):
        found.setdefault(after, played)
    if not found:
        # Name an impossible move before one that would waste dice, wherever it stands in the text.
        by_movement = _Reader(state.roll.told if state.roll else "", asked, legal=False)
        blamed = reader if next(by_movement.follow(state, 0), None) else by_movement
        raise max(blamed.failed, key=lambda failed: failed[0])[1]
    if len(found) > 1:
        readings = sorted(write(state, played) for played in found.values())
        raise AmbiguousMove("abak.ambiguous", text=text.strip(), readings=readings)
    return next(iter(found.values()))


def take_apart(text: str) -> list[Asked] | None:
    """Splits a typed turn into its hops; None for a pass. Raises BadNotation."""
    typed = text.strip().lower().translate(_STROKES)
    if re.sub(r"[\s'.-]", "", typed) in _PASSES:
        return None
    asked: list[Asked] = []
    at = 0
    joined = True
    while at < len(typed):
        chain = _CHAIN.match(typed, at)
        if chain is None:
            raise BadNotation("abak.unreadable", text=text.strip())
        at = chain.end()
        hops = _hops(chain[1], chain[2]) * int(chain[3] or 1)
        joined = chain[4] == "+"
        asked += [Asked(hop, joined and number == len(hops)) for number, hop in enumerate(hops, 1)]
        if len(asked) > _MOST_HOPS:
            break
    if joined or len(asked) > _MOST_HOPS:
        raise BadNotation("abak.unreadable", text=text.strip())
    return asked


def _hops(source: str, way: str) -> list[Hop]:
    """Reads the hops of one stone. Raises BadNotation."""
    bar = _BAR.fullmatch(source.strip())
    stone = bar[1].upper() if bar else ""
    stops = [BAR if bar else int(source), *(OFF if word[0] == "o" else int(word) for word in _STOP.findall(way))]
    for point in stops:
        if point > _HIGHEST_NAMED:
            raise BadNotation("abak.no_point", point=point)
    if OFF in stops[:-1]:
        raise BadNotation("abak.no_point", point=OFF)
    return [Hop(a, b, stone if number == 0 else "") for number, (a, b) in enumerate(pairwise(stops))]


class _Reader:
    """Searches for the ways to play the typed hops.

    If not ``legal``, only by the rules of movement: steps may waste dice, and dice may be left over.
    """

    def __init__(self, roll: str, asked: list[Asked], *, legal: bool) -> None:
        self.roll = roll
        self.asked = asked
        self.legal = legal
        self.allowed: Callable[[State], Mapping[Step, Place]] = steps if legal else movements
        self.failed: list[tuple[int, IllegalMove]] = []
        """The obstacles found, each with the number of its hop."""

    def follow(self, state: State, at: int) -> Iterator[tuple[tuple[Step, ...], State]]:
        """Yields every way to play the hops from number ``at`` on, with the state after it."""
        if at == len(self.asked):
            yield (), state
            return
        if not state.dice:
            self.failed.append((at, IllegalMove("abak.too_many_moves", roll=self.roll)))
            return
        ways = self._ways(state, at)
        if not ways:
            self.failed.append((at, self._blame(state, at)))
        for played, used in ways:
            reached = state
            for step in played:
                reached = self._after(reached, step)
            for rest, end in self.follow(reached, at + used):
                yield (*played, *rest), end

    def _ways(self, state: State, at: int) -> list[_Way]:
        """Lists the ways to play hop number ``at``, each with the number of hops that it uses.

        They are tried in this order: a single step, a pair capture typed without its mark, several dice without stops.
        """
        hop, paired = self.asked[at]
        if not paired:
            single: list[_Way] = [((step,), 1) for step in self.allowed(state) if not step.second and _fits(step, hop)]
            if single:
                return single
        if at + 1 < len(self.asked):
            second = self.asked[at + 1].hop
            pairs: list[_Way] = [
                ((step,), 2) for step in self.allowed(state) if _fits(step, hop) and _fits_second(step, second)
            ]
            if pairs or paired:
                return pairs
        return [(chain, 1) for chain in self._chains(state, hop)]

    def _blame(self, state: State, at: int) -> IllegalMove:
        hop, paired = self.asked[at]
        if paired:
            return pair_refused(state, hop, self.asked[at + 1].hop)
        while _by_several(hop, state.dice):  # finds the obstacle of the first hop that cannot be played
            first = Hop(hop.source, hop.source - state.dice[0], hop.stone)
            step = next((step for step in self.allowed(state) if not step.second and _fits(step, first)), None)
            if step is None:
                return hop_refused(state, first)
            state, hop = self._after(state, step), Hop(first.point, hop.point)
        return hop_refused(state, hop)

    def _after(self, state: State, step: Step) -> State:
        return state_at(state, self.allowed(state)[step])

    def _chains(self, state: State, hop: Hop) -> Iterator[tuple[Step, ...]]:
        """Yields the ways of one stone with several dice, for a text that leaves out the stops."""
        for step in self.allowed(state):
            if step.second or step.source != hop.source or hop.stone not in {"", step.stone}:
                continue
            if step.point == hop.point:
                yield (step,)
            elif step.point > hop.point:
                after = self._after(state, step)
                if after.dice:
                    for rest in self._chains(after, Hop(step.point, hop.point)):
                        yield (step, *rest)


def _by_several(hop: Hop, dice: tuple[int, ...]) -> bool:
    """Returns whether a hop could be the way of one stone with several dice."""
    far = hop.source - hop.point
    if not dice or not max(dice) < far <= sum(dice):
        return False
    return hop.point == OFF or far == sum(dice) or (dice[0] == dice[-1] and far % dice[0] == 0)


def _fits(step: Step, hop: Hop) -> bool:
    return (step.source, step.point) == hop[:2] and hop.stone in {"", step.stone}


def _fits_second(step: Step, hop: Hop) -> bool:
    return (step.second_source, step.point) == hop[:2] and hop.stone in {"", step.second}
