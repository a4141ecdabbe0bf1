"""The pairing of a Swiss round, by a library for FIDE's Dutch system (Handbook C.04.3)."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, Literal, Protocol

from engine.tournament.model import Entrant, NoPairing, Pairing

Color = Literal["white", "black"]
COLORS: Final[tuple[Color, Color]] = ("white", "black")
"""The colours of the first and of the second seat."""
BYE: Final = 0
"""The number that stands for the bye. The id of an entrant is at least 1."""


def other(color: Color) -> Color:
    return "black" if color == "white" else "white"


class Pairer(Protocol):
    """Pairs one round of a Swiss."""

    def pair(
        self, entrants: Sequence[Entrant], pairings: Sequence[Pairing], round_number: int, rounds: int
    ) -> list[tuple[int, int | None]]:
        """Returns the pairs of entrant ids, first seat first. A pairing bye is a pair with None.

        Args:
            entrants: those who play the round. Their seeds are their pairing numbers.
            pairings: everything so far, all with results.
            round_number: of the stage, from 1.
            rounds: how many the stage has; in its last one the leaders' colours give way.

        Raises:
            NoPairing: the rules allow no pairing.
        """


@dataclass(frozen=True, slots=True)
class History:
    """The facts on which the pairing of an entrant depends."""

    points: float
    colors: tuple[Color, ...]
    """The colours of the games that were played."""
    floats: tuple[str, ...]
    """``down``, ``up`` or ``none`` for every round."""
    met: frozenset[int]
    """The opponents of games that were played: after a forfeit two may be paired again."""
    byes: int
    """Rounds won without an opponent."""
    forfeit_wins: int

    @property
    def may_have_bye(self) -> bool:
        """Whether the player may get the pairing bye: not after a round with a win's points and no game."""
        return not self.byes and not self.forfeit_wins

    @property
    def color_difference(self) -> int:
        """First seats less second seats."""
        return self.colors.count("white") - self.colors.count("black")

    @property
    def preference(self) -> tuple[Color | None, int]:
        """The colour to have next, and the strength of the wish: 3 absolute, 2 strong, 1 mild, 0 none (C.04.3, A.6)."""
        if not self.colors:
            return None, 0
        last = self.colors[-1]
        difference = self.color_difference
        is_repeated = self.colors[-2:] == (last, last)
        if abs(difference) > 1 or (difference and not is_repeated):
            return ("black" if difference > 0 else "white"), 3 if abs(difference) > 1 else 2
        return other(last), 3 if is_repeated else 1

    def must_not_have(self, color: Color) -> bool:
        """Returns whether the colour would be the third in a row or make a difference of three."""
        difference = self.color_difference + (1 if color == "white" else -1)
        return abs(difference) > 2 or self.colors[-2:] == (color, color)


NOTHING: Final = History(0.0, (), (), frozenset(), 0, 0)


def histories(entrants: Sequence[int], pairings: Sequence[Pairing]) -> dict[int, History]:
    """Builds the history of each entrant id and of all whom the pairings name.

    A round without a pairing brings nothing.

    A float goes by the scores before the round; points without a game are a float down (C.04.3, A.4).
    """
    named = (player for pairing in pairings for player in pairing.players)
    known = dict.fromkeys([*entrants, *named], NOTHING)
    for number in sorted({pairing.round for pairing in pairings}):
        before = dict(known)
        found = {
            player: _after(before, pairing, seat)
            for pairing in pairings
            if pairing.round == number
            for seat, player in enumerate(pairing.players)
        }
        for entrant, history in before.items():
            known[entrant] = found.get(entrant) or _with(history, float_to="none")
    return known


def _after(before: Mapping[int, History], pairing: Pairing, seat: int) -> History:
    history = before[pairing.players[seat]]
    result = pairing.result
    if result is None:
        raise ValueError(f"the pairing of {pairing.players} in round {pairing.round} has no result")
    points = result.points[seat]
    if result.played and pairing.second is not None:
        opponent = pairing.players[1 - seat]
        difference = history.points - before[opponent].points
        direction = "down" if difference > 0 else "up" if difference < 0 else "none"
        return _with(history, points, direction, COLORS[seat], opponent)
    won = points >= 1
    return _with(
        history,
        points,
        "down" if points else "none",
        byes=won and pairing.second is None,
        forfeit_wins=won and pairing.second is not None,
    )


def _with(
    history: History,
    points: float = 0.0,
    float_to: str = "none",
    color: Color | None = None,
    opponent: int | None = None,
    byes: int = 0,
    forfeit_wins: int = 0,
) -> History:
    return History(
        points=history.points + points,
        colors=(*history.colors, color) if color else history.colors,
        floats=(*history.floats, float_to),
        met=history.met if opponent is None else history.met | {opponent},
        byes=history.byes + byes,
        forfeit_wins=history.forfeit_wins + forfeit_wins,
    )


