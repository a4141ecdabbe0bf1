"""Glicko-2: the paper's worked example, a second implementation of its steps, and laws of weights and caps."""

from math import exp, log, pi, sqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.rating.glicko import (
    MOST_DEVIATION,
    MOST_VOLATILITY,
    PROVISIONAL,
    Rating,
    Result,
    grown,
    update,
    weight_of_match,
)

PLAYER = Rating(1500, 200, 0.06)
EXAMPLE = (Result(Rating(1400, 30), 1), Result(Rating(1550, 100), 0), Result(Rating(1700, 300), 0))
"""The example of Glickman's paper."""

ratings = st.builds(
    Rating,
    rating=st.floats(1000, 2200),
    deviation=st.floats(30, 350),
    volatility=st.floats(0.04, 0.08),
)
results = st.builds(Result, opponent=ratings, score=st.sampled_from((0.0, 0.5, 1.0)))


def textbook(player: Rating, played: tuple[Result, ...], tau: float = 0.5) -> tuple[float, float, float]:
    """Steps 2 to 8 of the paper, one after the other, without caps."""
    mu, phi, sigma = (player.rating - 1500) / 173.7178, player.deviation / 173.7178, player.volatility
    if not played:
        return player.rating, 173.7178 * sqrt(phi**2 + sigma**2), sigma
    inverse = total = 0.0
    for result in played:
        mu_j, phi_j = (result.opponent.rating - 1500) / 173.7178, result.opponent.deviation / 173.7178
        g = 1 / sqrt(1 + 3 * phi_j**2 / pi**2)
        e = 1 / (1 + exp(-g * (mu - mu_j)))
        inverse += g**2 * e * (1 - e)
        total += g * (result.score - e)
    v = 1 / inverse
    delta = v * total
    a = log(sigma**2)

    def f(x: float) -> float:
        return exp(x) * (delta**2 - phi**2 - v - exp(x)) / (2 * (phi**2 + v + exp(x)) ** 2) - (x - a) / tau**2

    low, high = a, 0.0
    if delta**2 > phi**2 + v:
        high = log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(a - k * tau) < 0:
            k += 1
        high = a - k * tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > 1e-10:
        between = low + (low - high) * at_low / (at_high - at_low)
        value = f(between)
        if value * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, value
    new_sigma = exp(low / 2)
    new_phi = 1 / sqrt(1 / (phi**2 + new_sigma**2) + 1 / v)
    return 173.7178 * (mu + new_phi**2 * total) + 1500, 173.7178 * new_phi, new_sigma


def test_the_worked_example_holds_to_six_figures() -> None:
    after = update(PLAYER, EXAMPLE)
    assert f"{after.rating:.6f}" == "1464.050671"
    assert f"{after.deviation:.6f}" == "151.516524"
    assert f"{after.volatility:.8f}" == "0.05999598"


@given(ratings, st.lists(results, max_size=12).map(tuple), st.sampled_from((0.3, 0.5, 1.2)))
def test_a_period_is_as_in_the_paper(player: Rating, played: tuple[Result, ...], tau: float) -> None:
    rating, deviation, volatility = textbook(player, played, tau)
    if volatility > MOST_VOLATILITY:
        return
    after = update(player, played, tau)
    assert after.rating == pytest.approx(rating, abs=1e-6)
    assert after.deviation == pytest.approx(deviation, abs=1e-6)
    assert after.volatility == pytest.approx(volatility, abs=1e-9)


@given(
    ratings,
    st.lists(results, min_size=2, max_size=8).flatmap(lambda few: st.tuples(st.just(few), st.permutations(few))),
)
def test_the_order_of_results_does_not_matter_to_the_last_digit(
    player: Rating, orders: tuple[list[Result], list[Result]]
) -> None:
    assert update(player, orders[0]) == update(player, orders[1])


@given(ratings, st.floats(0, 500))
def test_without_games_only_the_deviation_grows(player: Rating, periods: float) -> None:
    after = grown(player, periods)
    assert update(player, (), periods=periods) == after
    assert (after.rating, after.volatility) == (player.rating, player.volatility)
    assert player.deviation - 1e-9 <= after.deviation <= MOST_DEVIATION


