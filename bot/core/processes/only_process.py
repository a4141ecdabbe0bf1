"""Lets one process at a time run on an SQLite file: two would tell the players everything twice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from sqlalchemy.engine import make_url

from bot.core.storage.migrate import file_lock

PATIENCE: Final = 2.0
"""Seconds to wait for a process that is just ending."""


class AlreadyRunning(Exception):
    """Raised if another process runs on the same file; nothing was changed."""


@asynccontextmanager
async def only_process(url: str) -> AsyncIterator[None]:
    """Keeps other processes off an SQLite file until the block ends, or this process. PostgreSQL serves several.

    Raises AlreadyRunning if another one is there.
    """
    database = make_url(url)
    async with AsyncExitStack() as stack:
        if database.get_backend_name() == "sqlite":
            path = await asyncio.to_thread(Path(str(database.database)).resolve)  # a link to the file is the file
            await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
            try:
                async with asyncio.timeout(PATIENCE):
                    await stack.enter_async_context(file_lock(Path(f"{path}.run")))
            except TimeoutError:
                raise AlreadyRunning(
                    f"The bot runs already on {path}. Stop that process first, or give each its own DATABASE_URL."
                    " Several processes can share a PostgreSQL database."
                ) from None
        yield
