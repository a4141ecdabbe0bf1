"""The people of a month of correspondence: what they wish for, their vacations, who vanishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.clock import START

from bot.clocks.service import DeadlineService
from bot.clocks.vacations.service import VacationService
from bot.players.service import PreferenceService
from engine.core.hours import DAY

if TYPE_CHECKING:
    from fakes.month import Month

ZONES = ("Europe/Madrid", "America/New_York", "America/Bogota", "Asia/Tokyo", "Australia/Lord_Howe", "UTC", "")
RESTS = ("22:00-06:00", "23:30-07:00", "00:00-08:00", "13:00-15:00", "")


class People:
    """Users by their ids. `shut` are those who take no direct messages."""

    def __init__(self, month: Month, number: int) -> None:
        self.month, self.random, self.clock = month, month.random, month.clock
        self.ids = [1000 + person for person in range(number)]
        self.shut = frozenset(self.ids[::17])
        self.vanish = {user: START + (5 + n % 20) * DAY for n, user in enumerate(self.ids[5::23])}
        """The players who leave all their games from some day on."""

    async def settle(self) -> None:
        choose = self.random.choice
        for user in self.ids:
            wishes = {
                "zone": choose(ZONES),
                "rest": choose(RESTS),
                "reminders": choose(("both", "hour", "day", "share")),
            }
            if self.random.random() < 0.25:
                wishes["weekend"] = choose(("sat_sun", "fri_sat"))
            if self.random.random() < 0.2:
                wishes["quiet"] = choose(("22:00-08:00", "12:00-16:00"))
            if self.random.random() < 0.15:
                wishes |= {"pings": "digest", "digest_hour": choose(("07", "19"))}
            for key, value in wishes.items():
                if value:
                    await self.month.services[PreferenceService].set_user(user, key, value)
            if self.random.random() < 0.2:
                self.month.at(START + self.random.randrange(self.month.days * DAY), self.vacation, user)
            if self.random.random() < 0.1:
                self.month.at(START + self.random.randrange(self.month.days * DAY), self.other_rest, user)

    async def vacation(self, user: int) -> None:
        """Announces one, or goes at once; some come back early, or call it off."""
        if self.month.later(0, self.vacation, user):
            return
        since = self.clock.at + self.random.choice((0, 0, 3)) * DAY
        days = self.random.randrange(1, 12)
        await self.month.services[VacationService].take(user, since, since + days * DAY)
        await self.month.services[DeadlineService].refresh(user)
        if self.random.random() < 0.4:
            self.month.at(self.clock.at + self.random.randrange(days * DAY), self.come_back, user)

    async def come_back(self, user: int) -> None:
        if self.month.later(0, self.come_back, user):
            return
        for vacation in await self.month.services[VacationService].of(user):
            await self.month.services[VacationService].end(user, vacation.id)
        await self.month.services[DeadlineService].refresh(user)

    async def other_rest(self, user: int) -> None:
        if not self.month.later(0, self.other_rest, user):
            await self.month.services[PreferenceService].set_user(user, "rest", self.random.choice(RESTS))
            await self.month.services[DeadlineService].refresh(user)
