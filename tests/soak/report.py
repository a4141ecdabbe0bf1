"""The report of a soak, as text."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from soak.processes import KILLED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from soak.journal import Call


@dataclass
class Report:
    """The figures of a soak. ``violations`` has to be empty."""

    seed: int
    players: int
    seconds: float
    calls: Sequence[Call]
    faults: Counter[str]
    ends: Counter[str]
    struck: Mapping[str, Counter[str]]
    """How each process was ended while people played, by its name."""
    excused: Counter[tuple[str, str]]
    """Why an answer is missing, and what of it."""
    facts: Counter[str]
    startups: Sequence[float]
    stops: Sequence[float]
    errors: Counter[str]
    """What the bots logged as errors, by event."""
    violations: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        yield f"seed {self.seed} · {self.players} players · {self.seconds:.0f} s · repeat: --seed {self.seed}"
        yield ""
        yield f"{'interactions':<14} {'sent':>7} {'answered':>9} {'p50 ms':>7} {'p99 ms':>7}"
        for kind, calls in (*_by_kind(self.calls).items(), ("all", self.calls)):
            times = sorted(one.answered for one in calls if one.answered is not None)
            p50, p99 = (round(1000 * _at(times, part)) for part in (0.5, 0.99))
            yield f"{kind:<14} {len(calls):>7} {len(times):>9} {p50:>7} {p99:>7}"
        kills = Counter({what: count for (why, what), count in self.excused.items() if why == KILLED})
        others = Counter({f"{why}: {what}": count for (why, what), count in self.excused.items() if why != KILLED})
        yield from _table("missing answers, in flight to a killed process", kills)
        yield from _table("missing answers, excused for another reason", others)
        yield from _table("faults", self.faults)
        yield from _table("ends of processes", self.ends)
        yield _range("seconds from start to ready", self.startups)
        yield _range("seconds from SIGTERM to the end", self.stops)
        yield from _table("what happened", self.facts)
        yield from _table("errors logged", self.errors)
        yield ""
        yield f"violations: {len(self.violations)}"
        for kind, count in Counter(one.split(":")[0][:40] for one in self.violations).most_common():
            if count > 1:
                yield f"  {count} times {kind}"
        yield from (f"  - {one}" for one in self.violations[:200])

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _by_kind(calls: Sequence[Call]) -> Mapping[str, list[Call]]:
    found: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        found[call.kind].append(call)
    return dict(sorted(found.items()))


def _at(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))] if times else 0.0


def _range(what: str, times: Sequence[float]) -> str:
    if not times:
        return f"{what}: -"
    ordered = sorted(times)
    return f"{what}: {_at(ordered, 0.5):.1f} (p50), {ordered[-1]:.1f} (most), {len(ordered)} times"


def _table(title: str, counted: Counter[str]) -> Iterator[str]:
    yield ""
    yield f"{title}: {counted.total()}"
    yield from (f"  {name:<58} {count:>6}" for name, count in sorted(counted.items()))