def test_upsets_do_not_explode() -> None:
    upset = [Result(Rating(2800, 30), 1)] * 30
    assert textbook(Rating(1500, 30), tuple(upset))[0] > 100_000
    after = update(Rating(1500, 30), upset)
    assert after.rating == pytest.approx(1706.34, abs=0.01)
    assert after.volatility == MOST_VOLATILITY
    assert after.deviation < 40


@example(Rating(-64211.0, 1.0, 0.3246467874542563), [Result(Rating(0.0, 1.0, 1.0), 0.0)])
@given(
    st.builds(Rating, st.floats(-1e6, 1e6), st.floats(1e-3, 2000), st.floats(1e-4, 1)),
    st.lists(
        st.builds(
            Result,
            st.builds(Rating, st.floats(-1e6, 1e6), st.floats(1e-3, 2000), st.floats(1e-4, 1)),
            st.sampled_from((0.0, 0.5, 1.0)),
        ),
        max_size=6,
    ),
)
def test_no_input_breaks_it_and_caps_hold(player: Rating, played: list[Result]) -> None:
    after = update(player, played)
    assert after.volatility <= max(MOST_VOLATILITY, player.volatility)
    assert after.deviation <= max(MOST_DEVIATION, player.deviation)


@given(ratings, ratings, st.sampled_from((0.0, 0.5, 1.0)), st.floats(1, 5))
def test_weight_one_is_the_plain_update_and_weights_are_monotone(
    player: Rating, opponent: Rating, score: float, weight: float
) -> None:
    plain = update(player, (Result(opponent, score),))
    assert update(player, (Result(opponent, score, 1.0),)) == plain
    heavy = update(player, (Result(opponent, score, weight),))
    moved, moved_more = plain.rating - player.rating, heavy.rating - player.rating
    assert moved * moved_more >= 0
    assert abs(moved_more) >= abs(moved) - 1e-6
    assert heavy.deviation <= plain.deviation * 1.01


@given(ratings, ratings, st.sampled_from((0.0, 0.5, 1.0)), st.integers(1, 5))
def test_a_whole_weight_is_so_many_games(player: Rating, opponent: Rating, score: float, times: int) -> None:
    weighted = update(player, (Result(opponent, score, times),))
    repeated = update(player, [Result(opponent, score)] * times)
    assert weighted.rating == pytest.approx(repeated.rating, abs=1e-6)
    assert weighted.deviation == pytest.approx(repeated.deviation, abs=1e-6)


@given(st.builds(Rating, st.just(1500.0), st.floats(30, 350), st.floats(0.04, 0.08)), st.integers(1, 25))
def test_equal_players_move_by_the_same_amount_whatever_the_length(equal: Rating, points: int) -> None:
    weight = weight_of_match(points)
    won, lost = (update(equal, (Result(equal, score, weight),)) for score in (1, 0))
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating, abs=1e-6)
    assert won.deviation == pytest.approx(lost.deviation)
    drawn = update(equal, (Result(equal, 0.5, weight),))
    assert drawn.rating == pytest.approx(1500)


def test_a_match_weighs_the_square_root_of_its_length() -> None:
    assert [weight_of_match(points) for points in (1, 4, 9, 25)] == [1, 2, 3, 5]
    with pytest.raises(ValueError, match="not a length"):
        weight_of_match(0)


def test_a_rating_is_provisional_until_its_deviation_falls_below_110() -> None:
    assert Rating().provisional
    assert Rating(1500, PROVISIONAL).provisional
    assert not Rating(1500, 109.9).provisional


@pytest.mark.parametrize(
    "wrong", [(float("nan"), 350, 0.06), (1500, 0, 0.06), (1500, 350, -1), (1500, float("inf"), 1)]
)
def test_numbers_that_are_no_rating_are_refused(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="not a rating"):
        Rating(*wrong)


def test_wrong_results_are_refused() -> None:
    for score, weight in ((2, 1), (-0.5, 1), (1, 0), (1, float("nan"))):
        with pytest.raises(ValueError, match="not a result"):
            Result(PLAYER, score, weight)
    with pytest.raises(ValueError, match="tau"):
        update(PLAYER, EXAMPLE, tau=0)
