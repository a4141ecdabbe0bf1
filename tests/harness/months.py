"""Two months of a correspondence tournament over the socket, by a clock moved by hand.

Time goes from one event to the next; in between, everything that is due is done when it is due. The bot is really
stopped and started where it is down. Everything follows from a seed.
"""

from __future__ import annotations

import contextlib
import heapq
import random
from collections import defaultdict
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Final

from fakes.clock import START, Clock
from sqlalchemy import func, select

from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.worker import CorrectionWorker, DeadlineWorker
from bot.core.workers import Worker
from bot.games.service import GameService
from bot.games.tables import games
from bot.notifications.dispatcher import NotificationDispatcher
from bot.notifications.service import NotificationService
from bot.notifications.tables import notifications
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.registration.worker import AnnouncementWorker
from bot.tournaments.rounds.delivery.messages import RoundMessages
from bot.tournaments.rounds.delivery.opening import PairingOpener
from bot.tournaments.rounds.opening.service import OpeningService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.rounds.worker import TournamentWorker
from bot.tournaments.tournament import NEVER, LateRule, Status
from engine.core.clock import LAG
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR, MINUTE
from engine.tournament.model import Format
from harness.bot import bot_running, private
from harness.discord import Seat
from harness.hours import pass_unnoticed
from harness.players import Greedy
from harness.tournaments import Event, plan_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import TournamentSnapshot

WORKERS: Final = (
    DeadlineWorker,
    CorrectionWorker,
    TournamentWorker,
    PairingOpener,
    AnnouncementWorker,
    RoundMessages,
    NotificationDispatcher,
)
"""The workers that have something to do here; they are run by hand."""
ROUND: Final = 12 * DAY
EXTENSION: Final = 2 * DAY
CLOCK: Final = "3d/move"
SHORT: Final = (2, 7)
LONG: Final = (10, 14)
"""After how many turns a game is ended by one of its players; long ones are those of slow players."""
SLOW: Final = 50 * HOUR
LONGEST: Final = 200 * DAY


@dataclass(frozen=True)
class Down:
    """A time in which the bot was away, in ms since 1970."""

    since: int
    until: int


@dataclass
class Habits:
    """The way in which a player plays."""

    pace: int
    """How long they take for a turn on average, in ms."""
    gone: int = NEVER
    """When they stop, without a word."""
    away: list[tuple[int, int]] = field(default_factory=list)
    """Their vacations."""


