"""The outbox: written with the change that is its reason, leased by one, told once; and when reminders come."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from bot.rng import fresh_id
from bot.services import notices as outbox
from bot.services.boards import pause
from bot.services.notices import Notice, Notices
from bot.services.preferences import DEFAULTS, Preferences
from bot.services.quiet import LAST_DAY, LAST_HOUR, SHARE, quiet_until, reminders
from bot.services.tables import Place, Seated, Tables
from bot.store.notices import NoticeStore
from bot.store.preferences import PreferenceStore
from bot.store.schema import USER
from bot.store.schema import notices as table
from engine.core.clock import Clock, ClockSpec
from engine.core.hours import HOUR, MINUTE, Hours

if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.clock import Clock as Now

    from bot.store.db import Database

ANN, BOB = 11, 22
HERE = Place(1, 5)
NOON = 1_800_014_400_000
"""Noon in UTC."""


@pytest.fixture
def preferences(database: Database) -> Preferences:
    return Preferences(PreferenceStore(database))


@pytest.fixture
def notices(database: Database, preferences: Preferences, clock: Now) -> Notices:
    clock.at = NOON
    return Notices(NoticeStore(database), preferences, clock)


@pytest.fixture
def played(make_tables: Callable[..., Tables], notices: Notices) -> Tables:
    tables = make_tables()
    tables.companions = [notices]
    return tables


async def begin(tables: Tables, clock: str = "") -> Seated:
    return await tables.open("nim", {"heap": 30, "dice": "no"}, (ANN, BOB), HERE, "en", clock)


async def rows(notices: Notices, kind: str | None = None) -> list[Any]:
    query = select(table).order_by(table.c.due, table.c.n)
    async with notices.store.database.reading() as connection:
        found = list(await connection.execute(query))
    return [row for row in found if kind in {None, row.kind}]


async def write(notices: Notices, *written: Notice) -> None:
    async with notices.store.database.writing() as connection:
        await notices.write(connection, *written)


def note(user_id: int = ANN, seq: int = 0, due: int = NOON, **more: Any) -> Notice:
    return Notice(fresh_id(), user_id, "digest", due, seq=seq, **more)


# --- the outbox ------------------------------------------------------------------------------------------------------


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


async def test_what_a_process_has_leased_and_left_is_leased_again(notices: Notices, clock: Now) -> None:
    await write(notices, note())
    (first,) = await notices.due()
    assert await notices.due() == []
    clock.at += outbox.LEASE_MS
    (second,) = await notices.due()
    assert second == first


async def test_nothing_is_leased_before_it_is_due(notices: Notices, clock: Now) -> None:
    await write(notices, note(due=NOON + 1))
    assert (await notices.due(), await notices.next_due()) == ([], NOON + 1)
    clock.at += 1
    assert len(await notices.due()) == 1


async def test_the_pauses_grow_and_what_failed_is_kept_for_the_user(notices: Notices, clock: Now) -> None:
    await write(notices, note())
    for number in range(outbox.ENOUGH):
        (notice,) = await notices.due()
        assert notice.attempts == number
        await notices.again(notice)
        assert await notices.next_due() == clock() + pause(number)
        clock.at += pause(number)
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
    database: Database, preferences: Preferences, notices: Notices, clock: Now
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
    database: Database, preferences: Preferences, notices: Notices, clock: Now
) -> None:
    await write(notices, note())
    (last,) = await notices.due()
    clock.at += outbox.LEASE_MS - 1  # those before it took their time
    assert await notices.sending(last, 7)
    clock.at += outbox.SENDING_MS
    assert await Notices(NoticeStore(database), preferences, clock).due() == []


async def test_what_was_told_long_ago_is_forgotten(notices: Notices, clock: Now) -> None:
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


async def test_whoever_sends_is_woken(notices: Notices) -> None:
    woken: list[int] = []
    notices.subscribe(lambda: woken.append(1))
    await write(notices, note())
    assert woken == [1]


# --- what is written with a move -------------------------------------------------------------------------------------


async def test_a_move_that_is_not_committed_writes_nothing(
    played: Tables, notices: Notices, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = await begin(played, "3d/move")
    before = await rows(notices)

    async def broken(*_: object) -> None:
        raise RuntimeError("made by the test")

    monkeypatch.setattr(notices.store, "void_in", broken)
    with pytest.raises(RuntimeError, match="made by the test"):
        await played.play(seated.id, ANN, None, "1")
    assert await rows(notices) == before
    assert (await played.get(seated.id)).seq == seated.seq


async def test_reminders_are_planned_anew_with_each_turn(played: Tables, notices: Notices, clock: Now) -> None:
    seated = await begin(played, "3d/move")
    started = seated.table.record.header.started
    planned = [(row.user_id, row.n, row.due - started, row.state) for row in await rows(notices)]
    assert planned == [(ANN, SHARE, 72 * HOUR * 8 // 10, "pending"), (ANN, LAST_HOUR, 71 * HOUR, "pending")]
    clock.at += 10 * HOUR
    await played.play(seated.id, ANN, None, "1")
    planned = [(row.user_id, row.n, row.due - started) for row in await rows(notices) if row.state == "pending"]
    assert planned == [(BOB, SHARE, 10 * HOUR + 72 * HOUR * 8 // 10), (BOB, LAST_HOUR, 81 * HOUR)]
    assert [row.user_id for row in await rows(notices) if row.state == "void"] == [ANN, ANN]


async def test_a_reminder_that_was_sent_is_not_planned_again_in_the_same_turn(
    played: Tables, notices: Notices, clock: Now
) -> None:
    seated = await begin(played, "3d/move")
    clock.at += 60 * HOUR
    (share,) = await notices.due()
    assert notices.stands(share, seated)
    await notices.sent(share, "dm")
    await played.offer(seated.id, ANN, "draw")
    assert [(row.n, row.state) for row in await rows(notices, "reminder")] == [(SHARE, "sent"), (LAST_HOUR, "pending")]


async def test_a_pause_takes_reminders_away_and_its_end_brings_them_back(
    played: Tables, notices: Notices, clock: Now
) -> None:
    seated = await begin(played, "3d/move")
    await played.offer(seated.id, BOB, "pause")
    await played.answer(seated.id, ANN, accept=True)
    assert {row.state for row in await rows(notices, "reminder")} == {"void"}
    assert [row.user_id for row in await rows(notices, "paused")] == [BOB]
    clock.at += 100 * HOUR
    await played.resume(seated.id, BOB)
    started = seated.table.record.header.started
    planned = [(row.n, row.due - started) for row in await rows(notices, "reminder") if row.state == "pending"]
    assert planned == [(SHARE, 100 * HOUR + 72 * HOUR * 8 // 10), (LAST_HOUR, 171 * HOUR)]


async def test_the_end_of_a_game_leaves_nothing_to_call_for(played: Tables, notices: Notices) -> None:
    seated = await begin(played, "3d/move")
    await played.resign(seated.id, ANN, seated.table.game.concessions(seated.table.state, 0)[-1])
    assert {row.state for row in await rows(notices)} == {"void"}


async def test_calls_in_quiet_hours_are_written_with_the_move(
    played: Tables, notices: Notices, preferences: Preferences
) -> None:
    await preferences.set_user(BOB, "quiet", "11:00-13:00")
    seated = await begin(played)
    seated = await played.play(seated.id, ANN, None, "1")
    (call,) = await rows(notices)
    assert (call.user_id, call.kind, call.seq, call.due - NOON) == (BOB, "call", seated.seq, HOUR)
    assert not await notices.may_call(seated)


async def test_only_one_call_is_made_for_a_turn(played: Tables, notices: Notices) -> None:
    seated = await begin(played)
    assert await notices.may_call(seated)
    await notices.undeliverable(seated)
    await notices.undeliverable(seated)
    assert await notices.may_call(seated)  # in time: the notice is taken back
    await notices.undeliverable(seated)
    (turn,) = await notices.due()
    assert notices.stands(turn, seated)
    assert await notices.sending(turn, 7)
    assert not await notices.may_call(seated)
    await notices.sent(turn, "dm")
    await notices.undeliverable(seated)
    assert [row.state for row in await rows(notices)] == ["sent"]
    assert not await notices.may_call(seated)
    moved = await played.play(seated.id, ANN, None, "1")
    assert await notices.may_call(moved)
    assert not notices.stands(turn, moved)


@pytest.mark.parametrize("seed", range(3))
async def test_the_board_and_the_courier_never_both_call(played: Tables, notices: Notices, seed: int) -> None:
    """Whoever of the two comes first: exactly one of them calls."""
    seated = await begin(played)
    rng = random.Random(seed)
    await notices.undeliverable(seated)
    (turn,) = await notices.due()

    async def by_board() -> bool:
        await asyncio.sleep(rng.random() / 100)
        return await notices.may_call(seated)

    async def by_courier() -> bool:
        await asyncio.sleep(rng.random() / 100)
        return await notices.sending(turn, 7) is not None

    assert sorted(await asyncio.gather(by_board(), by_courier())) == [False, True]


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
    played: Tables, notices: Notices, preferences: Preferences, clock: Now, zone: str, hour: str, day: datetime
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
    played: Tables, notices: Notices, preferences: Preferences, clock: Now, at: int, key: str, value: str, due: int
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
    played: Tables, notices: Notices, preferences: Preferences, clock: Now
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
    database: Database, played: Tables, notices: Notices, preferences: Preferences, clock: Now
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


async def test_a_game_that_is_brought_elsewhere_is_told_to_the_other(played: Tables, notices: Notices) -> None:
    seated = await begin(played)
    await played.shown(seated.id, seated.seq, 99)
    before, after = await played.bring(seated.id, BOB, Place(1, 6))
    assert (before.place, after.place, after.message_id) == (HERE, Place(1, 6), None)
    assert after.shown_seq == seated.seq - 1
    assert not await notices.may_call(after)
    assert [(row.user_id, row.kind, row.state) for row in await rows(notices)] == [
        (ANN, "turn", "sent"),
        (ANN, "moved", "pending"),
    ] or sorted((row.kind, row.state) for row in await rows(notices)) == [("moved", "pending"), ("turn", "sent")]
    await played.shown(seated.id, seated.seq, 98, HERE)  # from where it was: too late
    assert (await played.newest(seated.id)).message_id is None
    await played.shown(seated.id, seated.seq, 100, Place(1, 6))
    assert (await played.newest(seated.id)).message_id == 100


async def test_another_process_that_knows_the_old_place_does_not_play_there(
    played: Tables, make_tables: Callable[..., Tables]
) -> None:
    seated = await begin(played)
    await played.shown(seated.id, seated.seq, 99)
    other = make_tables(prefix="h")
    assert (await other.get(seated.id)).place == HERE
    await played.bring(seated.id, ANN, Place(1, 6))
    found = await other.at(6)
    assert found is not None
    assert found.place == Place(1, 6)


# --- when ------------------------------------------------------------------------------------------------------------


def running(text: str, hours: Hours | None = None) -> Clock:
    clock = Clock.of(ClockSpec.parse(text), NOON)
    if hours is not None:
        clock = clock.rest(0, hours, 0)
    return clock.begin(0, 0)


def chosen(**more: str) -> dict[str, str]:
    return {**DEFAULTS["user"], **more}


@pytest.mark.parametrize(
    ("text", "wanted", "planned"),
    [
        ("3d/move", "both", {SHARE: 57.6, LAST_HOUR: 71}),
        ("3d/move", "day", {LAST_DAY: 48}),
        ("3d/move", "none", {}),
        ("1d/move", "day", {}),  # it would come at once
        ("5h/move", "both", {LAST_HOUR: 4}),  # the other one falls on the same moment
        ("2d+12h", "share", {SHARE: 38.4}),
        ("10m+5s", "both", {}),
    ],
)
def test_when_reminders_come(text: str, wanted: str, planned: dict[int, float]) -> None:
    found = reminders(running(text), chosen(reminders=wanted), NOON)
    assert {kind: (at - NOON) / HOUR for kind, at in found.items()} == planned


def test_time_off_puts_reminders_off() -> None:
    """Ten hours of rest a day: of 24 hours four fifths are 19.2, of which 14 fall into the first day."""
    hours = Hours((20 * 60, 6 * 60), (), ((NOON - 1, 0),))
    clock = running("1d/move", hours)
    found = reminders(clock, chosen(), NOON)
    assert clock.deadline is not None
    assert clock.left(0, found[SHARE] - NOON) == pytest.approx(24 * HOUR / 5, abs=1000)
    assert found[LAST_HOUR] == NOON + clock.deadline - HOUR


def test_what_is_past_is_not_reminded_of() -> None:
    clock = running("3d/move")
    assert reminders(clock, chosen(), NOON + 60 * HOUR) == {LAST_HOUR: NOON + 71 * HOUR}
    assert reminders(clock, chosen(), NOON + 71 * HOUR) == {}


@pytest.mark.parametrize(
    ("quiet", "zone", "at", "end"),
    [
        ("11:00-13:00", "", 0, HOUR),
        ("12:00-13:00", "", 0, HOUR),
        ("11:00-12:00", "", 0, None),
        ("22:00-12:30", "Etc/UTC", 0, 30 * MINUTE),
        ("", "", 0, None),
        ("20:30-22:00", "Asia/Tokyo", 0, HOUR),
        ("23:00-07:00", "America/New_York", 11 * HOUR, None),  # 18:00 there
        ("23:00-07:00", "America/New_York", 17 * HOUR, 7 * HOUR),  # midnight there
    ],
)
def test_the_end_of_quiet_hours(quiet: str, zone: str, at: int, end: int | None) -> None:
    found = quiet_until(chosen(quiet=quiet, zone=zone), NOON + at)
    assert found == (None if end is None else NOON + at + end)


def test_a_reminder_waits_for_the_end_of_quiet_hours_unless_time_is_up_before() -> None:
    clock = running("3d/move")
    assert reminders(clock, chosen(quiet="10:30-11:30"), NOON)[LAST_HOUR] == NOON + int(71.5 * HOUR)
    assert reminders(clock, chosen(quiet="10:30-12:30"), NOON)[LAST_HOUR] == NOON + 71 * HOUR


def test_two_that_wait_for_the_same_moment_are_one() -> None:
    clock = running("8h/move")  # reminded at 18:24 and 19:00
    assert reminders(clock, chosen(quiet="18:00-19:30"), NOON) == {LAST_HOUR: NOON + int(7.5 * HOUR)}


async def test_old_rows_are_left_alone(notices: Notices) -> None:
    """A notice that failed is not revived by the same reason."""
    await write(notices, note())
    (notice,) = await notices.due()
    await notices.failed(notice)
    async with notices.store.database.writing() as connection:
        await notices.store.add(connection, [note()], again=True)
        await connection.execute(update(table).where(table.c.id == "nothing").values(via=""))
    assert [row.state for row in await rows(notices)] == ["failed"]
