"""Samples of the pictures of tournaments, with everything that they can show: for tests and the documentation."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from render.tournaments import pictures
from render.tournaments.views import (
    BracketLine,
    BracketSlot,
    BracketView,
    CalendarRow,
    CalendarView,
    Cell,
    CrosstableRow,
    CrosstableView,
    LadderChallenge,
    LadderRow,
    LadderView,
    Outcome,
    PodiumPlace,
    PodiumView,
    StandingsHeads,
    StandingsRow,
    StandingsView,
    State,
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
_LETTERS: Final = {Outcome.WON: "W", Outcome.DRAWN: "D", Outcome.LOST: "L", Outcome.BYE: "B", Outcome.RUNNING: "…"}
_SCORES: Final = {
    Outcome.WON: "1",
    Outcome.DRAWN: "½",
    Outcome.LOST: "0",
    Outcome.FORFEIT_WON: "+",
    Outcome.FORFEIT_LOST: "-",
}
_TURNS: Final = (Outcome.WON, Outcome.LOST, Outcome.DRAWN, Outcome.WON, Outcome.WON, Outcome.LOST, Outcome.LOST)


def halves(value: float) -> str:
    """Points with a half: ``3½``."""
    whole, half = divmod(round(value * 2), 2)
    return f"{whole or ''}½" if half else str(whole)


def _outcome(player: int, turn: int) -> Outcome:
    return _TURNS[(player * 3 + turn * 5) % len(_TURNS)]


def _form(player: int) -> tuple[Cell, ...]:
    found = [_outcome(player, turn) for turn in range(4)]
    if player % 5 == 2:  # noqa: PLR2004 - every fifth
        found[1] = Outcome.BYE
    return tuple(Cell(_LETTERS[each], each) for each in (*found, Outcome.RUNNING if player % 3 == 0 else found[0]))


def _standing(number: int) -> StandingsRow:
    points = 4.5 - number // 2 * 0.5
    ties = (f"{14.5 - number * 0.5:g}", f"{12.75 - number * 0.75:g}", str(number % 2), str(4 - number // 4))
    return StandingsRow(
        str(number // 2 * 2 + 1 if number < 4 else number + 1),  # noqa: PLR2004 - the first four share their ranks
        NAMES[number],
        halves(points),
        ties,
        f"{1912 - 37 * number} · #{number * 5 % 12 + 1}",
        _form(number),
        (2, 0, -1, 0, 0, 12, -3, 1, 0, 0, -1, 0)[number],
        is_reader=number == 4,  # noqa: PLR2004
        withdrawn=number == 9,  # noqa: PLR2004
    )


STANDINGS: Final = StandingsView(
    "Winter Swiss 2026",
    "Round 5: 14 of 20 finished",
    StandingsHeads("Points", ("BH", "SB", "DE", "WIN")),
    tuple(_standing(number) for number in range(12)),
    "Nobody has joined yet",
    "1 / 4",
)
STANDINGS_SHORT: Final = StandingsView(
    "Group A",
    "Round 2 of 3",
    StandingsHeads("Pts", ("DE", "SB")),
    tuple(
        replace(_standing(number), tie_breaks=("1", f"{3.5 - number:g}"), detail="", form=(), moved=0)
        for number in range(4)
    ),
)
STANDINGS_ONE: Final = replace(STANDINGS, rows=STANDINGS.rows[:1], page="")
STANDINGS_LARGE: Final = replace(
    STANDINGS,
    title="A tournament with a name that is much too long for a picture",
    heads=StandingsHeads("Puntos"),
    rows=tuple(
        replace(_standing(number % 12), rank=str(1009 + number), tie_breaks=(), points=f"{10 + number}½")
        for number in range(10)
    ),
    page="85 / 86",
)


def _cross(rounds: int) -> tuple[CrosstableRow, ...]:
    """A Swiss: each cell has the opponent's rank and which seat the player had."""
    found = []
    for player in range(16):
        cells = []
        for turn in range(rounds):
            outcome = _outcome(player, turn)
            text = f"{(player + turn * 7) % 64 + 1}{'wb'[(player + turn) % 2]}"
            if turn == rounds - 1:
                outcome = Outcome.RUNNING
            elif (player, turn) in {(3, 1), (8, 0)}:
                text, outcome = "½", Outcome.BYE
            elif (player, turn) in {(15, 0), (15, 1), (9, 3), (9, 4)}:
                text, outcome = "-", Outcome.ABSENT
            elif (player, turn) in {(2, 2), (5, 3)}:
                text, outcome = f"+{text[:-1]}", Outcome.FORFEIT_WON
            elif (player, turn) in {(4, 2), (6, 3)}:
                text, outcome = f"-{text[:-1]}", Outcome.FORFEIT_LOST
            cells.append(Cell(text, outcome))
        found.append(
            CrosstableRow(
                str(player + 1), NAMES[player], halves(rounds - player / 2), tuple(cells), player == 4, player == 9
            )
        )
    return tuple(found)


