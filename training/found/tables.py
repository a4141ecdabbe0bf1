"""The tables of ``docs/findings.md``, from the results of the jobs."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.found.apb import COUNTED, EVEN
from training.found.games import CATEGORIES, PRISONERS
from training.found.store import Figure, Result, estimate, mean, ratio
from training.found.turns import GAPS, KINDS, ZONES

CLASSES: Final = {"S": "soldier", "G": "guard", "K": "general", "D": "druid", "E": "even wounded", "O": "odd wounded"}
FEWEST: Final = 50
"""Of fewer positions nothing is told."""


class Table(NamedTuple):
    title: str
    head: Sequence[str]
    rows: list[list[str]]

    def told(self) -> str:
        lines = [self.head, ["---"] * len(self.head), *self.rows]
        return "\n".join([f"\n{self.title}\n", *(f"| {' | '.join(line)} |" for line in lines)])


def of(found: Iterable[Result], part: str) -> list[Result]:
    return [line for line in found if line["part"] == part]


def rows_of(found: Iterable[Result], get: Callable[[Result], Any]) -> NDArray[np.float64]:
    """Returns the figures of each job, a row each."""
    return np.array([get(line) for line in found], np.float64)


def percent(each: NDArray[np.float64], part: int, whole: int) -> str:
    """A share of sums, by the numbers of their columns."""
    return percent_of(each, lambda sums: ratio(sums[part], sums[whole]))


def percent_of(each: NDArray[np.float64], share: Callable[[NDArray[np.float64]], float]) -> str:
    return estimate(100 * each, lambda sums: 100 * share(sums)).told(1) + " %"


# --- Abak ---------------------------------------------------------------------------------------------------------


class Opening(NamedTuple):
    roll: tuple[int, int]
    turns: list[str]
    """The best first."""
    points: NDArray[np.float64]
    """A row for each turn, a column for each block of continuations."""

    def worth(self) -> Figure:
        return mean_of(self.points[0])

    def behind(self, number: int) -> Figure:
        """Returns the loss of a turn against the best."""
        return mean_of(self.points[0] - self.points[number])


def mean_of(blocks: NDArray[np.float64]) -> Figure:
    return estimate(np.stack([blocks, np.ones(len(blocks))], 1), lambda sums: float(sums[0] / sums[1]))


def openings(found: Sequence[Result]) -> list[Opening]:
    told: list[Opening] = []
    for line in of(found, "opening"):
        points = np.array([*line["points"].values()])
        order = np.argsort(-points.mean(1), kind="stable")
        texts = [*line["points"]]
        told.append(Opening((line["roll"][0], line["roll"][1]), [texts[number] for number in order], points[order]))
    return told


def opening_rows(those: Iterable[Opening]) -> list[list[str]]:
    rows: list[list[str]] = []
    for each in those:
        second = [f"`{each.turns[1]}`", each.behind(1).told(3)] if len(each.turns) > 1 else ["-", "-"]
        name = f"{each.roll[0]}-{each.roll[1]}"
        rows.append([name, f"`{each.turns[0]}`", each.worth().told(3, sign=True), *second])
    return rows


def first_move(those: Sequence[Opening]) -> Figure:
    """Returns what the side that begins can expect, over the rolls that begin a game."""
    worths = [each.worth() for each in those if each.roll[0] != each.roll[1]]
    error = sum(worth.error**2 for worth in worths) ** 0.5
    return Figure(sum(worth.value for worth in worths) / len(worths), error / len(worths))


POINTS: Final = np.arange(-3.0, 4.0)
"""The points of a game, as results are counted."""


def result_cells(results: NDArray[np.float64]) -> list[str]:
    """The share of games won, and the points of a game."""
    return [share(results, POINTS > 0), mean(results, POINTS).told(3, sign=True)]


def share(results: NDArray[np.float64], those: NDArray[np.bool_]) -> str:
    return mean(results, 100.0 * those).told(1) + " %"


def result_rows(found: Sequence[Result]) -> list[list[str]]:
    rows: list[list[str]] = []
    for part in ("abak", "backgammon"):
        each = rows_of(of(found, part), lambda line: [*line["results"], line["turns"], line["count"]])
        if len(each) > 1:
            results = each[:, :7].sum(0)
            turns = estimate(each, lambda sums: float(sums[7] / sums[8])).told(1)
            more = [share(results, abs(POINTS) >= least) for least in (2, 3)]
            rows.append([part, f"{int(results.sum())}", turns, *result_cells(results), *more])
    return rows


def event_rows(found: Sequence[Result]) -> list[list[str]]:
    each = rows_of(of(found, "abak"), lambda line: [line["hits"], line["traps"], line["count"]])
    return [
        [name, estimate(each, lambda sums, at=at: float(sums[at] / sums[2])).told(2)]  # type: ignore[misc]
        for at, name in enumerate(("turns with a hit", "turns with a trap"))
    ]


def lacking_rows(found: Sequence[Result]) -> list[list[str]]:
    rows: list[list[str]] = []
    for stone, name in CLASSES.items():
        each = rows_of([line for line in of(found, "lacking") if line["stone"] == stone], lambda line: line["results"])
        if len(each):
            rows.append([name, f"{int(each.sum())}", *result_cells(each.sum(0))])
    return rows


def prisoner_rows(found: Sequence[Result]) -> list[list[str]]:
    """Returns what a position with one prisoner brings to the side to roll, above one without at the same lead."""
    each = rows_of(of(found, "abak"), lambda line: line["prisoners"])
    names = [
        *PRISONERS[1:],
        *(f"holds: {name}" for name in CLASSES.values()),
        *(f"held: {name}" for name in CLASSES.values()),
    ]

    def above(sums: NDArray[np.float64], at: int) -> float:
        count, points = sums[0], sums[1]
        both = (count[at] > 0) & (count[0] > 0)
        weight = count[at][both]
        usual = points[0][both] / count[0][both]
        return float((points[at][both] - weight * usual).sum() / max(1, weight.sum()))

    positions = {at: int(each[:, 0, at].sum()) for at in range(1, CATEGORIES)}
    seen = [at for at, count in positions.items() if count >= FEWEST]
    rows = [
        [names[at - 1], f"{positions[at]}", estimate(each, partial(above, at=at)).told(2, sign=True)] for at in seen
    ]
    for at in (1, 3):
        if at in seen and at + 1 in seen:
            more = estimate(each, lambda sums, at=at: above(sums, at) - above(sums, at + 1))  # type: ignore[misc]
            rows.append([f"{names[at - 1]}, above {names[at]}", "", more.told(2, sign=True)])
    return rows


def order_rows(found: Sequence[Result]) -> list[list[str]]:
    each = rows_of(
        of(found, "turns"),
        lambda line: [*line["orders"], line["general_back"], line["pair_captures"], *line["traps"], line["decisions"]],
    )
    last = each.shape[1] - 1
    rows = [["another order of the best moves leads elsewhere", percent(each, 0, last)]]
    rows += [[f"… and loses {gap} points or more", percent(each, 1 + at, last)] for at, gap in enumerate(GAPS)]
    rows += [
        ["the general goes back", percent(each, 5, last)],
        ["pair capture", percent(each, 6, last)],
        ["a trap is best", percent(each, 7, last)],
        ["… what the best turn without it loses", estimate(each, lambda sums: ratio(sums[8], sums[7])).told(3)],
    ]
    return rows


def mistake_rows(found: Sequence[Result]) -> tuple[list[list[str]], list[list[str]]]:
    those = of(found, "turns")
    levels: list[list[str]] = []
    kinds = [[name] for name in (*KINDS, "the same moves, in another order")]
    for level in those[0]["levels"]:
        each = rows_of(those, lambda line, level=level: line["levels"][level])  # type: ignore[misc]
        levels.append(
            [
                level,
                f"{int(each[:, 0].sum())}",
                estimate(each, lambda sums: float(sums[1] / sums[0])).told(3),
                percent(each, 2, 0),
            ]
        )
        for number in range(len(KINDS)):
            kinds[number] += [percent(each, 4 + 2 * number, 2), percent(each, 5 + 2 * number, 2)]
        kinds[-1] += [percent(each, each.shape[1] - 1, 2), ""]
    return levels, kinds


def place_rows(found: Sequence[Result]) -> list[list[str]]:
    """Returns what a class is worth by its part of the board, above the own home, a soldier going the other way."""
    each = rows_of(of(found, "turns"), lambda line: line["swaps"])
    rows: list[list[str]] = []
    for kind, name in enumerate([*CLASSES.values()][1:]):

        def worths(sums: NDArray[np.float64], kind: int = kind) -> NDArray[np.float64]:
            count = sums[0, kind].reshape(len(ZONES), -1)
            gain = sums[1, kind].reshape(len(ZONES), -1)
            bend = np.diag(count.sum(0) + count.sum(1)) - count - count.T
            slope = gain.sum(0) - gain.sum(1)
            return np.concatenate([[0.0], np.linalg.lstsq(bend[1:, 1:], slope[1:], rcond=None)[0]])

        row = [name, f"{int(each[:, 0, kind].sum())}"]
        row += [
            estimate(each, lambda sums, at=at: float(worths(sums)[at])).told(3, sign=True)  # type: ignore[misc]
            for at in range(1, len(ZONES))
        ]
        rows.append(row)
    return rows


def abak(found: Sequence[Result]) -> list[Table]:
    tables: list[Table] = []
    those = openings(found)
    if those:
        head = ("roll", "best", "points", "second", "behind by")
        tables.append(Table("Openings", head, opening_rows(those)))
        rolls = [each for each in those if each.roll[0] != each.roll[1]]
        tables.append(Table("To begin", ("", "points"), [["first move", first_move(rolls).told(3, sign=True)]]))
    if len(of(found, "abak")) > 1:
        head = ("game", "games", "turns", "won by who begins", "points", "gammons and more", "backgammons")
        tables += [
            Table("Results", head, result_rows(found)),
            Table("In a game", ("", "number"), event_rows(found)),
            Table("Prisoners", ("the side", "positions", "points above"), prisoner_rows(found)),
        ]
    if len(of(found, "lacking")) > 1:
        tables.append(Table("Lacking", ("class", "games", "won", "points"), lacking_rows(found)))
    if len(of(found, "turns")) > 1:
        levels, kinds = mistake_rows(found)
        head = ("class", "positions", *(f"{low}-{high}" for low, high in ZONES[1:]))
        tables += [
            Table("Decisions", ("", "share"), order_rows(found)),
            Table("Levels", ("level", "decisions", "loss of each", "mistakes"), levels),
            Table(
                "Mistakes", ("", *(f"level {level[0]}, {how}" for level in levels for how in ("more", "fewer"))), kinds
            ),
            Table("Places", head, place_rows(found)),
        ]
    return tables


# --- APB ----------------------------------------------------------------------------------------------------------


def apb(found: Sequence[Result]) -> list[Table]:
    if len(found) < 2:
        return []
    turns = estimate(rows_of(found, lambda line: [line["turns"], line["count"]]), lambda sums: float(sums[0] / sums[1]))
    white, black, drawn, ran_off, ahead, ahead_won = (
        sum(line[name] if at is None else line[name][at] for line in found)
        for name, at in (
            ("wins", 0),
            ("wins", 1),
            ("drawn", None),
            ("ran_off", None),
            ("first_blood", 0),
            ("first_blood", 1),
        )
    )
    games, decided = white + black + drawn, white + black
    cases = ((white, games), (black, games), (drawn, games), (ran_off, decided), (ahead_won, ahead))
    shares = [share(np.array([part, whole - part]), np.array([True, False])) for part, whole in cases]
    head = ("games", "turns", "White won", "Black won", "drawn", "ran off by itself", "won by who was first ahead")
    tables = [Table("Results", ("", *head), [["level 7", f"{games}", turns.told(1), *shares]])]
    for whose in ("counted", "behind"):
        counted = rows_of(found, lambda line, whose=whose: line[whose])  # type: ignore[misc]
        tables += [counted_table(f"{name}, {whose}", counted[:, sort]) for sort, name in enumerate(COUNTED)]
    return tables


def counted_table(title: str, each: NDArray[np.float64]) -> Table:
    rows: list[list[str]] = []
    for value in range(each.shape[1]):
        those = each[:, value]
        positions = int(those[:, 0].sum())
        if positions >= FEWEST:
            shown = value - EVEN if title.startswith("lead") else value
            rows.append([f"{shown}", f"{positions}", percent(those, 1, 0), percent(those, 2, 0)])
    return Table(title, ("number", "positions", "fallen soon", "won"), rows)
