"""Whichever process dies or dawdles, whoever is wanted is told once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import Room, bot_running, milliseconds
from harness.delivery import HOUR, Delivery, nothing
from harness.scene import FIRST, posts

from bot.notifications import dispatcher
from bot.notifications.dispatcher import NotificationDispatcher
from bot.notifications.outbox.service import Outbox
from bot.notifications.service import NotificationService

if TYPE_CHECKING:
    from bot.sandbox.server import Server


async def test_a_process_that_dies_while_it_sends_is_followed_by_one_that_looks(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Clock(milliseconds())
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        scene = Delivery(Room.of(stand_in, bot), time)
        live = await scene.begin()
        monkeypatch.setattr(
            bot.service(NotificationService).outbox, "sent", nothing
        )  # it dies before it notes that it was sent
        scene.shut()
        await scene.move(live, FIRST)
        assert await scene.states() == ["pending"]
        monkeypatch.undo()
    stand_in.world.messages.nonces.clear()
    time.at += HOUR
    async with bot_running(stand_in, sqlite_url, now=time) as scene.room.bot:
        await scene.settle()
        assert await scene.states() == ["sent"]
        assert len(scene.sent_to(scene.room.ben)) == 1


async def test_two_processes_send_nothing_twice(scene: Delivery) -> None:
    live = await scene.begin()
    scene.shut()
    second = dispatcher.NotificationDispatcher(scene.bot, scene.bot.services)
    await scene.play(live, FIRST)
    await asyncio.gather(
        scene.bot.service(NotificationDispatcher).turn(),
        second.turn(),
        scene.bot.service(NotificationDispatcher).turn(),
    )
    assert len(scene.sent_to(scene.room.ben)) == 1
    assert posts(scene.world, scene.world.direct_channel(scene.room.ben.user_id)) == 1


async def test_who_is_slow_leaves_it_to_the_process_that_leased_it_since(
    scene: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = scene.room.ben
    live = await scene.begin()
    await scene.bot.service(NotificationDispatcher).close()
    scene.shut()
    await scene.play(live, FIRST)
    slow, following = (dispatcher.NotificationDispatcher(scene.bot, scene.bot.services) for _ in range(2))
    needed = slow._needed

    async def late(*given: Any) -> bool:
        found = await needed(*given)
        scene.time.at += HOUR
        await following.turn()
        scene.world.messages.nonces.clear()
        return found

    monkeypatch.setattr(slow, "_needed", late)
    await slow.turn()
    assert len(scene.sent_to(ben)) == 1
    assert [row.via for row in await scene.outbox()] == ["dm"]


class Killed(BaseException):
    """The process dies here."""


@pytest.mark.parametrize("way", ["dm", "server"])
@pytest.mark.parametrize(("where", "after"), [("sending", False), ("sending", True), ("sent", False), ("sent", True)])
async def test_wherever_a_process_dies_the_user_is_told_once(
    scene: Delivery, monkeypatch: pytest.MonkeyPatch, where: str, after: bool, way: str
) -> None:
    ben, outbox = scene.room.ben, scene.bot.service(Outbox)
    await scene.notification_channel()
    if way == "server":
        scene.world.dms_closed.add(ben.user_id)
    live = await scene.begin()
    await scene.bot.service(NotificationDispatcher).close()
    scene.shut()
    await scene.play(live, FIRST)
    plain, calls = getattr(outbox, where), 0

    async def die(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        found = await plain(*given) if after or calls < (2 if way == "server" and where == "sending" else 1) else None
        if calls == (2 if way == "server" and where == "sending" else 1):
            raise Killed
        return found

    monkeypatch.setattr(outbox, where, die)
    with pytest.raises(Killed):
        await dispatcher.NotificationDispatcher(scene.bot, scene.bot.services).turn()
    monkeypatch.setattr(outbox, where, plain)
    scene.world.messages.nonces.clear()
    following = dispatcher.NotificationDispatcher(scene.bot, scene.bot.services)
    await following.turn()  # still leased by the dead
    scene.time.at += HOUR
    await following.turn()
    await following.turn()
    assert scene.pings_of(ben) == 1
    assert await scene.states() == ["sent"]