def _everyone(count: int) -> tuple[CrosstableRow, ...]:
    """A round robin: a cell for each opponent."""
    found = []
    for player in range(count):
        cells = []
        for other in range(count):
            outcome = _outcome(min(player, other), max(player, other))
            if player > other:
                outcome = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON}.get(outcome, outcome)
            if {player, other} == {1, 2}:
                outcome = Outcome.FORFEIT_WON if player == 1 else Outcome.FORFEIT_LOST
            if (player + other) % 11 == 7:  # noqa: PLR2004 - one round is still to be played
                outcome = Outcome.NONE
            if (player + other) % 11 == 9:  # noqa: PLR2004
                outcome = Outcome.RUNNING
            if player == other:
                outcome = Outcome.SELF
            cells.append(Cell(_SCORES.get(outcome, ""), outcome))
        found.append(
            CrosstableRow(str(player + 1), NAMES[player], halves(count - player / 2), tuple(cells), player == 2)
        )
    return tuple(found)


CROSSTABLE: Final = CrosstableView(
    "Winter Swiss 2026", "After round 4 of 5", tuple("12345"), "Points", _cross(5)[:12], "", "1 / 4"
)
CROSSTABLE_LONG: Final = replace(
    CROSSTABLE, about="Round 15", heads=tuple(map(str, range(1, 16))), rows=_cross(15), page="1 / 4"
)
CROSSTABLE_GROUP: Final = CrosstableView(
    "Group A", "Everyone meets everyone", tuple("12345678"), "Points", _everyone(8)
)
CROSSTABLE_ALL: Final = CrosstableView(
    "Round robin of 16", "Round 11 of 15", tuple(map(str, range(1, 17))), "Points", _everyone(16)
)


def _seeding(size: int) -> list[int]:
    found = [1]
    while len(found) < size:
        found = [seed for each in found for seed in (each, 2 * len(found) + 1 - each)]
    return found


class _Drawer:
    """Plays a bracket in which the better seed wins, up to a number of pairings."""

    def __init__(self, players: int, played: int, reader: int = 3) -> None:
        self.players, self.played, self.reader = players, played, reader
        self.slots: list[BracketSlot] = []
        self.won: dict[str, int | None] = {}
        self.lost: dict[str, int | None] = {}
        self.numbers: dict[str, str] = {}

    def meet(self, slot: str, sources: Sequence[int | str], to: str = "") -> None:
        """Adds a slot; a source is a seed, or the id of a slot: with ``-`` before it its loser."""
        seeds = [self._seed(source) for source in sources]
        byes = [isinstance(source, int) and source > self.players for source in sources]
        if any(byes):
            self.won[slot] = next((seed for seed, bye in zip(seeds, byes, strict=True) if not bye), None)
            self.lost[slot] = None
            return
        tag = str(len(self.numbers) + 1)
        self.numbers[slot] = tag
        is_ready, number = None not in seeds, len(self.numbers)
        state = State.PLANNED
        if is_ready and number <= self.played:
            state = State.DONE
            self.won[slot], self.lost[slot] = sorted(seed for seed in seeds if seed is not None)
        elif is_ready:
            state = State.RUNNING
        self.won.setdefault(slot, None)
        self.lost.setdefault(slot, None)
        lines = tuple(self._line(slot, seed, source, state) for seed, source in zip(seeds, sources, strict=True))
        self.slots.append(BracketSlot(slot, (lines[0], lines[1]), tag, "", state, to))

    def _seed(self, source: int | str) -> int | None:
        if isinstance(source, int):
            return source
        return self.lost.get(source[1:]) if source.startswith("-") else self.won.get(source)

    def _line(self, slot: str, seed: int | None, source: int | str, state: State) -> BracketLine:
        if seed is None:
            who = "Loser" if str(source).startswith("-") else "Winner"
            return BracketLine(f"{who} of {self.numbers.get(str(source).lstrip('-'), '?')}", known=False)
        won = state is State.DONE and self.won[slot] == seed
        scores = {State.DONE: "7" if won else str(seed % 6), State.RUNNING: str(seed % 4), State.PLANNED: ""}
        name = NAMES[(seed - 1) % len(NAMES)] if seed <= len(NAMES) else f"Player {seed}"
        return BracketLine(name, str(seed), scores[state], won=won, is_reader=seed == self.reader)


