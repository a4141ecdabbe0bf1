"""Counts the moves of finished games, some time after their end."""

from typing import Final

from bot.core.workers import Worker
from bot.explorer.service import BATCH, ExplorerService
from bot.games.live import LiveGame
from bot.games.service import GameService

LONGEST_SLEEP: Final = 60.0


class MoveCounter(Worker):
    """Wakes when a game of this process ends, and once a minute for games that a stopped process has left."""

    def __init__(self, explorer: ExplorerService, games: GameService) -> None:
        super().__init__(LONGEST_SLEEP)
        self._explorer = explorer
        self._games = games

    def start(self) -> None:
        self._games.subscribe(self._after)
        super().start()

    async def run_once(self) -> float:
        while not self.stopping and await self._explorer.count_some() == BATCH:
            pass
        return LONGEST_SLEEP

    def _after(self, live: LiveGame) -> None:
        if live.is_over:
            self.wake()
