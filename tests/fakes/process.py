"""What one process of the bot has over a database, by a clock that a test moves; as many of them as a test wants."""

from collections.abc import Callable, Iterable, Sequence

import pytest
from fakes.clock import Clock
from fakes.luck import SeededLuck
from sqlalchemy import delete, insert

from bot.clocks.heartbeats.repository import PulseStore
from bot.clocks.heartbeats.service import Pulse
from bot.clocks.service import Deadlines
from bot.clocks.vacations.repository import VacationStore
from bot.clocks.vacations.service import Absence, Vacations
from bot.core.cache import Memory
from bot.core.database import Database
from bot.core.tables import beats
from bot.games.hooks import Companion
from bot.games.repository import Ledger
from bot.games.service import Place, Seated, Tables
from bot.players.preferences import Preferences
from bot.players.repository import PreferenceStore
from engine.core.errors import Refused
from engine.core.record import Kind

NOTED = {Kind.HOURS, Kind.AWAY, Kind.CREDIT}


class Process:
    """The services that have to do with time. Preferences are never believed for longer than a call."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        lanes: int = 1,
        seed: int = 1,
        new_id: Callable[[], str] | None = None,
        more: Sequence[Companion] = (),
        pulse: Pulse | None = None,
        believed: float = 0.0,
    ) -> None:
        self.database = database
        self.clock = clock
        self.preferences = Preferences(PreferenceStore(database), Memory(seconds=believed))
        self.pulse = pulse or Pulse(PulseStore(database), clock, lanes)
        store = VacationStore(database)
        self.vacations = Vacations(store, clock)
        self.tables = Tables(
            Ledger(database),
            SeededLuck(seed),
            clock,
            plays_forced=self.preferences.plays_forced,
            companions=[Absence(store, self.preferences, self.pulse), *more],
            **({"new_id": new_id} if new_id else {}),
        )
        self.deadlines = Deadlines(self.tables, self.pulse, clock)

    async def nim(
        self,
        control: str,
        players: tuple[int, int],
        place: Place,
        *,
        policy: str = "loss",
        heap: int = 99,
        played: int = 0,
    ) -> Seated:
        """A game of Nim without dice, after so many turns."""
        options = {"heap": heap, "dice": "no"}
        seated = await self.tables.open("nim", options, players, place, "en", clock=control, policy=policy)
        for _ in range(played):
            seated = await self.tables.play(seated.id, seated.to_act or 0, None, "1")
        return seated

    async def live(self, milliseconds: int, lanes: Iterable[int] = (0,)) -> None:
        """Lets time pass with beats all along, of which only the last leaves anything; then the loop has a turn."""
        self.clock.at += milliseconds
        await self.beaten(self.clock.at, lanes)
        await self.deadlines.turn(lanes)

    async def beat(self, milliseconds: int) -> None:
        """Lets time pass with beats in all lanes; nothing is ticked yet."""
        self.clock.at += milliseconds
        await self.beaten(self.clock.at, range(self.pulse.lanes))

    async def beaten(self, until: int, lanes: Iterable[int] = (0,)) -> None:
        """What beats up to that moment leave behind."""
        count = self.pulse.lanes
        rows = [{"lane": lane, "lanes": count, "at": until} for lane in lanes]
        async with self.database.writing() as connection:
            await connection.execute(delete(beats).where(beats.c.lanes == count, beats.c.lane.in_(list(lanes))))
            await connection.execute(insert(beats), rows)
        self.pulse._last |= {(lane, count): until for lane in lanes}


def noted(seated: Seated) -> list[str]:
    return [str(entry) for entry in seated.table.record.entries if entry.kind in NOTED]


def timeouts(seated: Seated) -> list[str]:
    return [str(entry) for entry in seated.table.record.entries if entry.kind is Kind.TIMEOUT]


def deadline(seated: Seated) -> int:
    """In ms since 1970."""
    assert seated.table.deadline is not None
    return seated.table.record.header.started + seated.table.deadline


async def refused(call: object, key: str) -> dict[str, object]:
    with pytest.raises(Refused) as caught:
        await call  # type: ignore[misc]
    assert caught.value.key == key
    return caught.value.params
