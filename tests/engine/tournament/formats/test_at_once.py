"""Round robins whose games all begin at once: the same table, tie-breaks and reports as round by round."""

from collections import Counter
from dataclasses import replace

import pytest
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.tournament import trf
from engine.tournament.director import next_round, rounds_expected
from engine.tournament.field import field
from engine.tournament.formats.round_robin import rounds_of, uncounted, unfolded
from engine.tournament.model import MOST_AT_ONCE, Entrant, Format, Pairing, Result, Stage, TieBreak, Ties
from engine.tournament.standings import explain, standings

PLAYED = (Result.FIRST_WINS, Result.SECOND_WINS, Result.DRAW)
ENDED = (*PLAYED, Result.FIRST_WINS_BY_FORFEIT, Result.SECOND_WINS_BY_FORFEIT, Result.BOTH_FORFEIT)
ONE_BY_ONE = Stage(Format.ROUND_ROBIN, tie_breaks=tuple(TieBreak), ties=Ties.SHARED)


def field_of(players: int) -> list[Entrant]:
    return [Entrant(number, number) for number in range(1, players + 1)]


def at_once(stage: Stage) -> Stage:
    return replace(stage, at_once=True)


def all_games(stage: Stage, entrants: list[Entrant]) -> list[Pairing]:
    made = next_round((at_once(stage),), entrants, [])
    assert made is not None
    assert (made.stage, made.number) == (1, 1)
    return list(made.pairings)


def round_by_round(stage: Stage, entrants: list[Entrant]) -> list[Pairing]:
    """Returns all games of the tables, by round and section, without the rows of those left over."""
    found: list[Pairing] = []
    while made := next_round((stage,), entrants, found):
        found += [replace(one, result=one.result or Result.DRAW) for one in made.pairings]
    return [replace(one, result=None, reason=None) for one in found if one.second is not None]


def in_table_order(pairings: list[Pairing]) -> list[Pairing]:
    return sorted(pairings, key=lambda one: (one.section, one.round, one.board))


@st.composite
def tables(draw: st.DrawFn) -> tuple[Stage, list[Entrant]]:
    stage = replace(ONE_BY_ONE, sections=draw(st.integers(1, 3)), legs=draw(st.integers(1, 2)))
    return stage, field_of(draw(st.integers(2, MOST_AT_ONCE)))


@examples(40)
@given(tables())
def test_the_games_are_those_of_the_tables_with_their_rounds_and_boards(table: tuple[Stage, list[Entrant]]) -> None:
    stage, entrants = table
    made = all_games(stage, entrants)
    assert {(one.round, one.reason.key if one.reason else "") for one in made} == {(1, "at_once")}
    boards = Counter((one.section, one.board) for one in made)
    assert set(boards.values()) == {1}
    plain = [replace(one, reason=None) for one in unfolded(at_once(stage), made)]
    assert in_table_order(plain) == in_table_order(round_by_round(stage, entrants))


@examples(40)
@given(tables(), st.data())
def test_standings_are_the_same_whatever_has_ended_in_whatever_order(
    table: tuple[Stage, list[Entrant]], data: st.DataObject
) -> None:
    stage, entrants = table
    results = st.lists(st.sampled_from([None, *ENDED]), min_size=200, max_size=200)
    ended = dict(enumerate(data.draw(results)))
    one_by_one = [
        replace(one, result=ended[number]) for number, one in enumerate(in_table_order(round_by_round(stage, entrants)))
    ]
    folded = sorted(all_games(stage, entrants), key=lambda one: (one.section, one.board))
    together = [replace(one, result=ended[number]) for number, one in enumerate(folded)]
    together = data.draw(st.permutations(together))
    usual, here = (stage,), (at_once(stage),)
    assert standings(here, 1, field(here, 1, entrants, together), together) == standings(
        usual, 1, field(usual, 1, entrants, one_by_one), one_by_one
    )
    for entrant in entrants:
        assert explain(here, 1, entrants, together, entrant.id) == explain(usual, 1, entrants, one_by_one, entrant.id)


