"""Rules of matches and series, each on its own: score, Crawford, seats, decisions (backgammon.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from harness.match_games import moved, next_table, resigned, timed

from engine.core.errors import IllegalMove, RuleError
from engine.core.game import CHANCE
from engine.core.hours import HOUR
from engine.core.record import Entry, Kind
from engine.kits.cube import LONGEST, CubeAction
from engine.match.match import MOST_GAMES, GameResult, Match, MatchHeader, MatchResult, Terms
from engine.registry import GAMES

BACKGAMMON = GAMES["backgammon"]
CUBE_ON = (("cube", "on"),)
both = pytest.mark.parametrize("key", ["backgammon", "abak"])


def to_points(
    points: int, *scores: tuple[int, int], options: Any = CUBE_ON, key: str = "backgammon", crawford: int = -1
) -> Match:
    """Returns a match after games with these points by player; ``crawford`` is the number of the Crawford
    game, from 0.
    """
    header = MatchHeader("m1", key, 1, 0, Terms(points=points), options)
    results = [GameResult(score, "end.single", crawford=number == crawford) for number, score in enumerate(scores)]
    return Match(header, tuple(results))


def series(best_of: int, *scores: int) -> Match:
    """Returns a series after games that player 0 won (1), drew (0) or lost (-1)."""
    header = MatchHeader("s1", "abalone", 1, 0, Terms(best_of=best_of))
    return Match(header, tuple(GameResult((score, -score), "end.single") for score in scores))


# --- terms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "key"),
    [
        ({"points": LONGEST + 1}, "match.points"),
        ({"points": -1}, "match.points"),
        ({"best_of": 0}, "match.best_of"),
        ({"best_of": MOST_GAMES + 1}, "match.best_of"),
        ({"points": 5, "best_of": 3}, "match.points_or_games"),
    ],
)
def test_terms_out_of_range_are_refused(terms: dict[str, int], key: str) -> None:
    with pytest.raises(RuleError) as refused:
        Terms(**terms)
    assert refused.value.key == key


def test_what_no_player_can_choose_is_an_error() -> None:
    with pytest.raises(ValueError, match="day"):
        Terms(points=1, bank="day")
    with pytest.raises(ValueError, match="score0"):
        MatchHeader("m1", "backgammon", 1, 0, Terms(points=3), (("score0", 2),))


def test_a_single_game_is_no_match() -> None:
    assert [terms.is_match for terms in (Terms(), Terms(points=1), Terms(best_of=2))] == [False, True, True]


# --- matches to points -----------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("points", range(1, LONGEST + 1))
@pytest.mark.parametrize("cube", ["on", "off"])
def test_a_match_of_each_length_is_won_by_as_many_points(key: str, points: int, cube: str) -> None:
    match = to_points(points, key=key, options=(("cube", cube),))
    game, crawfords = GAMES[key], 0
    for number in range(points):
        assert match.result is None
        options = match.next_options
        assert (options["points"], options["score0"], options["score1"]) == (points, number, 0)
        crawfords += options["crawford"] == "on"
        assert (options["crawford"] == "on") == (points > 1 and number == points - 1)
        fields = game.encode(game.start(game.settle_options(options))).split(":")[-9:]
        assert fields == [
            "0",
            "0",
            "1",
            "00",
            str(number),
            "0",
            str(int(options["crawford"] == "on")),
            str(points),
            "10",
        ]
        table = next_table(match)
        table = table.make_offer(1, "resign 1", 0).answer(0, 0, accept=True)
        match = match.add(table)
    assert match.result == MatchResult(0, "match.won")
    assert crawfords == (1 if points > 1 else 0)
    with pytest.raises(ValueError, match="over"):
        match.add(table)


def test_a_gammon_and_the_cube_count_in_a_match() -> None:
    match = to_points(7, (2, -2), (-4, 4))
    assert match.score == (2, 4)
    assert match.result is None
    assert Match(match.header, (*match.results, GameResult((-6, 6), "end.backgammon"))).score == (2, 10)


def test_a_drawn_game_counts_nothing() -> None:
    match = to_points(3, (1, -1))
    drawn = match.add(next_table(match).make_offer(0, "draw", 0).answer(1, 0, accept=True))
    assert drawn.score == (1, 0)
    assert drawn.result is None
    assert drawn.next_options == match.next_options


def test_the_crawford_game_is_the_first_in_which_one_point_is_needed() -> None:
    assert not to_points(5, (3, -3)).crawford
    assert to_points(5, (4, -4)).crawford
    assert to_points(5, (1, -1), (-4, 4)).crawford
    assert not to_points(5, (4, -4), (-1, 1), crawford=1).crawford
    # also if the other then needs one point, and if the Crawford game was drawn
    assert not to_points(5, (4, -4), (-4, 4), crawford=1).crawford
    assert not to_points(5, (4, -4), (0, 0), crawford=1).crawford


def test_a_match_to_one_point_has_a_dead_cube_and_no_crawford_game() -> None:
    match = to_points(1)
    assert not match.crawford
    table = next_table(match)
    table = table.append(Entry(0, Kind.CHANCE, CHANCE, "31")).play(0, "8/5 6/5", 0)
    assert table.to_act == CHANCE
    with pytest.raises(IllegalMove, match=r"cube\.dead"):
        table.game.apply(table.state, CubeAction.DOUBLE)


# --- the fields of the position, through a match worked by hand ------------------------------------------------------

OPENING = {"backgammon": "8/5 6/5", "abak": "24/23 8/5"}
"""White's turn after the opening roll 3-1."""
COURSE = (
    # the fields before each game (White's score, Black's, Crawford, length), and what it counts for White
    ("0:0:0:5", 2),  # a gammon
    ("2:0:0:5", -2),  # doubled
    ("2:2:0:5", 2),
    ("4:2:1:5", -1),  # the Crawford game
    ("4:3:0:5", -6),  # after it, doubling is free again: a backgammon, doubled
)


