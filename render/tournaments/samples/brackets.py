"""Samples of brackets."""

from collections.abc import Sequence
from typing import Final

from render.tournaments.samples.tables import NAMES, READER
from render.tournaments.views import BracketLine, BracketSlot, BracketView, State


def _seeding(size: int) -> list[int]:
    found = [1]
    while len(found) < size:
        found = [seed for each in found for seed in (each, 2 * len(found) + 1 - each)]
    return found


class _Drawer:
    """Plays a bracket in which the better seed mostly wins, up to a number of pairings. Byes are hidden."""

    def __init__(self, players: int, played: int) -> None:
        self.players, self.played = players, played
        self.slots: list[BracketSlot] = []
        self.went: dict[str, int | None] = {}
        """The player who came out of a source: the id of a slot for its winner, with ``-`` before it for its loser."""
        self.same: dict[str, int | str | None] = {}
        """The real source behind a bye, or None for nobody."""
        self.numbers: dict[str, int] = {}

    def meet(self, slot: str, sources: Sequence[int | str], to: str = "") -> None:
        """Adds a slot; a source is a seed, or the winner or loser of a slot."""
        real = [self._real(source) for source in sources]
        first, second = real
        if first is None or second is None:
            self.same |= {slot: first if second is None else second, f"-{slot}": None}
            nobody = BracketLine("", known=False)
            self.slots.append(BracketSlot(slot, (nobody, nobody), winner_to=to, hidden=True))
            return
        seeds = [source if isinstance(source, int) else self.went.get(source) for source in (first, second)]
        number = self.numbers[slot] = len(self.numbers) + 1
        ready = [seed for seed in seeds if seed is not None]
        state = State.PLANNED
        if len(ready) == len(seeds):
            state = State.DONE if number <= self.played else State.RUNNING
        if state is State.DONE:
            order = sorted(ready, reverse=number % 5 == 3)
            self.went |= {slot: order[0], f"-{slot}": order[1]}
        lines = [self._line(slot, seed, source, state) for seed, source in zip(seeds, (first, second), strict=True)]
        self.slots.append(BracketSlot(slot, (lines[0], lines[1]), f"M{number}", "", state, to))

    def _real(self, source: int | str | None) -> int | str | None:
        if isinstance(source, int):
            return source if source <= self.players else None
        return self._real(self.same[source]) if source in self.same else source

    def _line(self, slot: str, seed: int | None, source: int | str, state: State) -> BracketLine:
        if seed is None:
            who = "Loser" if str(source).startswith("-") else "Winner"
            return BracketLine(f"{who} of M{self.numbers[str(source).lstrip('-')]}", known=False)
        won = state is State.DONE and self.went[slot] == seed
        scores = {State.DONE: "7" if won else str(seed % 6), State.RUNNING: str(seed % 4), State.PLANNED: ""}
        name = NAMES[seed - 1] if seed <= len(NAMES) else f"Player {seed}"
        return BracketLine(name, str(seed), scores[state], won=won, is_reader=seed == READER + 1)


def _winners(drawer: _Drawer, size: int, last: str = "") -> int:
    """Adds the winners' side for ``size`` players, a power of two. Returns the number of its columns."""
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
_ENDS: Final = ("Final", "Semi-finals", "Quarter-finals")


def single(players: int, size: int, played: int, *, third: bool = False) -> BracketView:
    drawer = _Drawer(players, played)
    columns = _winners(drawer, size)
    if third:
        drawer.meet("T1", [f"-W{columns - 1}-1", f"-W{columns - 1}-2"])
    ends = [*_ENDS, *(f"Round of {2**number}" for number in range(len(_ENDS) + 1, columns + 1))]
    heads = [(f"W{column}", ends[columns - column]) for column in range(1, columns + 1)]
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
    loser = f"L{2 * columns - 2}-1" if columns > 1 else "-W1-1"
    drawer.meet("F1", [f"W{columns}-1", loser], "F2")
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
