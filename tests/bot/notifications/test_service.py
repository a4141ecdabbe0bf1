"""The outbox: leased by one, told once, begun while there is a reason, and forgotten in the end."""

import asyncio

from fakes.clock import Clock
from fakes.outbox import ANN, BOB, NOON, note, rows, write
from sqlalchemy import update

from bot.board.delivery.service import pause
from bot.core.database import Database
from bot.core.tables import notices as table
from bot.notifications import service as outbox
from bot.notifications.repository import NoticeStore
from bot.notifications.service import Notices
from bot.players.preferences import Preferences


async def test_what_is_alike_is_written_once(notices: Notices) -> None:
    await write(notices, note(), note(), note(BOB), note(seq=1), note(n=1))
    await write(notices, note())
    assert len(await rows(notices)) == 4


async def test_of_two_who_lease_each_gets_others(
    database: Database, preferences: Preferences, notices: Notices
) -> None:
    await write(notices, *(note(seq=number) for number in range(60)))
    other = Notices(NoticeStore(database), preferences, notices.now)
    found = await asyncio.gather(*(service.due() for service in (notices, other) * 3))
    ids = [notice.id for leased in found for notice in leased]
    assert len(ids) == len(set(ids))
    assert len(ids) <= 60
    while left := await notices.due():
        ids += [notice.id for notice in left]
    assert sorted(ids) == sorted(row.id for row in await rows(notices))


async def test_what_a_process_has_leased_and_left_is_leased_again(notices: Notices, clock: Clock) -> None:
    await write(notices, note())
    (first,) = await notices.due()
    assert await notices.due() == []
    clock.at += outbox.LEASE_MS
    (second,) = await notices.due()
    assert second == first


async def test_nothing_is_leased_before_it_is_due(notices: Notices, clock: Clock) -> None:
    await write(notices, note(due=NOON + 1))
    assert (await notices.due(), await notices.next_due()) == ([], NOON + 1)
    clock.at += 1
    assert len(await notices.due()) == 1


async def test_the_pauses_grow_and_what_failed_is_kept_for_the_user(notices: Notices, clock: Clock) -> None:
    await write(notices, note())
    for number in range(outbox.ENOUGH):
        (notice,) = await notices.due()
        assert notice.attempts == number
        await notices.again(notice)
        assert await notices.next_due() == clock() + pause(number)
        clock.at += pause(number)
    (notice,) = await notices.due()
    await notices.failed(notice)
    assert await notices.next_due() is None
    (left,) = await notices.unreached(ANN)
    assert await notices.unreached(BOB) == []
    await notices.sent(left, "told")
    assert await notices.unreached(ANN) == []
    assert [(row.state, row.via) for row in await rows(notices)] == [("sent", "told")]


async def test_what_is_void_or_sent_is_not_begun(notices: Notices) -> None:
    await write(notices, note(), note(seq=1), note(seq=2))
    first, second, third = await notices.due()
    await notices.void(first)
    await notices.sent(second, "dm")
    assert [bool(await notices.sending(notice, 7)) for notice in (first, second, third)] == [False, False, True]


async def test_what_another_process_has_leased_since_is_not_sent(
    database: Database, preferences: Preferences, notices: Notices, clock: Clock
) -> None:
    await write(notices, note())
    other = Notices(NoticeStore(database), preferences, clock)
    (ours,) = await notices.due()
    clock.at += outbox.LEASE_MS
    (theirs,) = await other.due()
    assert await notices.sending(ours, 7) is None
    await notices.again(ours)
    assert await other.next_due() == clock() + outbox.LEASE_MS
    sending = await other.sending(theirs, 8)
    assert sending is not None
    assert [row.sent_to for row in await rows(notices)] == [8]
    await other.again(sending)
    assert await other.next_due() == clock() + pause(0)


async def test_a_lease_that_has_almost_run_out_is_renewed_before_anything_is_sent(
    database: Database, preferences: Preferences, notices: Notices, clock: Clock
) -> None:
    await write(notices, note())
    (last,) = await notices.due()
    clock.at += outbox.LEASE_MS - 1  # those before it took their time
    assert await notices.sending(last, 7)
    clock.at += outbox.SENDING_MS
    assert await Notices(NoticeStore(database), preferences, clock).due() == []


async def test_what_was_told_long_ago_is_forgotten(notices: Notices, clock: Clock) -> None:
    await write(notices, note(), note(seq=1), note(seq=2), note(seq=3))
    first, second, third, _ = await notices.due()
    await notices.sent(first, "dm")
    await notices.void(second)
    await notices.failed(third)
    clock.at += outbox.KEPT_MS
    assert await notices.forget() == 0
    clock.at += 1
    assert await notices.forget() == 2
    assert {row.state for row in await rows(notices)} == {"failed", "pending"}


async def test_old_rows_are_left_alone(notices: Notices) -> None:
    """A notice that failed is not revived by the same reason."""
    await write(notices, note())
    (notice,) = await notices.due()
    await notices.failed(notice)
    async with notices.store.database.writing() as connection:
        await notices.store.add(connection, [note()], again=True)
        await connection.execute(update(table).where(table.c.id == "nothing").values(via=""))
    assert [row.state for row in await rows(notices)] == ["failed"]


async def test_what_may_have_arrived_and_is_wanted_again_is_still_looked_for(notices: Notices, clock: Clock) -> None:
    """A notice that was taken back keeps where, and since when, it is looked for; one never begun is as new."""
    await write(notices, note(), note(seq=1))
    begun, other = await notices.due()
    assert await notices.sending(begun, 7)
    await notices.void(begun)
    await notices.void(other)
    clock.at += 60_000
    async with notices.store.database.writing() as connection:
        await notices.store.add(connection, [note(due=clock(), seq=number) for number in (0, 1)], again=True)
    assert [(row.state, row.sent_to, row.due - NOON, row.try_at - NOON) for row in await rows(notices)] == [
        ("pending", 7, 0, 60_000),
        ("pending", None, 60_000, 60_000),
    ]


async def test_what_is_being_sent_is_not_moved(notices: Notices, clock: Clock) -> None:
    await write(notices, note())
    (notice,) = await notices.due()
    sending = await notices.sending(notice, 7)
    assert sending is not None
    async with notices.store.database.writing() as connection:
        await notices.store.add(connection, [note(due=clock() + 5)], again=True)
    assert [(row.due, row.try_at) for row in await rows(notices)] == [(NOON, sending.leased_until)]


async def test_who_has_lost_the_lease_does_not_note_a_failure(
    database: Database, preferences: Preferences, notices: Notices, clock: Clock
) -> None:
    """Another process may have sent it since: where it is looked for is kept."""
    await write(notices, note())
    (ours,) = await notices.due()
    clock.at += outbox.LEASE_MS
    other = Notices(NoticeStore(database), preferences, clock)
    (theirs,) = await other.due()
    assert await other.sending(theirs, 8)
    await notices.failed(ours)
    assert [(row.state, row.sent_to) for row in await rows(notices)] == [("pending", 8)]


async def test_whoever_sends_is_woken(notices: Notices) -> None:
    woken: list[int] = []
    notices.subscribe(lambda: woken.append(1))
    await write(notices, note())
    assert woken == [1]
