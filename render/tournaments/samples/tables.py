"""Samples of standings and crosstables."""

from dataclasses import replace
from typing import Final

from render.tournaments.views import (
    Cell,
    CrosstableRow,
    CrosstableView,
    Outcome,
    StandingsHeads,
    StandingsRow,
    StandingsView,
)

NAMES: Final = (
    "Ana María",
    "Bruno",
    "Chloé 🔥",
    "Bartholomew the Second of Nowhere at All",
    "Dora",
    "Юля",
    "Eva",
    "山田太郎",
    "Żaneta",
    "Félix Ñandú",
    "Gregor",
    "Hannah",
    "Ivo",
    "Jasmin",
    "Kwame",
    "Lucía",
)
_LETTERS: Final = {Outcome.WON: "W", Outcome.DRAWN: "D", Outcome.LOST: "L", Outcome.BYE: "B"}
_RESULTS: Final = {
    Outcome.WON: "1",
    Outcome.DRAWN: "½",
    Outcome.LOST: "0",
    Outcome.FORFEIT_WON: "+",
    Outcome.FORFEIT_LOST: "-",
}
_WORTH: Final = {
    Outcome.WON: 1.0,
    Outcome.FORFEIT_WON: 1.0,
    Outcome.DRAWN: 0.5,
}
_OTHER: Final = {
    Outcome.WON: Outcome.LOST,
    Outcome.LOST: Outcome.WON,
    Outcome.FORFEIT_WON: Outcome.FORFEIT_LOST,
    Outcome.FORFEIT_LOST: Outcome.FORFEIT_WON,
}
READER: Final = 4
_WITHDRAWN: Final = 9
_LAST_ROUND: Final = 3
"""The last round of the player who has withdrawn."""
_HALF_BYE: Final = (2, 1)
"""The round and the place of two players who asked for half a point instead of a game."""


def halves(value: float) -> str:
    """Writes points with a half: ``3½``."""
    whole, half = divmod(round(value * 2), 2)
    return f"{whole or ''}½" if half else str(whole)


