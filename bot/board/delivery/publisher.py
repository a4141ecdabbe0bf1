"""Brings the public message of each game up to date with its record. Games with ``shown_seq < seq`` are the to-do list.

An entry is written before its message is sent, so a failed or interrupted message is sent again. Discord drops a second
message with the same nonce for some minutes; after a restart, the history of the channel shows whether the message has
arrived. So nobody is pinged twice for one turn, with one exception: the bot may not read the history, and it was away
for minutes just after it had sent the message.

When a board is edited in place, a message of its own pings the awaited player and is removed after a while. The removal
is scheduled as soon as the ping is sent, so that another process can do it if this one stops. An offer and its refusal
edit the board, too; the ping of an offer is removed when the board changes again.

Retries of a failing board become less and less frequent. A missing permission is recorded for users who can grant it.

With several processes, each board is leased, first to the process that commits a change. It renews the lease while it
works, and right before each message, as it may have stood still for a while. If its lease has ended because the process
died, the first process to find the board shows it. The messages of that process are not deleted for a minute: while
they exist, Discord drops a message of the other process that is still on its way.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import discord
import structlog

from bot.board.delivery import errors as delivery_errors
from bot.board.delivery.permission_issues import PermissionIssues
from bot.board.delivery.posting import DELETE, BoardPosts, LeaseLost, Pings
from bot.board.delivery.service import BATCH, FIRST, LEASE_MS, BoardDelivery, OldBoard, WaitingBoard
from bot.board.delivery.task import BoardTask
from bot.board.delivery.tidying import OldBoards
from bot.clocks.service import CatchUp
from bot.core.discord_errors import REQUEST_ERRORS, is_final
from bot.core.interactions.answer import Answer
from bot.core.render_queue import Urgency, urgency
from bot.core.services import Services
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.running.log_context import about_game
from bot.games.service import GameService
from bot.games.stored import UnreadableGame
from bot.matches.service import MatchService
from bot.players.service import PreferenceService

RETRIES: Final = (0.5, 2.0, 5.0, 8.0)
"""Seconds between the attempts of one run. After the last attempt the sweep retries, with longer and longer pauses;
after an outage of Discord at once.
"""
SWEEP: Final = 5.0
"""Seconds between two searches for boards that are due."""
LEFT_MS: Final = 2_000
"""The least rest of a lease with which a request is made without asking the database."""
RENEWAL: Final = LEASE_MS / 3000
"""Seconds between two renewals of leases."""
FAILURES_BEFORE_NOTICE: Final = 3
"""Failures for an unknown reason, over some minutes, after which the awaited player gets a notification instead."""
GRACE: Final = 5.0
"""Seconds that running deliveries have to finish when the bot stops."""
RECOVERIES: Final = 8
"""The most waiting or failed boards that are delivered at once."""
PER_RECOVERY: Final = 3.0
"""The requests of a board that is delivered late: the history of the channel, the new board, the old one."""
LONGEST: Final = 25.0
"""Seconds after which a search for boards is cut off, as it hangs or has much to do. The next one continues."""
MOVES: Final = 32
"""The most boards of games that have just changed that are delivered at once. They never wait behind failed boards."""

log = structlog.get_logger()


class BoardPublisher:
    """Posts boards and tidies old ones. Each game has at most one ``BoardTask``, which has at most one run at a
    time.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._games = services[GameService]
        self._pace = services[CatchUp]
        self._outage = delivery_errors.DiscordOutage(client)
        self.old_boards = OldBoards(client, services[BoardDelivery], self._pace)
        self._posts = BoardPosts(client, services, self.old_boards, self._hold)
        self.after_last: list[Callable[[LiveGame], None]] = []
        """Called with a game that is over, once its last board is posted."""
        self._tasks: dict[str, BoardTask] = {}
        self._moves = asyncio.Semaphore(MOVES)
        self._recoveries = asyncio.Semaphore(RECOVERIES)
        self._retrying: set[int] = set()
        self._changed_servers: set[int] = set()
        self._loops: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()

    @property
    def pings(self) -> Pings:
        return self._posts.pings

    @pings.setter
    def pings(self, pings: Pings) -> None:
        self._posts.pings = pings

    def start(self) -> None:
        """Resumes the unfinished work of an earlier process, then follows every commit."""
        self._games.subscribe(self._on_commit)
        self._games.lease_boards(LEASE_MS, self._services[BoardDelivery].owner)
        works = (self.sweep, SWEEP), (self.old_boards.sweep, SWEEP), (self._renew, RENEWAL), (self.end_outage, SWEEP)
        self._loops = [asyncio.create_task(self._repeat(*work)) for work in works]

    async def close(self) -> None:
        """Lets running tasks finish, within GRACE, and starts no new ones."""
        self._stopping.set()
        self._games.lease_boards(0, 0)
        runs = [*self._runs(), *self._loops]
        if runs:
            await asyncio.wait(runs, timeout=GRACE)
        left = [task.game_id for task in self._tasks.values() if task.is_leased]
        for run in runs:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
        await self.old_boards.close(GRACE)
        with contextlib.suppress(Exception):  # without a database, the leases end by themselves
            await self._services[BoardDelivery].release(left)

    def wake(self, game_id: str, *, recovering: bool = False) -> bool:
        """Updates the game's message: now, or again after the running update. Returns whether an update starts now.

        ``recovering``: it counts as one of the RECOVERIES, and the caller has taken the slot for it.
        """
        if self._stopping.is_set():
            return False
        task = self._task(game_id)
        if task.run:
            task.to_repeat = True
            return False
        with about_game(game_id):  # the run inherits it
            task.run = asyncio.create_task(self._work(task, recovering=recovering))
        task.run.add_done_callback(lambda _: self._on_done(task))
        return True

    def _task(self, game_id: str) -> BoardTask:
        """Returns the task of a game; a new one if there is none."""
        return self._tasks.setdefault(game_id, BoardTask(game_id))

    def _forget_if_idle(self, game_id: str) -> None:
        """Forgets a task that is leased but not running. Its lease ends by itself."""
        task = self._tasks.get(game_id)
        if task and not task.run and not task.waits and not self._stopping.is_set():
            del self._tasks[game_id]

    def _run_of(self, game_id: str) -> asyncio.Task[None] | None:
        task = self._tasks.get(game_id)
        return task.run if task else None

    def _runs(self) -> list[asyncio.Task[None]]:
        return [task.run for task in self._tasks.values() if task.run]

    async def tidy(self, live: LiveGame) -> None:
        """Tidies the board of a game that has moved to another channel: removes its buttons, or deletes it."""
        if live.message_id is not None:
            server = await self._services[PreferenceService].of_server(live.place.guild_id)
            await self.old_boards.store(OldBoard(live.message_id, live.place, server["old_board"] == DELETE))

    async def retry_server(self, guild_id: int) -> None:
        """Retries the boards of a server at once, after its channels, roles or threads have changed."""
        self._changed_servers.add(guild_id)
        if guild_id in self._retrying:  # the running call repeats its work
            return
        self._retrying.add(guild_id)
        try:
            while guild_id in self._changed_servers:
                self._changed_servers.discard(guild_id)
                await self._recover(partial(self._services[BoardDelivery].waiting_in, guild_id))
        finally:
            self._retrying.discard(guild_id)

    async def sweep(self) -> None:
        """Updates all boards that are due, a few at a time, the longest wait first."""
        await self._recover(self._services[BoardDelivery].due)

    async def end_outage(self) -> None:
        """Updates the boards that failed in an outage of Discord, as soon as it is over."""
        if await self._outage.has_ended():
            await self._services[BoardDelivery].retry_failed()
            await self.sweep()

    async def _recover(self, listed: Callable[[WaitingBoard], Awaitable[list[WaitingBoard]]]) -> None:
        """Starts each listed board as soon as there is a free slot. ``listed`` returns the page after a given board."""
        found, after = [FIRST] * BATCH, FIRST
        while len(found) == BATCH:
            found = await listed(after)
            for waiting in found:
                await self._recoveries.acquire()
                begun = False
                try:
                    if self._stopping.is_set():
                        return
                    if self._run_of(waiting.game_id) or await self._lease(waiting.game_id):
                        await self._pace.wait(PER_RECOVERY)
                        begun = self.wake(waiting.game_id, recovering=True)
                finally:
                    if not begun:
                        self._recoveries.release()
                        self._forget_if_idle(waiting.game_id)
            after = found[-1] if found else after

    def offer(self, answer: Answer, live: LiveGame) -> asyncio.Future[bool]:
        """Offers the answer to a turn for the board that follows it. The result says whether the board is
        the answer.
        """
        offered = self._posts.answers.offer(answer, live)
        if not self._run_of(live.id):
            self._posts.answers.withdraw(live.id)
        return offered

    async def wait_until_posted(self, user_id: int, seconds: float) -> None:
        """Waits up to ``seconds`` until boards of games in which the user has just moved are posted or have failed."""
        if runs := [task.run for task in self._tasks.values() if task.run and user_id in task.players]:
            await asyncio.wait(runs, timeout=seconds)

    async def wait_for_board(self, game_id: str, seconds: float) -> None:
        """Waits up to ``seconds`` until the board of a game is up to date or has failed."""
        if run := self._run_of(game_id):
            await asyncio.wait([run], timeout=seconds)

    async def language_of(self, live: LiveGame) -> Language:
        return await self._posts.language_of(live)

    async def say_machine_away(self, live: LiveGame) -> bool:
        """Updates the board to say that the machine cannot play: see ``BoardPosts.say_machine_away``."""
        return await self._posts.say_machine_away(live)

    async def idle(self) -> None:
        """Waits until no board is being delivered and no old board is being tidied."""
        while runs := self._runs():
            await asyncio.gather(*runs, return_exceptions=True)
            await asyncio.sleep(0)
        await self.old_boards.idle()

    def _on_commit(self, live: LiveGame) -> None:
        if not self._stopping.is_set():
            task, header = self._task(live.id), live.record.header
            task.players, task.is_leased, task.lease = live.players, True, (live.seq, _moment(live) + LEASE_MS)
            task.card = (header.match, header.match_game) if live.is_over else None
            self.wake(live.id)

    def _on_done(self, task: BoardTask) -> None:
        task.run = task.card = None
        if following := task.followed_by:
            task.followed_by, following.waits = None, False
            self.wake(following.game_id)
        if task.to_repeat:
            task.to_repeat = False
            self.wake(task.game_id)
        elif not task.waits:
            del self._tasks[task.game_id]

    async def _renew(self) -> None:
        """Renews the leases of boards whose delivery takes long."""
        if renewed := [task.game_id for task in self._tasks.values() if task.is_leased and task.is_slow]:
            await self._services[BoardDelivery].renew(renewed)
        for task in self._tasks.values():
            task.is_slow = task.waits or task.run is not None

    async def _repeat(self, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        while not self._stopping.is_set():
            limit = asyncio.timeout(LONGEST)
            try:
                async with limit:
                    await work()
            except Exception:  # the loop survives a database outage
                if limit.expired():
                    log.warning("sweep_cut_off", loop=work.__name__)
                else:
                    log.warning("sweep_failed", exc_info=True)
            await self._pause(seconds)

    async def _pause(self, seconds: float) -> None:
        """Sleeps, but wakes when the bot stops."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _work(self, task: BoardTask, *, recovering: bool) -> None:
        """Updates a message, with retries. Between two attempts its slot is free for other boards."""
        urgency.set(Urgency.BOARD)
        slots, has_slot = self._recoveries if recovering else self._moves, recovering
        for pause in (*RETRIES, None):
            if not has_slot:
                await slots.acquire()
            error = await self._attempt(task, slots, recovering=recovering)
            if error is None:
                return
            if pause is None or is_final(error) or not isinstance(error, REQUEST_ERRORS):
                await self._failed(task, error)
                return
            has_slot, recovering = False, True  # the failed message may still have arrived
            await self._pause(pause)
            if self._stopping.is_set():
                return

    async def _attempt(self, task: BoardTask, slots: asyncio.Semaphore, *, recovering: bool) -> Exception | None:
        """Makes one attempt and releases the slot. Returns the error if it failed."""
        try:
            if task.is_leased or await self._lease(task.game_id):
                await self._bring_up(task, recovering=recovering)
        except (
            LeaseLost
        ):  # the process with the lease shows the board; commits of this one meanwhile are still to be shown
            task.is_leased = False
        except REQUEST_ERRORS as error:
            log.warning("board_not_shown", game=task.game_id, error=str(error))
            return error
        except UnreadableGame as error:
            log.warning("board_unreadable", game=error.game_id)
            return error
        except Exception as error:
            log.exception("board_failed", game=task.game_id)
            return error
        finally:
            if not task.to_repeat:  # otherwise the answer is for the next board
                self._posts.answers.withdraw(task.game_id)
            slots.release()
        return None

    async def _lease(self, game_id: str) -> bool:
        """Leases a board that this process has not just changed. Returns False if there is nothing to do for it."""
        if leased := await self._services[BoardDelivery].lease(game_id):
            self._task(game_id).is_leased = True
        return leased

    async def _hold(self, live: LiveGame) -> None:
        """Renews the lease right before a request, as this process may have stood still. Raises LeaseLost."""
        task, delivery = self._tasks[live.id], self._services[BoardDelivery]
        seq, until = task.lease
        if seq != live.seq or until - LEFT_MS < delivery.now():
            if not (until := await delivery.hold(live.id, live.seq)):
                raise LeaseLost
            task.lease = live.seq, until

    async def _failed(self, task: BoardTask, error: Exception) -> None:
        """Records why the board failed and when to try again."""
        try:
            if isinstance(error, UnreadableGame) and error.game_id == task.game_id:
                await self._services[BoardDelivery].put_off(task.game_id)
                task.is_leased = False
                return
            live = await self._games.get(task.game_id)
            place = live.place
            why = await delivery_errors.delivery_error(self._client, place.channel_id, error)
            if why and why not in {delivery_errors.GONE, delivery_errors.CLOSED}:
                await self._services[PermissionIssues].note(place.channel_id, why, place.guild_id)
            attempts = await self._services[BoardDelivery].failed(task.game_id, why)
            self._games.forget(task.game_id)
            task.is_leased = False
            if why or attempts >= FAILURES_BEFORE_NOTICE:
                await self.pings.undeliverable(live)
            await self._wake_next_game(task, live)
            if not why:
                await self._outage.request_failed()
        except Exception:  # the sweep retries once the database is back
            log.warning("failure_not_noted", game=task.game_id, exc_info=True)

    async def _bring_up(self, task: BoardTask, *, recovering: bool) -> None:
        """Posts the board and records it. Wakes the first board of the match's next game, which waits for it."""
        live = await self._posts.bring_up(task.game_id, recovering=recovering)
        if live is None:
            await self._wait_for_card(task)
        else:
            for tell in self.after_last if live.is_over else ():
                tell(live)
            await self._wake_next_game(task, live)

    async def _wait_for_card(self, task: BoardTask) -> None:
        """Makes the game's first board wait for the card of the game before. If no process works on that card, any may
        post it.
        """
        header = (await self._games.get(task.game_id)).record.header
        before = header.match, header.match_game - 1
        if card := next((other for other in self._tasks.values() if other.card == before), None):
            card.followed_by, task.waits = task, True
        else:
            await self._services[BoardDelivery].release([task.game_id])
            task.is_leased = False

    async def _wake_next_game(self, task: BoardTask, live: LiveGame) -> None:
        """Posts the first board of a match's next game, which has waited for the card of the game before."""
        if not live.is_over or task.followed_by:
            return
        if following := await self._services[MatchService].next_game(live):
            self.wake(following)


def _moment(live: LiveGame) -> int:
    """Returns the time of the last entry, in ms since 1970. The entry was committed later."""
    return live.started + (live.entries[-1].at if live.entries else 0)
