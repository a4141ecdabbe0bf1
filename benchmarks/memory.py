"""How much memory the bot takes: ``python benchmarks/memory.py [GAMES] [MOVES] [--python PATH]``.

Resident megabytes of a bare discord.py bot (``benchmarks/bare.py``); of the bot some seconds after its first start, and
after a later one, on SQLite; and, if GAMES is given, of the bot with so many running games after MOVES moves over
all of them (four a game, if nothing is said). All with the settings of the container, and with the
interpreter PATH: as shipped, if it has only what an operator installs.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path[:1] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

import click
from figures import resident
from harness.process import BotProcess
from load import moved, started, until_begun, visits

QUIET: Final = 6.0
"""Seconds after the start until the pictures are warm and nothing is done any more."""
AT_ONCE: Final = 20
"""Games that are played at the same moment."""
BOT: Final = ("-m", "bot", "run")


def row(what: str, bot: BotProcess) -> None:
    assert bot.pid is not None
    threads = len([*Path(f"/proc/{bot.pid}/task").iterdir()])
    print(f"{what:44} {resident(bot.pid):6.1f} MB {threads:3} threads", flush=True)


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
            for first in range(0, games, AT_ONCE):
                await asyncio.gather(*map(until_begun, everybody[first : first + AT_ONCE]))
            row(f"{games} running games", bot)
            for number in range(0, moves, AT_ONCE):
                first = number % games
                await asyncio.gather(*map(moved, everybody[first : first + AT_ONCE]))
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
