"""Forgets Discord's rate limits that are over. discord.py keeps one for each channel and kind of request.

It keeps each for five minutes, 1 kB in size, and looks through all of them whenever it makes a new one.
"""

from typing import Any, Final

from discord.http import HTTPClient, Ratelimit

IDLE: Final = 10.0
"""The seconds without a request after which a limit that is over is forgotten. Most of Discord's last at most five."""


def forget_limits(http: HTTPClient, now: float) -> int:
    """Forgets the limits that are over and have no waiting request. Returns their number. ``now``: the loop's time.

    The next request of that kind begins with a new limit, as after a start.
    """
    known: dict[str, Any] = http._buckets  # noqa: SLF001  discord.py has no other way
    idle = [key for key, limit in known.items() if _is_over(limit, now)]
    for key in idle:
        del known[key]
    return len(idle)


def _is_over(limit: Ratelimit, now: float) -> bool:
    waits = limit.outgoing or limit._pending_requests  # noqa: SLF001  likewise
    rests = now - limit._last_request >= IDLE  # noqa: SLF001  likewise
    return rests and not waits and (limit.expires is None or limit.expires <= now)
