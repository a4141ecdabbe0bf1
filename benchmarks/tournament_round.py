"""Measures the opening of the rounds of a large Swiss, and the bot's answers meanwhile.

``python benchmarks/tournament_round.py [PLAYERS] [ROUNDS] [DATABASE_URL]``, by default 64 players, 4 rounds, and a new
SQLite file. The bot runs as an operator starts it, in a process of its own. The stand-in for Discord, the players, and
somebody who presses a button every 100 ms run in this one.

The measure is waiting, so the clock is the wall clock. A round's time runs from the last result of the round before (or
the start of the tournament) until the last board stands in its thread. Ends with 1 if a round takes more than 10 s, or
an answer to somebody else more than 1.8 s.
"""

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[0] = str(ROOT)  # this file's own name would hide the package
sys.path += [str(ROOT / "tests")]

from harness.cups import Cup
from harness.passer_by import PasserBy
from harness.process import BotProcess
from harness.tournaments import plan_of

from bot.core.storage.database import Database
from bot.sandbox.server import serve
from bot.sandbox.world import World
from engine.tournament.model import Format

PLAYERS = int(sys.argv[1]) if len(sys.argv) > 1 else 64
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 4
LONGEST_ROUND = 10.0
LONGEST_ANSWER = 1.8
PATIENCE = 120.0


async def opened(cup: Cup, number: int) -> float:
    """Waits until each game of the round has its board in its thread. Returns the time when the round
    before ended (s).
    """
    async with asyncio.timeout(PATIENCE):
        while True:
            snapshot = await cup.snapshot()
            games = [one for one in snapshot.pairings if one.pairing.round == number and one.pairing.second]
            if len(games) == len(cup.people) // 2 and all(one.channel_id and cup.board(one) for one in games):
                break
            await asyncio.sleep(0.01)
    before = [one.ended or 0 for one in snapshot.pairings if one.pairing.round == number - 1]
    return max(before, default=snapshot.tournament.started or 0) / 1000


async def steps(cup: Cup, number: int, began: float) -> tuple[float, float]:
    """Returns the times from its beginning until the round was paired, and until its last game opened, in s."""
    (stored,) = [one for one in await cup.rounds() if one.number == number]
    games = [one for one in (await cup.snapshot()).pairings if one.pairing.round == number]
    return stored.started / 1000 - began, max(one.opened or 0 for one in games) / 1000 - began


async def play(cup: Cup, number: int, luck: random.Random) -> None:
    """Ends every game of the round."""
    snapshot = await cup.snapshot()
    for stored in snapshot.pairings:
        if stored.pairing.round == number and stored.result is None:
            await cup.give_up(stored, snapshot, luck.choice(stored.pairing.players))


async def measure(url: str) -> bool:
    """Prints a line a round. Returns whether all was in time."""
    world, luck, good = World(), random.Random(1), True
    server = await serve(world, strict=True, page=False)
    cup = Cup.of(server, url, PLAYERS)
    async with BotProcess(server, url) as process:
        await process.start()
        await process.ready()
        passer_by = await PasserBy.playing(server)
        await cup.create(plan_of(Format.SWISS, rounds=ROUNDS))
        print(
            f"{PLAYERS} players, {url.partition(':')[0]}; seconds until the last board; answers to somebody else in ms"
        )
        await cup.start()
        for number in range(1, ROUNDS + 1):
            passer_by.answered.clear()
            async with passer_by:
                began = await opened(cup, number)
                took = time.time() - began
            paired, open_ = await steps(cup, number, began)
            p50, p99 = (1000 * passer_by.percentile(share) for share in (0.5, 0.99))
            longest = max(passer_by.answered)
            print(
                f"round {number}: paired {paired:.2f}, opened {open_:.2f}, shown {took:.2f}; "
                f"{len(passer_by.answered)} answers, median {p50:.0f}, 99 % {p99:.0f}, "
                f"longest {1000 * longest:.0f}, none {passer_by.unanswered}",
                flush=True,
            )
            good = good and took <= LONGEST_ROUND and longest <= LONGEST_ANSWER and not passer_by.unanswered
            await play(cup, number, luck)
        await process.stop()
    violations = list(server.validator.violations)
    print(f"refused by Discord's rules: {violations or 'nothing'}")
    await cup.close()
    await server.close()
    return good and not violations


async def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        url = sys.argv[3] if len(sys.argv) > 3 else f"sqlite:///{folder}/games.sqlite3"
        await (await Database.open(url)).close()
        return 0 if await measure(url) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
