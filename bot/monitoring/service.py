"""Updates the gauges of pending work in the database on request, seldom enough to cost little."""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import Final

import structlog
from prometheus_client import Gauge

from bot.clocks.heartbeats.service import HeartbeatService, Outage
from bot.core.metrics import definitions as metrics
from bot.core.services import Services
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.monitoring.repository import MonitoringRepository, Waiting
from engine.registry import GAMES

PATIENCE: Final = 3.0
"""Seconds for which a page of metrics waits for the database. A slower database counts as down."""
CACHED: Final = 10.0
"""Seconds for which the figures of the database are cached."""
SHARE: Final = 50
"""The caching time as a multiple of the queries' time, so that queries take at most this part of the time."""

FIGURES: Final[tuple[tuple[Gauge, Callable[[Waiting], float]], ...]] = (
    (metrics.DEADLINES_DUE, lambda now: now.deadlines_due),
    (metrics.DEADLINES_LATE, lambda now: now.deadlines_late),
    (metrics.DEADLINE_LATENESS, lambda now: now.deadline_age / 1000),
    (metrics.BOARDS_WAITING.labels("due"), lambda now: now.boards_due),
    (metrics.BOARDS_WAITING.labels("delayed"), lambda now: now.boards_delayed),
    (metrics.BOARD_AGE, lambda now: now.board_age / 1000),
    (metrics.OLD_BOARDS.labels("due"), lambda now: now.old_boards_due),
    (metrics.OLD_BOARDS.labels("delayed"), lambda now: now.old_boards_delayed),
    (metrics.OUTBOX.labels("due"), lambda now: now.outbox_due),
    (metrics.OUTBOX.labels("delayed"), lambda now: now.outbox_delayed),
    (metrics.OUTBOX_AGE, lambda now: now.outbox_age / 1000),
)
"""The gauges of the database, each with its figure."""

log = structlog.get_logger(__name__)


class MonitoringService:
    """Counts events of other features, and reads the other figures from the database."""

    def __init__(self, store: MonitoringRepository, services: Services) -> None:
        self._store = store
        self._now = services.now
        self._heartbeats = services[HeartbeatService]
        self._query: asyncio.Task[None] | None = None
        self._again_at = 0.0
        services[GameService].subscribe(_count_commit)
        self._heartbeats.subscribe(_count_absences)

    async def refresh(self) -> None:
        """Updates all gauges. Waits at most PATIENCE for the database, and sends no second query while one hangs."""
        used, most = self._store.connections()
        metrics.DATABASE_CONNECTIONS.labels("used").set(used)
        metrics.DATABASE_CONNECTIONS.labels("most").set(most)
        metrics.HEARTBEAT_AGE.clear()
        for shard, age in self._heartbeats.ages().items():
            metrics.HEARTBEAT_AGE.labels(str(shard)).set(age / 1000)
        if self._query is None and time.monotonic() >= self._again_at:
            self._query = asyncio.create_task(self._ask())
        if self._query is not None:
            done, _ = await asyncio.wait({self._query}, timeout=PATIENCE)
            if not done:
                _show(None)

    def forget(self) -> None:
        """Invalidates the figures of the database, so that the next page reads them again."""
        self._again_at = 0.0

    async def close(self) -> None:
        if self._query is not None:
            self._query.cancel()
            await asyncio.gather(self._query, return_exceptions=True)

    async def _ask(self) -> None:
        begun = time.monotonic()
        try:
            _show(await self._store.waiting(self._now()))
        except Exception as error:  # noqa: BLE001  whatever it is, the page says that there are no figures
            log.warning("no_figures_of_the_database", error=repr(error))
            _show(None)
        finally:
            ended = time.monotonic()
            self._again_at = ended + max(CACHED, SHARE * (ended - begun))
            self._query = None


def _show(waiting: Waiting | None) -> None:
    """Sets the gauges of the database. Without figures they are NaN, so that old values do not look current."""
    metrics.DATABASE_UP.set(waiting is not None)
    for game in GAMES:
        metrics.GAMES_RUNNING.labels(game).set(math.nan if waiting is None else waiting.running.get(game, 0))
    for gauge, figure in FIGURES:
        gauge.set(math.nan if waiting is None else figure(waiting))


def _count_commit(live: LiveGame) -> None:
    metrics.GAME_COMMITS.labels(live.record.header.game).inc()


def _count_absences(outages: Sequence[Outage]) -> None:
    for outage in outages:
        metrics.ABSENCES.inc()
        metrics.ABSENCE_SECONDS.inc((outage.until - outage.since) / 1000)
