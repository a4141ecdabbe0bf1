"""FIDE's tournament report, TRF16, and what lies between it and this package's own values.

A line is fixed columns, counted from 1 here. A player's line, ``001``: 5-8 starting rank, 10 sex, 11-13 title, 15-47
name, 49-52 rating, 54-56 federation, 58-68 FIDE number, 70-79 birth, 81-84 points, 86-89 place; then ten columns a
round from 92 on: four of the opponent's starting rank (``0000``: nobody), a blank, the colour, a blank, the result.
Results: ``1 = 0`` played, ``W D L`` played and not rated, ``+ -`` by forfeit, ``U`` pairing bye, ``F`` full-point bye,
``H`` half-point bye, ``Z`` absent. Further lines that count: ``012`` name, ``042`` first day, ``092`` type, ``XXR`` (or
``142``) rounds, ``XXZ`` absent from the next round, ``XXC`` (or ``152``) the colour of the first in round 1.

Reading accepts lines without their trailing blanks, small letters and any end of line. The points and the place are not
read: the results say them. A full-point bye becomes a pairing bye, as neither the pairings nor the tie-breaks tell them
apart.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.tournament.model import Entrant, Pairing, Result

Color = Literal["white", "black"]

FIRST_CELL: Final = 91
"""Where the first round begins in a player's line, from 0."""
CELL: Final = 10
MOST_ROUNDS: Final = 99
PLAYED: Final = {"1": "0", "W": "L", "=": "=", "D": "D", "0": "1", "L": "W"}
"""Each result of a game that was played, and the opponent's."""
PAIRED: Final = PLAYED | {"+": "-", "-": "+"}
BYES: Final = {
    "U": Result.PAIRING_BYE,
    "F": Result.PAIRING_BYE,
    "+": Result.PAIRING_BYE,
    "H": Result.HALF_BYE,
    "=": Result.HALF_BYE,
    "Z": Result.ZERO_BYE,
    "-": Result.ZERO_BYE,
    " ": Result.ZERO_BYE,
}
NOT_STANDARD: Final = {"XXA": "acceleration", "250": "acceleration", "XXP": "forbidden pairs", "260": "forbidden pairs"}
"""Lines that change the pairings and that this program cannot follow."""
COUNTED: Final = frozenset({"062", "072"})
"""The numbers of players and of players with a rating."""


class BadReport(ValueError):
    """A report cannot be read. Its text is a sentence that says where and why."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's round, as the report has it."""

    opponent: int = 0
    """The opponent's starting rank; 0: nobody."""
    color: str = "-"
    """``w``, ``b`` or ``-``."""
    result: str = "Z"
    """The letter of the report; a blank if a pairing has no result yet."""


ABSENT: Final = Cell()
BLANK: Final = Cell(result=" ")
"""Nothing is written: absent if the round is over, and free to play if it is the next one."""


