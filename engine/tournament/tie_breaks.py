"""FIDE's tie-breaks (Handbook C.07), which order players with the same points. Each is a sum of terms.

Rounds that were not played (article 16): as an opponent, a player counts with his points, but the rounds at the end in
which he chose not to play count as draws (16.3). For the player's own sum an unplayed round is a game against a virtual
opponent with the player's own points (16.4); since March 2026 that is at most half a point a round, or, after a
forfeit, at most the value of the opponent. A lost forfeit, a half-point bye and an absence are voluntary. They are the
first to be cut where the lowest value is cut (16.5). In a round robin every pairing counts as played.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.tournament.model import Pairing, Result, TieBreak

RULES_2024: Final = 2024
RULES_2026: Final = 2026
"""The rules in force from March 1st, 2026."""
FIRST_DAY_OF_2026: Final = (2026, 3, 1)
DRAW: Final = 0.5
WIN: Final = 1.0


@dataclass(frozen=True, slots=True)
class Term:
    """One line of a sum."""

    round: int
    """Counted through all stages; 0 where the term belongs to no round."""
    opponent: int | None
    value: float
    note: str
    """A key. Points: ``won``, ``drawn``, ``lost``, ``forfeit_won``, ``forfeit_lost``, ``bye``, ``half_bye``,
    ``absent``; wins: ``won``, ``forfeit_won``, ``bye``. Buchholz, Sonneborn-Berger: ``opponent`` and ``virtual``;
    ``cut_lowest`` and ``cut_highest`` do not count. Direct encounter: ``met`` and ``not_met`` do not count,
    ``place`` does. Progressive: ``so_far``."""
    counts: bool = True
    score: float | None = None
    """The opponent's score in a Sonneborn-Berger, multiplied by the points from the opponent."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of one player."""

    round: int
    opponent: int | None
    points: float
    played: bool
    note: str

    @property
    def voluntary(self) -> bool:
        """Whether the player chose not to play."""
        return self.note in {"forfeit_lost", "half_bye", "absent"}


NOTES: Final = {
    Result.FIRST_WINS: ("won", "lost"),
    Result.SECOND_WINS: ("lost", "won"),
    Result.DRAW: ("drawn", "drawn"),
    Result.FIRST_WINS_BY_FORFEIT: ("forfeit_won", "forfeit_lost"),
    Result.SECOND_WINS_BY_FORFEIT: ("forfeit_lost", "forfeit_won"),
    Result.BOTH_FORFEIT: ("forfeit_lost", "forfeit_lost"),
    Result.PAIRING_BYE: ("bye", ""),
    Result.HALF_BYE: ("half_bye", ""),
    Result.ZERO_BYE: ("absent", ""),
}


def rules_on(day: tuple[int, int, int] | None) -> int:
    """Returns the rules for a tournament that begins on the day: year, month, day; None: the present rules."""
    return RULES_2024 if day and day < FIRST_DAY_OF_2026 else RULES_2026