@examples(20)
@given(st.integers(2, MOST_AT_ONCE), st.integers(1, 2), st.data())
def test_a_report_has_the_rounds_of_the_table(players: int, legs: int, data: st.DataObject) -> None:
    stage, entrants = replace(ONE_BY_ONE, legs=legs), field_of(players)
    results = data.draw(st.lists(st.sampled_from([None, *ENDED]), min_size=200, max_size=200))
    names = {entrant.id: f"Player {entrant.id}" for entrant in entrants}
    count = rounds_of([players], legs)
    reports = [
        trf.write(trf.report_of("Cup", entrants, names, [replace(one, result=results[n]) for n, one in rows], count))
        for rows in (
            enumerate(in_table_order(list(unfolded(at_once(stage), all_games(stage, entrants))))),
            enumerate(in_table_order(round_by_round(stage, entrants))),
        )
    ]
    assert reports[0] == reports[1]


@examples(40)
@given(st.integers(2, MOST_AT_ONCE), st.integers(1, 2), st.data())
def test_who_leaves_counts_if_half_of_the_games_were_played_whichever(
    players: int, legs: int, data: st.DataObject
) -> None:
    stage, entrants = replace(ONE_BY_ONE, legs=legs), field_of(players)
    made = all_games(stage, entrants)
    own = [one for one in made if 1 in one.players]
    played = data.draw(st.sets(st.sampled_from([one.board for one in own])))
    rows = [
        replace(
            one,
            result=Result.DRAW
            if 1 not in one.players or one.board in played
            else Result.FIRST_WINS_BY_FORFEIT
            if one.second == 1
            else Result.SECOND_WINS_BY_FORFEIT,
        )
        for one in made
    ]
    gone = [replace(one, last_round=1) if one.id == 1 else one for one in entrants]
    assert uncounted(1, at_once(stage), gone, rows) == (set() if 2 * len(played) >= len(own) else {1})
    assert not uncounted(1, at_once(stage), entrants, rows)


@pytest.mark.parametrize("legs", [1, 2])
def test_the_table_is_one_round_after_which_the_knockout_follows(legs: int) -> None:
    groups = replace(ONE_BY_ONE, sections=2, legs=legs, qualifiers=2)
    stages = (at_once(groups), Stage(Format.SINGLE_ELIMINATION))
    entrants = field_of(9)
    made = all_games(groups, entrants)
    assert Counter(one.section for one in made) == {1: 10 * legs, 2: 6 * legs}
    with pytest.raises(ValueError, match="have no result yet"):
        next_round(stages, entrants, [replace(made[0], result=None), *made[1:]])
    ended = [
        replace(one, result=Result.FIRST_WINS if one.first < (one.second or 0) else Result.SECOND_WINS) for one in made
    ]
    following = next_round(stages, entrants, ended)
    assert following is not None
    assert (following.stage, following.number) == (2, 2)
    assert rounds_expected(stages, 9) == 3


def test_a_play_off_follows_after_the_tables_also_in_their_rounds() -> None:
    stage = replace(ONE_BY_ONE, ties=Ties.PLAY_OFF)
    entrants = field_of(4)
    ended = [replace(one, result=Result.DRAW) for one in all_games(stage, entrants)]
    made = next_round((at_once(stage),), entrants, ended)
    assert made is not None
    assert made.number == 2
    assert {bool(one.slot) for one in made.pairings} == {True}
    rounds = [one.round for one in unfolded(at_once(stage), [*ended, *made.pairings]) if one.slot]
    assert set(rounds) == {4}


def test_who_has_left_before_the_first_round_has_no_games() -> None:
    entrants = [*field_of(4), Entrant(5, 5, last_round=0)]
    made = all_games(ONE_BY_ONE, entrants)
    assert {player for one in made for player in one.players} == {1, 2, 3, 4}


def test_a_group_of_which_one_is_left_keeps_its_player() -> None:
    entrants = [replace(entrant, section=1 + (entrant.id > 3)) for entrant in field_of(4)]
    made = all_games(ONE_BY_ONE, entrants)
    assert [(one.first, one.second, one.result) for one in made if one.section == 2] == [(4, None, Result.ZERO_BYE)]
    assert [one.round for one in unfolded(at_once(ONE_BY_ONE), made) if one.section == 1] == [1, 2, 3]
