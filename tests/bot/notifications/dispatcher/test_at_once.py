"""Several users are sent theirs at the same time; each user one after the other."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from harness.delivery import NOON, Delivery
from harness.discord import Seat, text, until

from bot.core.translations import language
from bot.notifications import views
from bot.notifications.dispatcher import MAX_USERS_AT_ONCE, NotificationDispatcher
from bot.notifications.model import PAUSED, RESUMED
from bot.notifications.service import NotificationService

if TYPE_CHECKING:
    from bot.games.live import LiveGame

EN = language("en")
HANGS = 1.5


def people(scene: Delivery, count: int) -> list[Seat]:
    return [Seat.join(scene.world, f"P{number}", scene.room.channel_id) for number in range(count)]


def hang(scene: Delivery, who: Seat) -> None:
    scene.world.faults.delay(f"POST /channels/{scene.world.direct_channel(who.user_id)}/messages", HANGS)


async def write(scene: Delivery, live: LiveGame, *planned: tuple[Seat, str, int]) -> None:
    """Notifications: for whom, of which kind, due so many ms before now."""
    service = scene.bot.service(NotificationService)
    written = [
        service.of_game(live, who.user_id, kind, seq=live.seq, due=NOON - before) for who, kind, before in planned
    ]
    async with service.store.database.writing() as connection:
        await service.store.add(connection, written)


async def test_one_whose_channel_hangs_delays_nobody_else(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    others = people(scene, 2 * MAX_USERS_AT_ONCE)
    hang(scene, ben)
    await write(scene, live, (ben, PAUSED, 9), (ben, RESUMED, 8), *((who, PAUSED, 7) for who in others))
    began = time.perf_counter()
    turn = asyncio.create_task(scene.bot.service(NotificationDispatcher).turn())
    await until(lambda: all(scene.sent_to(who) for who in others), "everybody else is told")
    assert time.perf_counter() - began < HANGS
    await turn
    said = [EN(f"notification.{kind}", **views.game_params(live, ben.user_id, EN)) for kind in (PAUSED, RESUMED)]
    assert [text(message) for message in scene.sent_to(ben)] == said
    assert [len(scene.sent_to(who)) for who in others] == [1] * len(others)
    assert set(await scene.states()) == {"sent"}


async def test_what_comes_to_be_due_while_a_channel_hangs_is_sent_at_once(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    (later,) = people(scene, 1)
    hang(scene, ben)
    await write(scene, live, (ben, PAUSED, 9))
    dispatcher = scene.bot.service(NotificationDispatcher)
    turn = asyncio.create_task(dispatcher.turn())
    await until(lambda: scene.world.faults.delays and not turn.done(), "it is being sent")
    await asyncio.sleep(0.2)
    began = time.perf_counter()
    await write(scene, live, (later, PAUSED, 0))
    dispatcher.wake()
    await until(lambda: scene.sent_to(later), "the other is told")
    assert time.perf_counter() - began < HANGS - 0.5
    assert not turn.done()
    await turn
    assert (len(scene.sent_to(ben)), len(scene.sent_to(later))) == (1, 1)


async def test_two_processes_keep_sending_nothing_twice_while_a_channel_hangs(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    others = people(scene, 12)
    hang(scene, ben)
    both = (scene.bot.service(NotificationDispatcher), NotificationDispatcher(scene.bot, scene.bot.services))
    await write(scene, live, *((who, kind, 7) for who in (ben, *others) for kind in (PAUSED, RESUMED)))
    await asyncio.gather(*(dispatcher.turn() for dispatcher in both))
    assert [len(scene.sent_to(who)) for who in (ben, *others)] == [2] * 13
    assert set(await scene.states()) == {"sent"}
