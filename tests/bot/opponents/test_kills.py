"""The bot is killed while somebody plays the machine: nothing is lost or doubled, and the machine moves after it."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Final

import pytest
from harness.books import Books, replayed
from harness.bot import Room, shows_board
from harness.discord import until
from harness.process import BotProcess, Forks
from harness.thinning import in_number

from engine.core.record import Kind

if TYPE_CHECKING:
    from bot.games.stored import StoredGame
    from bot.sandbox.server import Server

WITHIN: Final = 2.0
"""Seconds after a person's turn in which the bot is killed: it stores it, shows it, thinks, and shows the reply."""
LEVEL: Final = 2


async def persons_turn(books: Books, room: Room) -> StoredGame:
    """The game, once it is Ana's turn and shown."""

    async def is_shown() -> bool:
        stored = await books.latest(room.channel_id)
        if stored is None or stored.shown_seq < len(stored.record.entries):
            return False
        return stored.players[replayed(stored).to_act or 0] == room.ana.user_id

    await until(is_shown, "it is Ana's turn")
    found = await books.latest(room.channel_id)
    assert found is not None
    return found


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.xdist_group("kill")
@in_number("kills", 4, 20)
async def test_a_game_against_the_machine_outlives_every_kill(stand_in: Server, sqlite_url: str, kills: int) -> None:
    room, rng = Room.of(stand_in), random.Random(1)
    async with Forks() as forks, Books(sqlite_url) as books, BotProcess(stand_in, sqlite_url, forks) as process:
        await process.start()
        await process.ready()
        await room.ana.slash("abak challenge", level=LEVEL, game="abalone", side="black")
        for _ in range(kills):
            table = replayed(await persons_turn(books, room))
            turn = table.game.format(table.state, (rng.choice(table.game.legal(table.state)),))
            acting = asyncio.create_task(room.ana.slash("abak move play", notation=turn))
            await asyncio.sleep(rng.uniform(0, WITHIN))
            await process.kill()
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)
            await books.end_leases()
            await process.start()
            await process.ready()
        stored = await persons_turn(books, room)
    turns = [entry.seat for entry in stored.record.entries if entry.kind is Kind.PLAY]
    assert turns == [0, 1] * (len(turns) // 2)
    assert len(turns) > 0
    assert len([message for message in room.ana.messages if shows_board(message)]) <= len(turns) + 1
