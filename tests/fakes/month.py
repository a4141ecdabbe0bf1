"""A month of correspondence in minutes: two hundred people, their games, their absences, and the bot's own.

Everything follows from a seed. Time is moved from one event to the next; the beats between two outages are written in
one go, as only the last of them leaves anything.
"""

import contextlib
import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from fakes.clock import START, Clock, Names
from fakes.luck import SeededLuck
from fakes.mail import Mail
from sqlalchemy import delete, event, insert, select

from bot.app import Sources, assemble
from bot.services.tables import Place, Seated
from bot.settings import Settings
from bot.store.db import Database
from bot.store.schema import beats, games, notices
from bot.ui.courier import Courier
from engine.core.clock import LAG
from engine.core.errors import Refused, RuleError
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import TURNS
from engine.core.timekeeping import ABANDONED, NOTED
from engine.registry import GAMES

SECOND = 1_000
CONTROLS = ("1d/move", "3d/move", "12h/move", "2d+12h", "3d+6h", "1d 12h/move", "10m+5s", "15m", "10m 5s/move", "")
CALM = ("1d/move", "3d/move", "7d/move", "3d+12h", "6h/move")
"""What a game is adjourned to."""
ZONES = ("Europe/Madrid", "America/New_York", "America/Bogota", "Asia/Tokyo", "Australia/Lord_Howe", "UTC", "")
RESTS = ("22:00-06:00", "23:30-07:00", "00:00-08:00", "13:00-15:00", "")
BRINK = (-5 * SECOND, -1, 0, SECOND, LAG - 1, LAG, LAG + 1, MINUTE)
"""When a move comes that comes about when time is up, after the deadline."""
LANES = (0, 1)
PROCESS, DATABASE, LANE = "process", "database", "lane"


@dataclass(frozen=True)
class Away:
    """When what was away, in ms since 1970."""

    what: str
    since: int
    until: int

    def hits(self, lane: int, at: int) -> bool:
        return self.since <= at < self.until and (self.what != LANE or lane == LANES[1])


@dataclass
class Plan:
    """What the players of a game mean to do."""

    lane: int
    turns: int
    """After so many the game is brought to an end."""
    gone: dict[int, int]
    """From how many turns on a player acts no more."""
    key: int = -1
    """How many entries that players made their next act is planned for."""
    due: int | None = None


