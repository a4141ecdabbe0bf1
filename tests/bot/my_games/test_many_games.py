"""However many games somebody plays, the lists ask for all of them at once and replay none."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from harness.bot import Room, private, told
from harness.discord import text
from harness.statements import fill, watched

from bot.core.translations import language
from engine.core.hours import DAY
from engine.core.timekeeping import ABANDONED

if TYPE_CHECKING:
    from harness.statements import Asked

EN = language("en")
MANY = 300


async def filled(room: Room, began: int = 0, **header: str) -> None:
    assert room.bot is not None
    players = (room.ana.user_id, room.ben.user_id)
    started = time.time_ns() // 1_000_000 - began
    await fill(room.bot.services.database, MANY, players, room.server.world.guild_id, started=started, **header)


def brief(asked: Asked, *, loads: int) -> bool:
    assert len(asked.loads) <= loads, asked.loads
    assert len(asked.statements) <= 6, asked.statements
    return bool(asked.statements)


async def test_the_list_asks_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(room, clock="3d/move")
    assert room.bot is not None
    with watched(room.bot.services.database, monkeypatch) as asked:
        await room.ana.slash("abak games")
    assert told(room.ana).startswith(EN("games.some", n=MANY))
    assert brief(asked, loads=0)


async def test_next_loads_the_game_that_it_shows(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(room, clock="3d/move")
    assert room.bot is not None
    with watched(room.bot.services.database, monkeypatch) as asked:
        await room.ana.slash("abak next")
    assert len(private(room.ana)["attachments"]) == 1
    assert brief(asked, loads=1)


async def test_what_may_be_meant_is_found_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(room)
    assert room.bot is not None
    with watched(room.bot.services.database, monkeypatch) as asked:
        offered = await room.ana.choices("abak move here", "game", game="abal")
    assert len(offered) == 25
    assert brief(asked, loads=0)


async def test_of_many_claims_only_those_that_are_shown_are_checked(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert room.bot is not None
    await filled(room, began=ABANDONED + DAY)
    with watched(room.bot.services.database, monkeypatch) as asked:
        await room.ben.slash("abak games")
    assert text(private(room.ben)).count("**You can claim**") == len(set(asked.loads)) == 8
