"""Vacations: taking them, ending them, and how much of them counts in a server."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.clocks.vacations.repository import Vacation, VacationRepository
from bot.clocks.words import stamp
from bot.core.cache import Cache
from engine.core.errors import Refused
from engine.core.hours import DAY, Interval

__all__ = ["Vacation", "VacationService"]

YEAR: Final = 365 * DAY
BUDGET_DAYS: Final = 42
"""The most days of vacation that a player may take in any 365 days."""
SHORTEST: Final = DAY
LONGEST_DAYS: Final = 28
LEAST_CHARGE: Final = DAY
"""The least that a vacation uses of the budget, even if the player comes back early."""
REACH: Final = YEAR + LEAST_CHARGE
"""The longest time after its end in which a vacation may still count against the budget."""


def _charged(vacation: Vacation) -> Vacation:
    """Returns the vacation as the budget counts it: at least a day once begun. So nobody can pause their clocks at
    will.
    """
    begun = vacation.since < vacation.until
    return replace(vacation, until=max(vacation.until, vacation.since + LEAST_CHARGE)) if begun else vacation


def _spent(taken: Iterable[Vacation], begin: int, length: int = YEAR) -> int:
    """Returns how many ms of these vacations fall into the year, or the period of ``length``, that starts
    at ``begin``.
    """
    charged = map(_charged, taken)
    return sum(max(0, min(v.until, begin + length) - max(v.since, begin)) for v in charged)


def _with_counted_ends(taken: Iterable[Vacation], allowed: int) -> Iterator[tuple[Vacation, int]]:
    """Yields each of a player's vacations, in order, with the end of its counted part. ``allowed`` ms a year count."""
    before: list[Vacation] = []
    for vacation in taken:
        left = max(0, allowed - _spent(before, vacation.since - YEAR, REACH))
        end = min(vacation.until, vacation.since + left)
        before.append(replace(vacation, until=end))
        yield vacation, end


