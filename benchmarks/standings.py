"""Measures the time of the standings of a tournament: ``python benchmarks/standings.py``.

For 64 players and for 1,024 in 16 sections, after seven rounds: milliseconds of CPU to load the tournament from SQLite,
to compute and word the page with the reader's place, to draw it, and to explain a place; each the median of several.
The ratio of the two sizes is measured in the same run, so that figures of different machines can be compared. Ends with
status 1 if the large field takes a page longer than LIMIT.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).parents[1]
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]  # this file's folder would hide the package

from fakes.snapshots import START, Made, names_of

from bot.core.storage.database import Database
from bot.core.translations import language
from bot.tournaments.repository import TournamentRepository
from bot.tournaments.results import why
from bot.tournaments.results.pages.build import STANDINGS, Built, PageRequest, Reader, build, settled
from bot.tournaments.results.standing import Section
from bot.tournaments.tournament import TournamentSnapshot
from engine.tournament.model import Format, Stage

SIZES = (64, 1024)
ROUNDS = 7
TIMES = 9
LIMIT = 500.0
"""The most milliseconds from the database to the picture."""
SAY = language("en")


def median(call: Callable[[], Any]) -> tuple[float, Any]:
    """Measures the milliseconds of a call, and returns them with its result."""
    taken, found = [], None
    for _ in range(TIMES):
        began = time.process_time()
        found = call()
        taken.append((time.process_time() - began) * 1000)
    return statistics.median(taken), found


async def measure(players: int, folder: str) -> dict[str, float]:
    made = Made((Stage(Format.SWISS, rounds=ROUNDS),), players).rounds_of(ROUNDS, leave=players // 8)
    database = await Database.open(f"sqlite:///{folder}/{players}.sqlite3")
    try:
        repository = TournamentRepository(database)
        async with database.writing() as connection:
            await repository.create(connection, made.snapshot.tournament)
            for player in made.snapshot.players:
                await repository.add_player(connection, made.snapshot.tournament.id, player)
            await repository.add_pairings(connection, made.snapshot.tournament.id, made.snapshot.pairings)
        taken = []
        for _ in range(TIMES):
            began = time.process_time()
            snapshot = await repository.snapshot(made.snapshot.tournament.id)
            taken.append((time.process_time() - began) * 1000)
    finally:
        await database.close()
    assert snapshot == made.snapshot
    found = {"load": statistics.median(taken)}
    names = names_of(snapshot)
    built: Built
    found["page"], built = median(lambda: page(snapshot, players, names))
    found["picture"], _ = median(built.page.draw)
    found["why"], _ = median(lambda: why.paragraphs(snapshot, Section(1, 1), 1, names, SAY))
    return found


def page(snapshot: TournamentSnapshot, reader: int, names: Mapping[int, str]) -> Built:
    async def known(numbers: set[int] | None) -> Mapping[int, str]:
        return names if numbers is None else {number: names[number] for number in numbers}

    async def made() -> Built:
        request = settled(snapshot, PageRequest(STANDINGS, None, None, None), reader)
        return await build(snapshot, request, Reader(reader, SAY, "wood", ZoneInfo("UTC")), known, (), START, {})

    coroutine = made()
    try:
        coroutine.send(None)
    except StopIteration as done:  # nothing in it waits
        result: Built = done.value
        return result
    raise RuntimeError("the page waits for something")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = {players: asyncio.run(measure(players, folder)) for players in SIZES}
    for players, taken in found.items():
        parts = ", ".join(f"{name} {value:.1f} ms" for name, value in taken.items())
        print(f"{players} players: {parts}")
    small, large = (found[players] for players in SIZES)
    print("ratio: " + ", ".join(f"{name} {large[name] / small[name]:.1f}" for name in small))
    return int(large["load"] + large["page"] + large["picture"] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
