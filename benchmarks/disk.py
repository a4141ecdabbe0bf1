"""Measures games on disk: ``python benchmarks/disk.py [GAMES]``, by default 40 of each kind, on both databases.

Two play at random, for at most TURNS turns, with everything that the bot writes about them, but without Discord:
records, results, notifications, ratings. The growth of the database, indexes included, is divided by the games, and by
their entries. SQLite is measured after VACUUM, PostgreSQL after VACUUM FULL; with few games, its first pages matter. In
use, free pages make a database larger by a third or so.
"""

import asyncio
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).parents[1]
sys.path[0] = str(ROOT)  # this file's own name would hide the package
sys.path += [str(ROOT / "tests")]

from fakes.databases import embedded, make, order, target
from fakes.luck import SeededLuck

from bot import app
from bot.clocks.heartbeats.service import HeartbeatService
from bot.core.services import Sources
from bot.core.storage.database import Database
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.settings import Settings
from engine.core.errors import RuleError
from engine.registry import GAMES

TURNS: Final = 60
TRIES: Final = 50
GUILD: Final = 1 << 40


def turn(game: Any, state: Any, rng: random.Random) -> list[Any]:
    """Draws the steps of a turn at random. The turn ends the game only if no other is found."""
    for _ in range(TRIES):
        after, actor, steps = state, game.to_act(state), []
        while game.to_act(after) == actor:
            steps.append(rng.choice(game.legal(after)))
            after = game.apply(after, steps[-1])
        if game.outcome(after) is None:
            break
    return steps


async def play(games: GameService, key: str, number: int, rng: random.Random) -> int:
    """Plays one game. Returns the number of its entries."""
    players = (10_000 + number % 50, 20_000 + number % 50)
    live = await games.open(
        NewGame(key, {}, Place(GUILD, number), "en", "3d+12h", "loss", rated=number % 2 == 0), players
    )
    for _ in range(TURNS):
        if live.is_over or live.awaited is None:
            break
        for _ in range(TRIES):
            try:
                live = await games.play(live.id, live.awaited, live.seq, turn(live.game, live.state, rng))
                break
            except RuleError:
                continue
    if not live.is_over and live.awaited is not None:
        live = await games.resign(live.id, live.awaited, 1)
    return live.seq


async def measure(url: str, key: str, number: int) -> tuple[int, int]:
    """Measures the bytes of so many games, and counts their entries."""
    await make(url)
    before = await size(url)
    settings = Settings.load(database_url=url)
    database = await Database.open(url)
    services = app.assemble(database, Sources(SeededLuck(1), lambda: 0, app.system_sources().now), settings)
    rng = random.Random(1)
    try:
        entries = 0
        for n in range(1, number + 1):
            await services[HeartbeatService].record([0])  # else each game would hold absences of the bot
            entries += await play(services[GameService], key, n, rng)
    finally:
        await database.close()
    return await size(url) - before, entries


async def size(url: str) -> int:
    """Measures the bytes of a database without free pages."""
    async with Database(url) as database:
        await database.erase_deleted()
        if database.engine.dialect.name == "sqlite":
            pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            async with database.reading() as connection:
                return int((await connection.exec_driver_sql(pages)).scalar_one())
        async with database.engine.connect() as connection:
            own = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await own.exec_driver_sql("VACUUM FULL")
            found = await own.exec_driver_sql("SELECT pg_database_size(current_database())")
            return int(found.scalar_one())


async def main(number: int) -> None:
    print(f"{'game':12} {'database':10} {'games':>6} {'entries':>8} {'kB a game':>10} {'bytes an entry':>15}")
    with tempfile.TemporaryDirectory() as folder, embedded() as server:
        for place, key in enumerate(GAMES):
            await order(server, f"CREATE DATABASE disk{place}")
            urls = (f"sqlite:///{folder}/{key}.sqlite3", target(server, f"disk{place}"))
            for name, url in zip(("SQLite", "PostgreSQL"), urls, strict=True):
                grown, entries = await measure(url, key, number)
                row = f"{grown / number / 1000:10.1f} {grown / entries:15.0f}"
                print(f"{key:12} {name:10} {number:6} {entries / number:8.1f} {row}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 40))
