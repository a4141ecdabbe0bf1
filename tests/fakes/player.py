"""A process that plays Nim against itself, to be killed or raced: ``python player.py URL GAME``.

Makes a play for each line it reads. Prints ``SEQ TEXT`` as soon as the play is acknowledged; ``-`` for a refusal.
"""

import asyncio
import random
import sys

from fakes.clock import Clock
from fakes.luck import SeededLuck
from fakes.toy import Nim

from bot.core.database import Database
from bot.games.repository import Ledger
from bot.games.service import Tables
from engine.core.errors import Refused
from engine.registry import GAMES, RULES


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(url: str, game_id: str) -> None:
    GAMES["nim"] = RULES["nim", 1] = Nim()
    database = await Database.open(url)
    tables = Tables(Ledger(database), SeededLuck(1), Clock())
    tell("ready")
    while sys.stdin.readline():
        seated = await tables.get(game_id)
        if seated.to_act is None:
            break
        text = str(random.randint(1, seated.table.state.most))
        try:
            seated = await tables.play(game_id, seated.to_act, seated.seq, text)
        except Refused:
            tell("-")
        else:
            tell(f"{seated.seq} {text}")
    await database.close()


asyncio.run(main(sys.argv[1], sys.argv[2]))
