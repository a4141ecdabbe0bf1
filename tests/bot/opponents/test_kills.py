"""The bot is killed while somebody plays the machine: nothing is lost or doubled, and the machine moves after it."""

from __future__ import annotations

import asyncio
import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.books import Books, replayed
from harness.bot import Room
from harness.discord import until
from harness.process import BotProcess
from harness.thinning import in_number

from engine.core.record import TURN_KINDS
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.process import Forks

    from bot.games.stored import StoredGame
    from bot.sandbox.server import Server
    from engine.core.table import Table

WITHIN: Final = 2.0
"""Seconds after a person's turn in which the bot is killed: it stores it, shows it, thinks, and shows the reply."""
LEVEL: Final = 2


async def persons_turn(books: Books, room: Room, finished: Sequence[StoredGame]) -> StoredGame:
    """Waits for the game that is none of the ``finished``, until it is shown and is Ana's turn, or over."""

    async def is_shown() -> bool:
        stored = await books.latest(room.channel_id)
        if stored is None or stored.shown_seq < len(stored.record.entries):
            return False
        if stored.record.header.id in {one.record.header.id for one in finished}:
            return False
        acts = replayed(stored).to_act
        return acts is None or stored.players[acts] == room.ana.user_id

    await until(is_shown, "it is Ana's turn")
    found = await books.latest(room.channel_id)
    assert found is not None
    return found


def some_turn(table: Table[Any, Any], rng: random.Random) -> str:
    """Draws a legal turn, each of its steps by chance."""
    state, steps = table.state, []
    while table.game.to_act(state) == table.to_act:
        steps.append(rng.choice(table.game.legal(state)))
        state = table.game.apply(state, steps[-1])
    return table.game.format(table.state, tuple(steps))


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.xdist_group("kill")
@pytest.mark.parametrize("game", GAMES)
@in_number("kills", 2, 20)
async def test_a_game_against_the_machine_outlives_every_kill(
    stand_in: Server, sqlite_url: str, forks: Forks, kills: int, game: str
) -> None:
    """A game that is over is followed by another one."""
    room, rng, side = Room.of(stand_in), random.Random(1), GAMES[game].seats[1]
    finished: list[StoredGame] = []
    async with Books(sqlite_url) as books, BotProcess(stand_in, sqlite_url, forks) as process:
        await process.start()
        await process.ready()
        await room.ana.slash("abak challenge", level=LEVEL, game=game, side=side)
        for _ in range(kills):
            stored = await persons_turn(books, room, finished)
            table = replayed(stored)
            if table.to_act is None:
                finished.append(stored)
                await room.ana.slash("abak challenge", level=LEVEL, game=game, side=side)
                stored = await persons_turn(books, room, finished)
                table = replayed(stored)
            acting = asyncio.create_task(room.ana.slash("abak move play", notation=some_turn(table, rng)))
            await asyncio.sleep(rng.uniform(0, WITHIN))
            await process.kill()
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)
            await books.end_leases()
            await process.start()
            await process.ready()
        finished.append(await persons_turn(books, room, finished))
    turns = [[entry.seat for entry in stored.record.entries if entry.kind in TURN_KINDS] for stored in finished]
    for seats in turns:
        assert all(first != second for first, second in pairwise(seats))
    assert any(turns)
    assert len(room.boards) <= sum(len(seats) + 1 for seats in turns)
