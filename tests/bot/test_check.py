"""What `abakbot db check` finds, and what it takes for right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.luck import SeededLuck
from sqlalchemy import delete, update

from bot.app import assemble
from bot.core.services import Sources
from bot.core.storage.database import Database
from bot.dice.tables import dice_counts, dice_uncounted
from bot.explorer.tables import explored_moves, uncounted_games
from bot.games.service import GameService
from bot.games.stored import Place
from bot.rebuild import check_copy, recount
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy import Delete, Update

ANN, BOB = 11, 22
SETTINGS = Settings.load(database_url="sqlite:///unused")


@pytest.fixture
async def ended(sqlite_url: str) -> AsyncIterator[Database]:
    """A game with dice and one without have just ended, and nobody has counted them yet."""
    async with Database(sqlite_url) as database:
        games = assemble(database, Sources(SeededLuck(1), lambda: 0, lambda: 10**12), SETTINGS)[GameService]
        for channel, key in enumerate(("backgammon", "abalone")):
            live = await games.open(key, {}, (ANN, BOB), Place(9, channel), "en")
            for _ in range(4):
                steps = []
                state, actor = live.state, live.game.to_act(live.state)
                while live.game.to_act(state) == actor:
                    steps.append(live.game.legal(state)[0])
                    state = live.game.apply(state, steps[-1])
                live = await games.play(live.id, live.awaited or 0, live.seq, steps)
            await games.resign(live.id, ANN, live.game.resign_values(live.state, 0)[-1])
        yield database


async def faults(database: Database) -> list[str]:
    """The check itself is made on a copy; here the database is one."""
    return [fault async for fault in check_copy(database, SETTINGS)]


async def test_games_that_still_wait_to_be_counted_are_no_fault(ended: Database) -> None:
    async with ended.reading() as connection:
        waiting = [len((await connection.execute(table.select())).all()) for table in (dice_uncounted, uncounted_games)]
    assert waiting == [1, 2]
    assert await faults(ended) == []


DAMAGES = {
    "a count of rolls": (update(dice_counts).values(count=dice_counts.c.count + 1), "dice_counts"),
    "rolls that are not counted": (delete(dice_counts).where(dice_counts.c.user_id == ANN), "dice_counts"),
    "a count of moves": (update(explored_moves).values(points0=7), "explored_moves"),
    "moves that are not counted": (delete(explored_moves).where(explored_moves.c.guild_id == 9), "explored_moves"),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_counts_that_do_not_follow_are_found_and_counted_anew(ended: Database, damage: str) -> None:
    change, table = DAMAGES[damage]
    assert await faults(ended) == []
    await apply(ended, change)
    assert await faults(ended) == [f"the table {table} does not follow from the finished games"]
    await apply(ended, change)
    assert await recount(ended, SETTINGS) == (1, 2)
    assert await faults(ended) == []


async def apply(database: Database, change: Update | Delete) -> None:
    async with database.writing() as connection:
        await connection.execute(change)
