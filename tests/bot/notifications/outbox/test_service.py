"""The outbox: leased by one, told once, begun while there is a reason, and forgotten in the end."""

import asyncio

import pytest
from fakes.clock import Clock
from fakes.outbox import ANN, BOB, NOON, note, rows, write
from sqlalchemy import update

from bot.core.storage.database import Database
from bot.core.workers import backoff
from bot.notifications.outbox import service as outbox
from bot.notifications.repository import NotificationRepository
from bot.notifications.service import NotificationService
from bot.notifications.tables import notifications as table
from bot.players.service import PreferenceService

pytestmark = pytest.mark.both_databases


async def test_of_two_who_lease_each_gets_others(
    database: Database, preferences: PreferenceService, notifications: NotificationService
) -> None:
    await write(notifications, *(note(seq=number) for number in range(60)))
    other = NotificationService(NotificationRepository(database), preferences, notifications.now)
    found = await asyncio.gather(*(one.outbox.due() for one in (notifications, other) * 3))
    ids = [notification.id for leased in found for notification in leased]
    assert len(ids) == len(set(ids))
    assert len(ids) <= 60
    while left := await notifications.outbox.due():
        ids += [notification.id for notification in left]
    assert sorted(ids) == sorted(row.id for row in await rows(notifications))


async def test_what_a_process_has_leased_and_left_is_leased_again(
    notifications: NotificationService, clock: Clock
) -> None:
    await write(notifications, note())
    (first,) = await notifications.outbox.due()
    assert await notifications.outbox.due() == []
    clock.at += outbox.LEASE_MS
    (second,) = await notifications.outbox.due()
    assert second == first


async def test_of_each_user_the_first_is_leased_and_then_the_next(notifications: NotificationService) -> None:
    await write(notifications, note(seq=2, due=NOON - 1), note(seq=1, due=NOON - 2), note(BOB))
    first, second = await notifications.outbox.due()
    assert [(first.user_id, first.seq), (second.user_id, second.seq)] == [(ANN, 1), (BOB, 0)]
    (waiting,) = [row for row in await rows(notifications) if row.seq == 2]
    assert waiting.next_attempt_at == NOON - 1  # nobody has leased it
    await notifications.outbox.sent(first, "dm")
    assert await notifications.outbox.due(excluded_users={ANN}) == []
    assert [notification.seq for notification in await notifications.outbox.due()] == [2]


async def test_nothing_is_leased_before_it_is_due(notifications: NotificationService, clock: Clock) -> None:
    await write(notifications, note(due=NOON + 1))
    assert (await notifications.outbox.due(), await notifications.outbox.next_due()) == ([], NOON + 1)
    clock.at += 1
    assert len(await notifications.outbox.due()) == 1


async def test_the_pauses_grow_and_what_failed_is_kept_for_the_user(
    notifications: NotificationService, clock: Clock
) -> None:
    await write(notifications, note())
    for number in range(outbox.MOST_ATTEMPTS):
        (notification,) = await notifications.outbox.due()
        assert notification.attempts == number
        await notifications.outbox.retry_later(notification)
        assert await notifications.outbox.next_due() == clock() + backoff(number)
        clock.at += backoff(number)
    (notification,) = await notifications.outbox.due()
    await notifications.outbox.failed(notification)
    assert await notifications.outbox.next_due() is None
    (left,) = await notifications.outbox.undelivered(ANN)
    assert await notifications.outbox.undelivered(BOB) == []
    await notifications.outbox.sent(left, "answer")
    assert await notifications.outbox.undelivered(ANN) == []
    assert [(row.state, row.via) for row in await rows(notifications)] == [("sent", "answer")]


async def test_what_is_void_or_sent_is_not_begun(notifications: NotificationService) -> None:
    await write(notifications, note(11), note(12), note(13))
    first, second, third = await notifications.outbox.due()
    await notifications.outbox.void(first)
    await notifications.outbox.sent(second, "dm")
    assert [bool(await notifications.outbox.sending(notification, 7)) for notification in (first, second, third)] == [
        False,
        False,
        True,
    ]


