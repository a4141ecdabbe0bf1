"""The memory and the processor time of a process, by the system. Linux only."""

import os
import re
from pathlib import Path
from typing import Final

TICK: Final = os.sysconf("SC_CLK_TCK")
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
    return (int(fields[11]) + int(fields[12])) / TICK


def share(times: list[float], part: float) -> float:
    """Returns the quantile of the values at ``part``: 0.5 is the median."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")
