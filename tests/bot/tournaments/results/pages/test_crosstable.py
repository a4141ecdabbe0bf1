"""The crosstable: what its cells say, and its rows in words."""

from __future__ import annotations

from fakes.result_pages import drawn, page
from fakes.snapshots import SWISS, Made, names_of

from bot.core.translations import language
from bot.tournaments.results.pages.build import CROSSTABLE
from bot.tournaments.results.pages.crosstable import Block, _of_opponent, crosstable_page
from bot.tournaments.results.standing import Section, lines
from bot.tournaments.results.words import halves
from bot.tournaments.tournament import PlayerStatus
from engine.tournament.model import Format, Result, Stage, Ties
from render.tournaments.views import Outcome

EN = language("en")


async def test_a_swiss_says_points_and_opponent_in_each_cell() -> None:
    made = Made(SWISS, 6).rounds_of(2)
    here = lines(made.snapshot, Section(1, 1))
    ranks = {line.player.number: line.rank for line in here}
    for line, row in zip(here, drawn(await page(made, CROSSTABLE, stage=1, section=1)).rows, strict=True):
        played = [turn for turn in line.turns if turn.opponent is not None]
        cells = [cell for cell in row.cells if cell.against]
        assert [(cell.text, cell.against) for cell in cells] == [
            (halves(turn.points), str(ranks[turn.opponent or 0])) for turn in played
        ]


async def test_a_round_robin_of_two_legs_adds_both_games() -> None:
    made = Made((Stage(Format.ROUND_ROBIN, legs=2),), 2)
    made.pair()
    made.settle(made.running[0], Result.DRAW)
    made.pair()
    made.settle(made.running[0], Result.FIRST_WINS)
    cross = await page(made, CROSSTABLE)
    cells = [row.cells for row in drawn(cross).rows]
    assert [cell.outcome for row in cells for cell in row] == [Outcome.SELF, Outcome.WON, Outcome.LOST, Outcome.SELF]
    assert cross.page.short == ("1. Bruno 1½: –;1½", "2. Ana ½: ½;–")  # noqa: RUF001 - a dash
    assert cross.page.abbreviated == ("1. Bruno 1½: –, 1½", "2. Ana ½: ½, –")  # noqa: RUF001 - a dash


async def test_short_words_of_a_swiss_keep_result_and_opponent_apart() -> None:
    """1 against number 2 is no 12."""
    made = Made(SWISS, 4)
    made.pair()
    for stored in made.running:
        made.settle(stored, Result.FIRST_WINS)
    abbreviated = (await page(made, CROSSTABLE)).page.abbreviated
    assert abbreviated is not None
    assert len(abbreviated) == 4
    assert all(line.endswith((": 1 (3)", ": 1 (4)", ": 0 (1)", ": 0 (2)")) for line in abbreviated)


def test_results_that_do_not_count_stand_in_brackets_in_the_crosstable() -> None:
    made = Made((Stage(Format.ROUND_ROBIN),), 6).rounds_of(1)
    (played,) = [one.pairing for one in made.snapshot.pairings if 1 in one.pairing.players]
    made.withdraw(1)
    made.rounds_of(1)
    table = lines(made.snapshot, Section(1, 1))
    opponent = next(line for line in table if line.player.number in {*played.players} - {1})
    cell = _of_opponent(opponent, 1, EN)
    points = played.result.points[played.players.index(opponent.player.number)] if played.result else None
    assert (cell.text, cell.outcome) == (f"({halves(points or 0)})", Outcome.ABSENT)


async def test_what_players_did_without_a_game() -> None:
    made = Made(SWISS, 5)
    made.pair()
    first, second = made.running
    made.settle(first, Result.FIRST_WINS_BY_FORFEIT, "forfeit")
    made.settle(second, Result.BOTH_FORFEIT, "forfeit")
    made.player(5, status=PlayerStatus.EXPELLED, last_round=1)
    made.player(4, status=PlayerStatus.WITHDRAWN, last_round=1)
    cross = await page(made, CROSSTABLE)
    said = "\n".join(cross.page.lines)
    assert "forfeit win over" in said
    assert said.count("forfeit loss to") == 3
    assert ": bye" in said
    assert "Elena (expelled)" in said
    assert "Dan (left)" in said


def test_the_words_of_a_crosstable_number_the_rows_as_the_results_do() -> None:
    """Tied players share a place, but each row has its number, by which the results name the opponent."""
    made = Made((Stage(Format.ROUND_ROBIN, ties=Ties.SHARED),), 4)
    while made.pair():
        for stored in made.running:
            made.settle(stored, Result.DRAW)
    section = Section(1, 1)
    table = lines(made.snapshot, section)
    assert {line.rank for line in table} == {1}
    names, stage = names_of(made.snapshot), made.snapshot.tournament.plan.stages[0]
    page = crosstable_page(stage, table, Block(0, 0), names, "Cup", "", EN, "wood", None, (0, 1), 0)
    assert [line.partition(". ")[0] for line in page.lines] == ["1", "2", "3", "4"]
    (last,) = page.lines[3:]
    assert all(f"drew with {number}" in last for number in (1, 2, 3))
