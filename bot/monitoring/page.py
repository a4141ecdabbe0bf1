"""Metrics of the running process: its shards, its queues of pictures, and the delay of its event loop."""

import asyncio
import contextlib
import math
import platform
import time
from importlib import metadata
from typing import Any, Final

import discord

from bot.core import render_queue
from bot.core.metrics import definitions as metrics
from bot.monitoring.service import MonitoringService

INTERVAL: Final = 0.25
"""Seconds between two measurements of the event loop."""


class Monitoring:
    """The page of metrics, and the task that measures the event loop. ``client`` is the Discord client."""

    def __init__(self, client: discord.Client, service: MonitoringService) -> None:
        self._client = client
        self.service = service
        self._task: asyncio.Task[None] | None = None
        metrics.BUILD.info(
            {
                "version": metadata.version("abakbot"),
                "python": platform.python_version(),
                "discord_py": discord.__version__,
            }
        )

    def start(self) -> None:
        self._task = asyncio.create_task(_watch_loop())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.service.close()

    async def page(self) -> bytes:
        """Returns all metrics in Prometheus' text format, within seconds even if the database does not answer."""
        self._show_shards()
        for name, queue in (("pictures", render_queue.pictures), ("films", render_queue.films)):
            metrics.RENDER_QUEUE.labels(name).set(queue.waiting)
        await self.service.refresh()
        return metrics.page()

    def _show_shards(self) -> None:
        runner: Any = getattr(self._client, "runner", None)  # a client without sharding has none
        metrics.SHARD_UP.clear()
        metrics.SHARD_LATENCY.clear()
        for number, shard in ({} if runner is None else runner.shards).items():
            metrics.SHARD_UP.labels(str(number)).set(shard.is_open)
            metrics.SHARD_LATENCY.labels(str(number)).set(shard.ws.latency if shard.is_open else math.nan)
        metrics.SHARDS.set(self._client.shard_count or 1)
        metrics.SERVERS.set(len(self._client.guilds))


async def _watch_loop() -> None:
    while True:
        due = time.perf_counter() + INTERVAL
        await asyncio.sleep(INTERVAL)
        metrics.LOOP_LAG.observe(max(0.0, time.perf_counter() - due))
