"""Counts the rolls of games that are over."""

from typing import Final

from bot.core.workers import Worker
from bot.dice.service import BATCH, DiceService

LONGEST_SLEEP: Final = 300.0


class DiceCounter(Worker):
    """Counts the rolls of finished games; a game's end wakes it."""

    def __init__(self, dice: DiceService) -> None:
        super().__init__(LONGEST_SLEEP)
        self._dice = dice

    def start(self) -> None:
        self._dice.subscribe(self.wake)
        super().start()

    async def run_once(self) -> float:
        return 0.0 if await self._dice.count_finished() == BATCH else LONGEST_SLEEP
