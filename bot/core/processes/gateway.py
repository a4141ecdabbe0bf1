"""Connects one shard to Discord's gateway, and again after the connection has died, even without a word.

discord.py's own shards (``discord.shard.Shard``) come and go all together, reconnect one after the other, and notice a
silent connection only after a minute. The protocol is discord.py's (``DiscordWebSocket``).
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.core.storage.faults.start_errors import reason

BEAT: Final = 3.0
"""Seconds of silence after which a shard asks Discord for a sign of life."""
BEATS: Final = 3
"""How many times BEAT a silent connection is taken for alive."""
BEATS_TO_READY: Final = 20
"""How many times BEAT a connection may take from being open until Discord says that the session stands."""
CONNECT: Final = 15.0
CLOSE: Final = 1.5
"""Seconds to close a connection in good order."""
LONGEST_PAUSE: Final = 30.0
RESUMES: Final = 4
"""How many connections in a row may fail until the session is given up for a new one."""
NAMED: Final = 3
"""After every so many failures in a row, the log says what is tried, and that it is tried again."""
FATAL: Final = frozenset({4004, 4010, 4011, 4012, 4013, 4014})
"""Discord's close codes that make another attempt useless."""
FAILURES: Final = (OSError, TimeoutError, aiohttp.ClientError, discord.DiscordException)

_opening: ContextVar["GatewayShard"] = ContextVar("shard")

log = structlog.get_logger(__name__)


