"""The jobs and the tables of each game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from training.found import apb, games, tables, turns
from training.found.store import Job, Result


def _abak(seed: int, *, quick: bool) -> Iterator[Job]:
    yield from games.jobs(seed, quick=quick)
    yield from turns.jobs(seed, quick=quick)


JOBS: Final[Mapping[str, Callable[..., Iterator[Job]]]] = {"abak": _abak, "apb": apb.jobs}
TABLES: Final[Mapping[str, Callable[[Sequence[Result]], list[tables.Table]]]] = {"abak": tables.abak, "apb": tables.apb}
