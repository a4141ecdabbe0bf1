"""Who takes part whenever a game goes on: time off, notices, conditional plays."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.services.seated import Seated
from engine.core.record import Entry


class Companion:
    """Called by ``Tables`` with the game's lock held. Each does nothing unless it is overridden."""

    async def entries(self, seated: Seated, at: int) -> Sequence[Entry]:
        """What the record lacks up to ``at`` (ms since the game's start), to be appended before anything else."""
        del seated, at
        return ()

    async def reply(self, seated: Seated) -> str | None:
        """The turn that the player to act has laid down for this very position, in the game's notation."""
        del seated
        return None

    async def written(self, connection: AsyncConnection, before: Seated | None, after: Seated) -> None:
        """Writes what belongs to the change, in its transaction. ``before`` is None when the game begins."""
        del connection, before, after


Companions = Sequence[Companion]
__all__ = ["Any", "Companion", "Companions"]