class Months:
    """``run`` plays it; afterwards it tells what has happened."""

    def __init__(self, server: Server, url: str, seed: int, *, players: int, rounds: int, late: int) -> None:
        self.server, self.url = server, url
        self.random = random.Random(seed)
        self.clock = Clock(START)
        server.world.ids.now = self.clock
        self.rounds = rounds
        self.events: list[tuple[int, int, Callable[..., Any], Sequence[Any]]] = []
        self._count = count()
        self._open = AsyncExitStack()
        self.downs: list[Down] = []
        self.habits: dict[int, Habits] = {}
        self.lengths: dict[str, int] = {}
        """After how many turns a game is ended by one of its players."""
        self._planned: set[tuple[str, int]] = set()
        self.left: dict[str, Seat] = {}
        """Who went, by how."""
        self.pinged: list[tuple[int, int, int]] = []
        """Round, number of its pairing, and how often each player was notified while it was opened."""
        self.rounds_began: dict[int, int] = {}
        self.late = late
        self._number = players
        self._bot: AbakBot | None = None
        self._workers: list[Worker] = []

    # --- the bot -------------------------------------------------------------------------------------------------

    @property
    def bot(self) -> AbakBot:
        assert self._bot is not None
        return self._bot

    async def wake(self) -> None:
        """Starts the bot."""
        self._bot = bot = await self._open.enter_async_context(bot_running(self.server, self.url, now=self.clock))
        every = [one for one in bot._workers if isinstance(one, Worker)]
        self._workers = [next(one for one in every if isinstance(one, kind)) for kind in WORKERS]
        bot.service(GameService).subscribe(self.heard)
        if hasattr(self, "event"):
            self.event.bot, self.event.services = bot, bot.services
            for stored in await self.event.running():
                self.heard(await self.event.game(stored))

    async def sleep(self) -> None:
        """Stops the bot."""
        self._bot = None
        await self._open.aclose()
        self._open = AsyncExitStack()

    async def down(self, length: int) -> None:
        """Stops the bot for so long."""
        end = self.clock.at + length
        self.downs.append(Down(self.clock.at, end))
        await self.sleep()
        self.clock.at = end
        await self.wake()
        await self.work()

    # --- time ----------------------------------------------------------------------------------------------------

    def at(self, moment: int, act: Callable[..., Any], *given: Any) -> None:
        heapq.heappush(self.events, (moment, next(self._count), act, given))

    async def next_due(self) -> int:
        """Returns when the bot has something to do next."""
        rounds, now = self.bot.service(RoundService), self.clock.at
        async with rounds.repository.database.reading() as connection:
            deadline = await connection.scalar(select(func.min(games.c.deadline)))
        found = [
            None if deadline is None else deadline + LAG,
            await self.bot.service(NotificationService).outbox.next_due(),
            await rounds.tournaments.repository.next_due(now),
            await self.bot.service(OpeningService).repository.next_unopened(now),
            await rounds.repository.next_unshown(),
            await rounds.repository.next_closing(),
            await self.bot.service(RegistrationService).next_unshown(),
        ]
        return min((one for one in found if one is not None), default=NEVER)

    async def work(self) -> None:
        """Does what is due now."""
        for _ in range(20):
            for worker in self._workers:
                await worker.run_once()
            await self.bot.service(BoardPublisher).idle()
            if await self.next_due() > self.clock.at:
                return

    async def go_on(self) -> None:
        """Lets time pass until somebody does something, or the bot has something to do."""
        if self.events and self.events[0][0] <= await self.next_due():
            moment, _, act, given = heapq.heappop(self.events)
            if moment > self.clock.at:
                await self._pass(moment)
            await act(*given)
            await self._work_watched()
        else:
            await self.until(self.clock.at + 1)

    async def until(self, moment: int) -> None:
        """Lets time pass until then at least, and does everything when it is due."""
        while self.clock.at < moment:
            due = await self.next_due()
            await self._pass(max(due, self.clock.at + 1000) if due < NEVER else moment)
            await self._work_watched()

    async def _pass(self, moment: int) -> None:
        await pass_unnoticed(self.bot, self.clock, (moment - self.clock.at) / 1000)

    async def _work_watched(self) -> None:
        """Works, and notes who was notified of a round that was opened meanwhile."""
        before, seen = (await self.event.snapshot()).tournament.round, len(self.server.world.events.notifications)
        await self.work()
        snapshot = await self.event.snapshot()
        if snapshot.tournament.round > before:
            self.rounds_began[snapshot.tournament.round] = self.clock.at
            told: dict[int, int] = defaultdict(int)
            for user_id, _ in islice(self.server.world.events.notifications, seen, None):
                told[user_id] += 1
            for stored in snapshot.pairings:
                if stored.pairing.round == snapshot.tournament.round:
                    self.pinged += [
                        (stored.pairing.round, number, told[snapshot.player(number).user_id])
                        for number in stored.pairing.players
                    ]

    async def run(self) -> TournamentSnapshot:
        """Plays the tournament from the registration to the last message."""
        await self.wake()
        try:
            await self._set_up()
            while (await self.event.snapshot()).tournament.status is not Status.OVER:
                assert self.clock.at < START + LONGEST, "it does not end"
                await self.go_on()
            self.events.clear()
            await self.until(self.clock.at + 3 * DAY)
            return await self.event.snapshot()
        finally:
            self.outbox = await self._outbox()
            self.records = await self._records()
            await self.sleep()

    # --- what happens --------------------------------------------------------------------------------------------

    async def _set_up(self) -> None:
        """Creates the tournament and its players, and plans the events."""
        self.event = Event.of(self.server, self.bot, self._number)
        plan = plan_of(
            Format.SWISS,
            rounds=self.rounds,
            clock=CLOCK,
            timeout_policy="loss",
            round_length=ROUND,
            late_rule=LateRule.EXTEND,
            extension=EXTENSION,
            late_entries=2,
            byes=1,
        )
        people, self.event.people = self.event.people, []
        await self.event.create(plan)
        self.event.people = people[:]
        for seat in people:
            await seat.slash("tournament join")
        for seat in people:
            self._settle(seat)
        self.random.shuffle(people)
        take = iter(people)
        day, choose = self.rounds * ROUND // 10, self.random
        many = max(1, self._number // 12)
        for _ in range(many):
            seat = next(take)
            self.habits[seat.user_id].gone = START + choose.randrange(2 * day, 6 * day)
        for _ in range(many):
            self.at(START + choose.randrange(day, 6 * day), self.withdraw, next(take))
        self.at(START + choose.randrange(2 * day, 4 * day), self.leave_server, next(take))
        self.at(START + choose.randrange(3 * day, 5 * day), self.delete_data, next(take))
        shut = next(take)
        self.left["shut"] = shut
        self.server.world.dms_closed.add(shut.user_id)
        for _ in range(max(2, self._number // 8)):
            self.at(START + choose.randrange(6 * day), self.vacation, next(take))
        slow = [next(take) for _ in range(max(2, self._number // 6))]
        for seat in slow:  # they are never late for a turn, but for a round
            self.habits[seat.user_id].pace = SLOW
        for number in range(self.late):
            self.at(START + choose.randrange(HOUR, ROUND - HOUR), self.enter, f"Late {number + 1}")
        await self.work()
        await self.event.start()
        for part, length in ((2, 5 * HOUR), (4, 2 * DAY), (7, 40 * MINUTE)):
            self.at(START + part * day + choose.randrange(DAY), self.down, length)
        await self._work_watched()

    def _settle(self, seat: Seat) -> None:
        self.habits[seat.user_id] = Habits(self.random.choice((4, 8, 16)) * HOUR)

    async def enter(self, name: str) -> None:
        """Lets a player enter late."""
        seat = Seat.join(self.server.world, name, self.event.organiser.channel_id)
        self._settle(seat)
        self.event.people.append(seat)
        await seat.slash("tournament join")

    async def withdraw(self, seat: Seat) -> None:
        await seat.slash("tournament leave")
        await self.sure(seat)
        self.left[f"withdrew {seat.user_id}"] = seat

    async def sure(self, seat: Seat) -> None:
        """Confirms if asked."""
        with contextlib.suppress(AssertionError):
            await seat.press("b:tournament_leave_sure", private(seat))

    async def leave_server(self, seat: Seat) -> None:
        self.left["left_server"] = seat
        self.habits[seat.user_id].gone = self.clock.at
        self.server.world.remove_member(self.server.world.guild_id, seat.user_id)

    async def delete_data(self, seat: Seat) -> None:
        self.left["deleted"] = seat
        self.habits[seat.user_id].gone = self.clock.at
        await seat.slash("abak data")
        await seat.press("b:data_delete:", private(seat))
        form = await seat.press("b:data_ask:", private(seat))
        await seat.submit(form, {"word": "delete"})

    async def vacation(self, seat: Seat) -> None:
        days = self.random.randrange(4, 11)
        self.habits[seat.user_id].away.append((self.clock.at, self.clock.at + days * DAY))
        await seat.slash("abak vacation", days=days)
        await seat.press("b:vacation_take:", private(seat))

    # --- games ---------------------------------------------------------------------------------------------------

    def heard(self, live: LiveGame) -> None:
        """Plans the next act in a game that has changed."""
        table, key = live.table, (live.id, live.seq)
        if table.outcome is not None or live.seat_to_act not in {0, 1} or key in self._planned:
            return
        user = live.players[live.seat_to_act]
        habits = self.habits.get(user)
        if habits is None:
            return
        moment = self.clock.at + self._delay(habits.pace)
        for since, end in habits.away:
            if since <= moment < end:
                moment = end + self.random.randrange(HOUR)
        if moment < habits.gone:
            self._planned.add(key)
            self.at(moment, self.act, live.id, live.seq, user)

    def _delay(self, pace: int) -> int:
        return int(self.random.uniform(0.3, 1.17) * pace)

    async def act(self, game_id: str, seq: int, user: int) -> None:
        """Lets a user move or resign, if the game has not gone on."""
        service = self.bot.service(GameService)
        live = await service.newest(game_id)
        if live.seq != seq or live.table.outcome is not None or user not in live.players:
            return
        is_slow = any(self.habits[one].pace == SLOW for one in live.players if one in self.habits)
        length = self.lengths.setdefault(game_id, self.random.randrange(*(LONG if is_slow else SHORT)))
        with contextlib.suppress(Refused):
            if live.seq < length:
                await service.play(game_id, user, seq, Greedy(seq).turn(live.table.game, live.table.state))
            elif self.random.random() < 0.15:
                await service.offer(game_id, user, "draw")
                await service.answer(game_id, next(one for one in live.players if one != user), accept=True)
            else:
                await service.resign(game_id, user, 1)

    # --- what came of it -----------------------------------------------------------------------------------------

    async def _outbox(self) -> list[Any]:
        async with self.bot.services.database.reading() as connection:
            return list(await connection.execute(select(notifications).order_by(notifications.c.id)))

    async def _records(self) -> dict[str, str]:
        """Returns the record of each game, by its id."""
        found = {}
        for stored in (await self.event.snapshot()).pairings:
            if stored.game_id is not None:
                game = await self.bot.service(GameService).repository.load(stored.game_id)
                assert game is not None
                found[stored.game_id] = str(game.record)
        return found
