"""Holds a lock for each shard of this process, so that no two processes serve the same one.

PostgreSQL's advisory locks belong to a connection (``Link``). If a process dies, it loses them, and another one takes
them. If it no longer reaches PostgreSQL, it gives its shards up by itself. Then the others end its connection, since
PostgreSQL may take it for alive.
"""

import asyncio
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from typing import Any, Final

import structlog

from bot.core.processes.link import Link

FENCE: Final = 8.0
"""Seconds after the last answer of PostgreSQL when a process gives up its shards."""
STALE: Final = 15.0
"""Seconds without a question after which the others end the connection of a process: more than FENCE."""
PAUSE: Final = 0.5
"""Seconds between two attempts at a lock."""
RETAKES: Final = 6
"""Attempts at a lock that was lost with its connection: PostgreSQL may not have noticed the loss yet."""
SHARD_SHIFT: Final = 22
"""A server's shard is its id without these low bits, modulo the number of shards (Discord's documentation)."""
BASE: Final = 0x6162616B
"""The first part of the locks' names: "abak" in ASCII, and their kind."""
PRESENCE, SHARD, JOIN, REGISTRATION, COMMANDS = (BASE + kind for kind in range(5))
VIEW: Final = f"""
    SELECT classid::bigint AS kind, objid::bigint AS number, count(*) AS holders,
           bool_or(pid = pg_backend_pid()) AS mine,
           array_agg(pid) FILTER (WHERE state_change < clock_timestamp() - make_interval(secs => $1)) AS silent
    FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid IN ({PRESENCE}, {SHARD})
          AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    GROUP BY 1, 2
"""  # noqa: S608  only numbers of ours
OTHERS: Final = f"""
    SELECT pid FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = {COMMANDS} AND objid::bigint = $1
          AND pid <> pg_backend_pid() AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""  # noqa: S608  only numbers of ours

log = structlog.get_logger(__name__)


class Membership(ABC):
    """Takes and releases shards, out of ``shard_count``."""

    def __init__(self) -> None:
        self.shard_count = 1
        self.held: set[int] = set()
        self.processes = 1
        """How many processes share the shards, this one included."""
        self.free: set[int] = set()
        """The shards that nobody held at the last look."""

    @abstractmethod
    async def join(self, shard_count: int, *, fixed: bool) -> int:
        """Joins the other processes. Returns the number of shards: that of the others, unless it is ``fixed``.

        Waits as long as others use a number other than the fixed one.
        """

    @abstractmethod
    async def look(self) -> None:
        """Updates ``held``, ``processes`` and ``free``. Raises an exception if the database does not answer."""

    @abstractmethod
    async def take(self, shard: int) -> bool:
        """Takes a shard, unless another process holds it. Raises an exception if the database does not answer."""

    @abstractmethod
    async def release(self, shard: int) -> None:
        """Frees a shard for another process."""

    @abstractmethod
    async def leave(self) -> None:
        """Frees all shards for the other processes."""

    @abstractmethod
    def must_stop(self) -> bool:
        """Returns whether others may hold the same shards by now, because the database does not answer."""

    @abstractmethod
    def registering(self) -> AbstractAsyncContextManager[None]:
        """Lets one process at a time register the commands."""

    @abstractmethod
    async def answer_commands(self, digest: str) -> None:
        """Tells the others for as long as this process runs that it answers these commands."""

    @abstractmethod
    async def others_answer(self, digest: str) -> bool:
        """Returns whether another process answers these commands."""

    @property
    def share(self) -> int:
        """The most shards that a process takes, so that none is left over."""
        return -(-self.shard_count // max(1, self.processes))


class OnlyProcess(Membership):
    """Holds all shards: there is one process on SQLite."""

    async def join(self, shard_count: int, *, fixed: bool) -> int:
        del fixed
        self.shard_count, self.free = shard_count, set(range(shard_count))
        return shard_count

    async def look(self) -> None:
        self.free = set(range(self.shard_count)) - self.held

    async def take(self, shard: int) -> bool:
        self.held.add(shard)
        return True

    async def release(self, shard: int) -> None:
        self.held.discard(shard)

    async def leave(self) -> None:
        self.held.clear()

    def must_stop(self) -> bool:
        return False

    def registering(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def answer_commands(self, digest: str) -> None:
        pass

    async def others_answer(self, digest: str) -> bool:
        del digest
        return False


class SharedShards(Membership):
    """Shares the shards with the other processes on PostgreSQL.

    A lock of each process says that it is there, and with how many shards.
    """

    def __init__(self, link: Link, *, fence: float | None = None, stale: float | None = None) -> None:
        super().__init__()
        self._link = link
        self._stale = STALE if stale is None else stale
        self._fence = FENCE if fence is None else fence
        self._present = False
        self._answered: int | None = None
        """The number of the lock of the commands that this process answers."""
        link.on_open.append(self._lock_commands)

    async def join(self, shard_count: int, *, fixed: bool) -> int:
        told = False
        while True:
            async with self._locked(JOIN):
                counts = {row["number"] for row in await self._view() if row["kind"] == PRESENCE}
                if counts and not fixed:
                    shard_count = min(counts)
                if counts <= {shard_count}:
                    await self._link.fetch("SELECT pg_advisory_lock_shared($1, $2)", PRESENCE, shard_count)
                    self.shard_count, self._present = shard_count, True
                    return shard_count
            if not told:
                log.warning("other_number_of_shards", own=shard_count, others=sorted(counts))
                told = True
            await asyncio.sleep(PAUSE)

    async def look(self) -> None:
        rows = await self._view()
        if not any(row["mine"] for row in rows if row["kind"] == PRESENCE):
            await self._return()
            rows = await self._view()
        taken = {row["number"] for row in rows if row["kind"] == SHARD}
        self.held &= {row["number"] for row in rows if row["kind"] == SHARD and row["mine"]}
        self.free = set(range(self.shard_count)) - taken
        self.processes = sum(row["holders"] for row in rows if row["kind"] == PRESENCE)

    async def _view(self) -> list[Any]:
        """Returns all locks of all processes. Ends the connections of processes that are cut off."""
        rows = await self._link.fetch(VIEW, self._stale)
        if stale := {pid for row in rows for pid in row["silent"] or ()}:
            log.warning("dead_connections_ended", number=len(stale))
            await self._link.fetch("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid", list(stale))
        return rows

    async def _return(self) -> None:
        """Takes the locks again that were lost with the connection."""
        if not self._present:
            return
        await self._link.fetch("SELECT pg_advisory_lock_shared($1, $2)", PRESENCE, self.shard_count)
        for shard in sorted(self.held):
            for _ in range(RETAKES):
                if await self.take(shard):
                    break
                await asyncio.sleep(PAUSE / 5)

    async def take(self, shard: int) -> bool:
        (row,) = await self._link.fetch("SELECT pg_try_advisory_lock($1, $2) AS taken", SHARD, shard)
        if row["taken"]:
            self.held.add(shard)
        return bool(row["taken"])

    async def release(self, shard: int) -> None:
        self.held.discard(shard)
        await self._link.fetch("SELECT pg_advisory_unlock($1, $2)", SHARD, shard)

    async def leave(self) -> None:
        self.held.clear()
        self._present, self._answered = False, None
        await self._link.fetch("SELECT pg_advisory_unlock_all()")

    def must_stop(self) -> bool:
        """Returns False for an only process: it goes on, and players read that something went wrong."""
        return self.processes > 1 and time.monotonic() - self._link.answered_at > self._fence

    def registering(self) -> AbstractAsyncContextManager[None]:
        return self._locked(REGISTRATION)

    async def answer_commands(self, digest: str) -> None:
        if self._answered is None:
            self._answered = _name(digest)
            await self._link.fetch(f"SELECT pg_advisory_lock_shared({COMMANDS}, $1)", self._answered)

    async def _lock_commands(self, connection: Any) -> None:
        """Takes the lock of the commands again, which is lost with its connection."""
        if self._answered is not None:
            await connection.execute(f"SELECT pg_advisory_lock_shared({COMMANDS}, $1)", self._answered)

    async def others_answer(self, digest: str) -> bool:
        return bool(await self._link.fetch(OTHERS, _name(digest)))

    @asynccontextmanager
    async def _locked(self, name: int) -> AsyncIterator[None]:
        """Holds a lock that one process has at a time."""
        while True:
            (row,) = await self._link.fetch("SELECT pg_try_advisory_lock($1, 0) AS taken", name)
            if row["taken"]:
                break
            await asyncio.sleep(PAUSE)
        try:
            yield
        finally:
            with suppress(Exception):  # the lock is lost with its connection
                await self._link.fetch("SELECT pg_advisory_unlock($1, 0)", name)


def _name(digest: str) -> int:
    """Returns the second part of a lock's name. PostgreSQL takes 31 bits and a sign."""
    return zlib.crc32(digest.encode()) >> 1
