"""A month of correspondence in minutes: two hundred people, their games, their absences, and the bot's own.

Everything follows from a seed. Time is moved from one event to the next. Of the heartbeats between two outages only the
last leaves anything, so only that one is written.
"""

import heapq
import random
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from fakes.clock import START, Clock, Names
from fakes.luck import SeededLuck
from fakes.mail import Mail
from fakes.month_games import Games
from fakes.month_outages import SHARDS, Outages
from fakes.month_people import People
from sqlalchemy import event, select

from bot.app import assemble
from bot.clocks.service import DeadlineService
from bot.core.services import Sources
from bot.core.storage.database import Database
from bot.games.service import GameService
from bot.games.tables import games
from bot.notifications.dispatcher import NotificationDispatcher
from bot.notifications.service import NotificationService
from bot.notifications.tables import notifications
from bot.settings import Settings
from engine.core.hours import DAY, HOUR


class Month:
    """`run` plays it; then `records`, the `mail` and the `outages` tell what came of it."""

    def __init__(self, database: Database, seed: int, *, people: int = 200, number: int = 500, days: int = 30) -> None:
        self.database = database
        if database.engine.dialect.name == "sqlite":  # no test of what is on the disk
            event.listen(database.engine.sync_engine, "connect", _in_no_hurry)
        self.random = random.Random(seed)
        self.clock = Clock(START)
        self.number, self.days = number, days
        self.luck = SeededLuck(seed)
        self.names, self.notice_names = Names("g"), Names("n")
        self.people = People(self, people)
        self.games = Games(self)
        self.outages = Outages(self, seed)
        self.mail = Mail(seed, self.people.shut)
        self.events: list[tuple[int, int, Callable[..., Any], Sequence[Any]]] = []
        self._count = count()
        self.woken = True
        self.mail_due: int | None = None
        self.assemble()

    def assemble(self) -> None:
        """Creates the services as in a process that has just started."""
        settings = Settings.load(discord_token="token", database_url="sqlite:///unused")
        self.services = assemble(self.database, Sources(self.luck, lambda: 0, self.clock), settings)
        self.services[GameService]._new_id = self.names
        self.services[NotificationService]._new_id = self.notice_names
        self.services[DeadlineService].heartbeats.shard_count = len(SHARDS)
        self.services[GameService].subscribe(self.games.heard)
        self.services[NotificationService].subscribe(self.wake)
        self.dispatcher = NotificationDispatcher(self.mail, self.services)  # type: ignore[arg-type]

    # --- what comes when -----------------------------------------------------------------------------------------

    def at(self, moment: int, act: Callable[..., Any], *given: Any) -> None:
        heapq.heappush(self.events, (max(moment, self.clock.at), next(self._count), act, given))

    def wake(self) -> None:
        self.woken = True

    def later(self, shard: int, act: Callable[..., Any], *given: Any) -> bool:
        """Plans the act for some time after the outage if the bot is away. Returns whether it is."""
        away = self.outages.hit(shard)
        if away is not None:
            self.at(away.until + self.random.randrange(1, 2 * HOUR), act, *given)
        return away is not None

    async def run(self) -> None:
        """Plays the month from the first game to the end of the last."""
        await self.people.settle()
        spread = self.days * DAY * 2 // 3
        for _ in range(self.number):
            self.at(START + self.random.randrange(spread), self.games.start)
        self.outages.plan()
        for hour in range(0, self.days * 24, 6):
            self.at(START + hour * HOUR + self.random.randrange(HOUR), self.outages.tick)
        await self.outages.record_heartbeats()
        while self.events:
            moment, _, act, given = heapq.heappop(self.events)
            await self._deliver(moment)
            self.clock.at = max(self.clock.at, moment)
            await act(*given)
        await self._deliver(self.clock.at + 90 * DAY)

    async def _deliver(self, until: int) -> None:
        """Lets the dispatcher send what is due until then, when it is due."""
        while True:
            if self.woken:
                self.woken, self.mail_due = False, await self._next_mail()
            due = self.mail_due
            if due is None or due > until:
                return
            self.clock.at = max(self.clock.at, due)
            if self.outages.wholly():
                self.mail_due = None
                return
            await self.dispatcher.turn()
            self.woken = True

    async def _next_mail(self) -> int | None:
        if self.outages.wholly():
            return None
        return await self.services[NotificationService].outbox.next_due()

    # --- what came of it -----------------------------------------------------------------------------------------

    async def records(self) -> dict[str, tuple[str, bool]]:
        """Returns the text of every game's record, and whether the game is over."""
        found = {}
        for game_id in self.games.plans:
            stored = await self.services[GameService].repository.load(game_id)
            assert stored is not None
            live = await self.services[GameService].newest(game_id)
            found[game_id] = (str(stored.record), live.table.outcome is not None)
        return found

    async def outbox(self) -> list[Any]:
        """Returns every notification that was ever written."""
        async with self.database.reading() as connection:
            return list(await connection.execute(select(notifications).order_by(notifications.c.id)))

    async def deadlines_left(self) -> int:
        async with self.database.reading() as connection:
            return len((await connection.execute(select(games.c.id).where(games.c.deadline.is_not(None)))).all())


def _in_no_hurry(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous = OFF")
