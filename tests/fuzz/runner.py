"""Gives generated texts to the targets, and reports what failed and what was slow."""

from __future__ import annotations

import gc
import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from fuzz.calibration import slowness
from fuzz.mutation import mutated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SLOW: Final = 0.1
"""Seconds of CPU on the reference machine that no text and no step of the event loop may take."""
SHOWN: Final = 20
"""Failures that a report keeps of each target."""


@dataclass(frozen=True)
class Target:
    """A function that reads a text, texts that it accepts, and how it refuses others."""

    name: str
    read: Callable[[str], object]
    seeds: Sequence[str]
    refusals: tuple[type[Exception], ...]


@dataclass
class Report:
    """The outcome of the texts for one target."""

    name: str
    texts: int = 0
    accepted: int = 0
    slowest: float = 0.0
    """Seconds of CPU."""
    failures: list[str] = field(default_factory=list)
    """Each with the text: an error that is no refusal, or too much time."""

    def __str__(self) -> str:
        times = f"{self.texts:>9,} {self.accepted:>9,} {self.slowest * 1000:>8.1f} ms {len(self.failures):>3}"
        return "\n".join([f"{self.name:<28}{times}", *(f"    {failure}" for failure in self.failures)])


def attack(target: Target, texts: int, seed: int) -> Report:
    """Gives so many texts to a target. The seeds come first, unmeasured: they fill the caches of the process."""
    rng = random.Random(f"{seed} {target.name}")
    warming, report = Report(target.name), Report(target.name)
    for text in target.seeds:
        _try(target, text, warming)
    gc.freeze()  # what the process holds already is not collected at the cost of some text
    for _ in range(texts):
        _try(target, mutated(rng, target.seeds), report)
    return report


def _try(target: Target, text: str, report: Report) -> None:
    report.texts += 1
    started = time.thread_time()
    try:
        target.read(text)
        report.accepted += 1
    except target.refusals:
        pass
    except Exception as error:  # noqa: BLE001  any other error is what is looked for
        _fail(report, f"{type(error).__name__}: {str(error)[:200]} for {text[:LONG]!r}")
    taken = time.thread_time() - started
    report.slowest = max(report.slowest, taken)
    if taken > SLOW and taken > SLOW * slowness():
        _fail(report, f"{taken * 1000:.0f} ms for {text[:LONG]!r}")


LONG: Final = 400
"""Characters of a text that a report shows."""


def _fail(report: Report, what: str) -> None:
    if len(report.failures) < SHOWN:
        report.failures.append(what)
