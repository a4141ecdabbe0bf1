"""Deletes analysis boards that are no longer used."""

from typing import Final

from bot.core.workers import Worker
from bot.exchange.service import ExchangeService

PAUSE: Final = 3_600.0
"""Seconds between two runs."""


class AnalysisCleaner(Worker):
    """Deletes boards in batches. If more may be left, the next batch follows at once."""

    def __init__(self, exchange: ExchangeService) -> None:
        super().__init__(PAUSE)
        self._exchange = exchange

    async def run_once(self) -> float:
        return 0.0 if await self._exchange.delete_old() else PAUSE
