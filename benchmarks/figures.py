"""The figures of benchmarks: means with error bars, quantiles, and what the system (Linux only) says of a process."""

import math
import os
import re
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Final

QUICK: Final = 160.0
"""The time of a quick run, in seconds."""
BAR: Final = 1.96
"""The number of standard errors of a 95 % error bar."""
RSS: Final = re.compile(r"^Rss:\s+(\d+) kB", re.MULTILINE)


def resident(pid: int) -> float:
    """Returns the megabytes (of 1,048,576 bytes) in memory, including those shared with other processes."""
    found = RSS.search(Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"))
    if found is None:
        raise ValueError("this system does not tell the resident memory")
    return int(found[1]) / 1024


def spent(pid: int) -> float:
    """Returns the seconds of processor time, of all threads."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(times: list[float], part: float) -> float:
    """Returns the quantile of the values at ``part``: 0.5 is the median."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")


def spread(times: list[float]) -> str:
    """Writes the mean, the median, the 99th percentile and the longest of times in ms."""
    mean = statistics.mean(times) if times else math.nan
    return ", ".join(f"{each:.1f}" for each in (mean, *(share(times, part) for part in (0.5, 0.99, 1)))) + " ms"


def estimate(values: Sequence[float]) -> tuple[float, float]:
    """Returns the mean of independent values and its 95 % error bar; nan for what so few values do not tell."""
    error = BAR * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return statistics.mean(values) if values else math.nan, error
