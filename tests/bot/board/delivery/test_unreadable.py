"""The board of a game that cannot be read is tried seldom, and costs a line. Once it can be read, it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import structlog
from fakes.clock import Clock
from harness.bot import Room, bot_running, milliseconds
from harness.damage import spoil
from harness.undelivered import Undelivered

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import LEASE_MS
from bot.core.workers import LONGEST_PAUSE, backoff
from bot.games.service import GameService
from bot.games.stored import UnreadableGame

if TYPE_CHECKING:
    from bot.sandbox.server import Server

ENTRY = ("UPDATE entries SET seq = 7 WHERE seq = 0", "UPDATE entries SET seq = 0 WHERE seq = 7")
GAME = ("UPDATE games SET game = 'tetris'", "UPDATE games SET game = 'apb'")
"""Statements that make a game unreadable, and readable again."""


@pytest.mark.parametrize("damage", [ENTRY, GAME])
async def test_an_unreadable_board_is_tried_as_seldom_as_can_be(
    stand_in: Server, sqlite_url: str, damage: tuple[str, str]
) -> None:
    time = Clock(milliseconds())
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        room = Room.of(stand_in, bot)
        scene = Undelivered(room, time, room.ana)
        await scene.hinder()
        live = await room.present()
        await spoil(bot.services.database, damage[0])
        bot.service(GameService).forget_player(None)
        stand_in.world.channels[room.channel_id]["permission_overwrites"] = []  # and nobody is told of it
        before = await scene.row()
        time.at = before.next_attempt_at
        with structlog.testing.capture_logs() as logs:
            await scene.sweep()
            tried = await scene.row()
            assert (tried.attempts, tried.next_attempt_at) == (before.attempts + 1, time.at + LONGEST_PAUSE)
            assert tried.board_leased_until == 0
            for _ in range(3):
                time.at += LEASE_MS + 1
                await scene.sweep()
            assert await scene.row() == tried
        named = {"record_unreadable": [live.id], "board_unreadable": [live.id]}
        assert {
            event: [line.get("game", line.get("id")) for line in logs if line["event"] == event] for event in named
        } == named
        assert not any("exc_info" in line for line in logs)
        await spoil(bot.services.database, damage[1])
        time.at = tried.next_attempt_at
        await scene.sweep()
        assert len(room.boards) == 2
        assert (await room.shown()).id == live.id


async def test_a_board_that_fails_because_of_another_game_is_tried_like_any_other(
    scene: Undelivered, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scene.hinder()
    before = await scene.row()
    scene.time.at = before.next_attempt_at

    async def unreadable(*_: object, **__: object) -> None:
        raise UnreadableGame("another")

    monkeypatch.setattr(scene.bot.service(BoardPublisher)._posts, "bring_up", unreadable)
    await scene.sweep()
    tried = await scene.row()
    assert (tried.attempts, tried.next_attempt_at) == (2, scene.time.at + backoff(1))
