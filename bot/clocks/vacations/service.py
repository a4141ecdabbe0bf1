"""Vacations: taking them, ending them, and how much of them counts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.clocks.vacations.repository import Vacation, VacationRepository
from engine.core.errors import Refused
from engine.core.hours import DAY, Interval

__all__ = ["KEYS", "Vacation", "VacationService"]

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

    async def since(self, user_ids: Iterable[int], moment: int, allowed: int) -> dict[int, list[tuple[Vacation, int]]]:
        """Each user's vacations that matter to a game begun at that moment, in order, and when each ends for it.

        ``allowed`` days in a year count there.
        """
        users = list(user_ids)
        taken = await self.store.of(users, moment - REACH)
        return {user: list(_held([v for v in taken if v.user_id == user], allowed * DAY)) for user in users}

    async def end(self, user_id: int, vacation_id: int) -> bool:
        """Comes back early (True), or cancels one that has not begun (False). Raises Refused."""
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
