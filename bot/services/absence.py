"""Time off: daily rest, days off, vacations, and the bot's own absences, brought into the records of the games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.services.companion import Companion
from bot.services.preferences import Preferences
from bot.services.pulse import Pulse
from bot.services.seated import Seated
from bot.services.zones import offsets, span
from bot.store.vacations import Vacation, VacationStore
from engine.core.errors import Refused
from engine.core.game import CHANCE
from engine.core.hours import DAY, Hours
from engine.core.record import Entry, Kind

__all__ = ["KEYS", "Absence", "Vacation", "Vacations"]

WEEKENDS: Final[Mapping[str, tuple[int, ...]]] = {"none": (), "sat_sun": (5, 6), "fri_sat": (4, 5)}
"""The choices of the preference ``weekend`` as days, 0 for Monday."""
YEAR: Final = 365 * DAY
BUDGET_DAYS: Final = 42
"""Days of vacation a player has in any 365 days."""
SHORTEST: Final = DAY
LONGEST_DAYS: Final = 28

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "vacation.length": ("least", "most"),
    "vacation.past": (),
    "vacation.far": (),
    "vacation.overlap": (),
    "vacation.budget": ("left", "budget"),
    "vacation.none": (),
}
"""The messages of this module, with their parameters."""


def hours_of(preferences: Mapping[str, str], since: int, now: int) -> Hours:
    """What a player's settings say of rest and days off, with the offsets of their zone from ``since`` on."""
    rest, weekend = span(preferences["rest"]), WEEKENDS[preferences["weekend"]]
    if rest is None and not weekend:
        return Hours()
    return Hours(rest, weekend, offsets(preferences["zone"], since, now))


class Vacations:
    """Taking and calling off. ``now`` gives ms since 1970."""

    def __init__(self, store: VacationStore, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now

    async def take(self, user_id: int, since: int, until: int) -> None:
        """A vacation from ``since`` (at once if that is past by a minute at most) to ``until``. Raises Refused."""
        now = self._now()
        if since < now - 60_000:
            raise Refused("vacation.past")
        since = max(since, now)
        if since > now + YEAR:
            raise Refused("vacation.far")
        if not SHORTEST <= until - since <= LONGEST_DAYS * DAY:
            raise Refused("vacation.length", least=SHORTEST // DAY, most=LONGEST_DAYS)
        taken = await self.store.of([user_id], since - YEAR)
        if any(vacation.since < until and since < vacation.until for vacation in taken):
            raise Refused("vacation.overlap")
        left = self._left(taken, since)
        if until - since > left:
            raise Refused("vacation.budget", left=left // DAY, budget=BUDGET_DAYS)
        await self.store.add(user_id, since, until)

    async def left(self, user_id: int) -> int:
        """How much vacation the user has left for one that begins now, in ms."""
        now = self._now()
        return self._left(await self.store.of([user_id], now - YEAR), now)

    async def of(self, user_id: int) -> list[Vacation]:
        """The user's vacations that are not over, in order."""
        return await self.store.of([user_id], self._now())

    async def end(self, user_id: int, vacation_id: int) -> None:
        """Comes back early, or calls off one that has not begun. Raises Refused."""
        now = self._now()
        found = next((v for v in await self.store.of([user_id], now) if v.id == vacation_id), None)
        if found is None:
            raise Refused("vacation.none")
        if found.since >= now:
            await self.store.drop(vacation_id, now)
        else:
            await self.store.shorten(vacation_id, now)

    @staticmethod
    def _left(taken: Sequence[Vacation], since: int) -> int:
        spent = sum(min(v.until, since + YEAR) - max(v.since, since - YEAR) for v in taken)
        return max(0, BUDGET_DAYS * DAY - spent)


@dataclass(frozen=True, slots=True)
class Absence(Companion):
    """Brings into a game's record what its clock has to know of its players and of the bot."""

    vacations: VacationStore
    preferences: Preferences
    pulse: Pulse

    async def entries(self, seated: Seated, at: int) -> Sequence[Entry]:
        clock = seated.table.clock
        if clock is None or seated.table.outcome is not None:
            return ()
        found: list[Entry] = []
        for seat, user_id in enumerate(seated.players):
            hours = hours_of(await self.preferences.of_user(user_id), clock.started, clock.started + at)
            if hours != clock.hours[seat]:
                found.append(Entry(at, Kind.HOURS, seat, str(hours)))
        return [*found, *await self._vacations(seated, at), *await self._outages(seated, at)]

    async def _vacations(self, seated: Seated, at: int) -> list[Entry]:
        clock: Any = seated.table.clock
        allowed = int((await self.preferences.of_server(seated.place.guild_id))["vacation"])
        if not allowed:
            return []
        found = []
        taken = await self.vacations.of(seated.players, clock.started)
        for seat, user_id in enumerate(seated.players):
            known = dict(clock.away[seat])
            wanted = {}
            left = allowed * DAY
            for vacation in taken:
                if vacation.user_id != user_id:
                    continue
                begin = max(vacation.since - clock.started, 0)
                end = min(vacation.until - clock.started, begin + left)
                left -= end - begin
                wanted[begin] = end
            found += [
                Entry(at, Kind.AWAY, seat, f"{begin} {end}")
                for begin, end in wanted.items()
                if known.get(begin, begin) != end
            ]
            # one that was called off before it began
            found += [
                Entry(at, Kind.AWAY, seat, f"{begin} {begin}") for begin in known if begin not in wanted and begin > at
            ]
        return found

    async def _outages(self, seated: Seated, at: int) -> list[Entry]:
        clock: Any = seated.table.clock
        await self.pulse.awake(seated.place.guild_id)
        if clock.turn is None:
            return []
        found = []
        for outage in await self.pulse.outages(seated.place.guild_id, clock.started + clock.turn.since):
            interval = (max(outage.since - clock.started, 0), outage.until - clock.started)
            if interval not in clock.credits and interval[1] <= at:
                found.append(Entry(at, Kind.CREDIT, CHANCE, f"{interval[0]} {interval[1]}"))
        return found