class _Player:
    """A player of a made-up tournament: the opponent, the seat and the outcome of each round."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.games: list[tuple[int | None, str, Outcome]] = []

    def points(self, rounds: int | None = None) -> float:
        return sum(
            float(seat) if outcome is Outcome.BYE else _WORTH.get(outcome, 0.0)
            for _, seat, outcome in self.games[:rounds]
        )


def _outcome(first: int, second: int, number: int) -> Outcome:
    better = (Outcome.WON, Outcome.WON, Outcome.DRAWN, Outcome.WON, Outcome.LOST)[(first * 3 + second * 7 + number) % 5]
    return better if first < second else _OTHER.get(better, better)


def _play(count: int, rounds: int, *, running: bool = True) -> list[_Player]:
    """Pairs everybody in each round, with a half-point bye, forfeits and a withdrawal. Returns the players in order."""
    players = [_Player(number) for number in range(count)]
    for number in range(1, rounds + 1):
        circle = [0, *((place + number) % (count - 1) + 1 for place in range(count - 1))]
        for place in range(count // 2):
            first, second = circle[place], circle[count - 1 - place]
            if number % 2:
                first, second = second, first
            outcome = _outcome(first, second, number)
            if running and number == rounds and place % 3 != 1:
                outcome = Outcome.RUNNING
            if (number, place) in {(2, 2), (3, 4)}:
                outcome = (Outcome.FORFEIT_LOST, Outcome.FORFEIT_WON)[place % 2]
            absent = {each for each in (first, second) if each == _WITHDRAWN and number > _LAST_ROUND}
            if absent or (number, place) == _HALF_BYE:
                for each in (first, second):
                    gone = Outcome.ABSENT if each in absent else Outcome.BYE
                    players[each].games.append((None, "0.5" if (number, place) == _HALF_BYE else "1", gone))
                continue
            players[first].games.append((second, "w", outcome))
            players[second].games.append((first, "b", _OTHER.get(outcome, outcome)))
    return sorted(players, key=lambda player: (-player.points(), player.number))


def _form(player: _Player) -> tuple[Cell, ...]:
    found = []
    for _, _, outcome in player.games[-5:]:
        text = {Outcome.FORFEIT_WON: "+", Outcome.FORFEIT_LOST: "-", Outcome.ABSENT: "-"}.get(outcome, "")
        found.append(Cell(_LETTERS.get(outcome, text), outcome))
    return tuple(found)


def _standings(count: int, rounds: int) -> tuple[StandingsRow, ...]:
    players = _play(count, rounds)
    before = sorted(players, key=lambda player: (-player.points(rounds - 1), player.number))
    points = {player.number: player.points() for player in players}
    found = []
    for place, player in enumerate(players):
        met = [(points[other], outcome) for other, _, outcome in player.games if other is not None]
        sums = sum(each for each, _ in met), sum(each * _WORTH.get(outcome, 0) for each, outcome in met)
        shared = next(number for number, other in enumerate(players, 1) if other.points() == player.points())
        wins = sum(outcome is Outcome.WON for _, _, outcome in player.games)
        found.append(
            StandingsRow(
                str(shared if place < READER else place + 1),
                NAMES[player.number],
                halves(player.points()),
                (f"{sums[0]:.1f}", f"{sums[1]:.2f}", str(place % 2), str(wins)),
                f"{1912 - 37 * player.number} · #{player.number + 1}",
                _form(player),
                before.index(player) - place,
                is_reader=player.number == READER,
                withdrawn=player.number == _WITHDRAWN,
            )
        )
    return tuple(found)


STANDINGS: Final = StandingsView(
    "Winter Swiss 2026",
    "Round 5: 2 of 6 finished",
    StandingsHeads("Points", ("BH", "SB", "DE", "WIN")),
    _standings(12, 5),
    "Nobody has joined yet",
    "1 / 4",
)
STANDINGS_SHORT: Final = StandingsView(
    "Group A",
    "Round 5: 2 of 6 finished",
    StandingsHeads("Pts", ("DE", "SB")),
    tuple(replace(row, tie_breaks=row.tie_breaks[2:0:-1], detail="", form=(), moved=0) for row in STANDINGS.rows[:5]),
    qualified=2,
)
STANDINGS_ONE: Final = replace(STANDINGS, rows=STANDINGS.rows[:1], page="")
STANDINGS_LARGE: Final = replace(
    STANDINGS,
    title="A tournament with a name that is much too long for a picture",
    heads=StandingsHeads("Puntos"),
    rows=tuple(
        replace(row, rank=str(1009 + number), tie_breaks=(), points=f"{15 - number}½")
        for number, row in enumerate(STANDINGS.rows)
    ),
    page="85 / 86",
)
_SHEETS: Final = ("224440", "022144", "240220", "022012", "201020", "000120")
_SCORES: Final = {"0": Outcome.LOST, "1": Outcome.DRAWN}
ARENA: Final = StandingsView(
    "Friday arena",
    "12 minutes left",
    StandingsHeads("Points", ("Played",)),
    tuple(
        StandingsRow(
            str(number + 1),
            NAMES[number],
            str(sum(map(int, sheet))),
            (str(9 - number),),
            form=tuple(Cell(letter, _SCORES.get(letter, Outcome.WON)) for letter in sheet),
            is_reader=number == 1,
        )
        for number, sheet in enumerate(_SHEETS)
    ),
)


def _cross(count: int, rounds: int) -> tuple[CrosstableRow, ...]:
    """Makes the rows of a Swiss. Each cell has the opponent's rank, too."""
    players = _play(count, rounds)
    ranks = {player.number: rank for rank, player in enumerate(players, 1)}
    found = []
    for player in players:
        cells = []
        for other, seat, outcome in player.games:
            if other is None:
                cells.append(Cell("-" if outcome is Outcome.ABSENT else halves(float(seat)), outcome))
            else:
                cells.append(Cell(_RESULTS.get(outcome, ""), outcome, str(ranks[other])))
        number = player.number
        found.append(
            CrosstableRow(
                str(ranks[number]),
                NAMES[number],
                halves(player.points()),
                tuple(cells),
                number == READER,
                number == _WITHDRAWN,
            )
        )
    return tuple(found)


def _everyone(count: int, rounds: int) -> tuple[CrosstableRow, ...]:
    """Makes the rows of a round robin: a cell for each opponent."""
    players = _play(count, rounds)
    found = []
    for rank, player in enumerate(players, 1):
        met = {other: outcome for other, _, outcome in player.games if other is not None}
        met[player.number] = Outcome.SELF
        outcomes = [met.get(other.number, Outcome.NONE) for other in players]
        cells = tuple(Cell(_RESULTS.get(outcome, ""), outcome) for outcome in outcomes)
        number = player.number
        found.append(CrosstableRow(str(rank), NAMES[number], halves(player.points()), cells, number == READER))
    return tuple(found)


CROSSTABLE: Final = CrosstableView("Winter Swiss 2026", "Round 5 of 5", tuple("12345"), "Points", _cross(12, 5))
CROSSTABLE_LONG: Final = CrosstableView(
    "Long Swiss", "Round 10 of 15", tuple(map(str, range(1, 11))), "Points", _cross(16, 10), "", "1 / 4"
)
CROSSTABLE_GROUP: Final = CrosstableView(
    "Group A", "Round 5 of 7", tuple("12345678"), "Points", _everyone(8, 5), qualified=4
)
CROSSTABLE_ALL: Final = CrosstableView(
    "Round robin of 16", "Round 11 of 15", tuple(map(str, range(1, 17))), "Points", _everyone(16, 11)
)
