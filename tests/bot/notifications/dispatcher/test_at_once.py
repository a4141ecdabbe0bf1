"""Several users are sent theirs at the same time; each user one after the other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from harness.delivery import NOON, Delivery
from harness.discord import Seat, text, until

from bot.core.translations import language
from bot.notifications import dispatcher, views
from bot.notifications.dispatcher import MAX_USERS_AT_ONCE, NotificationDispatcher
from bot.notifications.model import PAUSED, RESUMED
from bot.notifications.service import NotificationService

if TYPE_CHECKING:
    import pytest

    from bot.games.live import LiveGame

EN = language("en")
HANGS = 1.5
PATIENT = 20.0
"""Seconds that a slow machine may take: less than the 30 after which an attempt to send is given up."""


def people(scene: Delivery, count: int) -> list[Seat]:
    return [Seat.join(scene.world, f"P{number}", scene.room.channel_id) for number in range(count)]


class Hanging:
    """Somebody's direct messages, which take none until they are ``released``."""

    def __init__(self, scene: Delivery, who: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.released = asyncio.Event(), asyncio.Event()
        self._channel = scene.world.direct_channel(who.user_id)
        self._send: Any = scene.bot.http.send_message
        monkeypatch.setattr(scene.bot.http, "send_message", self._held)

    async def _held(self, channel_id: int, **named: Any) -> Any:
        if channel_id == self._channel:
            self.reached.set()
            await self.released.wait()
        return await self._send(channel_id, **named)


async def write(scene: Delivery, live: LiveGame, *planned: tuple[Seat, str, int]) -> None:
    """Notifications: for whom, of which kind, due so many ms before now."""
    service = scene.bot.service(NotificationService)
    written = [
        service.of_game(live, who.user_id, kind, seq=live.seq, due=NOON - before) for who, kind, before in planned
    ]
    async with service.store.database.writing() as connection:
        await service.store.add(connection, written)


async def test_one_whose_channel_hangs_delays_nobody_else(scene: Delivery, monkeypatch: pytest.MonkeyPatch) -> None:
    live, ben = await scene.begin(), scene.room.ben
    others = people(scene, 2 * MAX_USERS_AT_ONCE)
    hanging = Hanging(scene, ben, monkeypatch)
    await write(scene, live, (ben, PAUSED, 9), (ben, RESUMED, 8), *((who, PAUSED, 7) for who in others))
    turn = asyncio.create_task(scene.bot.service(NotificationDispatcher).turn())
    await until(lambda: all(scene.sent_to(who) for who in others), "everybody else is told", seconds=PATIENT)
    assert hanging.reached.is_set()
    assert not turn.done()
    assert not scene.sent_to(ben)
    hanging.released.set()
    await turn
    said = [EN(f"notification.{kind}", **views.game_params(live, ben.user_id, EN)) for kind in (PAUSED, RESUMED)]
    assert [text(message) for message in scene.sent_to(ben)] == said
    assert [len(scene.sent_to(who)) for who in others] == [1] * len(others)
    assert set(await scene.states()) == {"sent"}


async def test_what_comes_to_be_due_while_a_channel_hangs_is_sent_at_once(
    scene: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As soon as it is woken, not only when it looks again."""
    monkeypatch.setattr(dispatcher, "RECHECK_SECONDS", 600.0)
    live, ben = await scene.begin(), scene.room.ben
    (later,) = people(scene, 1)
    hanging = Hanging(scene, ben, monkeypatch)
    await write(scene, live, (ben, PAUSED, 9))
    sender = scene.bot.service(NotificationDispatcher)
    turn = asyncio.create_task(sender.turn())
    await asyncio.wait_for(hanging.reached.wait(), PATIENT)
    await write(scene, live, (later, PAUSED, 0))
    sender.wake()
    await until(lambda: scene.sent_to(later), "the other is told", seconds=PATIENT)
    assert not turn.done()
    hanging.released.set()
    await turn
    assert (len(scene.sent_to(ben)), len(scene.sent_to(later))) == (1, 1)


async def test_two_processes_keep_sending_nothing_twice_while_a_channel_hangs(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    others = people(scene, 12)
    scene.world.faults.delay(f"POST /channels/{scene.world.direct_channel(ben.user_id)}/messages", HANGS)
    both = (scene.bot.service(NotificationDispatcher), NotificationDispatcher(scene.bot, scene.bot.services))
    await write(scene, live, *((who, kind, 7) for who in (ben, *others) for kind in (PAUSED, RESUMED)))
    await asyncio.gather(*(sender.turn() for sender in both))
    assert [len(scene.sent_to(who)) for who in (ben, *others)] == [2] * 13
    assert set(await scene.states()) == {"sent"}
