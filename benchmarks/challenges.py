"""Measures the expiry of challenges among few and many: ``python benchmarks/challenges.py [DATABASE_URL]``.

One turn of the worker's queries, in ms of this process's CPU, with a thousand and with a million open challenges, and
their ratio. Without a URL: SQLite in a temporary folder. A PostgreSQL database must be empty; its tables are filled,
and the work of its server is not in the figures.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide the package

from sqlalchemy import insert, text

from bot.challenges.repository import ChallengeRepository
from bot.challenges.tables import OPEN, challenges
from bot.core.storage.database import Database

NOW = 1_774_224_000_000
PAGE = 10_000
TURNS = 200
ROUNDS = 4
COUNTS = (1_000, 1_000_000)


def row(number: int) -> dict[str, object]:
    return {
        "id": f"c{number}",
        "guild_id": 1,
        "channel_id": number,
        "message_id": number,
        "challenger": number % 5000,
        "game": "abak",
        "options": "{}",
        "locale": "en",
        "secret": "",
        "created": NOW,
        "expires": NOW + 1_000_000 + number,
        "status": OPEN,
        "closed_shown": False,
    }


async def fill(database: Database, begin: int, end: int) -> None:
    for first in range(begin, end, PAGE):
        async with database.writing() as connection:
            await connection.execute(
                insert(challenges), [row(number) for number in range(first, min(first + PAGE, end))]
            )
    async with database.writing() as connection:
        await connection.execute(text("ANALYZE"))


async def turn(repository: ChallengeRepository) -> float:
    """Measures the ms of CPU of one turn in which nothing is due."""
    begin = time.process_time()
    await repository.expire(NOW, 500)
    await repository.unshown(NOW, 50)
    await repository.next_expiry()
    return (time.process_time() - begin) * 1000


async def tenth(repository: ChallengeRepository) -> float:
    """Returns the first decile of many turns, as others use the disk, too."""
    return statistics.quantiles([await turn(repository) for _ in range(TURNS)], n=10)[0]


async def measure(url: str) -> None:
    async with await Database.open(url) as database:
        repository, before, costs = ChallengeRepository(database), 0, []
        for count in COUNTS:
            await fill(database, before, count)
            before = count
            costs.append(min([await tenth(repository) for _ in range(ROUNDS)]))
            print(f"{database.engine.dialect.name:12} {count:>9} challenges: {costs[-1]:6.2f} ms")
        print(f"{database.engine.dialect.name:12} ratio: {costs[1] / costs[0]:.2f}")


def main() -> None:
    if len(sys.argv) > 1:
        asyncio.run(measure(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(f"sqlite:///{folder}/games.sqlite3"))


if __name__ == "__main__":
    main()
