"""The page of metrics as Prometheus reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.parser import text_string_to_metric_families

from bot.monitoring.page import Monitoring

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.core.client import AbakBot

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read(page: str) -> Samples:
    """Returns the samples of a page by their names and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


async def scrape(bot: AbakBot) -> Samples:
    """Returns the bot's metrics, freshly read from the database."""
    monitoring = bot.service(Monitoring)
    monitoring.service.forget()
    return read((await monitoring.page()).decode())


def value(samples: Samples, metric: str, /, **labels: str) -> float:
    """Returns the sum of the samples of this name that have these labels; 0 without any."""
    return sum(
        found for (sample, has), found in samples.items() if sample == metric and labels.items() <= dict(has).items()
    )


def between(before: Samples, after: Samples) -> Callable[..., float]:
    """Returns a function for the growth of the samples with a name and labels."""

    def grown(metric: str, /, **labels: str) -> float:
        return value(after, metric, **labels) - value(before, metric, **labels)

    return grown
