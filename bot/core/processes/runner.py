"""Connects the shards of this process. Takes shards when a process dies, and gives some when one comes."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import discord
import structlog

from bot.core.processes.gateway import GatewayShard
from bot.core.processes.identifying import IdentifyTurns
from bot.core.processes.membership import SHARD_SHIFT, Membership
from bot.core.storage.faults.start_errors import reason

POLL: Final = 1.0
"""Seconds between two looks at who holds which shard."""
ALONE: Final = 6.0
"""Seconds until an only process identifies without the database."""
OVERDUE: Final = 10.0
"""Seconds after which any process takes a free shard, even beyond a fair share."""
STOPPING: Final = 3.0
"""Seconds to disconnect when the bot stops."""
LEAVING: Final = 1.5
"""Seconds to tell the other processes of it."""
CONNECTED, CONNECTING = "connected", "connecting"

log = structlog.get_logger(__name__)


class ShardRunner:
    """``wanted``: the number of shards; None for Discord's advice."""

    def __init__(
        self, client: discord.AutoShardedClient, membership: Membership, turns: IdentifyTurns, wanted: int | None
    ) -> None:
        self._client = client
        self.membership = membership
        self._turns = turns
        self._wanted = wanted
        self._buckets = 1
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self.shards: dict[int, GatewayShard] = {}
        """The shards that this process serves, connected or not."""
        self.joined = False
        self.process_left = asyncio.Event()
        """Set when there are fewer processes than at the last look."""
        self._most_processes = 1
        self._free_since: dict[int, float] = {}
        self._stopped = False
        self._away = False
        """Whether it is logged that the database is away."""
        self._wake = asyncio.Event()

    # --- its state -----------------------------------------------------------------------------------------------

    @property
    def is_spare(self) -> bool:
        """Whether other processes hold all shards, and this one waits for one of them to die."""
        return self.joined and not self.shards

    def states(self) -> Mapping[str, str]:
        return {
            str(number): CONNECTED if shard.is_open else CONNECTING for number, shard in sorted(self.shards.items())
        }

    @property
    def is_cut_off(self) -> bool:
        """Whether the database did not answer at the last look: another process may hold these shards by now."""
        return self.joined and self._away

    def answered_elsewhere(self) -> None:
        """Notices another process by its answer to the same interaction, if this one is cut off."""
        if self.is_cut_off and self.membership.processes == 1:
            log.warning("another_process_answers")
            self.membership.processes = 2  # so that it gives its shards up, as it would among several
            self._wake.set()

    def heard(self, number: int) -> None:
        """Notes that Discord has begun the session of a shard."""
        if number in self.shards:
            self.shards[number].heard()
            self._wake.set()

    def serves(self, guild_id: int) -> bool:
        """Returns whether this process serves the shard of a server, and has heard of its servers."""
        shard = self.shards.get((guild_id >> SHARD_SHIFT) % self.membership.shard_count)
        return shard is not None and shard.ready

    # --- running -------------------------------------------------------------------------------------------------

    async def run(self, on_ready: Callable[[], object]) -> None:
        """Serves shards until it is cancelled. Calls ``on_ready`` with the first connected shard, or as a spare.

        Raises discord.GatewayNotFound if Discord does not answer, discord.ConnectionClosed if it refuses a shard.
        """
        try:
            await self._join()
            while not self._stopped:
                await self._look()
                if self.is_spare or any(shard.ready for shard in self.shards.values()):
                    on_ready()
                await self._sleep()
        finally:
            await self.stop()

    async def _join(self) -> None:
        advised, _, limits = await self._client.http.get_bot_gateway()
        self._buckets = limits["max_concurrency"]
        while not self.joined:
            try:
                count = await self.membership.join(self._wanted or advised, fixed=self._wanted is not None)
            except Exception as error:  # noqa: BLE001  the database is away for a moment
                self._warn(error)
                await asyncio.sleep(POLL)
            else:
                self.joined, self._away = True, False
                self._client.shard_count = self._client._connection.shard_count = count  # noqa: SLF001  discord.py sets it only in ``connect``

    async def _sleep(self) -> None:
        """Waits for the next look. Raises the error that has ended a shard."""
        waking = asyncio.create_task(self._wake.wait())
        done, _ = await asyncio.wait({waking, *self._tasks.values()}, timeout=POLL, return_when=asyncio.FIRST_COMPLETED)
        waking.cancel()
        self._wake.clear()
        for task in done - {waking}:
            if not task.cancelled():
                task.result()

    async def _look(self) -> None:
        """Takes and gives shards as the other processes come and go."""
        try:
            await self.membership.look()
            for number in self.shards.keys() - self.membership.held:
                await self._end(number, "lost")
            await self._share()
            await self._take()
            self._away = False
        except Exception as error:  # noqa: BLE001  any error of the driver; the next look tries again
            self._warn(error)
            if self.membership.must_stop():
                await asyncio.gather(*(self._end(number, "database_away") for number in self.shards))
        self._start()

    def _warn(self, error: Exception) -> None:
        if not self._away:
            log.warning("shards_not_looked_at", error=reason(error))
        self._away = True

    async def _share(self) -> None:
        """Gives shards beyond a fair share away, once for each process that comes."""
        processes = self.membership.processes
        comes, leaves = processes > self._most_processes, processes < self._most_processes
        self._most_processes = processes
        if leaves:
            self.process_left.set()
        while comes and len(self.membership.held) > self.membership.share:
            number = max(self.membership.held)
            await self._end(number, "shared")
            await self.membership.release(number)

    async def _take(self) -> None:
        now, membership = time.monotonic(), self.membership
        self._free_since = {number: self._free_since.get(number, now) for number in membership.free}
        for number, since in self._free_since.items():
            if len(membership.held) < membership.share or now - since > OVERDUE:
                await membership.take(number)

    def _start(self) -> None:
        for number in sorted(self.membership.held - self.shards.keys()):
            if self._stopped or self.membership.must_stop():
                return
            log.info("shard_taken", shard=number, shards=self.membership.shard_count)
            self.shards[number] = GatewayShard(self._client, number, self._turn)
            self._tasks[number] = asyncio.create_task(self.shards[number].run())

    async def _turn(self, number: int) -> None:
        try:
            await self._turns.take(number % self._buckets)
        except Exception:
            if self.membership.processes > 1:
                raise
            await asyncio.sleep(ALONE)  # nobody else identifies, and players are to hear that the database is away

    async def _end(self, number: int, reason: str) -> None:
        """Disconnects a shard and forgets its servers."""
        log.info("shard_given_up", shard=number, reason=reason)
        task = self._tasks.pop(number)
        task.cancel()
        await asyncio.wait({task}, timeout=STOPPING)
        if (shard := self.shards.pop(number, None)) is not None:
            shard.forget_servers()

    async def stop(self) -> None:
        """Disconnects all shards and frees them for others at once."""
        self._stopped = True
        self._wake.set()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=STOPPING)
        with suppress(Exception):  # then the end of the connection frees them
            async with asyncio.timeout(LEAVING):
                await self.membership.leave()
