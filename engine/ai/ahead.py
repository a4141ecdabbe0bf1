"""Lookahead of the higher levels: networks judge positions, and every roll of the other side is answered best."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.ai.chances import Chances
from engine.ai.contract import Candidate, Limit
from engine.ai.cube import Stakes, stakes
from engine.ai.networks import Networks, turned
from engine.core.game import A, Game, Seat
from engine.kits.xgid import NO_MATCH, MatchFields

WIDTHS: Final = (8, 4)
"""How many of the best turns are judged by their replies, and how many of these also by the replies to the replies."""
MARGINS: Final = (0.16, 0.08)
"""How many units a turn may be below the best, to be looked at further: by its replies, and by the replies to these."""
TOGETHER: Final = 4
"""How many turns are judged by their replies at once: many positions take hardly longer than a few."""
CHUNK: Final = 4_000
"""The most positions that are judged at once; it limits the memory."""


class Rolling(Protocol):
    """A position of the backgammon family."""

    @property
    def turn(self) -> Seat: ...
    @property
    def fields(self) -> MatchFields: ...
    def __hash__(self) -> int: ...


R = TypeVar("R", bound=Rolling)


class Asked(Protocol[R, A]):
    """The parts of a player that the lookahead uses."""

    @property
    def game(self) -> Game[R, A]: ...
    @property
    def networks(self) -> Networks: ...
    def known(self, state: R, mover: Seat) -> Chances | None: ...
    def positions(self, states: Sequence[R]) -> NDArray[Any]: ...
    def without_cube(self, state: R) -> R: ...


class Ahead(Generic[R, A]):
    """Judges the turns of a player. Chances are arrays with a row for each field of ``Chances`` and a column for each
    state.
    """

    def __init__(self, player: Asked[R, A]) -> None:
        self._player = player

    def judged(self, states: Sequence[R], mover: Seat, depth: int = 0, fields: MatchFields = NO_MATCH) -> NDArray[Any]:
        """Returns the chances of ``mover`` after its turn, a column for each state.

        ``depth`` is the number of further turns to look ahead. In these, each side plays for what the ``fields`` of the
        match make of the game.
        """
        found = np.empty((len(Chances._fields), len(states)))
        unknown: list[int] = []
        for number, state in enumerate(states):
            known = self._player.known(state, mover)
            if known is None:
                unknown.append(number)
            else:
                found[:, number] = known
        if depth and unknown:
            those_unknown = [states[number] for number in unknown]
            found[:, unknown] = turned(self._by_replies(those_unknown, 1 - mover, depth, fields))
            return found
        for begin in range(0, len(unknown), CHUNK):
            those = unknown[begin : begin + CHUNK]
            positions = self._player.positions([states[number] for number in those])
            found[:, those] = turned(self._player.networks.chances(positions))
        return found

    def _by_replies(self, states: Sequence[R], roller: Seat, depth: int, fields: MatchFields) -> NDArray[Any]:
        """Returns the chances of ``roller`` before its roll: the weighted mean over all rolls, with the best turn for
        each.
        """
        weights, _, chances = self.replies(states, roller, depth, fields)
        each = np.array(weights, float).reshape(len(states), -1)
        mean: NDArray[Any] = (chances.reshape(len(chances), *each.shape) * each).sum(2) / each.sum(1)
        return mean

    def replies(
        self, states: Sequence[R], roller: Seat, depth: int, fields: MatchFields
    ) -> tuple[list[int], list[R], NDArray[Any]]:
        """Returns the weights of all rolls of ``roller`` in each state, the best turns, and its chances after these."""
        game = self._player.game
        weights: list[int] = []
        ends = [0]
        """Where the turns of each roll end in ``afters``."""
        afters: list[R] = []
        for state in states:
            bare = self._player.without_cube(state)
            for roll in game.legal(bare):
                afters += [after for _, after in game.turns(game.apply(bare, roll))]
                weights.append(game.weight(bare, roll))
                ends.append(len(afters))
        chances = self.judged(afters, roller)
        worth = _equities(stakes(fields, roller, fields.cube_value), chances)
        best = [begin + int(np.argmax(worth[begin:end])) for begin, end in pairwise(ends)]
        chosen = [afters[number] for number in best]
        return weights, chosen, chances[:, best] if depth == 1 else self.judged(chosen, roller, depth - 1, fields)

    def plays(self, state: R, limit: Limit, depth: int) -> list[Candidate[A]]:
        """Returns the turns from a state with dice, the best first. Fewer of them are looked at further once time is
        up.
        """
        seat = state.turn
        at = stakes(state.fields, seat, state.fields.cube_value)
        turns = self._player.game.turns(state)
        worth = _equities(at, self.judged([after for _, after in turns], seat))
        order = np.argsort(-worth, kind="stable").tolist()
        for deeper, (width, margin) in enumerate(zip(WIDTHS[:depth], MARGINS, strict=False), 1):
            close = [number for number in order[:width] if worth[order[0]] - worth[number] <= margin]
            looked: list[int] = []
            some = TOGETHER if deeper == 1 else 1
            for begin in range(0, len(close) if len(close) > 1 else 0, some):
                if limit():
                    break
                those = close[begin : begin + some]
                chances = self.judged([turns[number][1] for number in those], seat, deeper, state.fields)
                worth[those] = _equities(at, chances)
                looked += those
            if looked:
                # Fewer replies may make a turn seem too good, so it stays below those that were looked at further.
                others = [number for number in order if number not in looked]
                worth[others] = np.minimum(worth[others], worth[looked].min())
                order = [*sorted(looked, key=lambda number: -worth[number]), *others]
        return [Candidate(turns[number][0], at.points * float(worth[number])) for number in order]


def _equities(at: Stakes, chances: NDArray[Any]) -> NDArray[Any]:
    """Returns the equity of each column with a dead cube, in units."""
    return np.asarray(at.equity(Chances(*chances)))
