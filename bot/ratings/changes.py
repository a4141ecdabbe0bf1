"""Changes of ratings by a contest: pure functions of the standings before it.

Each contest is a rating period of its own for its two players.
A deviation grows by the time since the player's last contest of the same game and pace, counted in periods of PERIOD.
"""

from dataclasses import dataclass, replace
from typing import Final

from bot.matches.contests import FinishedContest
from bot.ratings.pace import pace_of
from engine.core.hours import DAY
from engine.rating.glicko import Rating, Result, grown, update, weight_of_match

PERIOD: Final = DAY / 0.21436
"""A rating period, in ms: 4.67 days, as at lichess (lila, ``RatingPeriodsPerDay``). The deviation of a player with
volatility 0.06 then grows from 60 to 110, which is provisional, in a year without games.
"""
BEGINNER: Final = Rating()


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating in one game and pace, as stored, and the number of contests behind it."""

    rating: Rating = BEGINNER
    contests: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    last_at: int | None = None
    """The end of the latest contest, in ms since 1970; None before the first."""

    def at(self, now: int) -> Rating:
        """Returns the rating at that time. The deviation grows with the time since the latest contest."""
        idle = 0 if self.last_at is None else max(0, now - self.last_at)
        return grown(self.rating, idle / PERIOD)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of one player's rating by a contest."""

    contest_id: str
    player: int
    """0 or 1, as in the contest."""
    user_id: int
    opponent_id: int
    game: str
    pace: str
    score: float
    """1, 0.5 or 0."""
    weight: float
    before: Rating
    """The rating before, with its deviation grown to the end of the contest."""
    after: Rating
    ended: int
    """The end of the contest, in ms since 1970."""

    @property
    def gain(self) -> int:
        """The change of the rating as players see it: the difference of the two rounded ratings."""
        return round(self.after.rating) - round(self.before.rating)


def changes(contest: FinishedContest, standings: tuple[Standing, Standing]) -> tuple[RatingChange, RatingChange]:
    """Returns the changes of both players, in the contest's order."""
    first, second = (_change(contest, player, standings) for player in (0, 1))
    return first, second


def standing_after(standing: Standing, change: RatingChange) -> Standing:
    return replace(
        standing,
        rating=change.after,
        contests=standing.contests + 1,
        wins=standing.wins + (change.score == 1),
        draws=standing.draws + (0 < change.score < 1),
        losses=standing.losses + (change.score == 0),
        last_at=change.ended if standing.last_at is None else max(change.ended, standing.last_at),
    )


def _change(contest: FinishedContest, player: int, standings: tuple[Standing, Standing]) -> RatingChange:
    own, other = standings[player], standings[1 - player]
    weight = weight_of_match(contest.points)
    score = 0.5 if contest.winner is None else float(contest.winner == player)
    idle = 0 if own.last_at is None else max(0, contest.ended - own.last_at)
    result = Result(other.at(contest.ended), score, weight)
    return RatingChange(
        contest_id=contest.id,
        player=player,
        user_id=contest.players[player],
        opponent_id=contest.players[1 - player],
        game=contest.game,
        pace=pace_of(contest.clock),
        score=score,
        weight=weight,
        before=own.at(contest.ended),
        after=update(own.rating, (result,), periods=idle / PERIOD),
        ended=contest.ended,
    )
