"""Which games have something that their players have not been shown, however often that has failed."""

from bot.store.boards import BoardStore
from bot.store.db import Database

ANY_TIME = 2**62


async def unshown(database: Database) -> list[str]:
    """Their ids, the longest waiting first."""
    return await BoardStore(database).due(ANY_TIME)
