"""Tests what a challenge proposes: defaults, chosen values, and options that do not fit together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.challenges.proposal import DRAWN, HIGHEST, Wishes, propose, read_ratings, write_ratings
from bot.core.translations import CODES, language
from engine.core.errors import RuleError
from engine.kits.cube import LONGEST, OFF, ON
from engine.match.match import MOST_GAMES, Terms
from engine.registry import GAMES

LIVE, SLOW = "10m+5s", "3d/move"
SINGLE, TO_THREE = Terms(), Terms(points=3)


@pytest.mark.parametrize(
    ("game", "clock", "terms", "cube"),
    [
        ("backgammon", SLOW, TO_THREE, ON),
        ("backgammon", "", TO_THREE, ON),
        ("backgammon", LIVE, SINGLE, OFF),
        ("abak", SLOW, SINGLE, OFF),
        ("abak", LIVE, SINGLE, OFF),
        ("abalone", SLOW, SINGLE, None),
        ("apb", "", SINGLE, None),
    ],
)
def test_what_is_usual(game: str, clock: str, terms: Terms, cube: str | None) -> None:
    found = propose(Wishes(game), clock, None, in_server=True)
    assert (found.terms, found.options.get("cube"), found.rated) == (terms, cube, True)
    assert not propose(Wishes(game), clock, None, in_server=False).rated
    against_machine = propose(Wishes(game), clock, 3, in_server=True)
    assert (against_machine.terms, against_machine.options.get("cube")) == (SINGLE, None if cube is None else OFF)
    assert not against_machine.rated


@pytest.mark.parametrize(
    ("wishes", "terms", "cube"),
    [
        (Wishes("backgammon", points=0), SINGLE, OFF),
        (Wishes("backgammon", cube=True), SINGLE, ON),
        (Wishes("backgammon", cube=False), SINGLE, OFF),
        (Wishes("backgammon", games=3), Terms(best_of=3), OFF),
        (Wishes("backgammon", points=7), Terms(points=7), ON),
        (Wishes("backgammon", points=7, cube=False), Terms(points=7), OFF),
        (Wishes("backgammon", points=1), Terms(points=1), OFF),
        (Wishes("abak", points=5), Terms(points=5), OFF),
        (Wishes("abak", points=5, cube=True), Terms(points=5), ON),
        (Wishes("abalone", games=4), Terms(best_of=4), None),
        (Wishes("abalone", points=0, cube=False), SINGLE, None),
    ],
)
def test_what_is_asked_for_replaces_the_usual(wishes: Wishes, terms: Terms, cube: str | None) -> None:
    found = propose(wishes, SLOW, None, in_server=True)
    assert (found.terms, found.options.get("cube")) == (terms, cube)
    assert not propose(replace(wishes, rated=False), SLOW, None, in_server=True).rated
    assert propose(replace(wishes, rated=True), SLOW, None, in_server=False).rated


def test_beavers_and_one_bank_where_they_fit() -> None:
    found = propose(Wishes("backgammon", cube=True, beavers=True), SLOW, None, in_server=True)
    assert found.options == {"cube": ON, "beavers": ON}
    found = propose(Wishes("backgammon", points=5, bank="match"), LIVE, None, in_server=True)
    assert found.terms == Terms(points=5, bank="match")


def test_the_options_that_the_rules_speak_of() -> None:
    for jacoby, value in ((True, ON), (False, OFF)):
        found = propose(Wishes("backgammon", cube=True, jacoby=jacoby), SLOW, None, in_server=True)
        assert (found.terms, found.options) == (SINGLE, {"cube": ON, "jacoby": value})
    found = propose(Wishes("abalone", options={"target": 4, "ply_limit": 100}, games=3), SLOW, None, in_server=True)
    assert (found.terms, found.options) == (Terms(best_of=3), {"target": 4, "ply_limit": 100})
    for game in GAMES.values():
        for seat, side in enumerate(game.seats):
            assert propose(Wishes(game.key, side=side), SLOW, None, in_server=True).seat == seat
        for side in (None, DRAWN):
            assert propose(Wishes(game.key, side=side), SLOW, None, in_server=True).seat is None


REFUSED = [
    (Wishes("abalone", jacoby=True), "challenge.no_jacoby"),
    (Wishes("apb", jacoby=False), "challenge.no_jacoby"),
    (Wishes("apb", options={"target": 3}), "challenge.no_option"),
    (Wishes("backgammon", options={"ply_limit": 100}), "challenge.no_option"),
    (Wishes("abalone", side="red"), "challenge.no_side"),
    (Wishes("backgammon", jacoby=True), "challenge.jacoby_cube"),
    (Wishes("abak", jacoby=False, cube=True, points=3), "challenge.jacoby_cube"),
    (Wishes("abalone", points=3), "challenge.no_points"),
    (Wishes("apb", cube=True), "challenge.no_cube"),
    (Wishes("apb", beavers=True), "challenge.no_beavers"),
    (Wishes("backgammon", points=3, games=3), "match.points_or_games"),
    (Wishes("backgammon", points=LONGEST + 1), "match.points"),
    (Wishes("abalone", games=MOST_GAMES + 1), "match.best_of"),
    (Wishes("abalone", games=0), "match.best_of"),
    (Wishes("backgammon", beavers=True), "challenge.beavers"),
    (Wishes("backgammon", beavers=True, cube=False), "challenge.beavers"),
    (Wishes("backgammon", beavers=True, cube=True, points=3), "challenge.beavers"),
    (Wishes("backgammon", games=3, cube=True), "challenge.series_cube"),
    (Wishes("abalone", bank="match"), "challenge.bank_single"),
    (Wishes("abalone", games=3, bank="match"), "challenge.bank_none"),
    (Wishes("abalone", ratings="much"), "challenge.rating_text"),
    (Wishes("abalone", ratings="1700-1400"), "challenge.rating_order"),
]


@pytest.mark.parametrize(("wishes", "key"), REFUSED, ids=[f"{w.game}-{key}" for w, key in REFUSED])
def test_what_does_not_fit_together_is_refused_in_one_sentence(wishes: Wishes, key: str) -> None:
    with pytest.raises(RuleError) as refused:
        propose(wishes, SLOW, None, in_server=True)
    assert refused.value.key == key
    for code in CODES:
        told = language(code).error(refused.value)
        assert "{" not in told
        assert told.count(". ") <= 1


def test_a_rating_is_asked_of_anyone_but_not_of_one() -> None:
    wishes = Wishes("abalone", ratings="1400-1700")
    assert propose(wishes, SLOW, None, in_server=True).ratings == (1400, 1700)
    with pytest.raises(RuleError, match="rating_opponent"):
        propose(wishes, SLOW, 5, in_server=True)


@pytest.mark.parametrize(
    ("text", "ratings"),
    [
        ("", (None, None)),
        ("  ", (None, None)),
        ("1400-1700", (1400, 1700)),
        (" 1400 \u2013 1700 ", (1400, 1700)),
        ("1400..1700", (1400, 1700)),
        ("1500-1500", (1500, 1500)),
        ("1400-", (1400, None)),
        ("1400+", (1400, None)),
        ("-1700", (None, 1700)),
    ],
)
def test_rating_ranges_as_they_are_typed(text: str, ratings: tuple[int | None, int | None]) -> None:
    assert read_ratings(text) == ratings


@pytest.mark.parametrize("text", ["-", "1500", "a-b", "1400-1700-", "0-9999", "1400 1700", "²00-³00", "٣٠٠-٤٠٠٠"])
def test_what_is_no_rating_range(text: str) -> None:
    with pytest.raises(RuleError, match="rating_text"):
        read_ratings(text)


@given(st.lists(st.integers(0, HIGHEST), min_size=2, max_size=2).map(sorted), st.sampled_from(["both", "low", "high"]))
def test_a_written_range_is_read_as_it_was(bounds: list[int], which: str) -> None:
    low, high = bounds
    ratings = (None if which == "high" else low, None if which == "low" else high)
    assert read_ratings(write_ratings(ratings)) == ratings


def test_every_game_has_its_usual_proposal() -> None:
    for game in GAMES:
        for clock in ("", LIVE, SLOW):
            found = propose(Wishes(game), clock, None, in_server=True)
            assert GAMES[game].settle_options(found.options).items() >= found.options.items()
