"""Glicko-2: a player's strength as a rating, its uncertainty, and its volatility.

Source: Mark E. Glickman, "Example of the Glicko-2 system" (2013/2022), http://www.glicko.net/glicko/glicko2.pdf; the
step numbers below are those of that paper. Its example comes out as 1464.050671, 151.516524, 0.05999598.

Three things are added to the paper:

* **Fractions of a period.** Where each game is a rating period of its own, the deviation grows by the time since the
last one, counted in periods: φ* = √(φ² + t·σ²). lichess does the same (lila, ``RatingCalculator``). * **Weights.** A
game with weight w counts as w games with this result against this opponent: it gives w times the information and w
times the surprise (a likelihood to the power of w). ``weight_of_match`` gives the weight of a match. * **Caps.** One
period never raises a volatility above 0.1 or a deviation above 500, the limits of lichess. Without the first, 30 wins
of a 1500 with deviation 30 over a 2800 raise the volatility to thousands, and the rating to 300,971; with it, to 1,706.
Values that were higher before may stay as high.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import exp, fsum, inf, isfinite, log, pi, sqrt
from typing import Final

SCALE: Final = 173.7178
"""Rating points per unit of the internal scale (step 2)."""
CENTRE: Final = 1500.0
"""The rating that is 0 on the internal scale."""
TAU: Final = 0.5
"""The system constant: it limits the change of volatilities (step 1)."""
MOST_VOLATILITY: Final = 0.1
MOST_DEVIATION: Final = 500.0
PROVISIONAL: Final = 110.0
"""The least deviation of a provisional rating, as at lichess."""
TOLERANCE: Final = 1e-12
"""The precision of the logarithm of the squared volatility; the paper's 0.000001 shows in the eighth digit."""
ROUNDS: Final = 200
"""The most steps of that search; about ten are needed."""
STEEPEST: Final = 700.0
"""The largest exponent that does not overflow a float."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength, as far as known. Raises ValueError for values that are not finite, or not positive."""

    rating: float = 1500.0
    deviation: float = 350.0
    """The standard deviation of the rating: with 95 % the strength is within two of it."""
    volatility: float = 0.06
    """The expected change of the strength in a rating period, on the internal scale."""

    def __post_init__(self) -> None:
        if not (isfinite(self.rating) and 0 < self.deviation < inf and 0 < self.volatility < inf):
            raise ValueError(f"not a rating: {self.rating} {self.deviation} {self.volatility}")

    @property
    def provisional(self) -> bool:
        """Whether the strength is still too uncertain."""
        return self.deviation >= PROVISIONAL


@dataclass(frozen=True, slots=True)
class Result:
    """A game of the period: the opponent's rating before it, and the player's score. Raises ValueError."""

    opponent: Rating
    score: float
    """1 for a win, 0.5 for a draw, 0 for a loss."""
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not (0 <= self.score <= 1 and 0 < self.weight < inf):
            raise ValueError(f"not a result: {self.score} with weight {self.weight}")


def weight_of_match(points: int) -> float:
    """Weighs a backgammon match to ``points``: the square root of its length; a single game weighs 1.

    Source: FIBS, whose rating change has the factor √N for a match to N points (its page "help formula", quoted at
    http://www.bkgm.com/rgb/rgb.cgi?view+1093). A longer match tells more, but less than so many games, as it is decided
    by points. FIBS also expects the stronger player to win a longer match more often; here the expectation is that of a
    game, so that all matches share one scale. Raises ValueError if ``points`` is not positive.
    """
    if points < 1:
        raise ValueError(f"not a length: {points}")
    return sqrt(points)


def grown(player: Rating, periods: float) -> Rating:
    """Grows the deviation over ``periods`` rating periods without games; the number may be a fraction."""
    deviation = SCALE * sqrt((player.deviation / SCALE) ** 2 + periods * player.volatility**2)
    return Rating(player.rating, _capped(deviation, MOST_DEVIATION, player.deviation), player.volatility)


def update(player: Rating, results: Iterable[Result], tau: float = TAU, periods: float = 1.0) -> Rating:
    """Computes the rating after a rating period with these results; their order does not matter.

    ``periods`` is the length of the period: 1 in the paper. Raises ValueError if ``tau`` is not positive.
    """
    if not 0 < tau < inf:
        raise ValueError(f"tau is not positive: {tau}")
    information, surprise = _evidence(player, tuple(results))
    if information == 0 and surprise == 0:
        return grown(player, periods)
    deviation = player.deviation / SCALE
    volatility = _volatility(deviation, player.volatility, information, surprise, tau)
    before = deviation**2 + periods * volatility**2  # step 6
    after = 1 / (1 / before + information)  # step 7
    return Rating(
        player.rating + SCALE * after * surprise,
        _capped(SCALE * sqrt(after), MOST_DEVIATION, player.deviation),
        volatility,
    )


def _evidence(player: Rating, results: tuple[Result, ...]) -> tuple[float, float]:
    """Computes 1/v, and the sum of g·(score - expected score): steps 3 and 4; their ratio gives Δ.

    The sums are exact, so that the order of the results does not matter to the last digit.
    """
    information: list[float] = []
    surprise: list[float] = []
    for result in results:
        impact = _impact(result.opponent)
        gap = (player.rating - result.opponent.rating) / SCALE
        expected = _expected(gap, impact)
        information.append(result.weight * impact**2 * expected * _expected(-gap, impact))
        surprise.append(result.weight * impact * (result.score - expected))
    return fsum(information), fsum(surprise)


def _impact(opponent: Rating) -> float:
    """Computes g(φ) of step 3: the information of a game against this opponent."""
    return 1 / sqrt(1 + 3 * (opponent.deviation / SCALE / pi) ** 2)


def _expected(gap: float, impact: float) -> float:
    """Computes E of step 3; ``gap`` is the player's lead in strength, on the internal scale."""
    return 1 / (1 + exp(min(-impact * gap, STEEPEST)))


def _volatility(deviation: float, volatility: float, information: float, surprise: float, tau: float) -> float:
    """Computes the new volatility (step 5), at most MOST_VOLATILITY, or the old one if that is higher.

    Uses the paper's function f, with Δ² - φ² - v and φ² + v multiplied by the squared information, to avoid a division
    by tiny information. The paper's "Illinois" method finds its root.
    """
    a = 2 * log(volatility)
    scaled = information * deviation**2 + 1

    def f(x: float) -> float:
        variance = exp(x)
        gain = variance * (surprise**2 - information * (scaled + information * variance))
        return gain / (2 * (scaled + information * variance) ** 2) - (x - a) / tau**2

    most = max(MOST_VOLATILITY, volatility)
    if f(a) >= 0:
        if f(2 * log(most)) >= 0:
            return most
        low, high = a, 2 * log(most)
    else:
        low, high, step = a - tau, a, tau
        while f(low) < 0:
            step *= 2
            low = a - step
    return min(exp(_root(f, low, high) / 2), most)  # rounding may pass it by the last digit


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    """Finds the zero of f from ``low`` (f is not negative there) to ``high`` (f is not positive): steps 5.3 to 5.5."""
    at_low, at_high = f(low), f(high)
    for _ in range(ROUNDS):
        if abs(high - low) <= TOLERANCE or at_high == at_low:
            break
        between = low + (low - high) * at_low / (at_high - at_low)
        value = f(between)
        if value * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, value
    return low


def _capped(value: float, most: float, before: float) -> float:
    return min(value, max(most, before))
