"""The use cases of dice: the proof of a game's rolls, and the statistics of a player's rolls over all games."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.faults.damage import DAMAGED
from bot.dice.repository import Counts, DiceRepository
from bot.dice.statistics import Sample
from bot.dice.tables import OPPONENTS, OWN
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.games.repository import GameRepository
from bot.games.stored import StoredGame
from engine.core.rolls import Roll, Verification, rolls_by_seat
from engine.kits.dice import ROLL_TEXTS
from engine.registry import find

BATCH: Final = 50
"""The number of games that are counted in one run."""

log = structlog.get_logger()


class DiceService(GameHook):
    """Counts the rolls of each game after its end. A finished game is queued in the transaction of its end."""

    def __init__(self, repository: DiceRepository, games: GameRepository) -> None:
        self._repository = repository
        self._games = games
        self._listeners: list[Callable[[], None]] = []

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Calls ``listener`` whenever a game is over."""
        self._listeners.append(listener)

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        if after.is_over and after.record.header.commitment and (before is None or not before.is_over):
            await self._repository.enqueue(connection, after.id)

    def committed(self, live: LiveGame) -> None:
        if live.is_over:
            for listener in self._listeners:
                listener()

    async def count_finished(self) -> int:
        """Counts the rolls of some finished games. Returns the number of games."""
        found = await self._repository.uncounted(BATCH)
        for game_id in found:
            stored = None
            try:
                stored = await self._games.load(game_id)
                counts = {} if stored is None else await asyncio.to_thread(counts_of, stored)
            except DAMAGED as error:  # the game is left out
                log.warning("dice_not_counted", game=game_id, error=str(error))
                counts = {}
            await self._repository.count(game_id, counts, None if stored is None else stored.players)
        return len(found)

    async def count_all(self) -> None:
        """Counts the rolls of every queued game."""
        while await self.count_finished():
            pass

    async def recount(self) -> int:
        """Counts the rolls of all finished games again. Returns the number of games."""
        games = await self._repository.forget_all()
        await self.count_all()
        return games

    async def statistics(self, user_id: int) -> tuple[Sample, Sample]:
        """Returns the user's own rolls in all finished games, and those of the opponents in the same games."""
        own, opponents = await self._repository.of(user_id)
        return Sample(own), Sample(opponents)

    async def proof(self, live: LiveGame) -> Sequence[Roll]:
        """Returns every roll of a game, verified. Raises CorruptRecord if one does not hold."""
        return await asyncio.to_thread(lambda: list(Verification(live.game, live.record).rolls()))


def counts_of(stored: StoredGame) -> Counts:
    """Returns the rolls of a game by user, side and roll. Raises CorruptRecord."""
    header = stored.record.header
    found: Counter[tuple[int, int, str]] = Counter()
    for seat, roll in rolls_by_seat(find(header.game, header.version), stored.record):
        if roll in ROLL_TEXTS:
            found[stored.players[seat], OWN, roll] += 1
            found[stored.players[1 - seat], OPPONENTS, roll] += 1
    return found
