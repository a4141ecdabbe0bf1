"""Digests: one a day at the hour that was chosen, instead of pings."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from fakes.clock import Clock
from fakes.outbox import ANN, BOB, NOON, begin, rows

from bot.core.storage.database import Database
from bot.games.service import GameService
from bot.notifications.service import NotificationService
from bot.players.repository import PreferenceRepository
from bot.players.service import PreferenceService
from bot.players.tables import USER
from engine.core.hours import HOUR, MINUTE


async def test_who_wants_digests_is_not_pinged(
    played: GameService, notifications: NotificationService, preferences: PreferenceService
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    live = await begin(played)
    assert not await notifications.reserve_ping(live)
    await notifications.undeliverable(live)
    (digest,) = await rows(notifications)
    assert (digest.kind, digest.due - NOON) == ("digest", 21 * HOUR)  # at nine, tomorrow
    (pending,) = await notifications.store.lease(digest.due, digest.due + 1, 1)
    assert await notifications.outbox.digest_wanted(pending, waiting=True)
    assert not await notifications.outbox.digest_wanted(pending, waiting=False)
    await preferences.set_user(ANN, "pings", "turn")
    assert not await notifications.outbox.digest_wanted(pending, waiting=True)


@pytest.mark.parametrize(
    ("zone", "hour", "day"),
    [
        ("Europe/Madrid", "01", datetime(2027, 3, 26, 12, tzinfo=UTC)),
        ("Europe/Madrid", "01", datetime(2027, 10, 29, 12, tzinfo=UTC)),
        ("Europe/London", "00", datetime(2027, 3, 26, 12, tzinfo=UTC)),
        ("Europe/London", "00", datetime(2027, 10, 29, 12, tzinfo=UTC)),
        ("America/New_York", "19", datetime(2027, 3, 12, 12, tzinfo=UTC)),
        ("America/New_York", "19", datetime(2027, 11, 5, 12, tzinfo=UTC)),
        ("America/New_York", "02", datetime(2027, 3, 12, 12, tzinfo=UTC)),  # an hour that one day does not have
        ("America/New_York", "01", datetime(2027, 11, 5, 12, tzinfo=UTC)),  # and one that another has twice
    ],
)
async def test_every_day_has_its_digest_also_when_clocks_are_changed(
    played: GameService,
    notifications: NotificationService,
    preferences: PreferenceService,
    clock: Clock,
    zone: str,
    hour: str,
    day: datetime,
) -> None:
    clock.at = int(day.timestamp() * 1000)
    for key, value in (("pings", "digest"), ("zone", zone), ("digest_hour", hour)):
        await preferences.set_user(ANN, key, value)
    await begin(played)
    days = []
    for _ in range(5):
        due = await notifications.outbox.next_due()
        assert due is not None
        clock.at = due
        (digest,) = await notifications.outbox.due()
        assert await notifications.outbox.digest_wanted(digest, waiting=True)
        await notifications.outbox.sent(digest, "dm")
        days.append(datetime.fromtimestamp(due / 1000, ZoneInfo(zone)).date())
    assert days == [days[0] + timedelta(days=number) for number in range(5)]


@pytest.mark.parametrize(
    ("at", "key", "value", "due"),
    [
        (10, "digest_hour", "12", 12),
        (10, "digest_hour", "20", 20),
        (17, "digest_hour", "12", 36),
        (19, "digest_hour", "20", 20),  # the day's was sent: it is due again at the hour that was chosen since
        (19, "digest_hour", "09", 33),
        (10, "zone", "Asia/Tokyo", 33),
        (10, "zone", "America/New_York", 23),
    ],
)
async def test_whoever_wants_it_at_another_hour_gets_it_then(
    played: GameService,
    notifications: NotificationService,
    preferences: PreferenceService,
    clock: Clock,
    at: int,
    key: str,
    value: str,
    due: int,
) -> None:
    midnight = NOON - 12 * HOUR
    clock.at = midnight + 9 * HOUR
    for chosen_key, chosen_value in (("pings", "digest"), ("digest_hour", "18"), ("zone", "UTC")):
        await preferences.set_user(ANN, chosen_key, chosen_value)
    await begin(played)
    if at > 18:
        clock.at = midnight + 18 * HOUR
        (digest,) = await notifications.outbox.due()
        assert await notifications.outbox.digest_wanted(digest, waiting=True)
        await notifications.outbox.sent(digest, "dm")
    clock.at = midnight + at * HOUR
    await preferences.set_user(ANN, key, value)
    pending = [(row.due - midnight) / HOUR for row in await rows(notifications, "digest") if row.state == "pending"]
    assert pending == [due]


@pytest.mark.both_databases
async def test_an_hour_chosen_and_chosen_back_leaves_the_digest(
    played: GameService, notifications: NotificationService, preferences: PreferenceService
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    await begin(played)
    for hour in ("18", "09"):
        await preferences.set_user(ANN, "digest_hour", hour)
    assert sorted((row.state, row.due - NOON) for row in await rows(notifications)) == [
        ("pending", 21 * HOUR),
        ("void", 6 * HOUR),
    ]


async def test_a_digest_that_is_overdue_is_not_put_off_by_a_move(
    played: GameService, notifications: NotificationService, preferences: PreferenceService, clock: Clock
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    live = await begin(played)
    clock.at += 21 * HOUR + MINUTE  # nobody sent it
    live = await played.play(live.id, ANN, None, "1")
    await played.play(live.id, BOB, None, "1")
    assert [(row.state, row.due - NOON) for row in await rows(notifications, "digest")] == [
        ("pending", 21 * HOUR),
        ("pending", 45 * HOUR),
    ]


async def test_a_digest_planned_by_who_did_not_know_the_new_hour_is_dropped_for_the_right_one(
    database: Database,
    played: GameService,
    notifications: NotificationService,
    preferences: PreferenceService,
    clock: Clock,
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    await begin(played)
    await PreferenceService(PreferenceRepository(database)).set_user(ANN, "digest_hour", "18")
    clock.at += 21 * HOUR
    preferences._cache.drop((USER, ANN))  # believed for a minute at most
    (digest,) = await notifications.outbox.due()
    assert not await notifications.outbox.digest_wanted(digest, waiting=True)
    await notifications.outbox.void(digest)
    assert [(row.state, row.due - NOON) for row in await rows(notifications)] == [
        ("void", 21 * HOUR),
        ("pending", 30 * HOUR),
    ]


@pytest.mark.parametrize(
    ("hour", "quiet", "due"),
    [("09", "23:00-10:30", 22.5), ("09", "22:00-09:00", 21), ("23", "22:00-08:00", 20), ("13", "11:00-14:00", 2)],
)
async def test_a_digest_in_quiet_hours_comes_at_their_end(
    played: GameService,
    notifications: NotificationService,
    preferences: PreferenceService,
    clock: Clock,
    hour: str,
    quiet: str,
    due: float,
) -> None:
    for key, value in (("pings", "digest"), ("digest_hour", hour), ("quiet", quiet)):
        await preferences.set_user(ANN, key, value)
    await begin(played)
    for day in range(3):
        (digest,) = [row for row in await rows(notifications, "digest") if row.state == "pending"]
        assert digest.due - NOON == (due + 24 * day) * HOUR
        clock.at = digest.due
        (leased,) = await notifications.outbox.due()
        assert await notifications.outbox.digest_wanted(leased, waiting=True)
        await notifications.outbox.sent(leased, "dm")


@pytest.mark.both_databases
async def test_new_quiet_hours_move_a_digest_that_is_planned(
    played: GameService, notifications: NotificationService, preferences: PreferenceService
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    await begin(played)
    await preferences.set_user(ANN, "quiet", "22:00-10:00")
    pending = [row.due - NOON for row in await rows(notifications, "digest") if row.state == "pending"]
    assert pending == [22 * HOUR]


async def test_a_live_game_is_told_on_the_board_and_not_in_the_digest(
    played: GameService, notifications: NotificationService, preferences: PreferenceService
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    await preferences.set_user(ANN, "quiet", "11:00-14:00")
    live = await begin(played, "10m+5s")
    assert await rows(notifications) == []
    assert await notifications.reserve_ping(live)
    await notifications.undeliverable(live)
    assert [(row.kind, row.due - NOON) for row in await rows(notifications)] == [("turn", 0)]
