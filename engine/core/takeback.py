"""Takebacks: the entries that a takeback removes, and the position after it. It never removes a roll."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.core.errors import Refused
from engine.core.game import A, S, Seat
from engine.core.log import Log
from engine.core.progress import Progress, start_progress
from engine.core.record import CHOSEN_KINDS, TURN_KINDS, Entries, Entry, Kind
from engine.core.turns import chance, turn, update_outcome

TAKEBACK: Final = "takeback"


def takeback_index(line: Sequence[Entry], seat: Seat) -> int | None:
    """Finds the index in ``line`` of the last turn of ``seat``; None if it cannot be taken back."""
    for index in range(len(line) - 1, -1, -1):
        entry = line[index]
        if entry.kind is Kind.CHANCE:
            return None
        if entry.kind in CHOSEN_KINDS and entry.seat == seat:
            return index
    return None


def require_takeback_index(line: Entries, seat: Seat) -> int:
    """Finds the index of the last turn of ``seat``. Raises Refused if it has made none, or if dice fell since."""
    count = takeback_index(line, seat)
    if count is None:
        played = any(entry.kind in CHOSEN_KINDS and entry.seat == seat for entry in line)
        raise Refused("table.dice_fell" if played else "table.nothing_to_take_back")
    return count


def taken_back_entries(entries: Iterable[Entry], seat: Seat) -> tuple[Entry, ...]:
    """Returns the entries that a takeback by ``seat`` would take back: its last turn and all turns after it."""
    line = effective_entries_of(entries)
    count = takeback_index(line, seat)
    return () if count is None else line[count:]


def effective_entries_of(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Returns the turns and rolls of a record that were not taken back, as in ``Table.effective_entries``."""
    line: list[Entry] = []
    for entry in entries:
        if entry.kind is Kind.CHANCE or entry.kind in TURN_KINDS:
            line.append(entry)
        elif entry.kind is Kind.ACCEPT and entry.body == TAKEBACK:
            del line[takeback_index(line, 1 - entry.seat) :]
    return tuple(line)


def apply_takeback(progress: Progress[S, A], seat: Seat, at: int) -> None:
    """Returns to the position before the seat's last turn. The record keeps the turns and the takeback.

    Used time is not given back: the seat starts a new turn, and the turn it interrupts gets no increment. Raises
    Refused.
    """
    line = progress.effective_entries[: require_takeback_index(progress.effective_entries, seat)]
    earlier = start_progress(progress.game, progress.header)
    update_outcome(earlier, played=True)
    for entry in line:
        (chance if entry.kind is Kind.CHANCE else turn)(earlier, entry)
    progress.state, progress.to_act = earlier.state, earlier.to_act
    progress.history, progress.effective_entries = earlier.history, Log(line)
    progress.last_turn, progress.last_move = earlier.last_turn, earlier.last_move
    progress.offer, progress.overdue = None, None
    if progress.clock is not None:
        progress.clock = progress.clock.next_turn(seat, at, finished=False)
