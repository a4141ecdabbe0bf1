"""Writes a FIDE report, column by column."""

from collections.abc import Sequence

from engine.tournament.trf.report import BLANK, CELL, Cell, Player, Report


def write(report: Report) -> str:
    """Returns the report's text. A name is cut to 33 characters."""
    lines = [f"012 {_one_line(report.name)}"]
    if report.start:
        lines.append(f"042 {report.start}")
    lines += [f"062 {len(report.players)}", f"072 {sum(player.rating > 0 for player in report.players)}"]
    if report.type:
        lines.append(f"092 {report.type}")
    lines += report.others
    if report.rounds is not None:
        lines.append(f"XXR {report.rounds}")
    words = (["rank"] if report.by_line else []) + ([f"{report.initial_color}1"] if report.initial_color else [])
    if words:
        lines.append(f"XXC {' '.join(words)}")
    if report.absent:
        lines.append(f"XXZ {' '.join(str(rank) for rank in sorted(report.absent))}")
    paired = report.paired
    points = {player.rank: _points(player.cells[:paired]) for player in report.players}
    better = {value: sum(one > value for one in points.values()) for value in points.values()}
    for player in report.players:
        own = points[player.rank]
        lines.append(_player_line(player, own, player.place or better[own] + 1))
    return "\n".join(lines) + "\n"


def _player_line(player: Player, points: float, place: int) -> str:
    rating = str(player.rating) if player.rating else ""
    head = (
        f"001 {player.rank:>4} {player.sex:1.1}{player.title:>3.3} {_one_line(player.name):33.33} {rating:>4}"
        f" {player.federation:>3.3} {player.fide_id:>11.11} {player.birth:<10.10} {points:>4.1f} {place:>4}"
    )
    cells = "".join(f"  {_cell_text(cell)}" for cell in player.cells)
    return (head + cells).rstrip()


def _cell_text(cell: Cell) -> str:
    if cell == BLANK:
        return " " * (CELL - 2)
    return f"{cell.opponent:>4} {cell.color} {cell.result}" if cell.opponent else f"0000 - {cell.result}"


def _points(cells: Sequence[Cell]) -> float:
    worth = {"1": 1.0, "W": 1.0, "+": 1.0, "U": 1.0, "F": 1.0, "=": 0.5, "D": 0.5, "H": 0.5}
    return sum(worth.get(cell.result, 0.0) for cell in cells)


def _one_line(name: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
