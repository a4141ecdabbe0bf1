"""A tournament in the terms of a FIDE report."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from engine.tournament.model import Result

Color = Literal["white", "black"]

FIRST_CELL: Final = 91
"""The first column of the first round in a player's line, from 0."""
CELL: Final = 10
MOST_ROUNDS: Final = 99
PLAYED: Final = {"1": "0", "W": "L", "=": "=", "D": "D", "0": "1", "L": "W"}
"""Each result of a played game, and the opponent's."""
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
"""The codes of the numbers of players and of players with a rating."""


def rated(result: str) -> str:
    """Returns the letter without the difference between rated games and others."""
    return {"W": "1", "D": "=", "L": "0"}.get(result, result)


class BadReport(ValueError):
    """A report that cannot be read. Its text is a sentence about the place and the reason."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's cell for a round in the report."""

    opponent: int = 0
    """The opponent's starting rank; 0: nobody."""
    color: str = "-"
    """``w``, ``b`` or ``-``."""
    result: str = "Z"
    """The letter of the report; a blank if a pairing has no result yet."""


ABSENT: Final = Cell()
BLANK: Final = Cell(result=" ")
"""An empty cell: absent if the round is over, and free to play if it is the next one."""


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
    place: int = 0
    """The place in the standings, which equal players share; 0: it follows from the points. It is not read."""

    def cell(self, number: int) -> Cell:
        return self.cells[number - 1] if number <= len(self.cells) else BLANK


@dataclass(frozen=True, slots=True)
class Report:
    name: str
    players: tuple[Player, ...]
    rounds: int | None = None
    """The number of rounds of the tournament; None: the report does not say."""
    absent: frozenset[int] = frozenset()
    """The starting ranks of players who miss the next round."""
    initial_color: Color | None = None
    """The colour of the first player in round 1, if the report says it."""
    type: str = ""
    start: str = ""
    """The first day, as the report writes it."""
    by_line: bool = False
    """``XXC rank``: the players rank for the pairing in the order of their lines."""
    not_followed: tuple[str, ...] = ()
    """Demands of the report that this program cannot meet; see NOT_STANDARD."""
    others: tuple[str, ...] = ()
    """Lines of the head that say nothing about results: place, days, arbiters."""

    @property
    def paired(self) -> int:
        """The number of paired rounds, by the last one with a game or a pairing bye."""
        paired = 0
        for player in self.players:
            for number, cell in enumerate(player.cells, start=1):
                if cell.opponent or cell.result in {"U", "+"}:
                    paired = max(paired, number)
        return paired

    @property
    def is_round_robin(self) -> bool:
        """Whether line 092 names a round robin. A report without it is of a Swiss."""
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
