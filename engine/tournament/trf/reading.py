"""Reads a FIDE report, and explains its errors in a sentence."""

import re
from dataclasses import replace
from typing import Final

from engine.tournament.trf.report import (
    BLANK,
    BYES,
    CELL,
    COUNTED,
    FIRST_CELL,
    MOST_ROUNDS,
    NOT_STANDARD,
    PAIRED,
    PLAYED,
    BadReport,
    Cell,
    Color,
    Player,
    Report,
    rated,
)

LONGEST_NUMBER: Final = 6


def read(text: str) -> Report:
    """Reads a report. Raises BadReport."""
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
                if not 1 <= round_number <= MOST_ROUNDS:
                    raise BadReport(f"Line {number}: 240 needs a round from 1 to {MOST_ROUNDS} and starting ranks.")
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
        """Reads XXC: the first player's colour in round 1, and whether the order of the lines ranks the players."""
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
            if cells[round_number - 1] == BLANK:
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
        """Checks that both sides of a game tell the same."""
        for player in self.players.values():
            for number, cell in enumerate(player.cells, start=1):
                if not cell.opponent:
                    continue
                if cell.opponent not in self.players:
                    raise BadReport(
                        f"Player {player.rank} meets {cell.opponent} in round {number}, who has no line 001."
                    )
                opponent = self.players[cell.opponent]
                other = opponent.cell(number)
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
    return rated(PAIRED[cell.result]) == rated(other.result)


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


def _numbers(number: int, text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not all(word.isdecimal() and len(word) <= LONGEST_NUMBER for word in words):
        raise BadReport(f"Line {number}: {text!r} must be numbers.")
    return [int(word) for word in words]


STANDARD_POINTS: Final = {
    "BBW": 1.0, "BBD": 0.5, "BBL": 0.0, "BBZ": 0.0, "BBF": 0.0, "BBU": 1.0,
    "W": 1.0, "D": 0.5, "L": 0.0, "Z": 0.0, "F": 1.0, "H": 0.5, "U": 1.0, "P": 1.0, "A": 0.0,
    "WW": 1.0, "BW": 1.0, "WD": 0.5, "BD": 0.5, "WL": 0.0, "BL": 0.0, "ZPB": 0.0, "HPB": 0.5, "FPB": 1.0, "PAB": 1.0,
    "FW": 1.0, "FL": 0.0, "X": 0.0,
}  # fmt: skip


def _check_points(number: int, code: str, rest: str) -> None:
    """Checks that a win is a point and a draw half a point."""
    values = {code: rest} if code.startswith("BB") else dict(re.findall(r"([A-Za-z]+)\s*[= ]\s*([0-9.]+)", rest))
    for name, value in values.items():
        try:
            standard = float(value) == STANDARD_POINTS.get(name.upper(), -1.0)
        except ValueError:
            standard = False
        if not standard:
            raise BadReport(f"Line {number}: only 1 point for a win and a half for a draw are supported.")
