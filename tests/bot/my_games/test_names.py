"""Names that somebody has chosen so that lists of games would say something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import Room, bot_running

from bot.players.service import PlayerNames

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url) as bot:
        yield Room.of(stand_in, bot)


async def offered(room: Room) -> str:
    """Returns the only game that may be moved into another channel."""
    other = room.elsewhere(room.server.world.add_channel("other"))
    (found,) = await other.ana.choices("abak move here", "game", game="")
    return str(found["name"])


@pytest.mark.parametrize("name", ["~99d", "@error.ours"])
async def test_a_player_is_called_by_their_name(room: Room, name: str) -> None:
    """While the game runs, and in the list of finished games."""
    assert room.bot is not None
    await room.begin("abalone")
    await room.bot.service(PlayerNames).seen(room.ben.user_id, name)
    assert name in await offered(room)
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:")
    (finished,) = await room.ana.choices("abak export", "game", game="")
    assert name in finished["name"]


@pytest.mark.parametrize(
    ("name", "shown"), [("late\u202esemag\u2066", "latesemag"), ("two\nlines", "two lines"), ("\u202e\u2066", "")]
)
async def test_a_place_has_no_signs_that_are_not_seen(room: Room, name: str, shown: str) -> None:
    """In a thread, whose name anybody chooses, they would turn the text behind it."""
    thread = room.server.world.add_thread(room.channel_id, name, room.ana.user_id)
    live = await room.elsewhere(int(thread["id"])).begin("abalone")
    line = await offered(room)
    assert line.isprintable()
    assert line.endswith(f"({shown or live.id[-4:]})")
