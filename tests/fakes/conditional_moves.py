"""A process in which Ann plays Nim against Bob's conditional moves: ``python conditional_moves.py URL GAME``.

A test kills it. It makes a play for each line it reads. It prints the number of entries as soon as the play is
acknowledged.
"""

import asyncio
import sys

from fakes.clock import Clock
from fakes.luck import SeededLuck
from fakes.toy import Nim

from bot.conditional.repository import ConditionalMoveRepository
from bot.conditional.service import ConditionalMoveService
from bot.core.storage.database import Database
from bot.games.repository import GameRepository
from bot.games.service import GameService
from engine.registry import GAMES, RULES


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(url: str, game_id: str) -> None:
    GAMES["nim"] = RULES["nim", 1] = Nim()
    database, clock = Database(url), Clock()
    games = GameService(
        GameRepository(database),
        SeededLuck(1),
        clock,
        hooks=[ConditionalMoveService(ConditionalMoveRepository(database), clock)],
    )
    tell("ready")
    while sys.stdin.readline():
        live = await games.get(game_id)
        if live.table.to_act != 0:
            break
        live = await games.play(game_id, live.players[0], live.seq, "1")
        tell(f"{live.seq}")
    await database.close()


asyncio.run(main(sys.argv[1], sys.argv[2]))
