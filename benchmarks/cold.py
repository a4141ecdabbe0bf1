"""Measures games that are not in memory: ``python benchmarks/cold.py [ENTRIES]``; CPU of the event loop, on SQLite.

A random game of each kind, with a clock and, where there is one, the cube, is read from the database: its whole record
replayed, and from the last snapshot that play has left. A random turn that lets the opponent win at once is drawn
again, or the last turn is taken back; a game that ends before ENTRIES entries is measured as long as it is. ``notes``:
the extra time of the first board of a game read so (``Table.notes``), with or without a snapshot. ``write``: the cost
of one snapshot in the commit that writes it.
"""

import asyncio
import random
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
sys.path[0] = str(ROOT)  # the name of a file beside this one would hide the package engine

from bot.core.storage.database import Database
from bot.games.repository import SNAPSHOT_EVERY, GameRepository
from bot.games.stored import Place, StoredGame
from engine.core.clock import SECOND
from engine.core.errors import Refused
from engine.core.game import Game
from engine.core.record import Header, Record
from engine.core.table import Table
from engine.registry import GAMES

READINGS: Final = 15
DRAWS: Final = 60
REPLIES: Final = 20
GAMES_TRIED: Final = 4


def drawn(game: Game[Any, Any], state: Any, luck: random.Random) -> tuple[list[Any], Any]:
    """Draws a turn at random, and returns it with the position after it."""
    actor, steps = game.to_act(state), []
    while game.to_act(state) == actor:
        steps.append(luck.choice(game.legal(state)))
        state = game.apply(state, steps[-1])
    return steps, state


def wins(game: Game[Any, Any], state: Any, luck: random.Random) -> bool:
    outcome = game.outcome(drawn(game, state, luck)[1])
    return outcome is not None and outcome.winner == game.to_act(state)


def lasting(table: Table[Any, Any], luck: random.Random) -> str | None:
    """Finds a turn that ends the game neither at once nor, in some tries, with the reply; None if there is none."""
    game = table.game
    for _ in range(DRAWS):
        steps, state = drawn(game, table.state, luck)
        replier = game.to_act(state)
        if replier is not None and (replier < 0 or not any(wins(game, state, luck) for _ in range(REPLIES))):
            return game.format(table.state, steps)
    return None


def continued(table: Table[Any, Any], at: int, luck: random.Random) -> Table[Any, Any]:
    """Continues the game by a turn or, if every turn would soon end it, by a takeback, if the rules allow it."""
    seat, text = table.to_act, lasting(table, luck)
    if text is None:
        with suppress(Refused):
            return table.offer_takeback(1 - seat, at).answer(seat, at, accept=True)
        text = table.game.format(table.state, drawn(table.game, table.state, luck)[0])
    return table.play(seat, text, at)


def rolled(table: Table[Any, Any], luck: random.Random) -> str:
    outcomes = table.game.legal(table.state)
    weights = [table.game.weight(table.state, outcome) for outcome in outcomes]
    return table.game.format(table.state, luck.choices(outcomes, weights))


def random_game(game: Game[Any, Any], entries: int, luck: random.Random) -> Table[Any, Any]:
    options = {"cube": "on"} if any(option.key == "cube" for option in game.options) else {}
    settled = tuple(game.settle_options(options).items())
    table = Table.open(game, Header(game.key, game.version, game.key, 0, settled, clock="1d+1h", timeout_policy="loss"))
    while table.to_act is not None and table.seq < entries:
        at = table.seq * SECOND
        table = table.settle(at, lambda now: rolled(now, luck))
        if table.to_act is not None and table.seq < entries:
            table = continued(table, at, luck)
    return table


async def reading(repository: GameRepository, game_id: str, *, whole: bool) -> float:
    """Measures the ms of CPU of the fastest of some readings."""
    times = []
    for _ in range(READINGS):
        began = time.thread_time()
        stored = await repository.load(game_id)
        assert stored is not None
        (replace(stored, snapshot=None) if whole else stored).table()
        times.append(time.thread_time() - began)
    return min(times) * 1000


async def measure(entries: int) -> None:
    print(f"{'':12} {'entries':>8} {'replayed':>9} {'snapshot':>9} {'ratio':>6} {'notes':>7} {'write':>7}   ms")
    with tempfile.TemporaryDirectory() as folder:
        async with await Database.open(f"sqlite:///{folder}/games.sqlite3") as database:
            repository = GameRepository(database)
            for channel, game in enumerate(GAMES.values()):
                luck = random.Random(3)
                table = max((random_game(game, entries, luck) for _ in range(GAMES_TRIED)), key=lambda made: made.seq)
                header, listed = table.record.header, table.record.entries
                first = Table.open(game, header)
                game_row = StoredGame(first.record, (1, 2), Place(1, channel), "en", "")
                async with database.writing() as connection:
                    await repository.create(connection, game_row, first)
                for seq in range(0, table.seq, SNAPSHOT_EVERY // 2):  # some entries at a time, as in play
                    upto = Table.replay(game, Record(header, listed[: seq + SNAPSHOT_EVERY // 2]))
                    await repository.append(header.id, seq, upto, "")
                replayed = await reading(repository, header.id, whole=True)
                resumed = await reading(repository, header.id, whole=False)
                cold = Table.replay(game, table.record)
                began = time.thread_time()
                assert len(cold.notes) == table.seq
                noted = (time.thread_time() - began) * 1000
                began = time.thread_time()
                table.snapshot()
                written = (time.thread_time() - began) * 1000
                figures = f"{replayed:9.1f} {resumed:9.1f} {replayed / resumed:6.1f} {noted:7.1f} {written:7.1f}"
                print(f"{game.key:12} {table.seq:8} {figures}")


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
