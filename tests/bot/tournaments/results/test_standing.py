"""Tests the places, which are the same in every table."""

from __future__ import annotations

import csv
import io

from fakes.snapshots import SWISS, Made, a_ladder, an_arena

from bot.tournaments.results.export import CSV, exported
from bot.tournaments.results.pages import pairings
from bot.tournaments.results.standing import Section, final_order, final_places, lines
from bot.tournaments.tournament import PlayerStatus, Status
from engine.tournament.model import Format, Result, Stage, Ties


def test_the_final_order_is_that_of_every_table() -> None:
    """With one who has withdrawn and the best two expelled, in the middle of a Swiss."""
    made = Made((Stage(Format.SWISS, rounds=4, ties=Ties.SHARED),), 9).rounds_of(2)
    best = [line.player.number for line in lines(made.snapshot, Section(1, 1))]
    made.withdraw(best[3])
    for number in best[:2]:
        made.player(number, status=PlayerStatus.EXPELLED, reason="expelled", last_round=2)
    made.finish()
    table = [(line.rank, line.last, line.player.number) for line in lines(made.snapshot, Section(1, 1))]
    assert [(line.rank, line.last, line.player.number) for line in final_order(made.snapshot)] == table
    assert [(one.first, one.last, one.entrant) for one in final_places(made.snapshot)] == table
    assert {(first, last) for first, last, number in table if number in best[:2]} == {(8, 9)}
    standings, _ = exported(made.snapshot, dict.fromkeys(range(1, 10), "A"), CSV)
    rows = csv.DictReader(io.StringIO(standings.data.decode("utf-8-sig")))
    assert [(int(row["rank"]), int(row["last rank"]), int(row["number"])) for row in rows] == table


def test_ladders_and_arenas_in_order() -> None:
    ladder = a_ladder()
    assert [line.player.number for line in lines(ladder.snapshot, Section(1, 1))] == [1, 3, 2, 4, 5, 6, 7, 8]
    arena = lines(an_arena().snapshot, Section(1, 1))
    assert [(line.rank, line.last) for line in arena] == [(1, 2), (1, 2), (3, 3), (4, 4), (5, 6), (5, 6)]
    assert [line.points for line in arena] == sorted((line.points for line in arena), reverse=True)


def test_the_games_of_an_arena_are_listed_the_latest_first() -> None:
    arena = an_arena(4, 6)
    assert [one.pairing.board for one in pairings.of_round(arena.snapshot, 0)] == [7, 6, 5, 4, 3, 2, 1]
    ladder = a_ladder()
    ladder.meet(8, 7, Result.DRAW)
    assert [one.pairing.board for one in pairings.of_round(ladder.snapshot, 0)] == [3, 4, 2, 1]


def test_ranks_gained_since_the_last_round() -> None:
    made = Made(SWISS, 4).rounds_of(1)
    assert {line.moved for line in lines(made.snapshot, Section(1, 1))} == {0}
    before = {line.player.number: line.rank for line in lines(made.snapshot, Section(1, 1))}
    made.rounds_of(1)
    for line in lines(made.snapshot, Section(1, 1)):
        assert line.moved == before[line.player.number] - line.rank


def test_a_streak_ends_with_the_arena() -> None:
    made = Made((Stage(Format.ARENA),), 2)
    for _ in range(2):
        made.meet(1, 2, Result.FIRST_WINS)
    assert [line.streak for line in lines(made.snapshot, Section(1, 1))] == [True, False]
    made.set(status=Status.OVER)
    assert not any(line.streak for line in lines(made.snapshot, Section(1, 1)))
