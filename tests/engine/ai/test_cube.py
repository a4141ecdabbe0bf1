"""Cube decisions in positions in which they are known."""

from dataclasses import replace
from itertools import pairwise

import pytest
from fakes.xgid import xgid

from engine.ai.chances import Chances
from engine.ai.cube import Reply, stakes, values, values_by_rolls
from engine.ai.match_chances import match_chance
from engine.ai.players import player
from engine.kits.cube import CubeAction
from engine.kits.xgid import Doubling, MatchFields
from engine.registry import find

MONEY = MatchFields(doubling=Doubling.FREE)
GAME = find("backgammon")
STAY = (CubeAction.TAKE, CubeAction.PASS)


def in_match(length: int, white: int, black: int, crawford: str = "0") -> MatchFields:
    return replace(MONEY, length=str(length), white_score=str(white), black_score=str(black), rules=crawford)


def decided(text: str) -> tuple[str, float]:
    """Returns the cube action of level 5, and its value."""
    state = GAME.decode(text, {"cube": "on"})
    best = player(GAME, 5).candidates(state)[0]
    return str(best.steps[0]), best.value


# From the table Kazaross-XG2, as GNU Backgammon prints it: what both sides need, and the first one's chance in percent.
@pytest.mark.parametrize(
    ("own", "other", "percent"),
    [(2, 3, 59.9), (2, 7, 84.2), (4, 7, 69.9), (7, 4, 30.1), (5, 9, 72.5), (1, 2, 67.7), (1, 4, 81.4), (7, 1, 9.3)],
)
def test_chances_of_a_match_are_near_those_of_a_table(own: int, other: int, percent: float) -> None:
    assert 100 * match_chance(own, other, crawford_over=False) == pytest.approx(percent, abs=1.7)


@pytest.mark.parametrize(("away", "percent"), [(2, 48.8), (3, 32.3), (4, 31.0), (5, 19.0), (6, 18.1)])
def test_chances_after_the_crawford_game_are_near_those_of_the_table(away: int, percent: float) -> None:
    assert 100 * match_chance(away, 1, crawford_over=True) == pytest.approx(percent, abs=1.3)


def test_each_point_helps_in_a_long_match() -> None:
    chances = [match_chance(2, other, crawford_over=False) for other in range(2, 65)]
    assert all(before < after < 1 for before, after in pairwise(chances))


# Janowski, Take-Points in Money Games (1993): without gammons a take needs 25 % with a dead cube, 20 % with a live one.
@pytest.mark.parametrize(("life", "take_point"), [(0.0, 0.25), (1.0, 0.2), (0.68, 0.2137)])
def test_take_points_without_gammons(life: float, take_point: float) -> None:
    found = values(MONEY, 0, Chances(1 - take_point, 0.0, 0.0), life)
    assert found.take == pytest.approx(found.pass_, abs=2e-3)
    assert values(MONEY, 0, Chances(0.98 - take_point, 0.0, 0.0), life).take < found.pass_


# The same source: without gammons, a live cube in the middle is first turned where it is just passed, at 80 %.
@pytest.mark.parametrize(("win", "doubles"), [(0.5, False), (0.7, False), (0.79, False)])
def test_a_live_cube_is_not_turned_too_early(win: float, doubles: bool) -> None:
    found = values(MONEY, 0, Chances(win, 0.0, 0.0), 1.0)
    assert (found.of(CubeAction.DOUBLE, STAY) > found.roll) == doubles


def test_a_dead_cube_is_turned_by_every_favourite() -> None:
    for win, doubles in ((0.49, False), (0.51, True)):
        found = values(MONEY, 0, Chances(win, 0.0, 0.0), 0.0)
        assert (found.of(CubeAction.DOUBLE, STAY) > found.roll) == doubles


def test_a_side_that_is_too_good_plays_on() -> None:
    found = values(MONEY, 0, Chances(0.95, 0.6, 0.0), 0.68)
    assert found.roll > found.of(CubeAction.DOUBLE, STAY) == 1.0


def test_with_the_jacoby_rule_a_gammon_counts_single_until_the_cube_is_turned() -> None:
    jacoby = replace(MONEY, rules="1")
    assert stakes(jacoby, 0, 1).gammon == 1.0
    assert stakes(jacoby, 0, 2).gammon == 2.0
    assert stakes(MONEY, 0, 1).gammon == 2.0


