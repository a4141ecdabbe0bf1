"""Time off: daily rest, days off, vacations, and the bot's own absences, brought into the records of the games."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.vacations.repository import Vacation, VacationRepository
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.players.service import PreferenceService
from bot.players.zones import offsets, span
from engine.core.clock import Clock
from engine.core.errors import Refused
from engine.core.game import CHANCE
from engine.core.hours import DAY, Hours, Interval
from engine.core.offers import ADJOURN
from engine.core.record import Entry, Kind
from engine.core.timekeeping import ABANDONED

__all__ = ["KEYS", "TimeOffHook", "Vacation", "VacationService"]

WEEKENDS: Final[Mapping[str, tuple[int, ...]]] = {"none": (), "sat_sun": (5, 6), "fri_sat": (4, 5)}
"""The choices of the preference ``weekend`` as days, 0 for Monday."""
YEAR: Final = 365 * DAY
BUDGET_DAYS: Final = 42
"""Days of vacation a player has in any 365 days."""
SHORTEST: Final = DAY
LONGEST_DAYS: Final = 28
LEAST_CHARGE: Final = DAY
"""What a vacation takes of the budget, however early its player comes back."""
REACH: Final = YEAR + LEAST_CHARGE
"""How long a vacation that is over may still be reckoned."""

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


def _charged(vacation: Vacation) -> Vacation:
    """The vacation as it is reckoned: one that has begun takes a day at least, or it would be a pause at will."""
    begun = vacation.since < vacation.until
    return replace(vacation, until=max(vacation.until, vacation.since + LEAST_CHARGE)) if begun else vacation


def _spent(taken: Iterable[Vacation], begin: int, length: int = YEAR) -> int:
    """How much of these is reckoned to the year from ``begin`` on, or to a time of another length."""
    charged = map(_charged, taken)
    return sum(max(0, min(v.until, begin + length) - max(v.since, begin)) for v in charged)


def _held(taken: Iterable[Vacation], allowed: int) -> Iterator[tuple[Vacation, int]]:
    """Each of one player's vacations, in order, with when it ends where so many ms in a year are allowed."""
    before: list[Vacation] = []
    for vacation in taken:
        left = max(0, allowed - _spent(before, vacation.since - YEAR, REACH))
        end = min(vacation.until, vacation.since + left)
        before.append(replace(vacation, until=end))
        yield vacation, end