def _winners(drawer: _Drawer, size: int, last: str = "") -> int:
    """The winners' side for ``size`` players, a power of two; returns how many columns it has."""
    seeds, columns = _seeding(size), size.bit_length() - 1
    for column in range(1, columns + 1):
        for row in range(1, 2 ** (columns - column) + 1):
            to = f"W{column + 1}-{(row + 1) // 2}" if column < columns else last
            pair: Sequence[int | str] = (
                seeds[2 * row - 2 : 2 * row]
                if column == 1
                else [f"W{column - 1}-{2 * row - 1}", f"W{column - 1}-{2 * row}"]
            )
            drawer.meet(f"W{column}-{row}", pair, to)
    return columns


_SIDES: Final = (("W", "Winners' bracket"), ("L", "Losers' bracket"))
_ENDS: Final = ("Final", "Semi-finals", "Quarter-finals", "Round of 16", "Round of 32", "Round of 64")


def single(players: int, size: int, played: int, *, third: bool = False) -> BracketView:
    drawer = _Drawer(players, played)
    columns = _winners(drawer, size)
    if third:
        drawer.meet("T1", [f"-W{columns - 1}-1", f"-W{columns - 1}-2"])
    heads = [(f"W{column}", _ENDS[columns - column]) for column in range(1, columns + 1)]
    return BracketView(
        "Abak Cup", f"Knockout of {players} · matches to 7", tuple(drawer.slots), (*heads, ("T1", "Third place"))
    )


