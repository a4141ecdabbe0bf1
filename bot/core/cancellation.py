"""Work that a cancellation does not break off."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

import structlog

log = structlog.get_logger(__name__)


async def to_its_end(work: Awaitable[Any]) -> None:
    """Does the work even if the one who waits is cancelled, and lets go only then.

    A transaction that is broken off half way can keep SQLite's write lock, and everybody else waiting for it; and of
    one that is broken off at its end nobody knows whether it was committed.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):  # however often that is
                await asyncio.wait({task})
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("failed_after_cancellation", error=repr(error))
        raise