class Crosstable:
    """All rounds of players who play for the same places."""

    def __init__(
        self, players: Sequence[int], pairings: Sequence[Pairing], *, is_round_robin: bool, rules: int = RULES_2026
    ) -> None:
        """Takes ``pairings`` of these players alone. Those without a result do not count yet."""
        self.is_round_robin = is_round_robin
        self.rules = rules
        self.rounds = sorted({pairing.round for pairing in pairings})
        found: dict[int, dict[int, Turn | None]] = {player: {} for player in players}
        for pairing in pairings:
            for seat, player in enumerate(pairing.players):
                found[player][pairing.round] = _turn(pairing, seat)
        self.turns: dict[int, tuple[Turn, ...]] = {}
        for player, by_round in found.items():
            turns = [
                by_round.get(number, None if is_round_robin else Turn(number, None, 0.0, played=False, note="absent"))
                for number in self.rounds
            ]
            self.turns[player] = tuple(turn for turn in turns if turn)
        self.points = {player: sum(turn.points for turn in turns) for player, turns in self.turns.items()}
        self.adjusted = {player: self._adjusted(player, found[player]) for player in players}

    def counts_as_played(self, turn: Turn) -> bool:
        return turn.opponent is not None and (turn.played or self.is_round_robin)

    def _adjusted(self, player: int, by_round: Mapping[int, Turn | None]) -> float:
        """Computes the player's value as an opponent. Voluntary absences at the end count as draws."""
        ready = [number for number, turn in by_round.items() if turn is None or not turn.voluntary]
        last = max(ready, default=0)
        sat_out = 0.0 if self.is_round_robin else DRAW
        return sum(
            turn.points if turn.round <= last or turn.opponent is not None else sat_out for turn in self.turns[player]
        )

    def virtual(self, player: int, turn: Turn) -> float:
        """Computes the score of the virtual opponent of an unplayed round."""
        own = self.points[player]
        if self.rules < RULES_2026:
            return own
        return min(own, self.adjusted[turn.opponent] if turn.opponent is not None else DRAW * len(self.rounds))


def _turn(pairing: Pairing, seat: int) -> Turn | None:
    result = pairing.result
    if result is None:
        return None
    opponent = None if pairing.second is None else pairing.players[1 - seat]
    return Turn(pairing.round, opponent, result.points[seat], played=result.played, note=NOTES[result][seat])


def points(table: Crosstable, player: int) -> tuple[Term, ...]:
    return tuple(Term(turn.round, turn.opponent, turn.points, turn.note) for turn in table.turns[player])


def buchholz(table: Crosstable, player: int) -> tuple[Term, ...]:
    """Sums the opponents' scores (C.07, 8.1)."""
    terms = []
    for turn in table.turns[player]:
        if turn.opponent is not None and table.counts_as_played(turn):
            terms.append(Term(turn.round, turn.opponent, table.adjusted[turn.opponent], "opponent"))
        elif not table.is_round_robin:
            terms.append(Term(turn.round, turn.opponent, table.virtual(player, turn), "virtual"))
    return tuple(terms)


def median_buchholz(table: Crosstable, player: int) -> tuple[Term, ...]:
    """Sums Buchholz without the lowest and the highest score (C.07, 14.2): Median-1.

    A round not played by choice is cut as the lowest before any other.
    """
    terms = list(buchholz(table, player))
    turns = {turn.round: turn for turn in table.turns[player]}
    left = list(range(len(terms)))

    def is_voluntary(index: int) -> bool:
        return terms[index].note == "virtual" and turns[terms[index].round].voluntary

    if left:
        lowest = min(left, key=lambda index: (not is_voluntary(index), terms[index].value))
        terms[lowest] = replace(terms[lowest], note="cut_lowest", counts=False)
        left.remove(lowest)
    if left and len(table.rounds) > 1:
        highest = max(left, key=lambda index: terms[index].value)
        terms[highest] = replace(terms[highest], note="cut_highest", counts=False)
    return tuple(terms)


def sonneborn_berger(table: Crosstable, player: int) -> tuple[Term, ...]:
    """Sums the opponents' scores, each times the points from that opponent (C.07, 9.1)."""
    own = {turn.round: turn.points for turn in table.turns[player]}
    return tuple(
        replace(term, value=term.value * own[term.round], score=term.value) for term in buchholz(table, player)
    )


def wins(table: Crosstable, player: int) -> tuple[Term, ...]:
    """Counts rounds with a win's points, also without playing (C.07, 7.1)."""
    return tuple(Term(turn.round, turn.opponent, 1.0, turn.note) for turn in table.turns[player] if turn.points == WIN)


def progressive(table: Crosstable, player: int) -> tuple[Term, ...]:
    """Sums the points after each round (C.07, 7.5)."""
    own = {turn.round: turn for turn in table.turns[player]}
    total, terms = 0.0, []
    for number in table.rounds:
        turn = own.get(number)
        total += turn.points if turn else 0.0
        terms.append(Term(number, turn.opponent if turn else None, total, "so_far"))
    return tuple(terms)


