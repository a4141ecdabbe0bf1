"""Taking back the last turn: what goes with it, and the position before it. Never past luck."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.core.errors import Refused
from engine.core.game import A, S, Seat
from engine.core.log import Log
from engine.core.progress import Progress, opened
from engine.core.record import CHOSEN, TURNS, Entries, Entry, Kind
from engine.core.turns import arrived, chance, turn

TAKEBACK: Final = "takeback"


def standing(line: Sequence[Entry], seat: Seat) -> int | None:
    """How many of the entries of a ``line`` stand if ``seat`` takes back its last turn; None if it cannot."""
    for index in range(len(line) - 1, -1, -1):
        entry = line[index]
        if entry.kind is Kind.CHANCE:
            return None
        if entry.kind in CHOSEN and entry.seat == seat:
            return index
    return None


def takeable(line: Entries, seat: Seat) -> int:
    """As ``standing``. Raises Refused: the seat has made no turn, or dice have fallen since."""
    count = standing(line, seat)
    if count is None:
        played = any(entry.kind in CHOSEN and entry.seat == seat for entry in line)
        raise Refused("table.dice_fell" if played else "table.nothing_to_take_back")
    return count


def undone(entries: Iterable[Entry], seat: Seat) -> tuple[Entry, ...]:
    """What goes if, after these entries, ``seat`` takes back its last turn: that turn first, then the answers to it."""
    line = line_of(entries)
    count = standing(line, seat)
    return () if count is None else line[count:]


def line_of(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The turns and rolls that stand after these entries of a record, as ``Table.line`` has them."""
    line: list[Entry] = []
    for entry in entries:
        if entry.kind is Kind.CHANCE or entry.kind in TURNS:
            line.append(entry)
        elif entry.kind is Kind.ACCEPT and entry.body == TAKEBACK:
            del line[standing(line, 1 - entry.seat) :]
    return tuple(line)


def take_back(progress: Progress[S, A], seat: Seat, at: int) -> None:
    """The position before the seat's last turn; the record keeps what was played and that it was taken back.

    The time spent stays spent: the seat's turn begins afresh, without an increment for the turn that breaks off.
    Raises Refused.
    """
    line = progress.line[: takeable(progress.line, seat)]
    earlier = opened(progress.game, progress.header)
    arrived(earlier, played=True)
    for entry in line:
        (chance if entry.kind is Kind.CHANCE else turn)(earlier, entry)
    progress.state, progress.to_act = earlier.state, earlier.to_act
    progress.history, progress.line = earlier.history, Log(line)
    progress.last, progress.moved = earlier.last, earlier.moved
    progress.offer, progress.overdue = None, None
    if progress.clock is not None:
        progress.clock = progress.clock.begin(seat, at, finished=False)