def double(players: int, size: int, played: int) -> BracketView:
    drawer = _Drawer(players, played)
    columns = _winners(drawer, size, "F1")
    for column in range(1, 2 * columns - 1):
        rows = 2 ** ((2 * columns - 2 - column) // 2)
        for row in range(1, rows + 1):
            is_last = column == 2 * columns - 2
            to = "F1" if is_last else f"L{column + 1}-{row if column % 2 else (row + 1) // 2}"
            if column == 1:
                pair = [f"-W1-{2 * row - 1}", f"-W1-{2 * row}"]
            elif column % 2:
                pair = [f"L{column - 1}-{2 * row - 1}", f"L{column - 1}-{2 * row}"]
            else:
                pair = [f"L{column - 1}-{row}", f"-W{column // 2 + 1}-{rows + 1 - row}"]
            drawer.meet(f"L{column}-{row}", pair, to)
    drawer.meet("F1", [f"W{columns}-1", f"L{2 * columns - 2}-1"], "F2")
    drawer.meet("F2", ["F1", "-F1"])
    heads = [(f"W{column}", f"Round {column}") for column in range(1, columns + 1)]
    heads += [(f"L{column}", f"Round {column}") for column in range(1, 2 * columns - 1)]
    return BracketView(
        "Double or nothing",
        f"Double elimination of {players}",
        tuple(drawer.slots),
        (*heads, ("F1", "Grand final"), ("F2", "Second match")),
        _SIDES,
    )


def _rung(number: int) -> LadderRow:
    return LadderRow(
        str(number + 1),
        NAMES[number],
        f"{1890 - 31 * number} · {9 - number // 2} won, {number // 3} lost",
        {2: "until 28 Nov", 6: "until 30 Nov", 9: "not accepted yet"}.get(number, ""),
        (0, 3, -1, -1, 0, 0, 0, 1, -1, 0, 0, 0)[number],
        is_reader=number == 6,  # noqa: PLR2004
        withdrawn=number == 11,  # noqa: PLR2004
    )


LADDER: Final = LadderView(
    "Abalone ladder",
    "12 players · 3 challenges run",
    tuple(map(_rung, range(12))),
    (LadderChallenge(2, 0), LadderChallenge(6, 4), LadderChallenge(9, 7, State.PLANNED), LadderChallenge(4, 1)),
    "Nobody stands on it yet",
)
_DATES: Final = ("2 - 8 Nov", "9 - 15 Nov", "16 - 22 Nov", "23 - 29 Nov", "30 Nov - 6 Dec")


def _round(number: int) -> CalendarRow:
    dates = (*_DATES, "7 - 13 Dec", "14 - 20 Dec", "11 - 17 Jan", "18 - 24 Jan")[number]
    if number < 3:  # noqa: PLR2004 - the first three are done
        return CalendarRow(f"Round {number + 1}", dates, State.DONE)
    if number == 3:  # noqa: PLR2004
        return CalendarRow("Round 4", dates, State.RUNNING, "14 of 20 finished · 2 days left", 0.7)
    return CalendarRow(f"Round {number + 1}", dates, State.PLANNED, "After the holidays" * (number == 7))  # noqa: PLR2004


CALENDAR: Final = CalendarView("Winter Swiss 2026", "9 rounds, one week each", tuple(map(_round, range(9))))
_PLACES: Final = tuple(
    PodiumPlace(number + 1, NAMES[number], halves(6 - number / 2), number == 5)  # noqa: PLR2004
    for number in range(8)
)
PODIUM: Final = PodiumView(
    "Winter Swiss 2026", "Abak Evolution Backgammon · Swiss, 9 rounds", _PLACES, ("40 players", "22 November 2026")
)
PODIUM_SHARED: Final = replace(
    PODIUM,
    title="Abak Cup",
    about="Knockout of 16",
    places=tuple(PodiumPlace(place, name) for place, name in zip((1, 2, 3, 3, 5, 5, 5, 5), NAMES, strict=False)),
)

SAMPLES: Final[dict[str, Callable[[str], bytes]]] = {
    name: partial(lambda draw, view, theme: draw(replace(view, theme=theme)), draw, view)
    for name, draw, view in (
        ("standings", pictures.standings, STANDINGS),
        ("standings-one", pictures.standings, STANDINGS_ONE),
        ("standings-short", pictures.standings, STANDINGS_SHORT),
        ("standings-large", pictures.standings, STANDINGS_LARGE),
        ("standings-empty", pictures.standings, replace(STANDINGS, rows=(), page="")),
        ("crosstable", pictures.crosstable, CROSSTABLE),
        ("crosstable-long", pictures.crosstable, CROSSTABLE_LONG),
        ("crosstable-group", pictures.crosstable, CROSSTABLE_GROUP),
        ("crosstable-all", pictures.crosstable, CROSSTABLE_ALL),
        ("bracket-16", pictures.bracket, single(16, 16, 13, third=True)),
        ("bracket-6", pictures.bracket, single(6, 8, 9, third=True)),
        ("bracket-64", pictures.bracket, replace(single(64, 64, 50), page=2)),
        ("bracket-64-end", pictures.bracket, replace(single(64, 64, 60), page=5)),
        ("double-8", pictures.bracket, double(8, 8, 10)),
        ("double-5", pictures.bracket, double(5, 8, 20)),
        ("double-16-losers", pictures.bracket, replace(double(16, 16, 27), page=3)),
        ("ladder", pictures.ladder, LADDER),
        ("calendar", pictures.calendar, CALENDAR),
        ("podium", pictures.podium, PODIUM),
        ("podium-2", pictures.podium, replace(PODIUM, places=_PLACES[:2])),
        ("podium-3", pictures.podium, replace(PODIUM, places=_PLACES[:3])),
        ("podium-shared", pictures.podium, PODIUM_SHARED),
    )
}