# Where a quarter of the wins and losses are gammons, 75 % is a pass: (loss + 1) / (gain + loss + 0.5) with 1.25.
@pytest.mark.parametrize("rules", ["0", "1"])
@pytest.mark.parametrize("win", [0.25, 0.75])
def test_a_live_cube_makes_gammons_count_also_with_the_jacoby_rule(rules: str, win: float) -> None:
    found = values(replace(MONEY, rules=rules), 0, Chances(win, 0.25 * win, 0.25 * (1 - win)), 1.0)
    assert found.roll == pytest.approx(1.0 if win > 0.5 else -1.0)


def test_with_the_jacoby_rule_a_game_is_worth_no_more_than_a_pass() -> None:
    """A gammon counts only after a double, which would be passed."""
    assert values(replace(MONEY, rules="1"), 0, Chances(0.95, 0.6, 0.0), 1.0).roll == 1.0
    assert values(replace(MONEY, rules="1"), 1, Chances(0.05, 0.0, 0.6), 1.0).roll == -1.0


def test_the_last_roll_is_worth_its_chances_and_twice_as_much_after_a_take() -> None:
    won, lost = Chances(0.0, 0.0, 0.0), Chances(1.0, 0.0, 0.0)
    found = values_by_rolls(MONEY, 0, [Reply(19, won, 0.0), Reply(17, lost, 0.0)])
    assert found.roll == pytest.approx(2 / 36, abs=1e-5)
    assert (found.take, found.pass_) == pytest.approx((4 / 36, 1.0), abs=1e-5)


def test_after_each_roll_the_other_side_doubles_if_it_may() -> None:
    """At 90 % it doubles, and the side that rolled passes. With the cube on that side the game is played on."""
    replies = [Reply(1, Chances(0.9, 0.0, 0.0), 0.0)]
    assert values_by_rolls(MONEY, 0, replies).roll == pytest.approx(-1.0)
    assert values_by_rolls(replace(MONEY, cube="1", owner="1"), 0, replies).roll == pytest.approx(-1.6)


def test_in_a_match_a_pass_after_the_roll_costs_the_chances_that_it_leaves() -> None:
    fields, replies = in_match(5, 3, 3), [Reply(1, Chances(0.9, 0.0, 0.0), 0.0)]
    assert values_by_rolls(fields, 0, replies).roll == pytest.approx(-1.0)
    assert values_by_rolls(fields, 0, replies).take == pytest.approx(stakes(fields, 0, 1).in_points(0.1))


def test_without_a_double_the_rolls_are_worth_what_the_positions_after_them_are() -> None:
    chances = Chances(0.5, 0.1, 0.1)
    for fields in (MONEY, in_match(7, 2, 4)):
        found, after = values_by_rolls(fields, 0, [Reply(1, chances, 0.68)]), values(fields, 1, chances, 0.68)
        assert found.roll == pytest.approx(-after.roll)


def test_a_level_with_networks_does_not_double_too_early() -> None:
    """Checked by GNU Backgammon at 2-ply: a double costs 0.16, as a bad roll is doubled back."""
    state = GAME.decode("XGID=--DABACb-B--a-B---abbbbc--:0:0:1:00:0:0:1:0:10", {"cube": "on"})
    assert player(GAME, 7).candidates(state)[0].steps == (CubeAction.ROLL,)


# Two checkers on 5 and 2 are borne off by 19 rolls of 36, on 6 and 5 by 6: a cube that is turned for the last time.
@pytest.mark.parametrize(("points", "rolls"), [((5, 2), 19), ((6, 5), 6), ((1, 1), 36), ((6, 1), 15), ((4, 3), 17)])
def test_the_last_roll_is_doubled_by_the_favourite(points: tuple[int, int], rolls: int) -> None:
    white = {point: points.count(point) for point in points}
    action, value = decided(xgid(white, {1: 1}, "0:0:1:00:0:0:0:0:10"))
    win = rolls / 36
    assert rolls == 36 or action == ("double" if win > 0.5 else "roll")
    assert value == pytest.approx(min(1.0, (2 if win > 0.5 else 1) * (2 * win - 1)), abs=1e-6)
    answer, cost = decided(xgid(white, {1: 1}, "0:0:1:D:0:0:0:0:10"))
    assert answer == ("pass" if rolls == 36 else "take")
    assert cost == pytest.approx(max(-1.0, -2 * (2 * win - 1)), abs=1e-6)


def test_four_checkers_each_on_the_last_point() -> None:
    """The side to roll wins with a double, or if neither rolls one: 31 of 36, too much to take."""
    assert decided(xgid({1: 4}, {1: 4}, "0:0:1:D:0:0:0:0:10")) == ("pass", -1.0)