class Month:
    """`run` plays it; then `records`, the `mail` and the outages in `away` tell what came of it."""

    def __init__(self, database: Database, seed: int, *, people: int = 200, number: int = 500, days: int = 30) -> None:
        self.database = database
        if database.engine.dialect.name == "sqlite":  # no test of what is on the disk
            event.listen(database.engine.sync_engine, "connect", _in_no_hurry)
        self.seed = seed
        self.random = random.Random(seed)
        self.clock = Clock(START)
        self.people = [1000 + person for person in range(people)]
        self.number, self.days = number, days
        self.luck = SeededLuck(seed)
        self.names, self.notice_names = Names("g"), Names("n")
        self.shut = frozenset(self.people[::17])
        self.mail = Mail(seed, self.shut)
        self.vanish = {user: START + (5 + n % 20) * DAY for n, user in enumerate(self.people[5::23])}
        """Who leaves all their games from some day on."""
        self.away = [
            Away(PROCESS, START + days * DAY // 5, START + days * DAY // 5 + 5 * HOUR),
            Away(DATABASE, START + days * DAY * 9 // 20, START + days * DAY * 9 // 20 + 95 * MINUTE),
            Away(LANE, START + days * DAY * 7 // 10, START + days * DAY * 7 // 10 + 26 * HOUR),
        ]
        self.plans: dict[str, Plan] = {}
        self.events: list[tuple[int, int, Callable[..., Any], Sequence[Any]]] = []
        self._count = count()
        self.woken = True
        self.mail_due: int | None = None
        self.commands = 0
        self._assemble()

    def _assemble(self) -> None:
        """The services, as a process has them that has just started."""
        settings = Settings.load(discord_token="token", database_url="sqlite+aiosqlite:///unused")
        self.services = assemble(self.database, Sources(self.luck, lambda: 0, self.clock), settings)
        self.services.tables._new_id = self.names
        self.services.notices._new_id = self.notice_names
        self.services.deadlines.pulse.lanes = len(LANES)
        self.services.tables.subscribe(self.heard)
        self.services.notices.subscribe(self.wake)
        self.courier = Courier(self.mail, self.services)  # type: ignore[arg-type]

    # --- what comes when -----------------------------------------------------------------------------------------

    def at(self, moment: int, act: Callable[..., Any], *given: Any) -> None:
        heapq.heappush(self.events, (max(moment, self.clock.at), next(self._count), act, given))

    def wake(self) -> None:
        self.woken = True

    async def run(self) -> None:
        """From the first game to the end of the last."""
        await self._settle_people()
        spread = self.days * DAY * 2 // 3
        for _ in range(self.number):
            self.at(START + self.random.randrange(spread), self.start)
        for away in self.away:
            self.at(away.since, self.cut, away)
            self.at(away.until, self.mend, away)
        for hour in range(0, self.days * 24, 6):
            self.at(START + hour * HOUR + self.random.randrange(HOUR), self.tick)
        await self.beaten()
        while self.events:
            moment, _, act, given = heapq.heappop(self.events)
            await self._deliver(moment)
            self.clock.at = max(self.clock.at, moment)
            await act(*given)
        await self._deliver(self.clock.at + 90 * DAY)

    async def _deliver(self, until: int) -> None:
        """Lets the courier send what is due until then, when it is due."""
        while True:
            if self.woken:
                self.woken, self.mail_due = False, await self._next_mail()
            due = self.mail_due
            if due is None or due > until:
                return
            self.clock.at = max(self.clock.at, due)
            if any(away.what != LANE and away.hits(0, self.clock.at) for away in self.away):
                self.mail_due = None
                return
            await self.courier.turn()
            self.woken = True

    async def _next_mail(self) -> int | None:
        if any(away.what != LANE and away.hits(0, self.clock.at) for away in self.away):
            return None
        return await self.services.notices.next_due()

    # --- the bot's own absences ----------------------------------------------------------------------------------

    def hit(self, lane: int) -> Away | None:
        return next((away for away in self.away if away.hits(lane, self.clock.at)), None)

    async def beaten(self) -> None:
        """What the beats leave behind that come until the next outage."""
        pulse = self.services.deadlines.pulse
        lanes = [lane for lane in LANES if self.hit(lane) is None]
        for lane in lanes:
            ahead = [a.since for a in self.away if a.since > self.clock.at and (a.what != LANE or lane == LANES[1])]
            last = min(ahead, default=START + 400 * DAY) - (self.seed + lane) % 5 * SECOND
            row = {"lane": lane, "lanes": len(LANES), "at": last}
            async with self.database.writing() as connection:
                await connection.execute(delete(beats).where(beats.c.lane == lane, beats.c.lanes == len(LANES)))
                await connection.execute(insert(beats).values(row))
            pulse._last[lane, len(LANES)] = last

    async def tick(self) -> None:
        """The loop has a turn, as it has every few seconds and when time is up."""
        lanes = [lane for lane in LANES if self.hit(lane) is None]
        if self.hit(0) is None or lanes:
            kept = dict(self.services.deadlines.pulse._last)
            await self.services.deadlines.turn(lanes)
            for key, last in kept.items():
                self.services.deadlines.pulse._last[key] = max(last, self.services.deadlines.pulse._last[key])

    async def cut(self, away: Away) -> None:
        if away.what == DATABASE:

            def gone() -> None:
                raise ConnectionError

            self.database.reading = self.database.writing = gone  # type: ignore[method-assign,assignment]

    async def mend(self, away: Away) -> None:
        if away.what == DATABASE:
            del self.database.reading, self.database.writing
        if away.what == PROCESS:
            self._assemble()
        self.woken = True
        await self.tick()
        await self.beaten()

    # --- people --------------------------------------------------------------------------------------------------

    async def _settle_people(self) -> None:
        choose = self.random.choice
        for user in self.people:
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
                    await self.services.preferences.set_user(user, key, value)
            if self.random.random() < 0.2:
                self.at(START + self.random.randrange(self.days * DAY), self.vacation, user)
            if self.random.random() < 0.1:
                self.at(START + self.random.randrange(self.days * DAY), self.other_rest, user)

    async def vacation(self, user: int) -> None:
        """Announces one, or goes at once; some come back early, or call it off."""
        if self._later(0, self.vacation, user):
            return
        since = self.clock.at + self.random.choice((0, 0, 3)) * DAY
        days = self.random.randrange(1, 12)
        await self.services.vacations.take(user, since, since + days * DAY)
        await self.services.deadlines.refresh(user)
        if self.random.random() < 0.4:
            self.at(self.clock.at + self.random.randrange(days * DAY), self.come_back, user)

    async def come_back(self, user: int) -> None:
        if self._later(0, self.come_back, user):
            return
        for vacation in await self.services.vacations.of(user):
            await self.services.vacations.end(user, vacation.id)
        await self.services.deadlines.refresh(user)

    async def other_rest(self, user: int) -> None:
        if not self._later(0, self.other_rest, user):
            await self.services.preferences.set_user(user, "rest", self.random.choice(RESTS))
            await self.services.deadlines.refresh(user)

    def _later(self, lane: int, act: Callable[..., Any], *given: Any) -> bool:
        """Whether the bot is away just now: then it is tried again some time after."""
        away = self.hit(lane)
        if away is not None:
            self.at(away.until + self.random.randrange(1, 2 * HOUR), act, *given)
        return away is not None

    # --- games ---------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        number = len(self.plans)
        lane = self.random.choice(LANES)
        if self._later(lane, self.start):
            return
        choose = self.random.choice
        game = choose(list(GAMES))
        players = tuple(self.random.sample(self.people, 2))
        guild = None if lane == 0 and self.random.random() < 0.2 else (4 * number + lane) << 22
        control = choose(CONTROLS)
        policy = choose(("loss", "claim")) if control else ""
        turns = self.random.randrange(2, 11)
        gone = {user: self.random.randrange(12) for user in players if self.random.random() < 0.15}
        plan = Plan(lane, turns, gone)
        self.plans[f"g{number + 1}"] = plan
        options = {"cube": "on"} if game in {"backgammon", "abak"} and self.random.random() < 0.3 else {}
        place = Place(guild, 20_000_000 + number)
        await self.services.tables.open(game, options, players, place, "en", clock=control, policy=policy)

    def heard(self, seated: Seated) -> None:
        """Something was added to a game: what its players make of it."""
        plan, table, now = self.plans[seated.id], seated.table, self.clock.at
        plan.due = None
        if table.outcome is not None:
            return
        started = table.record.header.started
        if table.deadline is not None:
            plan.due = started + table.deadline + LAG
            self.at(plan.due + self.random.randrange(5 * SECOND), self.time_up, seated.id)
        key = sum(entry.kind not in NOTED for entry in table.record.entries) + (table.overdue is not None)
        if key == plan.key:
            return
        plan.key = key
        turns = sum(entry.kind in TURNS for entry in table.record.entries)
        if table.paused:
            self.at(now + self.random.randrange(MINUTE, 3 * DAY), self.resume, seated.id, key, choice_of(self, seated))
            return
        actor = table.to_act or 0
        if table.overdue is not None or table.clock is None:
            wait = 0 if table.overdue is not None else ABANDONED
            self.at(now + wait + self.random.randrange(MINUTE, 2 * DAY), self.claim, seated.id, key)
        acting = [seated.players[1 - table.offer.seat]] if table.offer is not None else []
        acting.append(seated.players[actor])
        here = [user for user in acting if plan.gone.get(user, 99) > turns and self.vanish.get(user, now + 1) > now]
        if here and not (table.overdue is not None and self.random.random() < 0.6):
            self.at(now + self._delay(seated), self.act, seated.id, key, here[0])

    def _delay(self, seated: Seated) -> int:
        """How long somebody takes to answer."""
        table, now, choose = seated.table, self.clock.at, self.random
        if table.clock is None or table.deadline is None:
            return int(choose.expovariate(1 / (5 * HOUR)))
        left = max(1, table.record.header.started + table.deadline - now)
        fate = choose.random()
        if fate < 0.03:
            return left + choose.choice(BRINK)
        if fate < 0.06:
            return int(left * choose.uniform(0.7, 1))
        allowance = table.clock.spec.bank + table.clock.spec.per_turn
        return int(choose.expovariate(20 / min(allowance, 4 * DAY)))

    async def time_up(self, game_id: str) -> None:
        plan = self.plans[game_id]
        if plan.due is None or plan.due > self.clock.at or self.hit(plan.lane) is not None:
            return
        await self.tick()

    async def _try(self, game_id: str, key: int, act: Callable[[Seated], Any], again: Sequence[Any]) -> None:
        """Does something if nothing has come between; later, if the bot is away."""
        plan = self.plans[game_id]
        away = self.hit(plan.lane)
        if away is not None:
            if away.what == DATABASE:
                with contextlib.suppress(ConnectionError, Refused):  # whoever tries gets nowhere
                    await self.services.tables.resign(game_id, 0, 1)
            self.at(away.until + self.random.randrange(1, 3 * HOUR), *again)
            return
        if plan.key != key:
            return
        seated = await self.services.tables.get(game_id)
        self.commands += 1
        try:
            await act(seated)
        except Refused as refusal:
            if refusal.key not in {"table.time_up", "table.over"}:
                raise

    async def resume(self, game_id: str, key: int, user: int) -> None:
        again = (self.resume, game_id, key, user)
        await self._try(game_id, key, lambda _: self.services.tables.resume(game_id, user), again)

    async def claim(self, game_id: str, key: int) -> None:
        async def act(seated: Seated) -> None:
            actor = seated.table.to_act or 0
            if seated.table.clock is None and seated.table.outcome is None:
                seated = await self.services.tables.tick(game_id)
                if not seated.table.may_claim(1 - actor, self.clock.at - seated.table.record.header.started):
                    self.at(self.clock.at + DAY, self.claim, game_id, key)
                    return
            if seated.table.clock is None or seated.table.overdue is not None:
                what = self.random.choice(("win", "win", "draw"))
                await self.services.tables.claim(game_id, seated.players[1 - actor], what, seq=seated.seq)

        await self._try(game_id, key, act, (self.claim, game_id, key))

    async def act(self, game_id: str, key: int, user: int) -> None:
        async def act(seated: Seated) -> None:
            await self._act(seated, user)

        await self._try(game_id, key, act, (self.act, game_id, key, user))

    async def _act(self, seated: Seated, user: int) -> None:
        tables, table, plan = self.services.tables, seated.table, self.plans[seated.id]
        seat = seated.players.index(user)
        turns = sum(entry.kind in TURNS for entry in table.record.entries)
        if table.offer is not None and table.offer.seat != seat:
            accept = self.random.random() < 0.7
            plan.turns += 0 if accept else 4
            await tables.answer(seated.id, user, accept=accept, seq=seated.seq)
            return
        fate = self.random.random()
        if table.offer is None and turns >= plan.turns:
            if fate < 0.5:
                await tables.resign(seated.id, user, table.game.concessions(table.state, seat)[-1])
            elif fate < 0.8:
                await tables.offer(seated.id, user, "draw", seq=seated.seq)
            else:
                plan.gone |= dict.fromkeys(seated.players, 0)  # nobody plays on
                await self._turn(seated, user)
            return
        if table.offer is None and table.clock is not None and fate < 0.05:
            control = str(table.clock.spec)
            others = [one for one in CALM if one != control]
            what = "pause" if fate < 0.025 else f"adjourn {self.random.choice(others)}"
            await tables.offer(seated.id, user, what, seq=seated.seq)
            return
        await self._turn(seated, user)

    async def _turn(self, seated: Seated, user: int) -> None:
        game, state = seated.table.game, seated.table.state
        seat, steps = game.to_act(state), []
        while game.to_act(state) == seat:
            steps.append(self.random.choice(game.legal(state)))
            state = game.apply(state, steps[-1])
        text = game.format(seated.table.state, tuple(steps))
        try:
            await self.services.tables.play(seated.id, user, seated.seq, text)
        except Refused:
            raise
        except RuleError as error:
            raise AssertionError(f"{game.key}: {text} at {game.encode(seated.table.state)}") from error

    # --- what came of it -----------------------------------------------------------------------------------------

    async def records(self) -> dict[str, tuple[str, bool]]:
        """The text of every game's record, and whether it is over."""
        found = {}
        for game_id in self.plans:
            filed = await self.services.tables.ledger.load(game_id)
            assert filed is not None
            seated = await self.services.tables.newest(game_id)
            found[game_id] = (str(filed.record), seated.table.outcome is not None)
        return found

    async def outbox(self) -> list[Any]:
        """Every notice that was ever written."""
        async with self.database.reading() as connection:
            return list(await connection.execute(select(notices).order_by(notices.c.id)))

    async def deadlines_left(self) -> int:
        async with self.database.reading() as connection:
            return len((await connection.execute(select(games.c.id).where(games.c.deadline.is_not(None)))).all())


def _in_no_hurry(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous = OFF")


def choice_of(month: Month, seated: Seated) -> int:
    """Either player."""
    return month.random.choice(seated.players)