@dataclass(frozen=True, slots=True)
class Player:
    rank: int
    """The starting rank."""
    name: str
    rating: int = 0
    cells: tuple[Cell, ...] = ()
    sex: str = ""
    title: str = ""
    federation: str = ""
    fide_id: str = ""
    birth: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A tournament as a report tells it."""

    name: str
    players: tuple[Player, ...]
    rounds: int | None = None
    """How many rounds the tournament has; None: the report does not say."""
    absent: frozenset[int] = frozenset()
    """The starting ranks that do not play the next round."""
    initial_color: Color | None = None
    """The colour of the first player in round 1, if the report says it."""
    type: str = ""
    start: str = ""
    """The first day, as the report writes it."""
    by_line: bool = False
    """``XXC rank``: the players rank for the pairing in the order of their lines."""
    not_followed: tuple[str, ...] = ()
    """What the report asks of a pairing and this program cannot do; NOT_STANDARD."""
    others: tuple[str, ...] = ()
    """Lines of the head that say nothing about results: place, days, arbiters."""

    @property
    def paired(self) -> int:
        """How many rounds have been paired: the last one in which somebody met somebody or had the pairing bye."""
        paired = 0
        for player in self.players:
            for number, cell in enumerate(player.cells, start=1):
                if cell.opponent or cell.result in {"U", "+"}:
                    paired = max(paired, number)
        return paired

    @property
    def is_round_robin(self) -> bool:
        """Whether line 092 says that everybody meets everybody; a report that says nothing is of a Swiss."""
        words = re.findall(r"[A-Z]+", self.type.upper())
        return "SWISS" not in words and not {"RR", "ROBIN", "ROUNDROBIN", "BERGER"}.isdisjoint(words)

    @property
    def first_day(self) -> tuple[int, int, int] | None:
        """Year, month and day of line 042, if it can be read: ``2026/03/01`` or ``01.03.2026``, any separators."""
        if found := re.match(r"(\d{4})\D(\d{1,2})\D(\d{1,2})", self.start):
            year, month, day = found.groups()
        elif found := re.match(r"(\d{1,2})\D(\d{1,2})\D(\d{4})", self.start):
            day, month, year = found.groups()
        else:
            return None
        return int(year), int(month), int(day)


# reading


def read(text: str) -> Report:
    """The report of a text. Raises BadReport."""
    reader = _Reader()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
        reader.line(number, line.replace("\t", " ").rstrip())
    return reader.report()


class _Reader:
    def __init__(self) -> None:
        self.name = ""
        self.type = ""
        self.start = ""
        self.rounds: int | None = None
        self.color: Color | None = None
        self.by_line = False
        self.absent: set[int] = set()
        self.byes: list[tuple[int, int, str]] = []
        self.not_followed: list[str] = []
        self.others: list[str] = []
        self.players: dict[int, Player] = {}

    def line(self, number: int, line: str) -> None:
        code, rest = line[:3], line[3:].strip()
        match code:
            case "001":
                player = _player(number, line)
                if player.rank in self.players:
                    raise BadReport(f"Line {number}: the starting rank {player.rank} is used twice.")
                self.players[player.rank] = player
            case "012":
                self.name = rest
            case "042":
                self.start = rest
            case "092":
                self.type = rest
            case "XXR" | "142":
                rounds = _numbers(number, rest)
                if len(rounds) != 1 or not 1 <= rounds[0] <= MOST_ROUNDS:
                    raise BadReport(f"Line {number}: {code} needs one number of rounds from 1 to {MOST_ROUNDS}.")
                self.rounds = rounds[0]
            case "XXZ":
                self.absent |= set(_numbers(number, rest))
            case "240":
                kind, _, ranks = rest.partition(" ")
                if kind.upper() not in {"F", "H", "Z"}:
                    raise BadReport(f"Line {number}: a bye is F, H or Z, not {kind!r}.")
                round_number, *absent = _numbers(number, ranks) or [0]
                self.byes += [(round_number, rank, kind.upper()) for rank in absent]
            case "XXC":
                self.configure(rest.lower().split())
            case "152":
                self.configure(["white1" if rest.upper().startswith("W") else "black1"])
            case "XXS" | "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU" | "162":
                _check_points(number, code, rest)
            case _ if code in NOT_STANDARD:
                self.not_followed.append(NOT_STANDARD[code])
            case _ if rest and code not in COUNTED:
                self.others.append(line)

    def configure(self, words: list[str]) -> None:
        """XXC: the first player's colour in round 1, and whether the order of the lines ranks the players."""
        if "white1" in words:
            self.color = "white"
        if "black1" in words:
            self.color = "black"
        self.by_line = self.by_line or "rank" in words

    def report(self) -> Report:
        if not self.players:
            raise BadReport("The report names no player: it needs lines that begin with 001.")
        for round_number, rank, kind in self.byes:
            player = self.player(rank, "240")
            cells = list(player.cells) + [BLANK] * (round_number - len(player.cells))
            if round_number and cells[round_number - 1] == BLANK:
                cells[round_number - 1] = Cell(result=kind)
            self.players[rank] = replace(player, cells=tuple(cells))
        for rank in self.absent:
            self.player(rank, "XXZ")
        players = list(self.players.values())
        if not self.by_line:
            players.sort(key=lambda player: player.rank)
        self.check_games()
        return Report(
            name=self.name,
            players=tuple(players),
            rounds=self.rounds,
            absent=frozenset(self.absent),
            initial_color=self.color,
            type=self.type,
            start=self.start,
            by_line=self.by_line,
            not_followed=tuple(dict.fromkeys(self.not_followed)),
            others=tuple(self.others),
        )

    def player(self, rank: int, where: str) -> Player:
        try:
            return self.players[rank]
        except KeyError:
            raise BadReport(f"{where} names player {rank}, who has no line 001.") from None

    def check_games(self) -> None:
        """Both sides of a game must tell the same."""
        for player in self.players.values():
            for number, cell in enumerate(player.cells, start=1):
                if not cell.opponent:
                    continue
                if cell.opponent not in self.players:
                    raise BadReport(
                        f"Player {player.rank} meets {cell.opponent} in round {number}, who has no line 001."
                    )
                opponent = self.players[cell.opponent]
                other = _cell_of(opponent, number)
                if not _agree(player.rank, cell, other):
                    raise BadReport(
                        f"Players {player.rank} and {opponent.rank} do not tell the same about round {number}."
                    )


def _agree(rank: int, cell: Cell, other: Cell) -> bool:
    if other.opponent != rank:
        return False
    if "-" not in {cell.color, other.color} and cell.color == other.color:
        return False
    if cell.result == " " or other.result == " ":
        return cell.result == other.result
    if cell.result == other.result == "-":  # neither came
        return True
    return _rated(PAIRED[cell.result]) == _rated(other.result)


def _rated(result: str) -> str:
    return {"W": "1", "D": "=", "L": "0"}.get(result, result)


