"""A process that plays Nim against itself, to be killed or raced: ``python player.py URL GAME``.

Makes a play for each line it reads. Prints ``SEQ TEXT`` as soon as the play is acknowledged; ``-`` for a refusal.
"""

import asyncio
import random
import sys

from fakes.clock import Clock
from fakes.luck import SeededLuck
from fakes.toy import Nim

from bot.core.storage.database import Database
from bot.games.repository import GameRepository
from bot.games.service import GameService
from engine.core.errors import Refused
from engine.registry import GAMES, RULES


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(url: str, game_id: str) -> None:
    GAMES["nim"] = RULES["nim", 1] = Nim()
    database = await Database.open(url)
    games = GameService(GameRepository(database), SeededLuck(1), Clock())
    tell("ready")
    while sys.stdin.readline():
        live = await games.get(game_id)
        if live.to_act is None:
            break
        text = str(random.randint(1, live.table.state.most))
        try:
            live = await games.play(game_id, live.to_act, live.seq, text)
        except Refused:
            tell("-")
        else:
            tell(f"{live.seq} {text}")
    await database.close()


asyncio.run(main(sys.argv[1], sys.argv[2]))