def test_a_double_of_the_underdog_is_beavered() -> None:
    assert decided(xgid({6: 1, 5: 1}, {1: 1}, "0:0:1:D:0:0:2:0:10"))[0] == "beaver"


def test_what_a_pass_costs_is_counted_with_the_cube() -> None:
    assert decided(xgid({1: 2}, {1: 1}, "2:-1:1:D:0:0:0:0:10")) == ("pass", -4.0)


def test_after_the_crawford_game_the_side_behind_doubles_at_once() -> None:
    behind = values(in_match(5, 1, 4), 0, Chances(0.5, 0.1, 0.1), 0.68)
    assert behind.of(CubeAction.DOUBLE, STAY) > behind.roll


def test_at_two_points_each_a_double_is_for_the_match() -> None:
    """A pass leaves the chance of a side that needs two points against one, in the Crawford game."""
    chance = match_chance(2, 1, crawford_over=False)
    for edge, takes in ((0.02, True), (-0.02, False)):
        found = values(in_match(5, 3, 3), 0, Chances(1 - chance - edge, 0.0, 0.0), 0.68)
        assert (found.take < found.pass_) == takes


def test_the_side_behind_keeps_a_cube_that_the_leader_cannot_turn_back() -> None:
    """It needs three points, the leader two: once doubled the cube is dead, and it is worth more in the middle."""
    even = values(in_match(3, 1, 0), 1, Chances(0.49, 0.13, 0.13), 0.68)
    assert even.roll > even.of(CubeAction.DOUBLE, STAY)
    ahead = values(in_match(3, 1, 0), 1, Chances(0.63, 0.18, 0.1), 0.68)
    assert ahead.roll < ahead.of(CubeAction.DOUBLE, STAY)


@pytest.mark.parametrize("win", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_in_a_long_match_the_cube_is_worth_as_much_as_for_money(win: float) -> None:
    chances = Chances(win, 0.2 * win, 0.2 * (1 - win))
    long, money = (values(fields, 0, chances, 1.0) for fields in (in_match(200, 0, 0), MONEY))
    assert (long.roll, long.take) == pytest.approx((money.roll, money.take), abs=0.06)


# GNU Backgammon 1.07 in the start position, with its own match equities: what the side to roll can expect
# if it rolls, in halves of the difference between winning and losing the cube.
@pytest.mark.parametrize(("needs", "expected"), [((2, 4), -0.16), ((4, 1), 0.75), ((3, 2), 0.26)])
def test_a_cube_in_the_middle_of_a_match_is_worth_what_gnu_backgammon_says(
    needs: tuple[int, int], expected: float
) -> None:
    fields = in_match(9, 9 - needs[0], 9 - needs[1])
    found = values(fields, 0, Chances(0.522, 0.154, 0.13, 0.007, 0.006), 0.68)
    assert found.roll == pytest.approx(expected, abs=0.08)


def test_in_the_crawford_game_the_cube_is_dead() -> None:
    chances = Chances(0.5, 0.1, 0.1)
    fields = in_match(5, 1, 4, crawford="1")
    assert values(fields, 0, chances, 1.0).roll == pytest.approx(stakes(fields, 0, 1).equity(chances))


def test_owning_the_cube_is_worth_most_and_facing_it_least() -> None:
    for own in range(2, 8):
        for other in range(2, 8):
            for tenths in range(11):
                chances = Chances(tenths / 10, 0.02 * tenths, 0.02 * (10 - tenths))
                fields = replace(in_match(7, 7 - own, 7 - other), cube="1")
                worth = [values(replace(fields, owner=owner), 0, chances, 1.0).roll for owner in ("-1", "0", "1")]
                assert worth[0] - 1e-6 <= worth[1] <= worth[2] + 1e-6


def test_the_chances_of_both_sides_of_a_match_add_up_and_grow_with_the_score() -> None:
    for own in range(1, 16):
        for other in range(1, 16):
            for over in {False, own == 1 or other == 1}:
                chance = match_chance(own, other, crawford_over=over)
                assert chance + match_chance(other, own, crawford_over=over) == pytest.approx(1)
                assert 0 < chance < 1
                if own > 1:
                    assert match_chance(own - 1, other, crawford_over=over) >= chance - 1e-9


@pytest.mark.parametrize("score", [("x", "0", "0"), ("5", "7", "0"), ("99999", "0", "0"), ("9999", "9998", "0")])
def test_any_score_of_a_position_text_is_survived(score: tuple[str, str, str]) -> None:
    length, white, black = score
    fields = replace(MONEY, length=length, white_score=white, black_score=black)
    assert values(fields, 0, Chances(0.6, 0.1, 0.1), 0.68).pass_ == 1.0
