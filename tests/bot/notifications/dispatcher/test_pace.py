"""After an absence, notifications wait for their turn; those that come in time do not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from harness.delivery import HOUR, NOON, Delivery
from harness.discord import Seat, until

from bot.core.workers import Pace
from bot.notifications.dispatcher import MAX_USERS_AT_ONCE, PER_NOTICE, NotificationDispatcher
from bot.notifications.model import PAUSED
from bot.notifications.service import NotificationService

if TYPE_CHECKING:
    from bot.games.live import LiveGame


class Gate(Pace):
    """Lets nobody through until it is opened."""

    def __init__(self) -> None:
        super().__init__(1.0)
        self.asked: list[float] = []
        self.used = False
        self.open = asyncio.Event()

    @property
    def is_used(self) -> bool:
        return self.used

    async def wait(self, units: float = 1.0) -> None:
        self.asked.append(units)
        await self.open.wait()


@pytest.fixture
def gate(scene: Delivery) -> Gate:
    gate = Gate()
    scene.bot.service(NotificationDispatcher)._pace = gate  # type: ignore[assignment]
    return gate


async def write(scene: Delivery, live: LiveGame, number: int, due: int) -> list[Seat]:
    """Stores a notification for each of so many others, and returns them."""
    service = scene.bot.service(NotificationService)
    others = [Seat.join(scene.world, f"P{n}", scene.room.channel_id) for n in range(number)]
    async with service.store.database.writing() as connection:
        await service.store.add(
            connection, [service.of_game(live, who.user_id, PAUSED, seq=live.seq, due=due) for who in others]
        )
    return others


async def test_what_comes_in_time_does_not_wait(scene: Delivery, gate: Gate) -> None:
    others = await write(scene, await scene.begin(), 3, NOON)
    await scene.bot.service(NotificationDispatcher).turn()
    assert [len(scene.sent_to(who)) for who in others] == [1] * 3
    assert gate.asked == []


@pytest.mark.parametrize("used", [False, True], ids=["late", "while boards catch up"])
async def test_what_is_late_waits_one_after_the_other(scene: Delivery, gate: Gate, used: bool) -> None:
    gate.used = used
    others = await write(scene, await scene.begin(), 3, NOON - (0 if used else HOUR))
    turn = asyncio.create_task(scene.bot.service(NotificationDispatcher).turn())
    await until(lambda: gate.asked, "one waits")
    await asyncio.sleep(0.2)
    assert gate.asked == [PER_NOTICE]
    assert not any(scene.sent_to(who) for who in others)
    gate.open.set()
    await turn
    assert gate.asked == [PER_NOTICE] * 3
    assert [len(scene.sent_to(who)) for who in others] == [1] * 3


async def test_a_turn_ends_in_time_however_much_is_due(scene: Delivery, monkeypatch: pytest.MonkeyPatch) -> None:
    live, done = await scene.begin(), NotificationDispatcher._done

    async def until_the_turn_has_lasted_long(
        self: NotificationDispatcher, sending: dict[asyncio.Task[None], int]
    ) -> None:
        await done(self, sending)
        self._turn_ends = float("-inf")

    monkeypatch.setattr(NotificationDispatcher, "_done", until_the_turn_has_lasted_long)
    others = await write(scene, live, MAX_USERS_AT_ONCE + 2, NOON)
    for sent in (MAX_USERS_AT_ONCE, len(others)):
        await scene.bot.service(NotificationDispatcher).turn()
        assert sum(len(scene.sent_to(who)) for who in others) == sent