class ShardSocket(DiscordWebSocket):
    """Tells its shard of itself as soon as it is open, so that it can be closed before it is set up.

    Goes on after an event that cannot be read: after a resumption it would come again.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(socket, loop=loop)
        _opening.get().opened(self)

    async def received_message(self, msg: Any, /) -> None:
        try:
            await super().received_message(msg)
        except (ReconnectWebSocket, *FAILURES):
            raise
        except Exception:
            log.exception("event_not_read", shard=self.shard_id)


class GatewayShard:
    """``turn`` waits until a shard may identify. ``id`` and ``ws`` are named as ``discord.ShardInfo`` wants them."""

    def __init__(
        self,
        client: discord.Client,
        number: int,
        turn: Callable[[int], Awaitable[None]],
    ) -> None:
        self.id = number
        self.ws: Any = None
        self.ready = False
        """Whether the session stands."""
        self._client = client
        self._turn = turn
        self._beat = BEAT
        self._resumes = False
        self._failures = 0
        self._received = 0
        self._closing: set[asyncio.Task[None]] = set()
        self._sockets: list[DiscordWebSocket] = []

    @property
    def is_open(self) -> bool:
        return self.ready and self.ws is not None and self.ws.open

    def heard(self) -> None:
        """Notes that Discord has begun the session."""
        self.ready, self._failures = True, 0

    def forget_servers(self) -> None:
        """Forgets the shard's servers: the next session names them, and discord.py would keep the old ones for ever."""
        for guild in [guild for guild in self._client.guilds if guild.shard_id == self.id]:
            self._client._connection._remove_guild(guild)  # noqa: SLF001  discord.py has no public way

    def opened(self, socket: DiscordWebSocket) -> None:
        self._sockets.append(socket)

    async def run(self) -> None:
        """Keeps the shard connected until it is cancelled. Raises discord.ConnectionClosed if Discord refuses it."""
        try:
            while True:
                try:
                    await self._connect()
                    await self._listen()
                except ReconnectWebSocket as ended:
                    self._resumes = ended.resume
                    log.info("shard_reconnects", shard=self.id, resumes=ended.resume)
                except FAILURES as error:
                    if isinstance(error, discord.ConnectionClosed) and error.code in FATAL:
                        raise
                    log.warning(
                        "shard_connection_failed", shard=self.id, error=type(error).__name__, cause=reason(error)
                    )
                    self._name_failures(error)
                except Exception:  # such as a database that does not give a turn
                    log.warning("shard_connection_failed", shard=self.id, exc_info=True)
                self._abandon(4000)
                self.ready = False
                await asyncio.sleep(self._pause())
        finally:
            self.ready = False
            self._abandon(1000)
            if self._closing:
                await asyncio.wait(self._closing)

    def _name_failures(self, error: BaseException) -> None:
        attempts = self._failures + 1
        if attempts % NAMED == 0:
            address = str((self._resumes and self.ws and self.ws.gateway) or DiscordWebSocket.DEFAULT_GATEWAY)
            log.warning(
                "gateway_not_reached",
                shard=self.id,
                gateway=address,
                attempts=attempts,
                cause=reason(error),
                next="The bot tries again until it is connected or stopped.",
            )

    def _pause(self) -> float:
        """Returns the seconds until the next attempt: 0 after the first failure."""
        self._failures += 1
        if self._failures % RESUMES == 0:
            self._resumes = False
        longest = min(LONGEST_PAUSE, 2.0 ** (self._failures - 2))
        return 0.0 if self._failures == 1 else random.uniform(longest / 2, longest)  # noqa: S311  no secret

    async def _connect(self) -> None:
        before = self.ws if self._resumes and self.ws is not None and self.ws.session_id else None
        if before is None:
            await self._turn(self.id)
            self.forget_servers()
        _opening.set(self)
        async with asyncio.timeout(CONNECT):
            self.ws = await ShardSocket.from_client(
                self._client,
                initial=True,  # discord.py has no turns to wait for
                shard_id=self.id,
                gateway=before and before.gateway,
                session=before and before.session_id,
                sequence=before and before.sequence,
                resume=before is not None,
            )
        self._resumes = True

    async def _listen(self) -> None:
        """Receives events until the connection ends. Raises TimeoutError if it stays silent."""
        receiving = asyncio.create_task(self._receive())
        try:
            silent = waited = 0
            while True:
                heard = self._received
                await asyncio.wait({receiving}, timeout=self._beat)
                if receiving.done():
                    receiving.result()
                silent = silent + 1 if heard == self._received else 0
                if silent >= BEATS:  # it counts beats, not time: a suspended process has heard nothing either
                    raise TimeoutError("the gateway is silent")
                waited = 0 if self.ready else waited + 1
                if waited >= BEATS_TO_READY:
                    raise TimeoutError("the gateway does not begin")
                if silent:
                    await self._ask()
        except asyncio.CancelledError:
            await self._say_goodbye(receiving)
            raise
        finally:
            receiving.cancel()
            await asyncio.wait({receiving})

    async def _say_goodbye(self, receiving: asyncio.Task[None]) -> None:
        """Tells Discord that the connection ends, and receives until Discord has heard of it.

        A close at once would throw the last events away, and nobody would answer them.
        """
        with suppress(Exception):
            async with asyncio.timeout(CLOSE):
                await self.ws.socket._writer.close(1000)  # noqa: SLF001  aiohttp's own close reads no further
                await asyncio.wait({receiving})
        if receiving.done() and not receiving.cancelled():
            receiving.exception()  # the end of the connection, as it should be

    async def _receive(self) -> None:
        while True:
            await self.ws.poll_event()
            self._received += 1

    async def _ask(self) -> None:
        """Sends a heartbeat, which Discord answers."""
        keeper = self.ws._keep_alive  # noqa: SLF001  discord.py has no public way
        if keeper is not None:
            with suppress(*FAILURES):
                async with asyncio.timeout(self._beat / 2):
                    await self.ws.send_heartbeat(keeper.beat())

    def _abandon(self, code: int) -> None:
        """Closes every open socket in the background."""
        for socket in self._sockets:
            task = asyncio.create_task(_close(socket, code))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        self._sockets.clear()


async def _close(socket: DiscordWebSocket, code: int) -> None:
    with suppress(Exception):
        async with asyncio.timeout(CLOSE):
            await socket.close(code)
    socket.socket._response.close()  # noqa: SLF001  a dead connection takes no farewell
