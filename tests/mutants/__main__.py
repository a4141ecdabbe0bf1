"""Changes the product in random places, one at a time, and tells which tests notice it.

``scripts/mutants N SEED``: a line for each mutant, with its change, and a sum. The same N and seed give the same
mutants of the same code, and a larger N goes on where a smaller one ended. It works in a copy of the checkout.
"""

from __future__ import annotations

import asyncio
import difflib
import importlib.util
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import click

from mutants.changes import Change, places
from mutants.cheapest_first import KILLED
from mutants.selection import PACKAGES, Selection

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("migrations", "locales")
TIMED_OUT, SURVIVED = "timed out", "survived"


@dataclass(frozen=True, slots=True)
class Mutant:
    path: str
    change: Change
    source: str

    @property
    def diff(self) -> str:
        lines = (self.source.splitlines(), self.change.made_in(self.source).splitlines())
        changed = [line for line in difflib.unified_diff(*lines, n=0) if not line.startswith(("---", "+++", "@@"))]
        return "\n".join(f"    {line[0]} {line[1:].strip()}" for line in changed)

    def __str__(self) -> str:
        return f"{self.path}:{self.change.line}"


def drawn(root: Path, count: int, seed: int) -> list[Mutant]:
    """Draws places with equal odds, and then one of the changes of each."""
    found = []
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            path = file.relative_to(root)
            if not set(path.parts) & set(LEFT_OUT):
                source = file.read_text(encoding="utf-8")
                found += [(path.as_posix(), source, place) for place in places(source)]
    luck = random.Random(seed)
    luck.shuffle(found)
    mutants = (Mutant(path, luck.choice(place), source) for path, source, place in found)
    return list(islice((one for one in mutants if one.change.matters_in(one.source)), count))


@dataclass
class Trial:
    """A copy of the tree with at most one change in it."""

    root: Path
    limit: int
    """Seconds of CPU time for the tests of one mutant."""
    selection: Selection = field(init=False)
    unsteady: list[str] = field(default_factory=list)
    """Tests that have failed without a change, or with the same one only once: they are run no more."""

    def __post_init__(self) -> None:
        self.selection = Selection(self.root)

    def verdict(self, mutant: Mutant) -> str:
        """Returns the test that notices the mutant, else ``SURVIVED`` or ``TIMED_OUT``."""
        end = cpu_seconds() + self.limit
        for tests in self.selection.stages(mutant.path):
            failed = ""
            while failed != SURVIVED:
                with self.changed(mutant):
                    failed = self.failing(tests, end, failed)
                if failed == TIMED_OUT:
                    return TIMED_OUT
                if failed != SURVIVED:
                    if self.is_killer(failed, mutant):
                        return f"killed by {failed}"
                    self.unsteady.append(failed)
        return SURVIVED

    def is_killer(self, test: str, mutant: Mutant) -> bool:
        """Returns whether a test that has failed passes without the mutant, and fails again with it."""
        if self.failing([test], cpu_seconds() + self.limit) != SURVIVED:
            return False
        with self.changed(mutant):
            return self.failing([test], cpu_seconds() + self.limit) != SURVIVED

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[None]:
        file = self.root / mutant.path
        for text in (mutant.change.made_in(mutant.source), mutant.source):
            file.write_text(text, encoding="utf-8")
            # compiled code is known by second and size, and a mutant may have both of the original
            Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)
            if text is not mutant.source:
                yield

    def failing(self, tests: Sequence[str], end: float, after: str = "") -> str:
        """Returns the first test that fails, of those after the given one, else ``SURVIVED`` or ``TIMED_OUT``."""
        left, steady = int(end - cpu_seconds()), [test for test in tests if test not in self.unsteady]
        if not steady:
            return SURVIVED
        if left <= 0:
            return TIMED_OUT
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "mutants.cheapest_first", "-p", "no:cacheprovider"]
        options = [
            f"--cpu-limit={left}",
            f"--after={after}",
            "--hypothesis-seed=0",
            "--timeout=120",
            f"--basetemp={self.root.parent / 'tests'}",
        ]
        deselected = [f"--deselect={test}" for test in self.unsteady]
        with subprocess.Popen(
            [*command, *options, *deselected, *steady],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": f"{self.root}:{self.root / 'tests'}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate()
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # also what the tests have started
        killers = [line.removeprefix(KILLED) for line in said.splitlines() if line.startswith(KILLED)]
        if killers:
            return killers[0]
        if process.returncode in {0, 5}:  # 5: nothing was selected
            return SURVIVED
        if process.returncode == 2 or process.returncode < 0:
            return TIMED_OUT
        return steady[0]  # pytest itself could not start


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def copied() -> Iterator[Path]:
    """Copies all files that git knows or would add, with the folder beside the checkout that tests read."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    with tempfile.TemporaryDirectory(prefix="abakbot-mutants-") as folder:
        Path(folder).chmod(0o755)  # the PostgreSQL of tests is another user
        copy = Path(folder, "checkout")
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        if (ROOT.parent / "shared").is_dir():
            (copy.parent / "shared").symlink_to(ROOT.parent / "shared")
        yield copy


@contextmanager
def one_postgres() -> Iterator[None]:
    """Runs one server for the tests of all mutants, as far as they start none of their own."""
    from fakes.databases import URL_VARIABLE, embedded, order

    if URL_VARIABLE in os.environ:
        yield
        return
    with embedded() as url:
        asyncio.run(order(url, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"))
        os.environ[URL_VARIABLE] = url
        yield


@click.command(help=__doc__)
@click.argument("count", metavar="N", type=click.IntRange(1))
@click.argument("seed", type=int)
@click.option("--only", multiple=True, type=int, metavar="K", help="Tries only this mutant; may be repeated.")
@click.option("--limit", default=300, show_default=True, help="Seconds of CPU time for the tests of one mutant.")
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file of verdicts: those in it stand, new ones are added, so a trial that was stopped goes on.",
)
@click.option("--list", "listed", is_flag=True, help="Shows the mutants and the number of their test modules.")
def main(count: int, seed: int, only: tuple[int, ...], limit: int, results: Path | None, listed: bool) -> None:
    known: dict[str, str] = {}
    if results is not None and results.exists():
        known = dict(json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sums: Counter[str] = Counter()
    with copied() as copy:
        trial = Trial(copy, limit)
        chosen = [one for one in enumerate(drawn(copy, count, seed), 1) if not only or one[0] in only]
        if listed:
            for number, mutant in chosen:
                modules = [len(stage) for stage in trial.selection.stages(mutant.path)]
                click.echo(f"{number} {mutant} {modules}\n{mutant.diff}")
            return
        with one_postgres():
            for number, mutant in chosen:
                key, before = f"{mutant}\n{mutant.diff}", cpu_seconds()
                verdict = known.get(key) or trial.verdict(mutant)
                if results is not None and key not in known:
                    with results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps([key, verdict]) + "\n")
                click.echo(f"{number} {mutant} {verdict} ({cpu_seconds() - before:.0f} s of CPU)\n{mutant.diff}")
                sums[verdict if verdict in {SURVIVED, TIMED_OUT} else "killed"] += 1
    for test in trial.unsteady:
        click.echo(f"does not depend on the change: {test}")
    parts = ", ".join(f"{sums[kind]} {kind}" for kind in ("killed", SURVIVED, TIMED_OUT))
    click.echo(f"{sums.total()} mutants: {parts}; {sums['killed'] / max(1, sums.total()):.0%} killed")


if __name__ == "__main__":
    main()