@both
def test_the_position_carries_the_match(key: str) -> None:
    game, match = GAMES[key], to_points(5, key=key)
    for fields, points in COURSE:
        table = next_table(match)
        assert game.encode(table.state).endswith(f":0:0:1:00:{fields}:10")
        table = table.append(Entry(0, Kind.CHANCE, CHANCE, "31"))
        assert game.encode(table.state).endswith(f":0:0:1:31:{fields}:10")
        table = table.play(0, OPENING[key], 0)
        assert game.encode(table.state).endswith(f":0:0:-1:00:{fields}:10")
        assert (table.to_act == CHANCE) == (fields == "4:2:1:5")
        if points in {-2, -6}:
            table = table.play(1, "double", 1)
            assert game.encode(table.state).endswith(f":0:0:-1:D:{fields}:10")
            table = table.play(0, "take", 1)
            assert game.encode(table.state).endswith(f":1:1:-1:00:{fields}:10")
        loser = int(points > 0)
        table = table.resign(loser, abs(points), 1)
        match = match.add(table if table.outcome else table.answer(1 - loser, 1, accept=True))
    assert match.score == (4, 9)
    assert match.result == MatchResult(1, "match.won")


def test_a_match_without_a_cube_has_no_cube_in_its_positions() -> None:
    match = to_points(3, (2, -2), options=())
    state = BACKGAMMON.start(BACKGAMMON.settle_options(match.next_options))
    assert BACKGAMMON.encode(state).endswith(":0:0:1:00:2:0:1:3:10")
    with pytest.raises(IllegalMove, match=r"cube\.not_in_play"):
        BACKGAMMON.parse(BACKGAMMON.decode(BACKGAMMON.encode(state)), "double")


# --- series ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("best_of", "scores", "expected"),
    [
        (3, (1,), None),
        (3, (1, 1), MatchResult(0, "match.won")),
        (3, (1, -1), None),
        (3, (1, -1, -1), MatchResult(1, "match.won")),
        (3, (1, 0), None),  # one and a half of three: the other can still draw
        (3, (1, 0, 0), MatchResult(0, "match.won")),
        (3, (0, 0, 0), MatchResult(None, "match.drawn")),
        (4, (1, 1), None),
        (4, (1, 1, 0), MatchResult(0, "match.won")),
        (2, (-1, 1), MatchResult(None, "match.drawn")),
        (2, (0, 1), MatchResult(0, "match.won")),
    ],
)
def test_a_series_ends_as_soon_as_it_is_decided(best_of: int, scores: tuple[int, ...], expected: object) -> None:
    assert series(best_of, *scores).result == expected


def test_players_swap_seats_in_a_series_and_not_in_a_match_to_points() -> None:
    assert [series(5, *([0] * count)).players_by_seat for count in range(3)] == [(0, 1), (1, 0), (0, 1)]
    assert to_points(5, (1, -1)).players_by_seat == (0, 1)
    assert series(3, 1).next_options == {}


@pytest.mark.parametrize("key", GAMES)
def test_points_of_a_series_go_to_the_players_and_not_to_the_seats(key: str) -> None:
    match = Match(MatchHeader("s1", key, 1, 0, Terms(best_of=3)))
    for score in ((1, 0), (2, 0)):  # player 1 resigns both games, in another seat each time
        table = next_table(match)
        match = match.add(resigned(table, match.players_by_seat.index(1)))
        assert match.score == score
    assert match.result == MatchResult(0, "match.won")


def test_a_game_that_goes_on_is_not_added() -> None:
    match = timed(Terms(best_of=3))
    with pytest.raises(ValueError, match="goes on"):
        match.add(next_table(match))


# --- decisions from outside ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "why", "expected"),
    [
        ("0", "decision", MatchResult(0, "match.adjudicated")),
        ("1", "forfeit", MatchResult(1, "match.adjudicated_forfeit")),
        ("draw", "decision", MatchResult(None, "match.adjudicated_draw")),
        ("void", "", MatchResult(None, "match.voided", counts=False)),
    ],
)
@pytest.mark.parametrize("terms", [Terms(best_of=5), Terms(points=7)])
def test_a_decision_in_a_game_decides_the_match(result: Any, why: str, expected: MatchResult, terms: Terms) -> None:
    """In its first game, it counts only after a turn of each; in a later one, the match was played."""
    match = timed(terms, key="abak" if terms.points else "abalone")
    first = next_table(match) if terms.points else moved(next_table(match), 2)
    over = match.add(first.adjudicate(result, why, HOUR // 12))
    assert over.result == replace(expected, counts=expected.counts and not terms.points)
    later = match.add(resigned(next_table(match), 1))
    table = next_table(later)
    seat = result if terms.points or expected.winner is None else str(1 - expected.winner)  # a series swaps seats
    over = later.add(table.adjudicate(seat, why, 1))
    assert over.result == expected
    assert over.result.drawn == (result == "draw")
    assert over.results[1].winner == expected.winner
    if not terms.points:
        assert over.score == {"0": (2, 0), "1": (1, 1), "draw": (1.5, 0.5), "void": (1, 0)}[result]


def test_points_that_win_the_match_win_it_however_they_were_won() -> None:
    match = series(3, 1)
    assert match.add(next_table(match).adjudicate("1", "forfeit", 0)).result == MatchResult(0, "match.won")
    drawn = series(3, 1, 0)
    decided = drawn.add(next_table(drawn).adjudicate("draw", "decision", 0))
    assert (decided.score, decided.result) == ((2, 1), MatchResult(None, "match.adjudicated_draw"))
