"""A page of a crosstable: a Swiss by rounds, a round robin by opponents."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from bot.core.translations import Language
from bot.tournaments.results.pages.page import NO_VALUE, OUTCOMES, Page, count_text, marked
from bot.tournaments.results.standing import RUNNING, UNCOUNTED, Line, Turn
from bot.tournaments.results.words import halves, points_text
from engine.tournament.model import Format, Stage
from render.tournaments import pictures
from render.tournaments.views import (
    CROSSTABLE_CELLS,
    CROSSTABLE_ROUNDS,
    CROSSTABLE_ROWS,
    Cell,
    CrosstableRow,
    CrosstableView,
    Outcome,
)

ROWS: Final = CROSSTABLE_ROWS
NOTHING: Final = Cell("", Outcome.NONE)


class Block(NamedTuple):
    """The rows and columns of a page, from 0."""

    row: int
    column: int


def blocks(stage: Stage, lines: Sequence[Line]) -> list[Block]:
    """Returns the pages of a section's crosstable, in order."""
    columns = len(_columns(stage, lines))
    return [
        Block(row, column)
        for row in range(0, max(1, len(lines)), CROSSTABLE_ROWS)
        for column in range(0, max(1, columns), _cells(stage))
    ]


def _cells(stage: Stage) -> int:
    return CROSSTABLE_ROUNDS if stage.format is Format.SWISS else CROSSTABLE_CELLS


def crosstable_page(
    stage: Stage,
    lines: Sequence[Line],
    block: Block,
    names: Mapping[int, str],
    title: str,
    about: str,
    say: Language,
    theme: str,
    reader: int | None,
    page: tuple[int, int],
    qualified: int,
) -> Page:
    """Makes a page of a crosstable. ``lines``: the whole section, in order.

    ``page``: its number from 0, and the number of pages. ``qualified``: as in the view.
    """
    ranks = {line.player.number: number for number, line in enumerate(lines, start=1)}
    columns = _columns(stage, lines)[block.column : block.column + _cells(stage)]
    shown = lines[block.row : block.row + CROSSTABLE_ROWS]
    is_swiss = stage.format is Format.SWISS
    rows = tuple(
        CrosstableRow(
            str(ranks[line.player.number]),
            names[line.player.number],
            halves(line.points or 0),
            tuple(
                _of_round(line, column, ranks, say) if is_swiss else _of_opponent(line, column, say)
                for column in columns
            ),
            line.player.number == reader,
            line.withdrawn,
        )
        for line in shown
    )
    heads = tuple(str(column) if is_swiss else str(ranks[column]) for column in columns)
    empty = say("tournament.results.empty")
    view = CrosstableView(
        title, about, heads, say("tournament.results.head.points"), rows, empty, count_text(*page), qualified, theme
    )
    words = tuple(_words(line, columns, ranks, names, say, is_swiss=is_swiss) for line in shown) or (empty,)
    short = tuple(_short(row) for row in rows) or (empty,)
    abbreviated = tuple(_abbreviated(row) for row in rows) or (empty,)
    draw = partial(pictures.crosstable, view)
    return Page(draw, "crosstable", title, about, words, short, abbreviated=abbreviated)


def _columns(stage: Stage, lines: Sequence[Line]) -> list[int]:
    """Returns the headings: rounds of a Swiss, opponents of a round robin by rank."""
    if stage.format is Format.SWISS:
        return sorted({turn.round for line in lines for turn in line.turns})
    return [line.player.number for line in lines]


def _of_round(line: Line, number: int, ranks: Mapping[int, int], say: Language) -> Cell:
    """Returns the points and the opponent's rank, or a letter without an opponent."""
    turn = next((turn for turn in line.turns if turn.round == number), None)
    if turn is None:
        return NOTHING
    if turn.opponent is None:
        return Cell(say(f"tournament.results.letter.{turn.note}"), OUTCOMES[turn.note])
    return Cell(halves(turn.points), OUTCOMES[turn.note], str(ranks[turn.opponent]))


def _against(line: Line, opponent: int) -> list[Turn]:
    return [turn for turn in line.turns if turn.opponent == opponent]


def _of_opponent(line: Line, opponent: int, say: Language) -> Cell:
    """Returns the points against the opponent, in both games if there are two."""
    if opponent == line.player.number:
        return Cell("", Outcome.SELF)
    turns = _against(line, opponent)
    if not turns:
        return NOTHING
    done = [turn for turn in turns if turn.note != RUNNING]
    if not done:
        return Cell(say(f"tournament.results.letter.{RUNNING}"), Outcome.RUNNING)
    points = sum(turn.points for turn in done)
    if done[0].note == UNCOUNTED:  # then so is the other one
        return Cell(f"({halves(points)})", Outcome.ABSENT)
    if len(done) == 1:
        return Cell(halves(points), OUTCOMES[done[0].note])
    outcome = Outcome.DRAWN if points * 2 == len(done) else Outcome.WON if points * 2 > len(done) else Outcome.LOST
    return Cell(halves(points), outcome)


def _words(
    line: Line,
    columns: Sequence[int],
    ranks: Mapping[int, int],
    names: Mapping[int, str],
    say: Language,
    *,
    is_swiss: bool,
) -> str:
    """Returns a line such as ``1. Ana, 2½ points: won against 3, drew with 2, bye``."""
    turns = [turn for turn in line.turns if (turn.round if is_swiss else turn.opponent) in columns]
    results = ", ".join(
        say(f"tournament.results.turn.{turn.note}", opponent=ranks.get(turn.opponent or 0, NO_VALUE)) for turn in turns
    )
    name = marked(line.player, names[line.player.number], say)
    head = f"{ranks[line.player.number]}. {name}, {points_text(line.points or 0, say)}"
    return f"{head}: {results}" if results else head


def _abbreviated(row: CrosstableRow) -> str:
    """Returns ``1. Ana 2½: 1 (3), ½ (2), B``; in a round robin ``1. Ana 3½: 0, 1½, 2``."""
    cells = (f"{cell.text} ({cell.against})" if cell.against else cell.text or NO_VALUE for cell in row.cells)
    return f"{row.rank}. {row.name} {row.points}: {', '.join(cells)}"


def _short(row: CrosstableRow) -> str:
    """Returns ``1. Ana 2½: 3 2 B``; in a round robin, where ``1 ½`` would read like 1½, ``1. Ana 3½: 0;1½;2``."""
    separator = " " if any(cell.against for cell in row.cells) else ";"
    cells = separator.join(cell.against or cell.text or NO_VALUE for cell in row.cells)
    return f"{row.rank}. {row.name} {row.points}: {cells}"
