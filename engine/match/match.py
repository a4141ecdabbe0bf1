"""A match: games between the same two players until one of them has won it (backgammon.md, Cube and matches).

Players are 0 and 1. In a match to points, player 0 always has the first seat, as the opening roll decides who begins.
In a series, the players swap seats after each game.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from engine.core.errors import RuleError
from engine.core.game import WITHOUT_RESULT, OptionValue, Outcome, Seat
from engine.core.offers import MATCH
from engine.core.record import Kind
from engine.core.table import Table
from engine.core.timekeeping import DRAW
from engine.kits.cube import LONGEST, OFF, ON
from engine.kits.xgid import MatchFields

MOST_GAMES: Final = 25
"""The most games of a series."""
PER_GAME: Final = "game"
PER_MATCH: Final = "match"
BANKS: Final = (PER_GAME, PER_MATCH)
ABORTED: Final = "end.aborted"
RULINGS: Final = {
    "end.adjudicated": "match.adjudicated",
    "end.adjudicated_draw": "match.adjudicated_draw",
    "end.forfeited": "match.adjudicated_forfeit",
    "end.voided": "match.voided",
}
"""The reasons of a match that was adjudicated, by the reason of its game."""
SET_BY_SCORE: Final = frozenset({"points", "score0", "score1", "crawford"})
"""The options of a game that follow from the match."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The aim of a match: points or games. Raises RuleError for values out of range."""

    points: int = 0
    """The points that win the match; 0 if it is not a match to points."""
    best_of: int = 1
    """The most games of a series; 1 if it is not a series."""
    bank: str = PER_GAME
    """Whether the clock's bank is for each ``game`` or for the whole ``match``."""

    def __post_init__(self) -> None:
        if not 0 <= self.points <= LONGEST:
            raise RuleError("match.points", points=self.points, most=LONGEST)
        if not 1 <= self.best_of <= MOST_GAMES:
            raise RuleError("match.best_of", games=self.best_of, most=MOST_GAMES)
        if self.points and self.best_of > 1:
            raise RuleError("match.points_or_games")
        if self.bank not in BANKS:
            raise ValueError(f"not one of {BANKS}: {self.bank}")

    @property
    def is_match(self) -> bool:
        """Whether there is a match record: a match to points, also to one, or a series of more than one game."""
        return self.points > 0 or self.best_of > 1


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """The fields that are fixed before the first game. ``started`` is in milliseconds since 1970.

    Raises ValueError for an option that follows from the score.
    """

    id: str
    game: str
    version: int
    started: int
    terms: Terms
    options: tuple[tuple[str, OptionValue], ...] = ()
    """The options that all games share, such as ``layout`` and ``cube``."""
    clock: str = ""
    """The time control of the first game; empty for a match without a clock."""
    timeout_policy: str = ""
    rated: bool = False

    def __post_init__(self) -> None:
        if found := sorted(SET_BY_SCORE & dict(self.options).keys()):
            raise ValueError(f"the score sets these options: {', '.join(found)}")


@dataclass(frozen=True, slots=True)
class GameResult:
    """The end of a game of the match, by player. Points sum to zero."""

    points: tuple[int, int]
    reason: str
    late: int | None = None
    """The player whose time ran out or who stayed away, and who lost by it; None if the game ended otherwise."""
    crawford: bool = False
    counts: bool = True
    """Whether a match that ends by this game may change ratings.

    False if time ended the game ``uncounted``, or if it was declared void. A later game that a player's absence
    aborted, or that was adjudicated, counts, as the match was played.
    """
    clock: str = ""
    """The time control at the end of the game, which the players may have changed; empty without a clock."""
    banks: tuple[int, int] | None = None
    """Each player's time left in the bank, in ms; None without a clock."""
    cube: int = 1
    """The value of the cube at the end."""
    resigned: int | None = None
    """The player who resigned the whole match with this game."""

    @property
    def winner(self) -> int | None:
        """The player who won the game; None if nobody did."""
        return None if not self.points[0] else int(self.points[1] > 0)

    @property
    def has_result(self) -> bool:
        """Whether the game was won or drawn. False if it was aborted or declared void."""
        return self.reason not in WITHOUT_RESULT


@dataclass(frozen=True, slots=True)
class MatchResult:
    winner: int | None
    """None for a draw, or if the match was aborted or declared void."""
    reason: str
    """``match.won``, ``match.drawn``, ``match.resigned``, ``match.forfeited`` (on time, or by leaving) or
    ``match.aborted``; or one of RULINGS.
    """
    counts: bool = True
    """Whether the result may change ratings."""

    @property
    def drawn(self) -> bool:
        """Whether the match is a draw. False if it was aborted or declared void."""
        return self.reason in {"match.drawn", "match.adjudicated_draw"}


