"""Measures the bot's memory: ``python benchmarks/memory.py [GAMES] [MOVES] [--python PATH]``.

Prints the resident megabytes of a bare discord.py bot (``benchmarks/bare.py``); of the bot some seconds after its first
start, and after a later one, on SQLite; and, if GAMES is given, of the bot with so many running games after MOVES moves
over all of them (four a game by default). All run with the settings of the container, and with the interpreter PATH: as
shipped, if it has only an operator's packages.
"""

import asyncio
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path[:1] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

import click
from harness.process import BotProcess
from load import AT_ONCE, all_begun, moved, started, visits
from visit import Visit

from benchmarks.figures import resident
from bot.sandbox.errors import Timeout

QUIET: Final = 6.0
"""The seconds after the start until the pictures are warm and the bot is idle."""
ROW_EVERY: Final = 4000
"""The moves between two rows."""
BOT: Final = ("-m", "bot", "run")


def row(what: str, bot: BotProcess) -> None:
    assert bot.pid is not None
    threads = len([*Path(f"/proc/{bot.pid}/task").iterdir()])
    print(f"{what:44} {resident(bot.pid):6.1f} MB {threads:3} threads", flush=True)


async def moved_or_late(visit: Visit) -> None:
    """Plays a move, unless this machine is too busy, as time is not measured here."""
    with suppress(Timeout):
        await moved(visit)


async def measure(games: int, moves: int, python: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/games.sqlite3"
        for what, command in (
            ("a bare discord.py bot", (str(ROOT / "benchmarks" / "bare.py"),)),
            ("idle after the first start", BOT),
            ("idle after a later start", BOT),
        ):
            async with started(url, python, *command) as (_, bot):
                await asyncio.sleep(QUIET)
                row(what, bot)
        if not games:
            return
        async with started(url, python, *BOT) as (server, bot):
            everybody = visits(server, games)
            await all_begun(everybody)
            row(f"{games} running games", bot)
            for number in range(0, moves, AT_ONCE):
                first = number % games
                await asyncio.gather(*map(moved_or_late, everybody[first : first + AT_ONCE]))
                if number and number % ROW_EVERY == 0:
                    row(f"{games} running games, after {number} moves", bot)
            row(f"{games} running games, after {moves} moves", bot)
            await asyncio.sleep(QUIET)
            row("the same, some seconds later", bot)


@click.command()
@click.argument("games", default=0)
@click.argument("moves", default=-1)
@click.option("--python", default=sys.executable, help="The interpreter of the bots.")
def main(games: int, moves: int, python: str) -> None:
    asyncio.run(measure(games, moves if moves >= 0 else 4 * games, python))


if __name__ == "__main__":
    main()
