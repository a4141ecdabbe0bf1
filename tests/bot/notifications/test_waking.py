"""Senders are woken when a notification can be found: after the commit, and never after a rollback."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from fakes.outbox import ANN, BOB, begin, note, write

from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.service import Notification, NotificationService
from bot.players.service import PreferenceService

Found = list[asyncio.Task[list[Notification]]]


@pytest.fixture
def found(notifications: NotificationService) -> Found:
    """Collects the notifications that are due whenever the listener is woken."""
    tasks: Found = []
    notifications.subscribe(lambda: tasks.append(asyncio.create_task(notifications.outbox.due())))
    return tasks


async def kinds(found: Found) -> list[str]:
    return [notification.kind for due in await asyncio.gather(*found) for notification in due]


async def written(notifications: NotificationService, played: GameService, found: Found) -> None:
    del played, found
    async with notifications.store.database.writing() as connection:
        await notifications.write(connection, note())
        await asyncio.sleep(0.05)  # the commit takes its time


async def relocated(notifications: NotificationService, played: GameService, found: Found) -> None:
    del notifications, found
    live = await begin(played)
    await played.relocate(live.id, ANN, Place(1, 6))


async def resumed(notifications: NotificationService, played: GameService, found: Found) -> None:
    del notifications
    live = await begin(played, "3d/move")
    await played.offer(live.id, BOB, "pause")
    await played.answer(live.id, ANN, accept=True)
    await asyncio.gather(*found)  # a user's notifications are leased one at a time: the pause before the end of it
    await played.resume(live.id, ANN)


@pytest.mark.parametrize(("change", "kind"), [(written, "digest"), (relocated, "relocated"), (resumed, "resumed")])
async def test_who_is_woken_finds_what_is_due(
    notifications: NotificationService,
    played: GameService,
    found: Found,
    change: Callable[[NotificationService, GameService, Found], Awaitable[None]],
    kind: str,
) -> None:
    await change(notifications, played, found)
    assert kind in await kinds(found)


async def test_a_digest_wakes_once_it_is_planned(
    notifications: NotificationService, played: GameService, preferences: PreferenceService
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    planned: list[asyncio.Task[int | None]] = []
    notifications.subscribe(lambda: planned.append(asyncio.create_task(notifications.outbox.next_due())))
    await begin(played)
    assert [due for due in await asyncio.gather(*planned) if due is None] == []
    assert planned


@pytest.mark.both_databases
async def test_nobody_is_woken_for_what_was_rolled_back(notifications: NotificationService, found: Found) -> None:
    async def fail() -> None:
        async with notifications.store.database.writing() as connection:
            await notifications.write(connection, note())
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        await fail()
    assert found == []
    await write(notifications, note())
    assert await kinds(found) == ["digest"]
