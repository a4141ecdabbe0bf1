"""Notifications of an unreadable game are sent to nobody, and stop nothing else."""

from __future__ import annotations

import pytest
import structlog
from fakes.outbox import write
from harness.bot import told_all
from harness.damage import spoil
from harness.delivery import HOUR, Delivery
from harness.scene import FIRST

from bot.games.service import GameService
from bot.games.stored import UnreadableGame
from bot.notifications import dispatcher
from bot.notifications.model import TURN
from bot.notifications.service import NotificationService


async def spoil_game(scene: Delivery, statement: str) -> None:
    """Makes the game unreadable."""
    await spoil(scene.bot.services.database, statement)
    scene.bot.service(GameService).forget_player(None)


async def test_it_is_void_at_the_first_attempt(scene: Delivery) -> None:
    live, notes = await scene.begin(), scene.bot.service(NotificationService)
    await write(notes, notes.of_game(live, scene.room.ben.user_id, TURN, seq=1, due=scene.time.at + HOUR))
    await spoil_game(scene, "UPDATE games SET game = 'tetris'")
    with structlog.testing.capture_logs() as logs:
        await scene.pass_time(HOUR)
        assert await scene.states(TURN) == ["void"]
    warned = [line for line in logs if line["log_level"] == "warning"]
    assert [(line["event"], line["game"]) for line in warned] == [("notice_of_unreadable_game", live.id)]
    assert not any("exc_info" in line for line in logs)


async def test_what_is_about_something_else_is_tried_again(scene: Delivery, monkeypatch: pytest.MonkeyPatch) -> None:
    live, notes = await scene.begin(), scene.bot.service(NotificationService)
    await write(notes, notes.of_game(live, scene.room.ben.user_id, TURN, seq=1, due=scene.time.at + HOUR))

    async def unreadable(*_: object) -> None:
        raise UnreadableGame("another")

    with monkeypatch.context() as patched:
        patched.setattr(dispatcher, "prepare", unreadable)
        await scene.pass_time(HOUR)
    (row,) = await scene.outbox(TURN)
    assert (row.state, row.attempts) == ("pending", 1)


async def test_what_was_to_be_told_with_the_next_command_is_void(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    scene.world.dms_closed.add(ben.user_id)
    scene.shut()
    await scene.move(live, FIRST)
    assert await scene.states() == ["failed"]
    await spoil_game(scene, "UPDATE entries SET body = 'z9-z8' WHERE seq = 0")
    with structlog.testing.capture_logs() as logs:
        await ben.slash("abak help")
        await told_all(scene.bot)
        assert await scene.states() == ["void"]
    assert [line["event"] for line in logs if line["log_level"] == "error"] == ["record_unreadable"]