class VacationService:
    """Takes, ends and cancels vacations. Changes are announced to the other processes.

    ``now`` returns milliseconds since 1970.
    """

    def __init__(self, store: VacationRepository, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now
        self._taken: Cache[int, Sequence[Vacation]] = Cache()

    async def check(self, user_id: int, since: int, until: int) -> None:
        """Raises Refused if the user may not take a vacation from ``since`` to ``until``."""
        self._check_times(since, until)
        self._check_free(await self.store.of([user_id], since - REACH), since, until)

    async def take(self, user_id: int, since: int, until: int) -> None:
        """Takes a vacation from ``since`` to ``until``. Raises Refused.

        If ``since`` is past by at most a minute, the vacation begins now and keeps its length.
        """
        now = self._now()
        self._check_times(since, until)
        # the user chose the length a moment ago, so the end moves, too
        since, until = max(since, now), until + max(0, now - since)
        try:
            await self.store.add(
                user_id, since, until, since - REACH, lambda taken: self._check_free(taken, since, until)
            )
        finally:
            self._taken.drop(user_id)

    def _check_times(self, since: int, until: int) -> None:
        now = self._now()
        if since < now - 60_000:
            raise Refused("vacation.past")
        if since > now + YEAR:
            raise Refused("vacation.far")
        if not SHORTEST <= until - since <= LONGEST_DAYS * DAY:
            raise Refused("vacation.length", least=SHORTEST // DAY, most=LONGEST_DAYS)

    def _check_free(self, taken: Sequence[Vacation], since: int, until: int) -> None:
        """Raises Refused if a vacation would overlap one that is ``taken``, or go beyond the budget."""
        for vacation in taken:
            if vacation.since < until and since < vacation.until:
                raise Refused("vacation.overlap", since=stamp(vacation.since, "D"), until=stamp(vacation.until, "D"))
        left = self._left(taken, since)
        if until - since > left:
            raise Refused("vacation.budget", left=left // DAY, budget=BUDGET_DAYS)

    async def left(self, user_id: int, allowed: int = BUDGET_DAYS) -> int:
        """Returns how many ms of vacation the user has left from now on, if ``allowed`` days a year count."""
        now = self._now()
        taken = await self.store.of([user_id], now - REACH)
        counted = [replace(vacation, until=end) for vacation, end in _with_counted_ends(taken, allowed * DAY)]
        return min(self._left(taken, now), self._left(counted, now, allowed))

    async def counting(self, user_id: int, since: int, until: int, allowed: int) -> int:
        """Returns how many ms of a planned vacation would count, if ``allowed`` days a year count."""
        taken = [v for v in await self.store.of([user_id], since - REACH) if v.since < since]
        counted = [replace(vacation, until=end) for vacation, end in _with_counted_ends(taken, allowed * DAY)]
        return min(until - since, max(0, allowed * DAY - _spent(counted, since - YEAR, REACH)))

    async def of(self, user_id: int) -> list[Vacation]:
        """Returns the user's vacations that are not over, in order."""
        return await self.store.of([user_id], self._now())

    async def counted_intervals(self, user_id: int, allowed: int) -> list[Interval]:
        """Returns the parts that count of the user's present and future vacations, if ``allowed`` days a year count."""
        now = self._now()
        taken = await self.store.of([user_id], now - REACH)
        return [(v.since, end) for v, end in _with_counted_ends(taken, allowed * DAY) if end > max(now, v.since)]

    async def since(
        self, user_ids: Iterable[int], moment: int, allowed: int, *, fresh: bool = True
    ) -> dict[int, list[tuple[Vacation, int]]]:
        """Returns the vacations of each user that matter to a game begun at that moment, in order, with their counted
        ends.

        A counted end is the end of the part that counts, if ``allowed`` days a year do. Without ``fresh``, a change
        just made by another process may be missing; then write nothing that follows from the result.
        """
        users = list(user_ids)
        taken = await self._of(users, fresh=fresh)
        own = {user: [vacation for vacation in taken[user] if vacation.until > moment - REACH] for user in users}
        return {user: list(_with_counted_ends(own[user], allowed * DAY)) for user in users}

    async def _of(self, users: Sequence[int], *, fresh: bool) -> dict[int, Sequence[Vacation]]:
        """Returns all vacations of each user. There are some dozens a year at most."""
        known = {user: None if fresh else self._taken.get(user) for user in users}
        missing = [user for user, taken in known.items() if taken is None]
        found: list[Vacation] = []
        if missing:
            generation = self._taken.generation
            found = await self.store.of(missing, 0)
            for user in missing:
                self._taken.keep(user, [vacation for vacation in found if vacation.user_id == user], generation)
        return {
            user: [each for each in found if each.user_id == user] if taken is None else taken
            for user, taken in known.items()
        }

    async def end(self, user_id: int, vacation_id: int) -> bool:
        """Ends a vacation now (True), or cancels one that has not begun (False). Raises Refused."""
        now = self._now()
        found = next((v for v in await self.store.of([user_id], now) if v.id == vacation_id), None)
        if found is None:
            raise Refused("vacation.none")
        try:
            if found.since >= now:
                await self.store.drop(user_id, vacation_id, now)
                return False
            await self.store.shorten(user_id, vacation_id, now)
            return True
        finally:
            self._taken.drop(user_id)

    def forget_changed(self, user_id: str | None) -> None:
        """Drops a user's vacations from the cache after another process has changed them; everybody's for None."""
        self.forget(None if user_id is None else int(user_id))

    def forget(self, user_id: int | None) -> None:
        """Drops a user's vacations from the cache after they were changed or deleted; everybody's for None."""
        if user_id is None:
            self._taken.clear()
        else:
            self._taken.drop(user_id)

    @staticmethod
    def _left(taken: Sequence[Vacation], since: int, budget: int = BUDGET_DAYS) -> int:
        """Returns the ms of the budget that are left in the fullest year that contains ``since``.

        Only years that start a year before ``since``, at ``since``, or start or end with a vacation need checking.
        """
        begins = {since - YEAR, since, *(v.since for v in taken), *(_charged(v).until - YEAR for v in taken)}
        spent = max(_spent(taken, begin) for begin in begins if since - YEAR <= begin <= since)
        return max(0, budget * DAY - spent)
