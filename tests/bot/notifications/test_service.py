"""What is alike is written once, and who sends is woken."""

import pytest
from fakes.outbox import BOB, note, rows, write

from bot.notifications.service import NotificationService

pytestmark = pytest.mark.both_databases


async def test_what_is_alike_is_written_once(notifications: NotificationService) -> None:
    await write(notifications, note(), note(), note(BOB), note(seq=1), note(n=1))
    await write(notifications, note())
    assert len(await rows(notifications)) == 4


async def test_whoever_sends_is_woken(notifications: NotificationService) -> None:
    woken: list[int] = []
    notifications.subscribe(lambda: woken.append(1))
    await write(notifications, note())
    assert woken == [1]
