"""Brings each game's public message up to its record: ``shown_seq < seq`` is the to-do list.

The entry is written before the message; so a failed or interrupted message is simply tried again. Discord drops a
second message with the same nonce for some minutes; after a restart the channel itself is asked whether the message
is already there. So nobody is pinged twice for one turn (but where the bot may not read the channel's history, perhaps
when it was away for minutes at the wrong moment).

Beside a board that is changed in place, whoever has to act is pinged by a message of its own, which is removed after a
while: that is noted as soon as it is sent, so that another process does it if this one does not live to.

What fails again and again is tried ever more seldom; a missing permission is noted for those who can give it.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol

import discord
import structlog

from bot.board import message as board
from bot.board.delivery import channel_history
from bot.board.delivery import errors as delivery_errors
from bot.board.delivery.channel_history import UnrecordedMessages
from bot.board.delivery.permission_issues import PermissionIssues
from bot.board.delivery.service import BATCH, FIRST, BoardDelivery, OldBoard, WaitingBoard
from bot.core.discord_errors import NOTHING_THERE, REQUEST_ERRORS, UNCHANGEABLE, code_of, is_final
from bot.core.render_queue import Urgency, urgency
from bot.core.services import Services
from bot.core.translations import language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.service import PlayerNames, PreferenceService

RETRIES: Final = (0.5, 2.0, 8.0, 30.0)
"""Seconds between the attempts of one go; after the last the sweep takes over, with ever longer pauses."""
SWEEP: Final = 60.0
PATIENCE: Final = 3
"""Failures of no known reason, some minutes of them, after which whoever is awaited is told in another way."""
GRACE: Final = 5.0
"""Seconds that messages under way have to arrive when the bot stops."""
DELETE: Final = "delete"
EDIT: Final = "edit"
RECOVERIES: Final = 8
"""Boards at work at once of those that wait since before, or have failed."""
MOVES: Final = 32
"""The same for boards of games that have just gone on; so they never wait behind the others."""

log = structlog.get_logger()


class Pings(Protocol):
    """Who decides whether a board pings whoever has to act. Notifications do, in the whole bot."""

    async def reserve_ping(self, live: LiveGame) -> bool:
        """Whether the board pings; if so, nothing else does for this turn."""

    async def undeliverable(self, live: LiveGame) -> None:
        """The board cannot be posted: whoever has to act is to be told in another way."""


class EveryPing:
    """Pings with every board, and tells nobody in another way."""

    async def reserve_ping(self, live: LiveGame) -> bool:
        del live
        return True

    async def undeliverable(self, live: LiveGame) -> None:
        del live


class BoardPublisher:
    """Sends and tidies board messages, one at a time per game."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self.pings: Pings = EveryPing()
        self._tables = services[GameService]
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._players: dict[str, tuple[int, int]] = {}
        self._moves = asyncio.Semaphore(MOVES)
        self._recoveries = asyncio.Semaphore(RECOVERIES)
        self._mending: set[int] = set()
        self._changed: set[int] = set()
        self._loops: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()

    def start(self) -> None:
        """Takes up what an earlier process left undone, and then whatever is committed."""
        self._tables.subscribe(self._moved)
        self._loops = [asyncio.create_task(self._again_and_again(work)) for work in (self.sweep, self._tidy_due)]

    async def close(self) -> None:
        """Lets what is under way come to its end, and begins nothing more."""
        self._stopping.set()
        tasks = [*self._at_work.values(), *self._loops]
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def wake(self, game_id: str, *, recovering: bool = False) -> None:
        """Sees to it that the game's message is brought up, now or after the work under way."""
        if not self._stopping.is_set():
            self._begin(game_id, self._moves, recovering=recovering)

    def _begin(self, game_id: str, places: asyncio.Semaphore, *, recovering: bool, has_place: bool = False) -> bool:
        """Begins to bring up a message; False if it is at work: that is done once more then."""
        if game_id in self._at_work:
            self._again.add(game_id)
            return False
        task = asyncio.create_task(self._work(game_id, places, recovering=recovering, has_place=has_place))
        self._at_work[game_id] = task
        task.add_done_callback(lambda _: self._done(game_id))
        return True

    async def tidy(self, live: LiveGame) -> None:
        """The board of a game that is played elsewhere now loses its buttons, or goes."""
        if live.message_id is not None:
            server = await self._services[PreferenceService].of_server(live.place.guild_id)
            await self._tidy(OldBoard(live.message_id, live.place, server["old_board"] == DELETE))

    async def mended(self, guild_id: int) -> None:
        """Tries at once what could not be shown in a server whose channels, roles or threads have just changed."""
        self._changed.add(guild_id)
        if guild_id in self._mending:  # it is done once more then
            return
        self._mending.add(guild_id)
        try:
            while guild_id in self._changed:
                self._changed.discard(guild_id)
                await self._recover(partial(self._services[BoardDelivery].waiting_in, guild_id))
        finally:
            self._mending.discard(guild_id)

    async def sweep(self) -> None:
        """Takes up all boards that are due, a few at a time, the longest waiting first."""
        await self._recover(self._services[BoardDelivery].due)

    async def _recover(self, listed: Callable[[WaitingBoard], Awaitable[list[WaitingBoard]]]) -> None:
        """Begins with each of the listed boards as soon as there is a place; ``listed`` gives those after one."""
        found, after = [FIRST] * BATCH, FIRST
        while len(found) == BATCH:
            found = await listed(after)
            for waiting in found:
                await self._recoveries.acquire()
                if self._stopping.is_set():
                    self._recoveries.release()
                    return
                if not self._begin(waiting.game_id, self._recoveries, recovering=True, has_place=True):
                    self._recoveries.release()
            after = found[-1] if found else after

    async def settled(self, user_id: int, seconds: float) -> None:
        """Waits, but not long, until the games that the user has just moved in are shown, or have failed to be."""
        tasks = {task for game_id, task in self._at_work.items() if user_id in self._players.get(game_id, ())}
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def idle(self) -> None:
        """Returns when nothing is under way."""
        while self._at_work:
            await asyncio.gather(*self._at_work.values(), return_exceptions=True)
            await asyncio.sleep(0)

    def _moved(self, live: LiveGame) -> None:
        self._players[live.id] = live.players
        self.wake(live.id)

    def _done(self, game_id: str) -> None:
        self._at_work.pop(game_id, None)
        if game_id not in self._again:
            self._players.pop(game_id, None)
        if game_id in self._again:
            self._again.discard(game_id)
            self.wake(game_id)

    async def _again_and_again(self, work: Callable[[], Awaitable[None]]) -> None:
        while not self._stopping.is_set():
            try:
                await work()
            except Exception:  # it outlives a database that is away for a while
                log.warning("sweep_failed", exc_info=True)
            await self._pause(SWEEP)

    async def _tidy_due(self) -> None:
        """Tidies all old boards that are due. Each is gone from the list after that, or due later."""
        delivery = self._services[BoardDelivery]
        while not self._stopping.is_set() and (found := await delivery.old()):
            for old in found:
                try:
                    await self._tidy(old)
                except Exception:  # one that cannot be tidied keeps no other waiting
                    log.exception("tidying_failed", message=old.message_id)
                    await delivery.retry_old(old)

    async def _pause(self, seconds: float) -> None:
        """Sleeps, unless the bot stops."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _work(self, game_id: str, places: asyncio.Semaphore, *, recovering: bool, has_place: bool) -> None:
        """Brings a message up, however often it takes. Between two attempts the place is free for others."""
        urgency.set(Urgency.BOARD)
        for pause in (*RETRIES, None):
            if not has_place:
                await places.acquire()
            error = await self._attempt(game_id, places, recovering=recovering)
            if error is None:
                return
            if pause is None or is_final(error) or not isinstance(error, REQUEST_ERRORS):
                await self._failed(game_id, error)
                return
            has_place, recovering = False, True  # it may have arrived all the same
            await self._pause(pause)
            if self._stopping.is_set():
                return

    async def _attempt(self, game_id: str, places: asyncio.Semaphore, *, recovering: bool) -> Exception | None:
        """Brings a message up, and leaves the place; the error, if that failed."""
        try:
            await self._bring_up(game_id, recovering=recovering)
        except REQUEST_ERRORS as error:
            log.warning("board_not_shown", game=game_id, error=str(error))
            return error
        except Exception as error:
            log.exception("board_failed", game=game_id)
            return error
        finally:
            places.release()
        return None

    async def _failed(self, game_id: str, error: Exception) -> None:
        """Notes when to try again, and why it could not be shown."""
        try:
            live = await self._tables.get(game_id)
            place = live.place
            why = await delivery_errors.delivery_error(self._client, place.channel_id, error)
            if why and why != delivery_errors.GONE:
                await self._services[PermissionIssues].note(place.channel_id, why, place.guild_id)
            attempts = await self._services[BoardDelivery].failed(game_id, why)
            if why or attempts >= PATIENCE:
                await self.pings.undeliverable(live)
        except Exception:  # the sweep tries again as soon as the database answers
            log.warning("failure_not_noted", game=game_id, exc_info=True)

    async def _bring_up(self, game_id: str, *, recovering: bool) -> None:
        """Sends, tidies, and only then notes it: what is interrupted is done again, which changes nothing."""
        live = await self._tables.get(game_id)
        attempts = await self._services[BoardDelivery].attempts(game_id)
        recovering = recovering or attempts > 0
        while live.shown_seq < live.seq:
            seq, before = live.seq, live.message_id
            server = await self._services[PreferenceService].of_server(live.place.guild_id)
            found = (
                await channel_history.unrecorded_messages(self._client, live) if recovering else UnrecordedMessages()
            )
            sent, old_boards = found.board, list(found.old_boards)
            if sent is None:
                names = await self._services[PlayerNames].names(live.players)
                reader = await self._services[PreferenceService].of_user(board.reader_of(live))
                pair = (names[live.players[0]], names[live.players[1]])
                theme = (server if live.place.guild_id else reader)["theme"]
                shown = await board.message(live, language(live.locale), reader, theme, pair)
                if not await self.pings.reserve_ping(live):
                    shown = shown.without_ping()
                in_place = before if server["old_board"] == EDIT or board.changes_in_place(live) else None
                sent = await self._put(live, in_place, shown, found.ping)
            else:
                await self.pings.reserve_ping(live)  # it has pinged: nothing else is to
            if before not in {None, sent}:
                old_boards.append(before)
            for message_id in old_boards:
                await self._tidy(OldBoard(message_id, live.place, server["old_board"] == DELETE))
            for message_id in found.old_pings:
                await self._tidy(OldBoard(message_id, live.place, removed=True))
            await self._tables.shown(game_id, seq, sent, live.place)
            if attempts:
                await self._services[PermissionIssues].cleared(live.place.channel_id)
            live = await self._tables.get(game_id)

    def _channel(self, place: Place) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)

    async def _put(self, live: LiveGame, before: int | None, shown: board.Message, ping: int | None) -> int:
        """Sends the board, or changes the message ``before`` to it; a new message pings whoever has to act.

        ``ping`` is the message that has pinged them already, if there is one.
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
                if shown.ping and ping is None:
                    sent = await channel.send(
                        shown.ping, view=shown.ping_view, allowed_mentions=shown.mentions, nonce=nonce
                    )
                    ping = sent.id
                if ping is not None:
                    await self._services[BoardDelivery].remove_ping_later(ping, live.place)
                return before
        message = await channel.send(
            shown.content, file=shown.file, view=shown.view, allowed_mentions=shown.mentions, nonce=nonce
        )
        return message.id

    async def _tidy(self, old: OldBoard) -> None:
        """The earlier board loses its buttons, or goes. Until that succeeds it keeps them: they are stale."""
        message = self._channel(old.place).get_partial_message(old.message_id)
        try:
            await (message.delete() if old.removed else message.edit(view=None))
        except REQUEST_ERRORS as error:
            log.info("board_not_tidied", message=old.message_id, error=str(error))
            if code_of(error) not in NOTHING_THERE:
                await self._services[BoardDelivery].retry_old(old)
                return
        if old.attempts:
            await self._services[BoardDelivery].drop_old(old.message_id)
