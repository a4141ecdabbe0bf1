"""Conversion between a FIDE report and this package's own values."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.tournament.model import Entrant, Pairing, Result
from engine.tournament.trf.report import ABSENT, BLANK, BYES, Cell, Player, Report, rated


def tournament(report: Report) -> tuple[tuple[Entrant, ...], tuple[Pairing, ...]]:
    """Returns the entrants, by their starting ranks, and the pairings of the rounds so far, as stage 1.

    A player absent from the next round, by ``XXZ`` or by a bye in that round's column, counts as having asked for a
    bye.
    """
    paired = report.paired
    entrants, pairings = [], []
    for seed, player in enumerate(report.players, start=1):
        is_absent = player.rank in report.absent or player.cell(paired + 1) != BLANK
        byes = frozenset({paired + 1} if is_absent else ())
        entrants.append(Entrant(id=player.rank, seed=seed, rating=player.rating, byes=byes))
    players = {player.rank: player for player in report.players}
    for number in range(1, paired + 1):
        pairings += _round(players, number)
    return tuple(entrants), tuple(pairings)


def _round(players: Mapping[int, Player], number: int) -> list[Pairing]:
    pairings: list[Pairing] = []
    for player in players.values():
        cell = player.cell(number)
        result: Result | None = None
        if not cell.opponent:
            result = BYES[cell.result]
        else:
            other = players[cell.opponent].cell(number)
            if not _is_first(player.rank, cell, other):
                continue
            result = _result(cell.result, other.result)
        pairings.append(Pairing(1, number, len(pairings) + 1, player.rank, cell.opponent or None, result=result))
    return pairings


def _is_first(rank: int, cell: Cell, other: Cell) -> bool:
    """Returns whether the player has the first seat: the white one, or the better rank in a forfeit without colours."""
    if cell.color == other.color:
        return rank < cell.opponent
    return cell.color == "w" or other.color == "b"


def _result(white: str, black: str) -> Result | None:
    if white == " ":
        return None
    if white == black == "-":
        return Result.BOTH_FORFEIT
    return {
        "1": Result.FIRST_WINS,
        "=": Result.DRAW,
        "0": Result.SECOND_WINS,
        "+": Result.FIRST_WINS_BY_FORFEIT,
        "-": Result.SECOND_WINS_BY_FORFEIT,
    }[rated(white)]


CELLS: Final[Mapping[Result | None, tuple[str, str]]] = {
    None: (" ", " "),
    Result.FIRST_WINS: ("1", "0"),
    Result.SECOND_WINS: ("0", "1"),
    Result.DRAW: ("=", "="),
    Result.FIRST_WINS_BY_FORFEIT: ("+", "-"),
    Result.SECOND_WINS_BY_FORFEIT: ("-", "+"),
    Result.BOTH_FORFEIT: ("-", "-"),
    Result.PAIRING_BYE: ("U", " "),
    Result.HALF_BYE: ("H", " "),
    Result.ZERO_BYE: ("Z", " "),
}


def report_of(
    name: str,
    entrants: Sequence[Entrant],
    names: Mapping[int, str],
    pairings: Sequence[Pairing],
    rounds: int,
    start: str = "",
    kind: str = "Individual: Swiss-System (Dutch)",
) -> Report:
    """Makes the report of one section of a stage. ``names`` are by entrant id, the starting ranks follow the seeds."""
    order = sorted(entrants, key=lambda entrant: entrant.seed)
    rank = {entrant.id: number for number, entrant in enumerate(order, start=1)}
    first = min((pairing.round for pairing in pairings), default=1)
    last = max((pairing.round for pairing in pairings), default=0)
    cells = {entrant.id: [ABSENT] * (last - first + 1) for entrant in order}
    for pairing in pairings:
        white, black = CELLS[pairing.result]
        if pairing.second is None:
            cells[pairing.first][pairing.round - first] = Cell(0, "-", white)
        else:
            cells[pairing.first][pairing.round - first] = Cell(rank[pairing.second], "w", white)
            cells[pairing.second][pairing.round - first] = Cell(rank[pairing.first], "b", black)
    players = tuple(
        Player(rank[entrant.id], names[entrant.id], min(max(entrant.rating, 0), 9999), tuple(cells[entrant.id]))
        for entrant in order
    )
    return Report(name, players, rounds, type=kind, start=start)