class VacationService:
    """Taking and calling off. ``now`` gives ms since 1970."""

    def __init__(self, store: VacationRepository, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now

    async def take(self, user_id: int, since: int, until: int) -> None:
        """A vacation from ``since`` (at once if that is past by a minute at most) to ``until``. Raises Refused."""
        now = self._now()
        if since < now - 60_000:
            raise Refused("vacation.past")
        if since > now + YEAR:
            raise Refused("vacation.far")
        if not SHORTEST <= until - since <= LONGEST_DAYS * DAY:
            raise Refused("vacation.length", least=SHORTEST // DAY, most=LONGEST_DAYS)
        # what was asked for a moment ago is as long as it was asked for
        since, until = max(since, now), until + max(0, now - since)

        def check(taken: list[Vacation]) -> None:
            if any(vacation.since < until and since < vacation.until for vacation in taken):
                raise Refused("vacation.overlap")
            left = self._left(taken, since)
            if until - since > left:
                raise Refused("vacation.budget", left=left // DAY, budget=BUDGET_DAYS)

        await self.store.add(user_id, since, until, since - REACH, check)

    async def left(self, user_id: int, allowed: int = BUDGET_DAYS) -> int:
        """How much vacation the user has left from now on, in ms; where ``allowed`` days in a year count."""
        now = self._now()
        taken = await self.store.of([user_id], now - REACH)
        counted = [replace(vacation, until=end) for vacation, end in _held(taken, allowed * DAY)]
        return min(self._left(taken, now), self._left(counted, now, allowed))

    async def counting(self, user_id: int, since: int, until: int, allowed: int) -> int:
        """How much of a vacation that is to be taken counts where ``allowed`` days in a year do, in ms."""
        taken = [v for v in await self.store.of([user_id], since - REACH) if v.since < since]
        counted = [replace(vacation, until=end) for vacation, end in _held(taken, allowed * DAY)]
        return min(until - since, max(0, allowed * DAY - _spent(counted, since - YEAR, REACH)))

    async def of(self, user_id: int) -> list[Vacation]:
        """The user's vacations that are not over, in order."""
        return await self.store.of([user_id], self._now())

    async def held(self, user_id: int, allowed: int) -> list[Interval]:
        """From when to when the user's vacations that are not over count where ``allowed`` days in a year do."""
        now = self._now()
        taken = await self.store.of([user_id], now - REACH)
        return [(v.since, end) for v, end in _held(taken, allowed * DAY) if end > max(now, v.since)]

    async def end(self, user_id: int, vacation_id: int) -> bool:
        """Comes back early (True), or calls off one that has not begun (False). Raises Refused."""
        now = self._now()
        found = next((v for v in await self.store.of([user_id], now) if v.id == vacation_id), None)
        if found is None:
            raise Refused("vacation.none")
        if found.since >= now:
            await self.store.drop(vacation_id, now)
            return False
        await self.store.shorten(vacation_id, now)
        return True

    @staticmethod
    def _left(taken: Sequence[Vacation], since: int, budget: int = BUDGET_DAYS) -> int:
        """What is left of the fullest year around ``since``; it begins then, or begins or ends with a vacation."""
        begins = {since - YEAR, since, *(v.since for v in taken), *(_charged(v).until - YEAR for v in taken)}
        spent = max(_spent(taken, begin) for begin in begins if since - YEAR <= begin <= since)
        return max(0, budget * DAY - spent)


@dataclass(frozen=True, slots=True)
class TimeOffHook(GameHook):
    """Brings into a game's record what its clock has to know of its players and of the bot."""

    vacations: VacationRepository
    preferences: PreferenceService
    heartbeats: HeartbeatService

    async def before_command(self, guild_id: int | None) -> None:
        """What is about to happen shows that the bot is there: an outage up to now ends before the time is taken."""
        await self.heartbeats.awake(guild_id)

    async def entries(self, live: LiveGame, at: int) -> Sequence[Entry]:
        clock = live.table.clock
        if live.table.outcome is not None:
            return ()
        if clock is None:
            return await self._unclocked(live, at)
        found: list[Entry] = []
        offer = live.table.offer
        # a live clock heeds no time off; where another one is asked for, it must be known before that is accepted
        if not clock.spec.live or (offer is not None and offer.what.startswith(ADJOURN)):
            found += [*await self._hours(live, clock, at), *await self._vacations(live, at)]
        return [*found, *await self._outages(live, clock, at)]

    async def _hours(self, live: LiveGame, clock: Clock, at: int) -> list[Entry]:
        found = []
        for seat, user_id in enumerate(live.players):
            hours = hours_of(await self.preferences.of_user(user_id), clock.started, clock.started + at)
            if str(hours) != str(clock.hours[seat]):
                found.append(Entry(at, Kind.HOURS, seat, str(hours)))
        return found

    async def _unclocked(self, live: LiveGame, at: int) -> list[Entry]:
        """What does not count for a claim that the other stays away: nothing before there could be one."""
        table, last = live.table, live.table.last_act
        if at - last < ABANDONED:
            return []
        started = table.record.header.started
        found = await self._vacations(live, at, last)
        for outage in await self.heartbeats.outages(live.place.guild_id, started + last):
            missed = (max(outage.since - started, 0), outage.until - started)
            if missed not in table.credits and missed[0] < missed[1] <= at:
                found.append(Entry(at, Kind.CREDIT, CHANCE, f"{missed[0]} {missed[1]}"))
        return found

    async def _vacations(self, live: LiveGame, at: int, after: int = 0) -> list[Entry]:
        """Those that end ``after`` that time, in ms since the start."""
        started = live.table.record.header.started
        allowed = int((await self.preferences.of_server(live.place.guild_id))["vacation"]) * DAY
        taken = await self.vacations.of(live.players, started - REACH)
        found = []
        for seat, user_id in enumerate(live.players):
            known = {begin: end for begin, end in live.table.vacations[seat] if end > after}
            wanted = dict.fromkeys(known, -1)
            for vacation, held in _held([v for v in taken if v.user_id == user_id], allowed):
                if vacation.until <= started + after:
                    continue
                begin = max(vacation.since - started, 0)
                # where a server allows less from now on, what is past stays as it was
                least = min(known.get(begin, begin), at, vacation.until - started)
                wanted[begin] = max(begin, least, held - started)
            for begin, end in wanted.items():
                if end == -1:  # called off before it began
                    found.append(Entry(at, Kind.AWAY, seat, f"{begin} {begin}"))
                elif known.get(begin, begin) != end:
                    found.append(Entry(at, Kind.AWAY, seat, f"{begin} {end}"))
        return found

    async def _outages(self, live: LiveGame, clock: Clock, at: int) -> list[Entry]:
        """The outages in which the clock of the turn that runs would have charged somebody."""
        turn = clock.turn
        if turn is None:
            return []
        found = []
        for outage in await self.heartbeats.outages(live.place.guild_id, clock.started + turn.since):
            begin, end = max(outage.since - clock.started, 0), min(outage.until - clock.started, at)
            credited = clock.credit((begin, end)) if begin < end else clock
            if credited.charged(turn, at) < clock.charged(turn, at):
                found.append(Entry(at, Kind.CREDIT, CHANCE, f"{begin} {end}"))
                clock = credited
        return found
