"""A tournament as data: its stages, its entrants, its pairings and their results.

Everything else in this package is a function of these values. They are immutable, can be pickled (a Swiss round is
paired in a process of its own) and know nothing of users, games or times.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Format(StrEnum):
    """The way in which the pairings of a stage are made."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    SINGLE_ELIMINATION = "single_elimination"
    DOUBLE_ELIMINATION = "double_elimination"
    ARENA = "arena"
    LADDER = "ladder"


IN_ROUNDS: Final = frozenset({Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION})
"""The formats whose pairings come round by round. The others go on as players become free or challenge each other."""
KNOCKOUTS: Final = frozenset({Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION})
LARGEST_SECTION: Final = 64
"""The most entrants of one Swiss section; larger fields are split by rating."""
MOST_ENTRANTS: Final = 1024
MOST_AT_ONCE: Final = 12
"""The most entrants of a group whose games all begin at once: eleven games for each of them."""


class TieBreak(StrEnum):
    """The criteria that order entrants with the same points, by FIDE's abbreviations (Handbook C.07)."""

    BUCHHOLZ = "BH"
    MEDIAN_BUCHHOLZ = "MBH"
    SONNEBORN_BERGER = "SB"
    DIRECT_ENCOUNTER = "DE"
    WINS = "WIN"
    PROGRESSIVE = "PS"


USUAL_TIE_BREAKS: Final = {
    Format.SWISS: (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.DIRECT_ENCOUNTER, TieBreak.WINS),
    Format.ROUND_ROBIN: (TieBreak.DIRECT_ENCOUNTER, TieBreak.SONNEBORN_BERGER, TieBreak.WINS),
}


class Ties(StrEnum):
    """The treatment of entrants who are equal by all tie-breaks."""

    SHARED = "shared"
    """They share their places; if only some of them could go on to the next stage, all do."""
    PLAY_OFF = "play_off"
    """They play a knockout for the first place, or for going on; other places are shared."""
    LOTS = "lots"
    SEED = "seed"


class Result(StrEnum):
    """The end of a pairing for its first and its second player, or the worth of a bye."""

    FIRST_WINS = "1-0"
    SECOND_WINS = "0-1"
    DRAW = "1/2-1/2"
    FIRST_WINS_BY_FORFEIT = "+--"
    SECOND_WINS_BY_FORFEIT = "--+"
    BOTH_FORFEIT = "---"
    # without a second player
    PAIRING_BYE = "U"
    """The bye of the player who is left over: a win's points."""
    HALF_BYE = "H"
    """Requested before the round: half a point."""
    ZERO_BYE = "Z"
    """Absent without a request, or left over in a group of a round robin: nothing.

    Rounds before a late entry have no row and count the same.
    """

    @property
    def played(self) -> bool:
        """Whether both played. Such a pairing counts for colours, and the two do not meet again in a Swiss."""
        return self in {Result.FIRST_WINS, Result.SECOND_WINS, Result.DRAW}

    @property
    def is_bye(self) -> bool:
        return self in {Result.PAIRING_BYE, Result.HALF_BYE, Result.ZERO_BYE}

    @property
    def points(self) -> tuple[float, float]:
        """The points of the first and of the second player."""
        return POINTS[self]

    @property
    def winner(self) -> int | None:
        """0 if the first player has won (also by a bye that counts as a win), 1 if the second; None if nobody has."""
        first, second = self.points
        return None if first == second else int(second > first)


POINTS: Final = {
    Result.FIRST_WINS: (1.0, 0.0),
    Result.SECOND_WINS: (0.0, 1.0),
    Result.DRAW: (0.5, 0.5),
    Result.FIRST_WINS_BY_FORFEIT: (1.0, 0.0),
    Result.SECOND_WINS_BY_FORFEIT: (0.0, 1.0),
    Result.BOTH_FORFEIT: (0.0, 0.0),
    Result.PAIRING_BYE: (1.0, 0.0),
    Result.HALF_BYE: (0.5, 0.0),
    Result.ZERO_BYE: (0.0, 0.0),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a tournament: a format and its settings."""

    format: Format
    rounds: int = 0
    """The rounds of a Swiss; 0: the logarithm of the field to base 2, rounded up, which is enough to find a winner."""
    sections: int = 1
    """The number of groups of a round robin, dealt by seed in turn. A Swiss is split automatically
    (LARGEST_SECTION).
    """
    legs: int = 1
    """The number of meetings of two players in a round robin: 1, or 2 with the seats exchanged."""
    at_once: bool = False
    """Whether all games of a round robin begin at once. Then its whole table is one round; see ``round_robin``."""
    third_place: bool = False
    """Whether the losers of the semi-finals of a single elimination play for third place."""
    reset: bool = True
    """Whether the winner of the losers' bracket has to win twice in the final of a double elimination."""
    tie_breaks: tuple[TieBreak, ...] = ()
    """The tie-breaks in their order; then ``ties`` decides."""
    ties: Ties = Ties.SEED
    qualifiers: int = 0
    """The number of each section's qualifiers for the next stage; 0: all."""


@dataclass(frozen=True, slots=True)
class Entrant:
    id: int
    """1 upwards, never used twice in a tournament."""
    seed: int
    """The starting rank: 1 is the strongest. No two entrants have the same."""
    rating: int = 1500
    first_round: int = 1
    """The first round of the first stage that the entrant plays: later for a late entry, which only a Swiss allows."""
    last_round: int | None = None
    """The last round that the entrant may play, counted through all stages; None: has not withdrawn.

    0: withdrawn before the first round. Expelled entrants have withdrawn, too.
    """
    byes: frozenset[int] = frozenset()
    """The rounds of the first stage for which the entrant has asked for a half-point bye."""
    section: int = 0
    """The section of the first stage, from 1; 0: the bot has not yet stored it. See ``sections.assigned``."""
    lot: int = 0
    """The number of a drawn lot; the lowest goes first."""
    expelled: bool = False
    """Whether the entrant was expelled, and so shares the last places."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a pairing: a message key ``tournament.reason.<key>`` and its parameters."""

    key: str
    parameters: tuple[tuple[str, str | int | float], ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants who meet in a round, or one who has a bye."""

    stage: int
    """1 upwards."""
    round: int
    """1 upwards, counted through all stages. 0 in an arena or a ladder."""
    board: int
    """1 upwards within stage, round and section. In an arena or a ladder, counted from its start.

    In a table whose games begin at once, counted through its rounds.
    """
    first: int
    """The id of the entrant with the first seat."""
    second: int | None
    """None for a bye."""
    section: int = 1
    slot: str = ""
    """The place in a bracket: ``W2-1`` is the first pairing of the second round of the winners' bracket (the only one
    of a single elimination), ``L1-2`` one of the losers' bracket, ``F1`` and ``F2`` the grand final and its second
    match, ``T1`` the match for third place. In a Swiss or a round robin only the pairings of a play-off have one."""
    attempt: int = 1
    """2 upwards for a game that repeats a drawn knockout game with the seats exchanged."""
    reason: Reason | None = None
    result: Result | None = None
    """None while the game goes on."""

    @property
    def players(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True, slots=True)
class Round:
    stage: int
    number: int
    pairings: tuple[Pairing, ...]


class NoPairing(Exception):
    """The rules allow no pairing of the round. For example, everybody has met everybody."""
