"""The contents of a profile follow from the latest rated results."""

from bot.profiles.profile import GameProfile, Profile, RatedResult, Streak, Tally, current_streak, longest_wins
from engine.core.hours import DAY
from engine.rating.glicko import Rating


def results(scores: str, first: int = 1) -> tuple[RatedResult, ...]:
    """Returns one result a day; each win gains ten points, each loss costs ten."""
    found, rating = [], 1500.0
    for number, score in enumerate(scores, first):
        worth = {"w": 1.0, "d": 0.5, "l": 0.0}[score]
        after = rating + 20 * (worth - 0.5)
        found.append(RatedResult(number, number * DAY, worth, rating, after))
        rating = after
    return tuple(found)


def game(scores: str, first: int = 1, key: str = "abalone") -> GameProfile:
    tally = Tally(scores.count("w"), scores.count("d"), scores.count("l"))
    return GameProfile(key, "live", Rating(), tally, results(scores, first))


def test_the_curve_begins_before_the_first_result() -> None:
    assert game("wwl").curve == (1500, 1510, 1520, 1510)
    assert game("").curve == ()


def test_the_change_counts_what_came_since() -> None:
    played = game("wwlww")
    assert played.change_since(0) == 30
    assert played.change_since(2 * DAY) == 10
    assert played.change_since(5 * DAY) is None


def test_results_of_all_games_stand_in_one_order() -> None:
    profile = Profile(1, (game("ww", 5), game("ll", 3, "apb"), game("d", 4, "abak")))
    assert [result.seq for result in profile.results] == [3, 4, 4, 5, 6]
    assert profile.total == 5


def test_the_form_is_the_latest_dozen() -> None:
    profile = Profile(1, (game("l" * 5 + "w" * 12),))
    assert [result.score for result in profile.form] == [1.0] * 12


def test_streaks() -> None:
    assert current_streak(results("wwllw")) == Streak(1, 1)
    assert current_streak(results("wlll")) == Streak(0, 3)
    assert current_streak(results("")) is None
    assert longest_wins(results("wwlwwwdw")) == 3
    assert longest_wins(results("ld")) == 0
