"""Announces the next tournament of each series, when the last one has ended or when it is time."""

from typing import Final

from bot.core.workers import Worker
from bot.tournaments.series.service import SeriesService

LONGEST_SLEEP: Final = 60.0


class SeriesWorker(Worker):
    """A loop, woken by changes of tournaments. Failures are tried again after LONGEST_SLEEP seconds."""

    def __init__(self, series: SeriesService) -> None:
        super().__init__(LONGEST_SLEEP)
        self._series = series
        series.tournaments.subscribe(lambda _: self.wake())

    async def run_once(self) -> float:
        series = self._series
        now = series.now()
        await series.announce_due()
        following = await series.repository.next_due(now)
        return LONGEST_SLEEP if following is None else (following - series.now()) / 1000