@dataclass(frozen=True, slots=True)
class Match:
    """A match after some of its games."""

    header: MatchHeader
    results: tuple[GameResult, ...] = ()

    @property
    def terms(self) -> Terms:
        return self.header.terms

    @property
    def score(self) -> tuple[float, float]:
        """Each player's points; in a series one for a win and a half for a draw.

        In a match to points a drawn game counts nothing. The winner's score may be more than the match needs.
        """
        if self.terms.points:
            scores = [sum(max(result.points[player], 0) for result in self.results) for player in (0, 1)]
            return scores[0], scores[1]
        played = [result for result in self.results if result.reason not in WITHOUT_RESULT]
        halves = [sum(_halves(result.points[player]) for result in played) for player in (0, 1)]
        return halves[0] / 2, halves[1] / 2

    @property
    def result(self) -> MatchResult | None:
        """The end of the match; None while it goes on.

        A player who is late in a game loses the match, unless it is the first game and was aborted. A game that is
        adjudicated decides the match.
        """
        if not self.results:
            return None
        last, score = self.results[-1], self.score
        if last.reason == ABORTED and len(self.results) == 1:
            return MatchResult(None, "match.aborted", counts=False)
        if last.reason in RULINGS and last.winner is None:
            return MatchResult(None, RULINGS[last.reason], last.counts)
        needed = self.terms.points or (self.terms.best_of + 1) / 2
        for player in (0, 1):
            if score[player] >= needed:
                return MatchResult(player, "match.won", last.counts)
        if last.reason in RULINGS:
            return MatchResult(last.winner, RULINGS[last.reason], last.counts)
        if last.resigned is not None:
            return MatchResult(1 - last.resigned, "match.resigned", last.counts)
        if last.late is not None:
            return MatchResult(1 - last.late, "match.forfeited", last.counts)
        if not self.terms.points and len(self.results) >= self.terms.best_of:
            if score[0] == score[1]:
                return MatchResult(None, "match.drawn", last.counts)
            return MatchResult(int(score[1] > score[0]), "match.won", last.counts)
        return None

    # --- the next game -------------------------------------------------------------------------------------------

    @property
    def crawford(self) -> bool:
        """Whether the next game is the Crawford game: the first one in which a player needs exactly one point.

        The game is marked even without a cube. A drawn or aborted game counts nothing, but it was the first one. A
        match to one point has no Crawford game: its cube is dead from the start.
        """
        needs_one = self.terms.points > 1 and self.terms.points - 1 in self.score
        return needs_one and not any(result.crawford for result in self.results)

    @property
    def players_by_seat(self) -> tuple[int, int]:
        """The players in the first and the second seat of the next game."""
        swapped = not self.terms.points and len(self.results) % 2 == 1
        return (1, 0) if swapped else (0, 1)

    @property
    def next_options(self) -> dict[str, OptionValue]:
        options = dict(self.header.options)
        if self.terms.points:
            first, second = self.score
            scores: dict[str, OptionValue] = {"score0": int(first), "score1": int(second)}
            options |= {"points": self.terms.points, **scores, "crawford": ON if self.crawford else OFF}
        return options

    @property
    def next_clock(self) -> str:
        """The time control of the next game; empty without a clock.

        With one bank for the match, a clock that the players agreed on within a game holds for the rest of the match.
        """
        return self.results[-1].clock if self._keeps_banks else self.header.clock

    @property
    def next_banks(self) -> tuple[int, int] | None:
        """The banks of the next game by seat, in ms; None if they are those of the time control."""
        banks = self.results[-1].banks if self._keeps_banks else None
        if banks is None:
            return None
        first, second = self.players_by_seat
        return banks[first], banks[second]

    @property
    def _keeps_banks(self) -> bool:
        return self.terms.bank == PER_MATCH and bool(self.results)

    def add(self, table: Table[Any, Any]) -> "Match":
        """Adds a game to the match. Raises ValueError if the game goes on, or the match is over.

        ``replay_match`` checks that it is the game that is due.
        """
        if table.outcome is None or self.result is not None:
            raise ValueError("the game goes on, or the match is over")
        seats, seat = self.players_by_seat, _late_seat(table)
        first, second = seats.index(0), seats.index(1)
        resigned = _seat_resigned(table)
        points, banks = table.outcome.points, table.final_banks
        result = GameResult(
            points=(points[first], points[second]),
            reason=table.outcome.reason,
            late=None if seat is None else seats[seat],
            crawford=table.options.get("crawford", OFF) == ON,
            counts=table.counts or self._counts_anyway(table.outcome),
            clock="" if table.clock is None else str(table.clock.spec),
            banks=None if banks is None else (banks[first], banks[second]),
            cube=_cube_value(table),
            resigned=None if resigned is None else seats[resigned],
        )
        return replace(self, results=(*self.results, result))

    def _counts_anyway(self, outcome: Outcome) -> bool:
        """Returns whether earlier games make a match count that ends by this game, although it had too few turns."""
        later = bool(self.results) and outcome.has_result and outcome.reason in RULINGS
        return later or outcome.reason == ABORTED


def _halves(points: int) -> int:
    return 1 if points == 0 else 2 * int(points > 0)


def _cube_value(table: Table[Any, Any]) -> int:
    """Returns the value of the cube; 1 in a game without one."""
    fields = getattr(table.state, "fields", None)
    return fields.cube_value if isinstance(fields, MatchFields) else 1


def _seat_resigned(table: Table[Any, Any]) -> Seat | None:
    """Returns the seat that resigned the whole match, or None."""
    last = table.record.entries[-1]
    return last.seat if last.kind is Kind.RESIGN and last.body.endswith(f" {MATCH}") else None


def _late_seat(table: Table[Any, Any]) -> Seat | None:
    """Returns the seat that lost on time, by its absence or by leaving, or whose absence aborted the game.

    None if there is no such seat, or if the other one claimed only a draw.
    """
    outcome, last = table.outcome, table.record.entries[-1]
    if outcome is None or last.body == DRAW or (outcome.winner is None and outcome.reason != ABORTED):
        return None
    if last.kind in {Kind.TIMEOUT, Kind.LEAVE}:
        return last.seat
    return 1 - last.seat if last.kind is Kind.CLAIM else None
