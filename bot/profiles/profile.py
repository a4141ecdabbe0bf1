"""The content of a profile, made of a player's latest rated results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from engine.core.hours import DAY
from engine.rating.glicko import Rating

LATELY: Final = 30 * DAY
FORM: Final = 12
"""The number of latest results in the form."""


class RatedResult(NamedTuple):
    """A result that changed a rating. ``seq`` is its place in the order of all contests; ``ended`` in ms since 1970."""

    seq: int
    ended: int
    score: float
    before: float
    after: float


class Tally(NamedTuple):
    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class GameProfile:
    """A player's results in one game at one pace."""

    game: str
    pace: str
    rating: Rating
    tally: Tally
    results: tuple[RatedResult, ...]
    """The latest results, the oldest first."""

    @property
    def curve(self) -> tuple[float, ...]:
        """The rating before the first of the results, and the rating after each."""
        return (self.results[0].before, *(result.after for result in self.results)) if self.results else ()

    def change_since(self, moment: int) -> int | None:
        """Returns the change of the rating since then; None without a result since then."""
        later = [result for result in self.results if result.ended > moment]
        return round(later[-1].after) - round(later[0].before) if later else None


@dataclass(frozen=True, slots=True)
class Profile:
    """The content of a profile. ``pairing``: the player's results against the reader."""

    user_id: int
    games: tuple[GameProfile, ...]
    pairing: Tally | None = None

    @property
    def results(self) -> tuple[RatedResult, ...]:
        """The latest results in all games, the oldest first."""
        return tuple(sorted(result for game in self.games for result in game.results))

    @property
    def form(self) -> tuple[RatedResult, ...]:
        return self.results[-FORM:]

    @property
    def total(self) -> int:
        """The number of the player's rated results."""
        return sum(sum(game.tally) for game in self.games)


class LevelProfile(NamedTuple):
    """A level of the machine."""

    level: int
    ratings: tuple[tuple[str, str, Rating], ...]
    """The ratings, each with its game and pace."""
    against: Tally
    """The reader's finished games against it, casual ones included."""


class Streak(NamedTuple):
    """Results of the same kind in a row: ``score`` 1, 0.5 or 0."""

    score: float
    length: int


def current_streak(results: Sequence[RatedResult]) -> Streak | None:
    """Returns the latest results of the same kind in a row; None without results."""
    return streaks(reversed(results))[0] if results else None


def longest_wins(results: Iterable[RatedResult]) -> int:
    """Returns the length of the longest row of wins."""
    return max((streak.length for streak in streaks(results) if streak.score == 1), default=0)


def streaks(results: Iterable[RatedResult]) -> list[Streak]:
    return [Streak(score, len(list(run))) for score, run in groupby(result.score for result in results)]
