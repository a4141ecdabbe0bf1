"""Jobs whose results are kept in a file, a line each, so that a run goes on where another was stopped."""

import json
import math
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Result: TypeAlias = dict[str, Any]
"""The findings of a job: JSON."""
NORMAL: Final = 1.96
"""So many standard errors are an error bar of 95 %, if they are known well."""


class Job(NamedTuple):
    part: str
    """The subject that it belongs to; the results of a part are put together."""
    name: str
    """Unlike those of all other jobs."""
    do: Callable[[], Result]
    weights: str
    """The SHA-256 of the weights by which the machine plays; in APB of all that it plays by."""


def lines(path: Path) -> list[Result]:
    """Reads what has been found."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def run(jobs: Iterable[Job], path: Path, seconds: float, parts: Collection[str] = ()) -> bool:
    """Does the jobs that are not in the file, and adds them, for so many seconds; only those of some parts, if any are
    given. Returns whether all are done. Raises SystemExit if the file has findings of other weights than the jobs.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    jobs = [*jobs]
    found = lines(path)
    if not {line.get("weights") for line in found} <= {job.weights for job in jobs}:
        raise SystemExit(f"{path} holds what other weights have found; name another file with --file")
    known = {line["name"] for line in found}
    stop = time.monotonic() + seconds
    for job in jobs:
        if job.name in known or (parts and job.part not in parts):
            continue
        if time.monotonic() > stop:
            return False
        line = {"part": job.part, "name": job.name, "weights": job.weights} | job.do()
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    return True


def ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan


class Figure(NamedTuple):
    """A value and its error bar (95 %)."""

    value: float
    error: float

    def told(self, digits: int, *, sign: bool = False) -> str:
        return f"{self.value:{'+' * sign}.{digits}f} ± {self.error:.{digits}f}"


def student(count: int) -> float:
    """So many standard errors are an error bar of 95 %, if they are known from so many blocks.

    By the expansion of Student's distribution in Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    z, free = NORMAL, count - 1
    return z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)


def estimate(each: NDArray[np.float64], figure: Callable[[NDArray[np.float64]], float]) -> Figure:
    """A figure of the sum over blocks that do not depend on each other; its error from leaving out one at a time.

    Of a single block the error is not known.
    """
    whole = each.sum(0)
    count = len(each)
    if count < 2:
        return Figure(figure(whole), math.nan)
    without = np.array([figure(whole - one) for one in each])
    spread = float(((without - without.mean()) ** 2).sum())
    return Figure(figure(whole), student(count) * ((count - 1) / count * spread) ** 0.5)


def mean(counts: NDArray[np.float64], worths: NDArray[np.float64]) -> Figure:
    """The mean of what cases are worth that do not depend on each other, from the number of each kind of case."""
    share = counts / counts.sum()
    value = float(share @ worths)
    return Figure(value, NORMAL * (float(share @ (worths - value) ** 2) / counts.sum()) ** 0.5)
