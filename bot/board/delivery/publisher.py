"""Brings the public message of each game up to date with its record. Games with ``shown_seq < seq`` are the to-do list.

An entry is written before its message is sent, so a failed or interrupted message is sent again. Discord drops a second
message with the same nonce for some minutes; after a restart, the history of the channel shows whether the message has
arrived. So nobody is pinged twice for one turn. There is one exception: the bot may not read the history, and it was
away for minutes just after it had sent the message.

When a board is edited in place, a message of its own pings the awaited player and is removed after a while. The removal
is scheduled as soon as the ping is sent, so another process can do it if this one stops. An offer and its refusal edit
the board, too, and one line tells them, until the board changes again.

Retries of a failing board get ever less frequent. A missing permission is recorded for users who can grant it.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol

import discord
import structlog

from bot.board import message as board
from bot.board import story
from bot.board.delivery import channel_history
from bot.board.delivery import errors as delivery_errors
from bot.board.delivery.channel_history import UnrecordedMessages
from bot.board.delivery.permission_issues import PermissionIssues
from bot.board.delivery.service import (
    BATCH,
    FIRST,
    LINE_LIFETIME_MS,
    PING_LIFETIME_MS,
    BoardDelivery,
    OldBoard,
    WaitingBoard,
)
from bot.board.ratings import shown_ratings
from bot.core.discord_errors import NOTHING_THERE, REQUEST_ERRORS, UNCHANGEABLE, code_of, is_final
from bot.core.render_queue import Urgency, urgency
from bot.core.services import Services
from bot.core.translations import language
from bot.games.live import LiveGame
from bot.games.running.log_context import about_game
from bot.games.service import GameService
from bot.games.stored import Place
from bot.matches.service import MatchService
from bot.players.service import PlayerNames, PreferenceService

RETRIES: Final = (0.5, 2.0, 8.0, 30.0)
"""Seconds between the attempts of one run. After the last attempt the sweep retries, with ever longer pauses."""
SWEEP: Final = 60.0
FAILURES_BEFORE_NOTICE: Final = 3
"""Failures for an unknown reason, over some minutes, after which the awaited player gets a notification instead."""
GRACE: Final = 5.0
"""Seconds that running deliveries have to finish when the bot stops."""
DELETE: Final = "delete"
EDIT: Final = "edit"
RECOVERIES: Final = 8
"""How many waiting or failed boards are delivered at once."""
REMEMBERED: Final = 5000
"""Of how many boards the content is kept that they get when another follows: about 2 MB."""
MOVES: Final = 32
"""How many boards of games that have just changed are delivered at once. They never wait behind failed boards."""

log = structlog.get_logger()


class Pings(Protocol):
    """Decides whether a board pings the awaited player. In the whole bot, the notifications do this."""

    async def reserve_ping(self, live: LiveGame) -> bool:
        """Whether the board pings. If so, nothing else pings for this turn."""

    async def undeliverable(self, live: LiveGame) -> None:
        """Called when the board cannot be posted: the awaited player needs a notification instead."""


class AlwaysPing:
    """Pings with every board, and sends no notification if a board fails."""

    async def reserve_ping(self, live: LiveGame) -> bool:
        del live
        return True

    async def undeliverable(self, live: LiveGame) -> None:
        del live


class BoardPublisher:
    """Posts boards and tidies old ones. For each game, only one task runs at a time."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self.pings: Pings = AlwaysPing()
        self._games = services[GameService]
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._to_repeat: set[str] = set()
        self._players: dict[str, tuple[int, int]] = {}
        self._closed: dict[int, str] = {}
        self._lines: dict[str, int] = {}
        """The message that told the last offer or refusal of a game; it is removed when the board changes again."""
        self._moves = asyncio.Semaphore(MOVES)
        self._recoveries = asyncio.Semaphore(RECOVERIES)
        self._retrying: set[int] = set()
        self._changed_servers: set[int] = set()
        self._loops: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()

    def start(self) -> None:
        """Resumes what an earlier process left unfinished, then follows every commit."""
        self._games.subscribe(self._on_commit)
        self._loops = [asyncio.create_task(self._repeat(work)) for work in (self.sweep, self._tidy_due)]

    async def close(self) -> None:
        """Lets running tasks finish, within GRACE, and starts no new ones."""
        self._stopping.set()
        tasks = [*self._at_work.values(), *self._loops]
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def wake(self, game_id: str, *, recovering: bool = False) -> None:
        """Schedules an update of the game's message: now, or after the running one."""
        if not self._stopping.is_set():
            self._begin(game_id, self._moves, recovering=recovering)

    def _begin(self, game_id: str, slots: asyncio.Semaphore, *, recovering: bool, has_slot: bool = False) -> bool:
        """Starts the update of a message. False if one is running already: then it runs once more afterwards."""
        if game_id in self._at_work:
            self._to_repeat.add(game_id)
            return False
        with about_game(game_id):  # the task inherits it
            task = asyncio.create_task(self._work(game_id, slots, recovering=recovering, has_slot=has_slot))
        self._at_work[game_id] = task
        task.add_done_callback(lambda _: self._on_done(game_id))
        return True

    async def tidy(self, live: LiveGame) -> None:
        """Tidies the board of a game that has moved to another channel: removes its buttons, or deletes it."""
        if live.message_id is not None:
            server = await self._services[PreferenceService].of_server(live.place.guild_id)
            await self._tidy(OldBoard(live.message_id, live.place, server["old_board"] == DELETE))

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

    async def _recover(self, listed: Callable[[WaitingBoard], Awaitable[list[WaitingBoard]]]) -> None:
        """Starts each listed board as soon as there is a free slot. ``listed`` returns the page after a given board."""
        found, after = [FIRST] * BATCH, FIRST
        while len(found) == BATCH:
            found = await listed(after)
            for waiting in found:
                await self._recoveries.acquire()
                if self._stopping.is_set():
                    self._recoveries.release()
                    return
                if not self._begin(waiting.game_id, self._recoveries, recovering=True, has_slot=True):
                    self._recoveries.release()
            after = found[-1] if found else after

    async def wait_until_posted(self, user_id: int, seconds: float) -> None:
        """Waits up to ``seconds`` until boards of games in which the user has just moved are posted or have failed."""
        tasks = {task for game_id, task in self._at_work.items() if user_id in self._players.get(game_id, ())}
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def wait_for_board(self, game_id: str, seconds: float) -> None:
        """Waits up to ``seconds`` until the board of a game is up to date or has failed."""
        if task := self._at_work.get(game_id):
            await asyncio.wait([task], timeout=seconds)

    async def idle(self) -> None:
        """Returns when no board is being delivered."""
        while self._at_work:
            await asyncio.gather(*self._at_work.values(), return_exceptions=True)
            await asyncio.sleep(0)

    def _on_commit(self, live: LiveGame) -> None:
        self._players[live.id] = live.players
        self.wake(live.id)

    def _on_done(self, game_id: str) -> None:
        self._at_work.pop(game_id, None)
        if game_id not in self._to_repeat:
            self._players.pop(game_id, None)
        if game_id in self._to_repeat:
            self._to_repeat.discard(game_id)
            self.wake(game_id)

    async def _repeat(self, work: Callable[[], Awaitable[None]]) -> None:
        while not self._stopping.is_set():
            try:
                await work()
            except Exception:  # the loop survives a database outage
                log.warning("sweep_failed", exc_info=True)
            await self._pause(SWEEP)

    async def _tidy_due(self) -> None:
        """Tidies all old boards that are due. Each one then leaves the list or is due later."""
        delivery = self._services[BoardDelivery]
        while not self._stopping.is_set() and (found := await delivery.old()):
            for old in found:
                try:
                    await self._tidy(old)
                except Exception:  # one failure does not hold up the others
                    log.exception("tidying_failed", message=old.message_id)
                    await delivery.retry_old(old)

    async def _pause(self, seconds: float) -> None:
        """Sleeps, unless the bot stops."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _work(self, game_id: str, slots: asyncio.Semaphore, *, recovering: bool, has_slot: bool) -> None:
        """Updates a message, with retries. Between two attempts its slot is free for other boards."""
        urgency.set(Urgency.BOARD)
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
            await self._bring_up(game_id, recovering=recovering)
        except REQUEST_ERRORS as error:
            log.warning("board_not_shown", game=game_id, error=str(error))
            return error
        except Exception as error:
            log.exception("board_failed", game=game_id)
            return error
        finally:
            slots.release()
        return None

    async def _failed(self, game_id: str, error: Exception) -> None:
        """Records why the board failed and when to try again."""
        try:
            live = await self._games.get(game_id)
            place = live.place
            why = await delivery_errors.delivery_error(self._client, place.channel_id, error)
            if why and why != delivery_errors.GONE:
                await self._services[PermissionIssues].note(place.channel_id, why, place.guild_id)
            attempts = await self._services[BoardDelivery].failed(game_id, why)
            if why or attempts >= FAILURES_BEFORE_NOTICE:
                await self.pings.undeliverable(live)
            await self._wake_next_game(live)
        except Exception:  # the sweep retries once the database is back
            log.warning("failure_not_noted", game=game_id, exc_info=True)

    async def _bring_up(self, game_id: str, *, recovering: bool) -> None:
        """Posts the board, tidies old ones, and records it last. If it is interrupted, all steps are repeated, which is
        harmless.
        """
        live, delivery = await self._games.get(game_id), self._services[BoardDelivery]
        if live.shown_seq < 0 and await delivery.waits_for_card(live.record.header):
            return  # as soon as the card of the game before is posted, or has failed, this board is due
        attempts = await delivery.attempts(game_id)
        recovering = recovering or attempts > 0
        while live.shown_seq < live.seq:
            seq, before = live.seq, live.message_id
            server = await self._services[PreferenceService].of_server(live.place.guild_id)
            found = (
                await channel_history.unrecorded_messages(self._client, live) if recovering else UnrecordedMessages()
            )
            sent, old_boards = found.board, list(found.old_boards)
            if sent is None:
                say = language(live.locale)
                names = await self._services[PlayerNames].names(live.players, say)
                reader = await self._services[PreferenceService].of_user(board.reader_of(live))
                pair = (names[live.players[0]], names[live.players[1]])
                theme = (server if live.place.guild_id else reader)["theme"]
                match = await self._services[MatchService].of(live)
                ratings = await shown_ratings(self._services, live, say)
                shown = await board.message(live, say, reader, theme, pair, ratings, match)
                if story.refuses(live) or not await self.pings.reserve_ping(live):
                    shown = shown.without_ping()
                in_place = before if server["old_board"] == EDIT or story.edits_board(live) else None
                sent = await self._put(live, in_place, shown, found.ping)
                self._keep_closed(sent, shown.closed)
            else:
                await self.pings.reserve_ping(live)  # the board has pinged, so nothing else may ping
            if before is not None and before != sent:
                old_boards.append(before)
                if before not in self._closed:
                    self._keep_closed(before, await self._as_it_was(live))
            for message_id in old_boards:
                await self._tidy(OldBoard(message_id, live.place, server["old_board"] == DELETE))
            for message_id in found.old_pings:
                await self._tidy(OldBoard(message_id, live.place, removed=True))
            await self._games.shown(game_id, seq, sent, live.place)
            if attempts:
                await self._services[PermissionIssues].cleared(live.place.channel_id)
            live = await self._games.get(game_id)
        await self._wake_next_game(live)

    async def _wake_next_game(self, live: LiveGame) -> None:
        """Has the first board of a match's next game posted, which waits for the card of the game before."""
        if live.is_over and (following := await self._services[MatchService].next_game(live)):
            self.wake(following)

    async def _as_it_was(self, live: LiveGame) -> str:
        """The content for a board of an earlier process that another board has followed."""
        there = await asyncio.to_thread(board.as_shown, live)
        reader = await self._services[PreferenceService].of_user(board.reader_of(there))
        return board.closed(there, language(live.locale), board.public_below(there, reader["below"]))

    def _keep_closed(self, message_id: int, text: str) -> None:
        """Remembers the content that a board gets when another follows; only for the newest boards."""
        self._closed[message_id] = text
        while len(self._closed) > REMEMBERED:
            self._closed.pop(next(iter(self._closed)))

    def _channel(self, place: Place) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)

    async def _put(self, live: LiveGame, before: int | None, shown: board.Message, ping: int | None) -> int:
        """Posts the board, or edits the message ``before``; a new message pings the awaited player.

        ``ping`` is the message that has pinged them already, if there is one. Returns the id of the board.
        """
        channel, nonce = self._channel(live.place), f"{live.id}:{live.seq}"
        if before is not None:
            try:
                await channel.get_partial_message(before).edit(
                    content=shown.content, attachments=[shown.file], view=shown.view, allowed_mentions=board.NOBODY
                )
            except discord.HTTPException as error:
                if code_of(error) not in UNCHANGEABLE:
                    raise
                shown.file.reset()
            else:
                if line := self._lines.pop(live.id, None):
                    await self._tidy(OldBoard(line, live.place, removed=True, attempts=1))
                if shown.ping and ping is None:
                    sent = await channel.send(
                        shown.ping, view=shown.ping_view, allowed_mentions=shown.mentions, nonce=nonce
                    )
                    ping = sent.id
                if ping is not None and shown.line:
                    self._lines[live.id] = ping
                if ping is not None:
                    lifetime = LINE_LIFETIME_MS if shown.line else PING_LIFETIME_MS
                    await self._services[BoardDelivery].remove_ping_later(ping, live.place, lifetime)
                return before
        if line := self._lines.pop(live.id, None):
            await self._tidy(OldBoard(line, live.place, removed=True, attempts=1))
        message = await channel.send(
            shown.content, file=shown.file, view=shown.view, allowed_mentions=shown.mentions, nonce=nonce
        )
        return message.id

    async def _tidy(self, old: OldBoard) -> None:
        """Removes the buttons of an old board, or deletes it. Until that succeeds, its buttons stay; presses on them
        are stale.
        """
        message = self._channel(old.place).get_partial_message(old.message_id)
        try:
            if old.removed:
                await message.delete()
            elif text := self._closed.get(old.message_id):
                await message.edit(content=text, view=None, allowed_mentions=board.NOBODY)
            else:
                await message.edit(view=None)
        except REQUEST_ERRORS as error:
            log.info("board_not_tidied", message=old.message_id, error=str(error))
            if code_of(error) not in NOTHING_THERE:
                await self._services[BoardDelivery].retry_old(old)
                return
        self._closed.pop(old.message_id, None)
        if old.attempts:
            await self._services[BoardDelivery].drop_old(old.message_id)
