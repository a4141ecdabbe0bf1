"""Brings the public message of each game up to date with its record. Games with ``shown_seq < seq`` are the to-do list.

An entry is written before its message is sent, so a failed or interrupted message is sent again. Discord drops a second
message with the same nonce for some minutes; after a restart, the history of the channel shows whether the message has
arrived. So nobody is pinged twice for one turn. There is one exception: the bot may not read the history, and it was
away for minutes just after it had sent the message.

When a board is edited in place, a message of its own pings the awaited player and is removed after a while. The removal
is scheduled as soon as the ping is sent, so another process can do it if this one stops. An offer and its refusal edit
the board, too, and one line tells them, until the board changes again.

Retries of a failing board get ever less frequent. A missing permission is recorded for users who can grant it.

With several processes, each board is leased: the process that commits a change has the first time to show it. It renews
the lease while it works, and makes sure of it right before each message: it may have stood still for a while. A board
whose lease has ended, because its process died, is shown by whoever finds it first. What that one has sent is not
deleted for a minute: as long as it is there, Discord drops a message of the other process that is still on its way.
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
"""Seconds between the attempts of one run. After the last attempt the sweep retries, with ever longer pauses; after an
outage of Discord at once.
"""
SWEEP: Final = 5.0
"""Seconds between two looks for boards that are due."""
RENEWAL: Final = LEASE_MS / 3000
"""Seconds between two renewals of leases."""
FAILURES_BEFORE_NOTICE: Final = 3
"""Failures for an unknown reason, over some minutes, after which the awaited player gets a notification instead."""
GRACE: Final = 5.0
"""Seconds that running deliveries have to finish when the bot stops."""
RECOVERIES: Final = 8
"""How many waiting or failed boards are delivered at once."""
PER_RECOVERY: Final = 3.0
"""Requests of a board that is delivered late: the history of the channel, the new board, the old one."""
LONGEST: Final = 25.0
"""Seconds after which a look at the boards is cut off: it hangs, or there is much to do. The next one goes on."""
MOVES: Final = 32
"""How many boards of games that have just changed are delivered at once. They never wait behind failed boards."""

log = structlog.get_logger()


class BoardPublisher:
    """Has boards posted and old ones tidied. For each game, only one task runs at a time."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._games = services[GameService]
        self._pace = services[CatchUp]
        self._outage = delivery_errors.DiscordOutage(client)
        self.old_boards = OldBoards(client, services[BoardDelivery], self._pace)
        self._posts = BoardPosts(client, services, self.old_boards)
        self.after_last: list[Callable[[LiveGame], None]] = []
        """Called with a game that is over, once its last board is posted."""
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._to_repeat: set[str] = set()
        self._slow: set[str] = set()
        """The games that were at work, or waited for a card, when leases were last renewed."""
        self._players: dict[str, tuple[int, int]] = {}
        self._leased: set[str] = set()
        """The games whose boards are leased to this process."""
        self._cards: dict[tuple[str, int], str] = {}
        """The finished games at work that are part of a match, by the match and their number."""
        self._following: dict[str, str] = {}
        """The games whose first boards wait for the card of such a game, by that game. They keep their leases."""
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
        """Resumes what an earlier process left unfinished, then follows every commit."""
        self._games.subscribe(self._on_commit)
        self._games.lease_boards(LEASE_MS, self._services[BoardDelivery].owner)
        works = (self.sweep, SWEEP), (self.old_boards.sweep, SWEEP), (self._renew, RENEWAL), (self.end_outage, SWEEP)
        self._loops = [asyncio.create_task(self._repeat(*work)) for work in works]

    async def close(self) -> None:
        """Lets running tasks finish, within GRACE, and starts no new ones."""
        self._stopping.set()
        self._games.lease_boards(0, 0)
        tasks = [*self._at_work.values(), *self._loops]
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE)
        left = set(self._leased)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.old_boards.close(GRACE)
        with contextlib.suppress(Exception):  # without a database, the leases end by themselves
            await self._services[BoardDelivery].release(left)

    def wake(self, game_id: str, *, recovering: bool = False) -> bool:
        """Updates the game's message: now, or once more after the running update. Returns whether an update starts now.

        ``recovering``: it counts as one of the RECOVERIES, and the caller has taken the slot for it.
        """
        if self._stopping.is_set():
            return False
        if game_id in self._at_work:
            self._to_repeat.add(game_id)
            return False
        with about_game(game_id):  # the task inherits it
            task = asyncio.create_task(self._work(game_id, recovering=recovering))
        self._at_work[game_id] = task
        task.add_done_callback(lambda _: self._on_done(game_id))
        return True

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
        """Updates all boards that are due, a few at a time, longest waiting first."""
        await self._recover(self._services[BoardDelivery].due)

    async def end_outage(self) -> None:
        """Updates at once what failed in an outage of Discord, if that is over."""
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
                    if waiting.game_id in self._at_work or await self._lease(waiting.game_id):
                        await self._pace.wait(PER_RECOVERY)
                        begun = self.wake(waiting.game_id, recovering=True)
                finally:
                    if not begun:
                        self._recoveries.release()
            after = found[-1] if found else after

    def offer(self, answer: Answer, live: LiveGame) -> asyncio.Future[bool]:
        """Offers the answer to a turn for the board that follows it. The result: whether the board is the answer."""
        offered = self._posts.answers.offer(answer, live)
        if live.id not in self._at_work:
            self._posts.answers.withdraw(live.id)
        return offered

    async def wait_until_posted(self, user_id: int, seconds: float) -> None:
        """Waits up to ``seconds`` until boards of games in which the user has just moved are posted or have failed."""
        tasks = {task for game_id, task in self._at_work.items() if user_id in self._players.get(game_id, ())}
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def wait_for_board(self, game_id: str, seconds: float) -> None:
        """Waits up to ``seconds`` until the board of a game is up to date or has failed."""
        if task := self._at_work.get(game_id):
            await asyncio.wait([task], timeout=seconds)

    async def language_of(self, live: LiveGame) -> Language:
        """The language of the game's board."""
        return await self._posts.language_of(live)

    async def say_machine_away(self, live: LiveGame) -> bool:
        """See ``BoardPosts.say_machine_away``."""
        return await self._posts.say_machine_away(live)

    async def idle(self) -> None:
        """Returns when no board is being delivered, and no old one tidied."""
        while self._at_work:
            await asyncio.gather(*self._at_work.values(), return_exceptions=True)
            await asyncio.sleep(0)
        await self.old_boards.idle()

    def _on_commit(self, live: LiveGame) -> None:
        self._players[live.id] = live.players
        if not self._stopping.is_set():
            self._leased.add(live.id)
            self._posts.leased(live.id, live.seq, _moment(live) + LEASE_MS)
            header = live.record.header
            if live.is_over and header.match:
                self._cards[header.match, header.match_game] = live.id
        self.wake(live.id)

    def _on_done(self, game_id: str) -> None:
        self._at_work.pop(game_id, None)
        self._cards = {game: card for game, card in self._cards.items() if card != game_id}
        if following := self._following.pop(game_id, None):
            self.wake(following)
        if game_id in self._to_repeat:
            self._to_repeat.discard(game_id)
            self.wake(game_id)
        elif game_id not in self._following.values():
            self._players.pop(game_id, None)
            self._leased.discard(game_id)
            self._posts.forget_lease(game_id)

    async def _renew(self) -> None:
        """Renews the leases of boards that take long."""
        if renewed := self._leased & self._slow:
            await self._services[BoardDelivery].renew(renewed)
        self._slow = {*self._at_work, *self._following.values()}

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
        """Sleeps, unless the bot stops."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _work(self, game_id: str, *, recovering: bool) -> None:
        """Updates a message, with retries. Between two attempts its slot is free for other boards."""
        urgency.set(Urgency.BOARD)
        slots, has_slot = self._recoveries if recovering else self._moves, recovering
        for pause in (*RETRIES, None):
            if not has_slot:
                await slots.acquire()
            error = await self._attempt(game_id, slots, recovering=recovering)
            if error is None:
                return
            if pause is None or is_final(error) or not isinstance(error, REQUEST_ERRORS):
                await self._failed(game_id, error)
                return
            has_slot, recovering = False, True  # the failed message may have arrived nevertheless
            await self._pause(pause)
            if self._stopping.is_set():
                return

    async def _attempt(self, game_id: str, slots: asyncio.Semaphore, *, recovering: bool) -> Exception | None:
        """Makes one attempt and releases the slot. Returns the error if it failed."""
        try:
            if game_id in self._leased or await self._lease(game_id):
                await self._bring_up(game_id, recovering=recovering)
        except LeaseLost:  # whoever has it now shows the board; what was committed here meanwhile is still to do
            self._leased.discard(game_id)
        except REQUEST_ERRORS as error:
            log.warning("board_not_shown", game=game_id, error=str(error))
            return error
        except UnreadableGame as error:
            log.warning("board_unreadable", game=error.game_id)
            return error
        except Exception as error:
            log.exception("board_failed", game=game_id)
            return error
        finally:
            if game_id not in self._to_repeat:  # else the answer is for the board that is next
                self._posts.answers.withdraw(game_id)
            slots.release()
        return None

    async def _lease(self, game_id: str) -> bool:
        """Leases a board that this process has not just changed. False if there is nothing to do for it."""
        if await self._services[BoardDelivery].lease(game_id):
            self._leased.add(game_id)
            return True
        return False

    async def _failed(self, game_id: str, error: Exception) -> None:
        """Records why the board failed and when to try again."""
        try:
            if isinstance(error, UnreadableGame) and error.game_id == game_id:
                await self._services[BoardDelivery].put_off(game_id)
                self._leased.discard(game_id)
                return
            live = await self._games.get(game_id)
            place = live.place
            why = await delivery_errors.delivery_error(self._client, place.channel_id, error)
            if why and why not in {delivery_errors.GONE, delivery_errors.CLOSED}:
                await self._services[PermissionIssues].note(place.channel_id, why, place.guild_id)
            attempts = await self._services[BoardDelivery].failed(game_id, why)
            self._games.forget(game_id)
            self._leased.discard(game_id)
            if why or attempts >= FAILURES_BEFORE_NOTICE:
                await self.pings.undeliverable(live)
            await self._wake_next_game(live)
            if not why:
                await self._outage.request_failed()
        except Exception:  # the sweep retries once the database is back
            log.warning("failure_not_noted", game=game_id, exc_info=True)

    async def _bring_up(self, game_id: str, *, recovering: bool) -> None:
        """Posts the board and records it. Then the first board of a match's next game is due, which waits for it."""
        live = await self._posts.bring_up(game_id, recovering=recovering)
        if live is None:
            await self._wait_for_card(game_id)
        else:
            for tell in self.after_last if live.is_over else ():
                tell(live)
            await self._wake_next_game(live)

    async def _wait_for_card(self, game_id: str) -> None:
        """Has the game's first board posted after the card of the game before; by any process, if it is not at work."""
        header = (await self._games.get(game_id)).record.header
        card = self._cards.get((header.match, header.match_game - 1))
        if card is not None:
            self._following[card] = game_id
        else:
            await self._services[BoardDelivery].release([game_id])
            self._leased.discard(game_id)

    async def _wake_next_game(self, live: LiveGame) -> None:
        """Has the first board of a match's next game posted, which waits for the card of the game before."""
        if not live.is_over or live.id in self._following:
            return
        if following := await self._services[MatchService].next_game(live):
            self.wake(following)


def _moment(live: LiveGame) -> int:
    """When the last entry was made, in ms since 1970: a moment before it was committed."""
    return live.started + (live.entries[-1].at if live.entries else 0)