@dataclass(frozen=True, slots=True)
class DutchPairer:
    """FIDE's Dutch system, rules of 2026, by caissify-pairings."""

    initial_color: Color = "white"
    """The colour of the best entrant in round 1."""

    def pair(
        self, entrants: Sequence[Entrant], pairings: Sequence[Pairing], round_number: int, rounds: int
    ) -> list[tuple[int, int | None]]:
        if not entrants:
            raise NoPairing("Nobody is there to play the round.")
        known = histories([entrant.id for entrant in entrants], pairings)
        is_last = round_number >= rounds
        allowed = Allowed(known, round_number, is_last=is_last)
        if reason := allowed.nothing([entrant.id for entrant in entrants]):
            raise NoPairing(reason)
        found = self._ask(entrants, known, round_number, rounds)
        if not allowed.all(found):
            raise RuntimeError(f"the library broke a rule in round {round_number}: {found}")
        return found

    def _ask(
        self, entrants: Sequence[Entrant], known: Mapping[int, History], round_number: int, rounds: int
    ) -> list[tuple[int, int | None]]:
        from caissify_pairings import MissingFloatHistoryWarning, generate_pairings  # loads networkx: 0.4 s

        players: list[dict[str, Any]] = [
            {
                "id": entrant.id,
                "name": "",
                "score": known[entrant.id].points,
                "rating": -entrant.seed,  # the library orders by it where it ignores the pairing number
                "starting_number": entrant.seed,
                "pairing_number": entrant.seed,
                "color_hist": list(known[entrant.id].colors),
                "float_history": list(known[entrant.id].floats),
                "bye_count": known[entrant.id].byes,
                "forfeit_win_count": known[entrant.id].forfeit_wins,
            }
            for entrant in sorted(entrants, key=lambda entrant: entrant.seed)
        ]
        met = {(a, b) for a in known for b in known[a].met if a < b}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MissingFloatHistoryWarning)
            answer = generate_pairings(
                system="dutch",
                players=players,
                previous_pairings=met,
                round_number=round_number,
                total_rounds=rounds,
                initial_color=self.initial_color,
            )
        seeds = {entrant.id: entrant.seed for entrant in entrants}
        return [self._seats(pair["white_id"], pair["black_id"], known, seeds) for pair in answer]

    def _seats(
        self, white: int, black: int | None, known: Mapping[int, History], seeds: Mapping[int, int]
    ) -> tuple[int, int | None]:
        """Returns the pair with its colours. All else equal, the higher ranked one has the wish (C.04.3, E.4, E.5).

        The higher ranked one has more points, or else the better number. The library looks only at the number there.
        """
        if black is None:
            return white, None
        one, two = known[white], known[black]
        is_decided = (
            one.preference != two.preference
            or one.color_difference != two.color_difference
            or any(a != b for a, b in zip(reversed(one.colors), reversed(two.colors), strict=False))
        )
        if is_decided:
            return white, black
        higher, lower = sorted((white, black), key=lambda player: (-known[player].points, seeds[player]))
        wished, _ = known[higher].preference
        if wished is None:
            wished = self.initial_color if seeds[higher] % 2 else other(self.initial_color)
        return (higher, lower) if wished == "white" else (lower, higher)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The absolute rules for a round (C.04.3, C.1 to C.3).

    They are checked before the library runs and after it: where no pairing is allowed, it returns a forbidden one.
    """

    known: Mapping[int, History]
    round_number: int
    is_last: bool

    def meet(self, one: int, two: int) -> bool:
        """Returns whether two may meet: for the first time, and not both with the same colour forbidden.

        In the last round the colours of somebody with more than half of the points give way.
        """
        first, second = self.known[one], self.known[two]
        if two in first.met:
            return False
        has_leader = 2 * max(first.points, second.points) > self.round_number - 1
        clash = any(first.must_not_have(color) and second.must_not_have(color) for color in COLORS)
        return not clash or (self.is_last and has_leader)

    def all(self, pairs: Sequence[tuple[int, int | None]]) -> bool:
        byes = [first for first, second in pairs if second is None]
        return (
            len(byes) < 2
            and all(self.known[player].may_have_bye for player in byes)
            and all(self.meet(first, second) for first, second in pairs if second is not None)
        )

    def nothing(self, players: Sequence[int]) -> str:
        """Explains in a sentence why the players cannot all be paired; empty if they can."""
        import networkx as nx  # comes with the library and takes as long to load

        graph = nx.Graph()
        graph.add_edges_from(pair for pair in combinations(players, 2) if self.meet(*pair))
        if len(players) % 2:
            eligible = [player for player in players if self.known[player].may_have_bye]
            if not eligible:
                return "Everybody has already had a point without playing, so nobody can have the bye."
            graph.add_edges_from((player, BYE) for player in eligible)
        pairs = nx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(pairs) == len(players) + len(players) % 2:
            return ""
        return "The players who are left cannot all be paired: too many have already met."
