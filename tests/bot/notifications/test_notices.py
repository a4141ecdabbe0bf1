"""Notices of other rooms in the outbox: kept for digests, sent or failed with them, voided; on both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.outbox import ANN, BOB, HERE, NOON, begin, rows, write

from bot.games.new_game import NewGame
from bot.notifications.model import NoticeKind, Notification
from engine.core.hours import HOUR

if TYPE_CHECKING:
    from fakes.clock import Clock
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bot.core.translations import Language
    from bot.games.live import LiveGame
    from bot.games.service import GameService
    from bot.notifications.service import NotificationService
    from bot.players.service import PreferenceService

ROUND = "round"


async def words(notification: Notification, say: Language) -> str:
    return f"{say.code} {notification.seq}"


def notice(notifications: NotificationService, user_id: int = ANN, seq: int = 1, **given: Any) -> Notification:
    notifications.kinds[ROUND] = NoticeKind(words)
    place: dict[str, Any] = {"guild_id": HERE.guild_id, "channel_id": HERE.channel_id, "locale": "en"}
    return notifications.notice(user_id, ROUND, "cup1", seq=seq, **place, **given)


async def states(notifications: NotificationService) -> dict[int, str]:
    return {row.seq: row.state for row in await rows(notifications, ROUND)}


async def test_a_notice_is_put_off_as_the_user_wants_at_the_time(
    notifications: NotificationService, preferences: PreferenceService, clock: Clock
) -> None:
    await write(notifications, notice(notifications))
    (leased,) = await notifications.outbox.due()
    assert not await notifications.outbox.put_off(leased)
    await preferences.set_user(ANN, "quiet", "11:00-14:30")
    assert await notifications.outbox.put_off(leased)
    assert await notifications.outbox.due() == []
    clock.at = NOON + 2 * HOUR + HOUR // 2
    (leased,) = await notifications.outbox.due()
    await preferences.set_user(ANN, "pings", "digest")
    assert await notifications.outbox.put_off(leased)
    assert await states(notifications) == {1: "digest"}
    (digest,) = await rows(notifications, "digest")
    assert digest.due > clock.at
    await preferences.set_user(ANN, "pings", "turn")
    assert await states(notifications) == {1: "pending"}
    assert [found.id for found in await notifications.outbox.due()] == [leased.id]


@pytest.mark.both_databases
async def test_who_has_lost_the_lease_keeps_nothing(
    notifications: NotificationService, preferences: PreferenceService, clock: Clock
) -> None:
    await write(notifications, notice(notifications))
    (slow,) = await notifications.outbox.due()
    clock.at += HOUR
    (leased,) = await notifications.outbox.due()
    await notifications.outbox.sent(leased, "dm")
    await preferences.set_user(ANN, "pings", "digest")
    assert await notifications.outbox.put_off(slow)
    assert await states(notifications) == {1: "sent"}
    assert await rows(notifications, "digest") == []


async def keep(notifications: NotificationService, preferences: PreferenceService, clock: Clock) -> Notification:
    """Keeps two notices for a digest, and leases it."""
    await preferences.set_user(ANN, "pings", "digest")
    await write(notifications, notice(notifications, seq=1), notice(notifications, seq=2))
    for _ in range(2):
        (leased,) = await notifications.outbox.due()
        assert await notifications.outbox.put_off(leased)
    clock.at = (await rows(notifications, "digest"))[0].due
    (digest,) = await notifications.outbox.due()
    return digest


@pytest.mark.both_databases
async def test_what_was_in_a_digest_is_sent_with_it_and_nothing_else(
    notifications: NotificationService, preferences: PreferenceService, clock: Clock
) -> None:
    digest = await keep(notifications, preferences, clock)
    first, second = await notifications.digests.notices(ANN)
    sending = await notifications.outbox.sending(digest, 7, [first.id])
    assert sending is not None
    clock.at += HOUR
    (again,) = await notifications.outbox.due()  # the process died, and another one finds that it has arrived
    assert (again.id, again.body) == (digest.id, {"notices": [first.id]})
    await notifications.outbox.sent(again, "")
    assert await states(notifications) == {first.seq: "sent", second.seq: "digest"}


async def test_what_was_in_a_digest_that_fails_is_read_beside_the_next_answer(
    notifications: NotificationService, preferences: PreferenceService, clock: Clock
) -> None:
    digest = await keep(notifications, preferences, clock)
    first, _ = await notifications.digests.notices(ANN)
    sending = await notifications.outbox.sending(digest, 7, [first.id])
    assert sending is not None
    await notifications.outbox.failed(sending)
    assert {found.id for found in await notifications.outbox.undelivered(ANN)} == {digest.id, first.id}
    assert len(await notifications.digests.notices(ANN)) == 1


@pytest.mark.both_databases
async def test_a_subject_is_voided_in_every_state_but_sent(
    notifications: NotificationService, preferences: PreferenceService, clock: Clock
) -> None:
    await write(notifications, notice(notifications, BOB, 9))
    (sent,) = await notifications.outbox.due()
    await notifications.outbox.sent(sent, "dm")
    digest = await keep(notifications, preferences, clock)
    await notifications.outbox.failed(digest)
    await write(notifications, notice(notifications, BOB, 3))

    async def void(*given: Any) -> dict[int, str]:
        async with notifications.store.database.writing() as connection:
            await notifications.void_subject(connection, *given)
        return await states(notifications)

    assert await void("cup2", [ROUND]) == await void("cup1", ["other"]) == await states(notifications)
    assert await void("cup1", [ROUND], BOB) == {9: "sent", 1: "digest", 2: "digest", 3: "void"}
    assert await void("cup1", [ROUND]) == {9: "sent", 1: "void", 2: "void", 3: "void"}


async def test_a_turn_that_is_told_otherwise_is_pinged_by_no_board(
    played: GameService, notifications: NotificationService
) -> None:
    async def also(connection: AsyncConnection, live: LiveGame) -> None:
        await notifications.mark_pinged(connection, live)

    told = await played.open(NewGame("nim", {"heap": 30, "dice": "no"}, HERE, "en"), (ANN, BOB), also=also)
    assert not await notifications.reserve_ping(told)
    await notifications.undeliverable(told)
    assert [(row.kind, row.state) for row in await rows(notifications)] == [("turn", "sent")]
    after = await played.play(told.id, ANN, None, "1")
    assert await notifications.reserve_ping(after)
    await played.resign(told.id, BOB, 2)
    assert await notifications.reserve_ping(await begin(played))


async def test_a_turn_that_is_told_otherwise_is_not_pinged_after_quiet_hours(
    played: GameService, notifications: NotificationService, preferences: PreferenceService
) -> None:
    """Also where the ping and what voids it are written at once."""

    async def also(connection: AsyncConnection, live: LiveGame) -> None:
        await notifications.mark_pinged(connection, live)

    await preferences.set_user(ANN, "quiet", "11:00-14:30")
    await played.open(NewGame("nim", {"heap": 30, "dice": "no"}, HERE, "en"), (ANN, BOB), also=also)
    assert {(row.kind, row.state) for row in await rows(notifications)} == {("ping", "void"), ("turn", "sent")}
