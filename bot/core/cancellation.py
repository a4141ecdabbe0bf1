"""Work that runs to its end even when it is cancelled."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

import structlog

T = TypeVar("T")

log = structlog.get_logger(__name__)


async def finish_despite_cancellation(work: Awaitable[T]) -> T:
    """Waits until the work is done, and returns its result.

    If the caller is cancelled, the work still finishes; then CancelledError is raised. Otherwise an interrupted
    transaction could keep SQLite's write lock, for which all others wait, and after an interrupted commit nobody would
    know whether it happened.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):  # the caller may be cancelled more than once
                await asyncio.wait({task})
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("failed_after_cancellation", error=repr(error))
        raise
