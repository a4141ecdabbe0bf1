"""A process in which Ann plays Nim against Bob's plans, to be killed: ``python planner.py URL GAME``.

Makes a play for each line it reads. Prints the number of entries as soon as the play is acknowledged.
"""

import asyncio
import sys

from fakes.clock import Clock
from fakes.luck import SeededLuck
from fakes.toy import Nim

from bot.conditional.repository import PlanStore
from bot.conditional.service import Plans
from bot.core.database import Database
from bot.games.repository import Ledger
from bot.games.service import Tables
from engine.registry import GAMES, RULES


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(url: str, game_id: str) -> None:
    GAMES["nim"] = RULES["nim", 1] = Nim()
    database, clock = Database(url), Clock()
    tables = Tables(Ledger(database), SeededLuck(1), clock, companions=[Plans(PlanStore(database), clock)])
    tell("ready")
    while sys.stdin.readline():
        seated = await tables.get(game_id)
        if seated.table.to_act != 0:
            break
        seated = await tables.play(game_id, seated.players[0], seated.seq, "1")
        tell(f"{seated.seq}")
    await database.close()


asyncio.run(main(sys.argv[1], sys.argv[2]))
