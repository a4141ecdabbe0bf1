"""Finds out whether a bot runs on the database, which some commands must not change under it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from bot.settings import Settings

RUNS: Final = "A bot runs on the database of DATABASE_URL. Nothing was changed. Stop it, then try again."
LOOKS: Final = "Looking for some seconds whether a bot runs on the database."


@asynccontextmanager
async def while_stopped(settings: "Settings", *, looks: bool = True) -> AsyncIterator[None]:
    """Raises NotPossible if a bot runs on the database. Keeps others off an SQLite file until the block ends.

    A bot holds a lock as long as it runs. It may have lost that of PostgreSQL for a moment, so this ``looks`` for its
    heartbeats, too.
    """
    from bot.core.processes.only_process import AlreadyRunning, only_process
    from bot.core.storage.backups import NotPossible

    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(only_process(settings.database_url))
        except AlreadyRunning:
            raise NotPossible(RUNS) from None
        if await _holds_locks(settings.database_url) or (looks and await _beats(settings)):
            raise NotPossible(RUNS)
        yield


async def _holds_locks(url: str) -> bool:
    """Returns whether a process on PostgreSQL holds the lock that says it is there."""
    from sqlalchemy.engine import make_url

    from bot.core.processes.link import Link
    from bot.core.processes.membership import SharedShards

    if make_url(url).get_backend_name() == "sqlite":
        return False
    link = Link(url)
    try:
        membership = SharedShards(link)
        await membership.look()
        return membership.processes > 0
    finally:
        await link.close()


async def _beats(settings: "Settings") -> bool:
    from bot.app import assemble, system_sources
    from bot.clocks.heartbeats.service import HeartbeatService
    from bot.core.storage.database import Database

    async with Database(settings.database_url) as database:
        service = assemble(database, system_sources(), settings)[HeartbeatService]
        if not await service.has_lately_beaten():
            return False
        click.echo(LOOKS)
        return await service.beats()