def _player(number: int, line: str) -> Player:
    rank = line[4:8].strip()
    if not rank.isdecimal() or not int(rank):
        raise BadReport(f"Line {number}: columns 5 to 8 must hold a starting rank, and hold {line[4:8]!r}.")
    rating = line[48:52].strip()
    if rating and not rating.isdecimal():
        raise BadReport(f"Line {number}: columns 49 to 52 must hold a rating, and hold {rating!r}.")
    cells = tuple(
        _cell(number, index, int(rank), line[start : start + CELL])
        for index, start in enumerate(range(FIRST_CELL, len(line), CELL), start=1)
    )
    if len(cells) > MOST_ROUNDS:
        raise BadReport(f"Line {number}: a tournament has at most {MOST_ROUNDS} rounds.")
    return Player(
        rank=int(rank),
        name=line[14:47].strip(),
        rating=int(rating or 0),
        cells=cells,
        sex=line[9:10].strip(),
        title=line[10:13].strip(),
        federation=line[53:56].strip(),
        fide_id=line[57:68].strip(),
        birth=line[69:79].strip(),
    )


def _cell(number: int, index: int, rank: int, text: str) -> Cell:
    padded = text.ljust(CELL)
    opponent, color, result = padded[:4].strip(), padded[5].lower(), padded[7].upper()
    if not padded.strip():
        return BLANK
    said = Cell(int(opponent or 0) if opponent.isdecimal() or not opponent else -1, color.replace(" ", "-"), result)
    known = result in PAIRED or result == " " if said.opponent else result in BYES
    is_played = result in PLAYED and said.opponent
    if (
        (padded[4] + padded[6] + padded[8:]).strip()
        or not known
        or color not in "wb- "
        or said.opponent in {rank, -1}
        or (is_played and said.color == "-")
        or (not said.opponent and said.color != "-")
    ):
        raise BadReport(f"Line {number}: round {index} of player {rank} cannot be read: {text.strip()!r}.")
    return said


def _cell_of(player: Player, number: int) -> Cell:
    """The player's round, from 1."""
    return player.cells[number - 1] if number <= len(player.cells) else BLANK


def _numbers(number: int, text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not all(word.isdecimal() for word in words):
        raise BadReport(f"Line {number}: {text!r} must be numbers.")
    return [int(word) for word in words]


STANDARD_POINTS: Final = {
    "BBW": 1.0, "BBD": 0.5, "BBL": 0.0, "BBZ": 0.0, "BBF": 0.0, "BBU": 1.0,
    "W": 1.0, "D": 0.5, "L": 0.0, "Z": 0.0, "F": 1.0, "H": 0.5, "U": 1.0, "P": 1.0, "A": 0.0,
    "WW": 1.0, "BW": 1.0, "WD": 0.5, "BD": 0.5, "WL": 0.0, "BL": 0.0, "ZPB": 0.0, "HPB": 0.5, "FPB": 1.0, "PAB": 1.0,
    "FW": 1.0, "FL": 0.0, "X": 0.0,
}  # fmt: skip


def _check_points(number: int, code: str, rest: str) -> None:
    """Only a point for a win and half a point for a draw are known."""
    values = {code: rest} if code.startswith("BB") else dict(re.findall(r"([A-Za-z]+)\s*[= ]\s*([0-9.]+)", rest))
    for name, value in values.items():
        try:
            standard = float(value) == STANDARD_POINTS.get(name.upper(), -1.0)
        except ValueError:
            standard = False
        if not standard:
            raise BadReport(f"Line {number}: only 1 point for a win and a half for a draw are supported.")


# writing


def write(report: Report) -> str:
    """The report's text. A name is cut to 33 characters."""
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
    order = sorted(report.players, key=lambda player: (-points[player.rank], player.rank))
    places = {player.rank: place for place, player in enumerate(order, start=1)}
    lines += [_player_line(player, points[player.rank], places[player.rank]) for player in report.players]
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


# to and from this package's values


def tournament(report: Report) -> tuple[tuple[Entrant, ...], tuple[Pairing, ...]]:
    """The entrants, by their starting ranks, and the pairings of the rounds that have been paired, as stage 1.

    Who is absent from the next round, by ``XXZ`` or by a bye in that round's column, has asked for a bye then.
    """
    paired = report.paired
    entrants, pairings = [], []
    for seed, player in enumerate(report.players, start=1):
        is_absent = player.rank in report.absent or _cell_of(player, paired + 1) != BLANK
        byes = frozenset({paired + 1} if is_absent else ())
        entrants.append(Entrant(id=player.rank, seed=seed, rating=player.rating, byes=byes))
    players = {player.rank: player for player in report.players}
    for number in range(1, paired + 1):
        pairings += _round(players, number)
    return tuple(entrants), tuple(pairings)


def _round(players: Mapping[int, Player], number: int) -> list[Pairing]:
    pairings: list[Pairing] = []
    for player in players.values():
        cell = _cell_of(player, number)
        result: Result | None = None
        if not cell.opponent:
            result = BYES[cell.result]
        else:
            other = _cell_of(players[cell.opponent], number)
            if not _is_first(player.rank, cell, other):
                continue
            result = _result(cell.result, other.result)
        pairings.append(Pairing(1, number, len(pairings) + 1, player.rank, cell.opponent or None, result=result))
    return pairings


def _is_first(rank: int, cell: Cell, other: Cell) -> bool:
    """Whether the player has the first seat: the white one, or the better rank in a forfeit without colours."""
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
    }[_rated(white)]


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
    """The report of one section of a stage; ``names`` are by entrant id, the starting ranks follow the seeds."""
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
