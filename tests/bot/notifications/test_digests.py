"""Digests: one a day at the hour that was chosen, instead of calls."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from fakes.clock import Clock
from fakes.outbox import ANN, BOB, NOON, begin, rows

from bot.core.database import Database
from bot.core.tables import USER
from bot.games.service import Tables
from bot.notifications.service import Notices
from bot.players.preferences import Preferences
from bot.players.repository import PreferenceStore
from engine.core.hours import HOUR, MINUTE


async def test_who_wants_digests_is_not_called(played: Tables, notices: Notices, preferences: Preferences) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    seated = await begin(played)
    assert not await notices.may_call(seated)
    await notices.undeliverable(seated)
    (digest,) = await rows(notices)
    assert (digest.kind, digest.due - NOON) == ("digest", 21 * HOUR)  # at nine, tomorrow
    (pending,) = await notices.store.lease(digest.due, digest.due + 1, 1)
    assert await notices.digested(pending, waiting=True)
    assert not await notices.digested(pending, waiting=False)
    await preferences.set_user(ANN, "pings", "turn")
    assert not await notices.digested(pending, waiting=True)


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
    played: Tables, notices: Notices, preferences: Preferences, clock: Clock, zone: str, hour: str, day: datetime
) -> None:
    clock.at = int(day.timestamp() * 1000)
    for key, value in (("pings", "digest"), ("zone", zone), ("digest_hour", hour)):
        await preferences.set_user(ANN, key, value)
    await begin(played)
    days = []
    for _ in range(5):
        due = await notices.next_due()
        assert due is not None
        clock.at = due
        (digest,) = await notices.due()
        assert await notices.digested(digest, waiting=True)
        await notices.sent(digest, "dm")
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
    played: Tables, notices: Notices, preferences: Preferences, clock: Clock, at: int, key: str, value: str, due: int
) -> None:
    midnight = NOON - 12 * HOUR
    clock.at = midnight + 9 * HOUR
    for chosen_key, chosen_value in (("pings", "digest"), ("digest_hour", "18"), ("zone", "UTC")):
        await preferences.set_user(ANN, chosen_key, chosen_value)
    await begin(played)
    if at > 18:
        clock.at = midnight + 18 * HOUR
        (digest,) = await notices.due()
        assert await notices.digested(digest, waiting=True)
        await notices.sent(digest, "dm")
    clock.at = midnight + at * HOUR
    await preferences.set_user(ANN, key, value)
    pending = [(row.due - midnight) / HOUR for row in await rows(notices, "digest") if row.state == "pending"]
    assert pending == [due]


async def test_an_hour_chosen_and_chosen_back_leaves_the_digest(
    played: Tables, notices: Notices, preferences: Preferences
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    await begin(played)
    for hour in ("18", "09"):
        await preferences.set_user(ANN, "digest_hour", hour)
    assert sorted((row.state, row.due - NOON) for row in await rows(notices)) == [
        ("pending", 21 * HOUR),
        ("void", 6 * HOUR),
    ]


async def test_a_digest_that_is_overdue_is_not_put_off_by_a_move(
    played: Tables, notices: Notices, preferences: Preferences, clock: Clock
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    seated = await begin(played)
    clock.at += 21 * HOUR + MINUTE  # nobody sent it
    seated = await played.play(seated.id, ANN, None, "1")
    await played.play(seated.id, BOB, None, "1")
    assert [(row.state, row.due - NOON) for row in await rows(notices, "digest")] == [
        ("pending", 21 * HOUR),
        ("pending", 45 * HOUR),
    ]


async def test_a_digest_planned_by_who_did_not_know_the_new_hour_is_dropped_for_the_right_one(
    database: Database, played: Tables, notices: Notices, preferences: Preferences, clock: Clock
) -> None:
    await preferences.set_user(ANN, "pings", "digest")
    await begin(played)
    await Preferences(PreferenceStore(database)).set_user(ANN, "digest_hour", "18")
    clock.at += 21 * HOUR
    preferences._memory.drop((USER, ANN))  # believed for a minute at most
    (digest,) = await notices.due()
    assert not await notices.digested(digest, waiting=True)
    await notices.void(digest)
    assert [(row.state, row.due - NOON) for row in await rows(notices)] == [("void", 21 * HOUR), ("pending", 30 * HOUR)]