def direct_encounter(table: Crosstable, tied: Sequence[int]) -> dict[int, tuple[Term, ...]]:
    """Computes the places among players tied by everything before (C.07, 6): 1 is the best.

    All 0 if it decides nothing.

    If all have met, their points from each other decide. If not, a player whom the others could not reach by winning
    all the games that are missing goes first, then the next. Players who are still tied are compared again among
    themselves. The terms are the last comparison's games, which do not count, and the place.
    """
    group = list(tied)
    place = dict.fromkeys(group, 1)
    terms: dict[int, tuple[Term, ...]] = dict.fromkeys(group, ())
    _settle(table, group, place, terms)
    is_decided = len(set(place.values())) > 1
    return {
        player: (*terms[player], Term(0, None, float(place[player] if is_decided else 0), "place")) for player in group
    }


def _settle(table: Crosstable, group: Sequence[int], place: dict[int, int], terms: dict[int, tuple[Term, ...]]) -> None:
    """Writes places and terms of a group that shares a place. Parts that stay together are settled in turn."""
    if len(group) < 2:
        return
    games = {player: _encounters(table, player, group) for player in group}
    score = {player: sum(sum(values) / len(values) for values in games[player].values()) for player in group}
    best = dict(score)
    if not table.is_round_robin:
        for player in group:
            best[player] += WIN * (len(group) - 1 - len(games[player]))
    for player in group:
        terms[player] = _encounter_terms(table, player, group)
    all_met = best == score
    order = sorted(group, key=lambda player: (-score[player], best[player]))
    start = place[group[0]]
    parts = [[order[0]]]
    for index, player in enumerate(order[1:], start=1):
        above = order[index - 1]
        if all_met:
            is_behind = score[above] != score[player]
        else:  # once two are equal, so is everybody below them
            rest = max(best[other] for other in order[index:])
            is_behind = len(parts) == index and score[above] > rest
        if is_behind:
            parts.append([])
            place[player] = start + index
        else:
            place[player] = place[above]
        parts[-1].append(player)
    if len(parts) > 1:
        for part in parts:
            _settle(table, part, place, terms)


def _encounters(table: Crosstable, player: int, group: Sequence[int]) -> dict[int, list[float]]:
    """Returns the player's points from each member of the group whom he has met."""
    found: dict[int, list[float]] = {}
    for turn in table.turns[player]:
        if turn.opponent is not None and turn.opponent in group and table.counts_as_played(turn):
            found.setdefault(turn.opponent, []).append(turn.points)
    return found


def _encounter_terms(table: Crosstable, player: int, group: Sequence[int]) -> tuple[Term, ...]:
    met = [
        Term(turn.round, turn.opponent, turn.points, "met", counts=False)
        for turn in table.turns[player]
        if turn.opponent is not None and turn.opponent in group and table.counts_as_played(turn)
    ]
    known = {term.opponent for term in met}
    missing = [
        Term(0, other, 0.0, "not_met", counts=False) for other in group if other != player and other not in known
    ]
    return (*met, *missing)


SUMS: Final[Mapping[TieBreak, Callable[[Crosstable, int], tuple[Term, ...]]]] = {
    TieBreak.BUCHHOLZ: buchholz,
    TieBreak.MEDIAN_BUCHHOLZ: median_buchholz,
    TieBreak.SONNEBORN_BERGER: sonneborn_berger,
    TieBreak.WINS: wins,
    TieBreak.PROGRESSIVE: progressive,
}
"""The tie-breaks that need only the player; the direct encounter depends on the tied players."""
LOWEST_FIRST: Final = frozenset({TieBreak.DIRECT_ENCOUNTER})
"""The tie-breaks whose value is a place."""


def value(terms: Sequence[Term]) -> float:
    """Sums the terms that count."""
    return sum((term.value for term in terms if term.counts), start=0.0)
