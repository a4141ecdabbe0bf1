"""Ids and timestamps as Discord writes them."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

EPOCH = 1_420_070_400_000
"""The start of Discord's time, 2015-01-01, in milliseconds since 1970."""


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


class Snowflakes:
    """Makes unique ids that grow with the clock. ``now`` returns milliseconds since 1970."""

    def __init__(self, last: int = 0, now: Callable[[], int] = _milliseconds) -> None:
        self.last = last
        self.now = now

    def __call__(self) -> int:
        self.last = max(self.last + 1, (self.now() - EPOCH) << 22)
        return self.last

    def guild(self) -> int:
        """Returns an id in a clock tick of its own, so that guilds made together spread over shards."""
        self.last = max(((self.last >> 22) + 1) << 22, (self.now() - EPOCH) << 22)
        return self.last


def timestamp(at: float | None = None) -> str:
    """Formats the moment `at` (Unix seconds; now, if None) as Discord's ISO 8601 text."""
    moment = datetime.now(UTC) if at is None else datetime.fromtimestamp(at, UTC)
    return moment.isoformat(timespec="microseconds")
