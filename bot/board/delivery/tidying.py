"""Tidies boards that newer ones have replaced: they lose their buttons, or are deleted.

Nobody waits for that, so it has a queue of its own: no board and no ping waits behind an old board. The queue is also
stored, in the transaction that records the new board, so a restart forgets nothing.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.board.delivery.service import BoardDelivery, OldBoard
from bot.core.discord_errors import NOTHING_THERE, REQUEST_ERRORS, code_of
from bot.core.interactions.delivery.answer_message import AnswerMessage
from bot.core.messages import NOBODY
from bot.core.workers import Pace
from bot.games.stored import Place

TEXTS: Final = 1000
"""The most boards whose later content is remembered: about 1 MB. For others it is written anew."""
TOKENS: Final = 5000
"""The most tokens of boards that were answers: about 3 MB."""
AT_ONCE: Final = 16
"""The most old boards that are tidied at once, in as many channels, as Discord's limits are those of channels."""
LONGEST: Final = 1000
"""The most old boards in memory. More wait in the database until there is room."""
LEASED: Final = 5
"""The most old boards that are leased at once: they are begun at the pace of catching up, and a lease is short."""
PAUSE: Final = 10.0
"""Seconds after which tidied boards are removed from the database, many in one statement."""

log = structlog.get_logger()


class OldBoards:
    """The queue of old boards. For each channel, only one request runs at a time."""

    def __init__(self, client: discord.Client, delivery: BoardDelivery, pace: Pace) -> None:
        """Sets up the queue. ``pace``: the pace of catching up, in requests."""
        self._client = client
        self._delivery = delivery
        self._pace = pace
        self._texts: dict[int, str] = {}
        self._tokens: dict[int, AnswerMessage] = {}
        """The newest boards that were answers."""
        self._at_work: dict[int, asyncio.Task[None]] = {}
        self._channels: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._tidied: set[int] = set()
        self._dropping: asyncio.Task[None] | None = None

    def keep_text(self, message_id: int, text: str) -> None:
        """Remembers the content that a board gets when another follows; for the newest boards only."""
        self._texts[message_id] = text
        while len(self._texts) > TEXTS:
            self._texts.pop(next(iter(self._texts)))

    def keep_token(self, sent: AnswerMessage) -> None:
        """Remembers the token of a board that was an answer. Requests with a token count against no limit
        of the bot.
        """
        self._tokens[sent.message_id] = sent
        for oldest in list(self._tokens.values()):
            if oldest.lives and len(self._tokens) <= TOKENS:
                break
            del self._tokens[oldest.message_id]

    def add(self, old: OldBoard, text: Callable[[], Awaitable[str]] | None = None) -> None:
        """Adds a stored old board to the queue. ``text`` makes its content if that is not remembered."""
        if old.message_id in self._at_work or len(self._at_work) >= LONGEST:
            return
        task = asyncio.create_task(self._work(old, text))
        self._at_work[old.message_id] = task
        task.add_done_callback(lambda _: self._at_work.pop(old.message_id, None))

    async def store(self, old: OldBoard) -> None:
        """Stores an old board and adds it to the queue."""
        async with self._delivery.store.database.writing() as connection:
            await self._delivery.add_old([old], connection)
        self.add(old)

    async def sweep(self) -> None:
        """Adds the boards that are due in the database: failed ones, pings to be removed, boards of other processes."""
        while (room := min(LEASED, LONGEST - len(self._at_work))) > 0:
            found = await self._delivery.lease_old(room)
            for old in found:
                await self._pace.wait()
                self.add(old)
            if len(found) < room:
                return

    async def tidy(self, old: OldBoard, text: Callable[[], Awaitable[str]] | None = None) -> None:
        """Removes the buttons of an old board, or deletes it. Until that succeeds, its buttons stay, and presses on
        them are stale.
        """
        content = "" if old.removed else self._texts.get(old.message_id) or (await text() if text else "")
        try:
            by_token = self._tokens.pop(old.message_id, None)
            if by_token is None or not await _changed_by_token(by_token, old, content):
                await _change(self._channel(old.place).get_partial_message(old.message_id), old, content)
        except REQUEST_ERRORS as error:
            log.info("board_not_tidied", message=old.message_id, error=str(error))
            if code_of(error) not in NOTHING_THERE:
                await self._delivery.retry_old(old)
                return
        self._texts.pop(old.message_id, None)
        self._tidied.add(old.message_id)
        if self._dropping is None or self._dropping.done():
            self._dropping = asyncio.create_task(self._drop_soon())

    async def idle(self) -> None:
        """Waits until no old board is being tidied."""
        while self._at_work:
            await asyncio.gather(*self._at_work.values(), return_exceptions=True)
            await asyncio.sleep(0)
        await self._drop()

    async def close(self, grace: float) -> None:
        """Lets running tasks finish for ``grace`` seconds. The rest is tidied after the next start."""
        tasks = list(self._at_work.values())
        if tasks:
            await asyncio.wait(tasks, timeout=grace)
        if self._dropping:
            tasks.append(self._dropping)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(Exception):  # without a database, they are tidied once more
            await self._drop()

    async def _work(self, old: OldBoard, text: Callable[[], Awaitable[str]] | None) -> None:
        lock = self._channels.get(old.place.channel_id)
        if lock is None:
            lock = self._channels[old.place.channel_id] = asyncio.Lock()
        try:
            async with lock, self._slots:
                await self.tidy(old, text)
        except Exception:  # it is due again when its lease ends
            log.exception("tidying_failed", message=old.message_id)

    async def _drop_soon(self) -> None:
        """Removes tidied boards from the database, many at once."""
        while self._tidied:
            await asyncio.sleep(PAUSE)
            try:
                await self._drop()
            except Exception:  # the next board tries again
                log.warning("old_boards_not_dropped", exc_info=True)
                return

    async def _drop(self) -> None:
        if self._tidied:
            dropped = sorted(self._tidied)
            await self._delivery.drop_old(*dropped)
            self._tidied.difference_update(dropped)

    def _channel(self, place: Place) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)


async def _change(message: discord.PartialMessage | AnswerMessage, old: OldBoard, content: str) -> None:
    if old.removed:
        await message.delete()
    elif content:
        await message.edit(content=content, view=None, allowed_mentions=NOBODY)
    else:
        await message.edit(view=None)


async def _changed_by_token(message: AnswerMessage, old: OldBoard, content: str) -> bool:
    """Edits or deletes the board by the answer's token. Returns False if the token is no longer valid."""
    try:
        if message.lives:
            await _change(message, old, content)
            return True
    except REQUEST_ERRORS as error:
        log.info("token_not_accepted", message=old.message_id, error=str(error))
    return False
