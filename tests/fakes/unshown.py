"""Finds games with something that their players have not been shown, however often that has failed."""

from bot.board.delivery.repository import BoardRepository
from bot.core.storage.database import Database

ANY_TIME = 2**62


async def unshown(database: Database) -> list[str]:
    """Returns the ids of the boards that are not shown, the longest waiting first."""
    return [waiting.game_id for waiting in await BoardRepository(database).due(ANY_TIME, 10_000)]
