"""Games of Nim with a clock: begun, after some turns, overdue, paused."""

import pytest
from fakes.toy import Nim

from engine.core.errors import RuleError
from engine.core.hours import DAY, HOUR
from engine.core.record import Entry, Header, Kind
from engine.core.table import Table
from engine.core.timekeeping import ABORT_TURNS, uncounted

NIM = Nim()
MONDAY = 1_774_224_000_000
HEAP = (("dice", "no"), ("heap", 60))


def opened(clock: str = "1d/move", timeout: str = "loss", options: tuple[tuple[str, str | int], ...] = HEAP) -> Table:
    return Table.open(
        NIM, Header("nim", 1, "n1", MONDAY, options, clock=clock, timeout_policy=timeout if clock else "")
    )


def played(turns: int, clock: str = "1d/move", timeout: str = "loss") -> Table:
    """Plays a turn an hour; the next turn is that of seat ``turns % 2``."""
    table = opened(clock, timeout)
    for number in range(turns):
        table = table.play(number % 2, "1", (number + 1) * HOUR)
    return table


def overdue(turns: int = ABORT_TURNS, *, counted: bool = True) -> Table:
    """Returns a game of so many turns whose next one is too late, so that the other seat decides."""
    table = played(turns, "1d", "claim")
    late = table.time_out(9 * DAY)
    return late if counted else table.append(uncounted(late.record.entries[-1]))


def paused() -> Table:
    """Returns a game of two turns that both players have paused."""
    return played(2).make_offer(0, "pause", 3 * HOUR).answer(1, 4 * HOUR, accept=True)


def noted(table: Table, at: int, kind: Kind, seat: int, body: str) -> Table:
    """Returns the table with one more entry."""
    return table.append(Entry(at, kind, seat, body))


def refused(command: object, *arguments: object, **more: object) -> str:
    """Returns the key of the refusal."""
    with pytest.raises(RuleError) as raised:
        command(*arguments, **more)  # type: ignore[operator]
    return raised.value.key