async def test_what_another_process_has_leased_since_is_not_sent(
    database: Database, preferences: PreferenceService, notifications: NotificationService, clock: Clock
) -> None:
    await write(notifications, note())
    other = NotificationService(NotificationRepository(database), preferences, clock)
    (ours,) = await notifications.outbox.due()
    clock.at += outbox.LEASE_MS
    (theirs,) = await other.outbox.due()
    assert await notifications.outbox.sending(ours, 7) is None
    await notifications.outbox.retry_later(ours)
    assert await other.outbox.next_due() == clock() + outbox.LEASE_MS
    sending = await other.outbox.sending(theirs, 8)
    assert sending is not None
    assert [row.sent_to for row in await rows(notifications)] == [8]
    await other.outbox.retry_later(sending)
    assert await other.outbox.next_due() == clock() + backoff(0)


async def test_a_lease_that_has_almost_run_out_is_renewed_before_anything_is_sent(
    database: Database, preferences: PreferenceService, notifications: NotificationService, clock: Clock
) -> None:
    await write(notifications, note())
    (last,) = await notifications.outbox.due()
    clock.at += outbox.LEASE_MS - 1  # those before it took their time
    assert await notifications.outbox.sending(last, 7)
    clock.at += outbox.SENDING_MS
    assert await NotificationService(NotificationRepository(database), preferences, clock).outbox.due() == []


async def test_what_was_told_long_ago_is_forgotten(notifications: NotificationService, clock: Clock) -> None:
    await write(notifications, note(11), note(12), note(13), note(14))
    first, second, third, _ = await notifications.outbox.due()
    await notifications.outbox.sent(first, "dm")
    await notifications.outbox.void(second)
    await notifications.outbox.failed(third)
    assert await notifications.outbox.forget(clock.at, 9) == 0
    assert await notifications.outbox.forget(clock.at + 1, 2) == 2
    assert await notifications.outbox.forget(clock.at + 1, 2) == 1
    assert {row.state for row in await rows(notifications)} == {"pending"}


async def test_old_rows_are_left_alone(notifications: NotificationService) -> None:
    """A notification that failed is not revived by the same reason."""
    await write(notifications, note())
    (notification,) = await notifications.outbox.due()
    await notifications.outbox.failed(notification)
    async with notifications.store.database.writing() as connection:
        await notifications.store.add(connection, [note()], reschedule=True)
        await connection.execute(update(table).where(table.c.id == "nothing").values(via=""))
    assert [row.state for row in await rows(notifications)] == ["failed"]


async def test_what_may_have_arrived_and_is_wanted_again_is_still_looked_for(
    notifications: NotificationService, clock: Clock
) -> None:
    """A notification that was taken back keeps where, and since when, it is looked for; one never begun is as new."""
    await write(notifications, note(ANN), note(BOB))
    begun, other = await notifications.outbox.due()
    assert await notifications.outbox.sending(begun, 7)
    await notifications.outbox.void(begun)
    await notifications.outbox.void(other)
    clock.at += 60_000
    async with notifications.store.database.writing() as connection:
        await notifications.store.add(
            connection, [note(user_id, due=clock()) for user_id in (ANN, BOB)], reschedule=True
        )
    assert [
        (row.state, row.sent_to, row.due - NOON, row.next_attempt_at - NOON) for row in await rows(notifications)
    ] == [
        ("pending", 7, 0, 60_000),
        ("pending", None, 60_000, 60_000),
    ]


async def test_what_is_being_sent_is_not_moved(notifications: NotificationService, clock: Clock) -> None:
    await write(notifications, note())
    (notification,) = await notifications.outbox.due()
    sending = await notifications.outbox.sending(notification, 7)
    assert sending is not None
    async with notifications.store.database.writing() as connection:
        await notifications.store.add(connection, [note(due=clock() + 5)], reschedule=True)
    assert [(row.due, row.next_attempt_at) for row in await rows(notifications)] == [(NOON, sending.leased_until)]


async def test_who_has_lost_the_lease_does_not_note_a_failure(
    database: Database, preferences: PreferenceService, notifications: NotificationService, clock: Clock
) -> None:
    """Another process may have sent it since: where it is looked for is kept."""
    await write(notifications, note())
    (ours,) = await notifications.outbox.due()
    clock.at += outbox.LEASE_MS
    other = NotificationService(NotificationRepository(database), preferences, clock)
    (theirs,) = await other.outbox.due()
    assert await other.outbox.sending(theirs, 8)
    await notifications.outbox.failed(ours)
    assert [(row.state, row.sent_to) for row in await rows(notifications)] == [("pending", 8)]
