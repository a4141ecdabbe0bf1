"""Notifications written together with a move: reminders, pings, and that a game goes on elsewhere."""

import asyncio
import json
import random
from collections.abc import Callable

import pytest
from fakes.clock import Clock
from fakes.outbox import ANN, BOB, HERE, NOON, begin, rows

from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.quiet_hours import LAST_HOUR, SHARE
from bot.notifications.service import Notification, NotificationService
from bot.players.service import PreferenceService
from engine.core.adjudication import Result
from engine.core.hours import HOUR, MINUTE

MACHINE = 3


@pytest.mark.both_databases
async def test_a_move_that_is_not_committed_writes_nothing(
    played: GameService, notifications: NotificationService, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await begin(played, "3d/move")
    before = await rows(notifications)

    async def broken(*_: object) -> None:
        raise RuntimeError("made by the test")

    monkeypatch.setattr(notifications.store, "void_in", broken)
    with pytest.raises(RuntimeError, match="made by the test"):
        await played.play(live.id, ANN, None, "1")
    assert await rows(notifications) == before
    assert (await played.get(live.id)).seq == live.seq


@pytest.mark.both_databases
async def test_reminders_are_planned_anew_with_each_turn(
    played: GameService, notifications: NotificationService, clock: Clock
) -> None:
    live = await begin(played, "3d/move")
    started = live.table.record.header.started
    planned = [(row.user_id, row.n, row.due - started, row.state) for row in await rows(notifications)]
    assert planned == [(ANN, SHARE, 72 * HOUR * 8 // 10, "pending"), (ANN, LAST_HOUR, 71 * HOUR, "pending")]
    clock.at += 10 * HOUR
    await played.play(live.id, ANN, None, "1")
    planned = [(row.user_id, row.n, row.due - started) for row in await rows(notifications) if row.state == "pending"]
    assert planned == [(BOB, SHARE, 10 * HOUR + 72 * HOUR * 8 // 10), (BOB, LAST_HOUR, 81 * HOUR)]
    assert [row.user_id for row in await rows(notifications) if row.state == "void"] == [ANN, ANN]


async def test_a_reminder_that_was_sent_is_not_planned_again_in_the_same_turn(
    played: GameService, notifications: NotificationService, clock: Clock
) -> None:
    live = await begin(played, "3d/move")
    clock.at += 60 * HOUR
    (share,) = await notifications.outbox.due()
    assert notifications.outbox.is_current(share, live)
    await notifications.outbox.sent(share, "dm")
    await played.offer(live.id, ANN, "draw")
    assert [(row.n, row.state) for row in await rows(notifications, "reminder")] == [
        (SHARE, "sent"),
        (LAST_HOUR, "pending"),
    ]


async def test_a_pause_takes_reminders_away_and_its_end_brings_them_back(
    played: GameService, notifications: NotificationService, clock: Clock
) -> None:
    live = await begin(played, "3d/move")
    await played.offer(live.id, BOB, "pause")
    await played.answer(live.id, ANN, accept=True)
    assert {row.state for row in await rows(notifications, "reminder")} == {"void"}
    assert [row.user_id for row in await rows(notifications, "paused")] == [BOB]
    clock.at += 90 * HOUR
    await played.resume(live.id, BOB)
    assert {row.state for row in await rows(notifications, "reminder")} == {"void"}
    assert [row.user_id for row in await rows(notifications, "resumed")] == [ANN]
    clock.at += 10 * HOUR
    await played.resume(live.id, ANN)
    started = live.table.record.header.started
    planned = [(row.n, row.due - started) for row in await rows(notifications, "reminder") if row.state == "pending"]
    assert planned == [(SHARE, 100 * HOUR + 72 * HOUR * 8 // 10), (LAST_HOUR, 171 * HOUR)]


async def test_the_end_of_a_game_leaves_nothing_to_ping_for(
    played: GameService, notifications: NotificationService
) -> None:
    live = await begin(played, "3d/move")
    await played.resign(live.id, ANN, live.table.game.resign_values(live.table.state, 0)[-1])
    assert {row.state for row in await rows(notifications)} == {"void"}


async def test_pings_in_quiet_hours_are_written_with_the_move(
    played: GameService, notifications: NotificationService, preferences: PreferenceService
) -> None:
    await preferences.set_user(BOB, "quiet", "11:00-13:00")
    live = await begin(played)
    live = await played.play(live.id, ANN, None, "1")
    (ping,) = await rows(notifications)
    assert (ping.user_id, ping.kind, ping.seq, ping.due - NOON) == (BOB, "ping", live.seq, HOUR)
    assert not await notifications.reserve_ping(live)


async def test_only_one_ping_is_made_for_a_turn(played: GameService, notifications: NotificationService) -> None:
    live = await begin(played)
    assert await notifications.reserve_ping(live)
    await notifications.undeliverable(live)
    await notifications.undeliverable(live)
    assert await notifications.reserve_ping(live)  # in time: the notification is taken back
    await notifications.undeliverable(live)
    (turn,) = await notifications.outbox.due()
    assert notifications.outbox.is_current(turn, live)
    assert await notifications.outbox.sending(turn, 7)
    assert not await notifications.reserve_ping(live)
    await notifications.outbox.sent(turn, "dm")
    await notifications.undeliverable(live)
    assert [row.state for row in await rows(notifications)] == ["sent"]
    assert not await notifications.reserve_ping(live)
    moved = await played.play(live.id, ANN, None, "1")
    assert await notifications.reserve_ping(moved)
    assert not notifications.outbox.is_current(turn, moved)


async def test_whom_a_board_has_told_needs_no_notice(played: GameService, notifications: NotificationService) -> None:
    live = await begin(played)
    await played.shown(live.id, live.seq, 99)
    await notifications.undeliverable(await played.get(live.id))
    assert await rows(notifications) == []


async def being_sent(notifications: NotificationService, live: LiveGame) -> Notification:
    """Returns the notification of a turn whose board cannot be shown, leased for sending to a channel."""
    await notifications.undeliverable(live)
    (turn,) = await notifications.outbox.due()
    sending = await notifications.outbox.sending(turn, 7)
    assert sending is not None
    return sending


@pytest.mark.both_databases
async def test_what_failed_is_taken_back_for_a_board_and_revived_when_that_fails_too(
    played: GameService, notifications: NotificationService
) -> None:
    live = await begin(played)
    turn = await being_sent(notifications, live)
    await notifications.outbox.failed(turn)  # refused: it has arrived nowhere
    assert [(row.state, row.sent_to) for row in await rows(notifications)] == [("failed", None)]
    assert await notifications.reserve_ping(live)
    assert await notifications.outbox.undelivered(ANN) == []
    await notifications.undeliverable(live)
    (again,) = await notifications.outbox.due()
    assert (again.id, again.sent_to) == (turn.id, None)


async def test_what_failed_and_may_have_arrived_stays_whatever_becomes_of_the_board(
    played: GameService, notifications: NotificationService
) -> None:
    live = await begin(played)
    turn = await being_sent(notifications, live)
    await notifications.outbox.failed(turn, doubtful=True)
    for _ in range(2):
        assert not await notifications.reserve_ping(live)
        await notifications.undeliverable(live)
        assert [(left.id, left.sent_to) for left in await notifications.outbox.undelivered(ANN)] == [(turn.id, 7)]
    await notifications.outbox.sent(turn, "told")
    assert not await notifications.reserve_ping(live)
    await notifications.undeliverable(live)
    assert [row.state for row in await rows(notifications)] == ["sent"]


@pytest.mark.both_databases
@pytest.mark.parametrize("seed", range(3))
async def test_the_board_and_the_dispatcher_never_both_ping(
    played: GameService, notifications: NotificationService, seed: int
) -> None:
    """In either order, exactly one of them pings."""
    live = await begin(played)
    rng = random.Random(seed)
    await notifications.undeliverable(live)
    (turn,) = await notifications.outbox.due()

    async def by_board() -> bool:
        await asyncio.sleep(rng.random() / 100)
        return await notifications.reserve_ping(live)

    async def by_courier() -> bool:
        await asyncio.sleep(rng.random() / 100)
        return await notifications.outbox.sending(turn, 7) is not None

    assert sorted(await asyncio.gather(by_board(), by_courier())) == [False, True]


# --- brought elsewhere -----------------------------------------------------------------------------------------------


async def test_a_game_that_is_brought_elsewhere_is_told_to_the_other(
    played: GameService, notifications: NotificationService
) -> None:
    live = await begin(played)
    await played.shown(live.id, live.seq, 99)
    before, after = await played.relocate(live.id, BOB, Place(1, 6))
    assert (before.place, after.place, after.message_id) == (HERE, Place(1, 6), None)
    assert after.shown_seq == live.seq - 1
    assert not await notifications.reserve_ping(after)
    assert [(row.user_id, row.kind, row.state) for row in await rows(notifications)] == [
        (ANN, "turn", "sent"),
        (ANN, "relocated", "pending"),
    ] or sorted((row.kind, row.state) for row in await rows(notifications)) == [("moved", "pending"), ("turn", "sent")]
    await played.shown(live.id, live.seq, 98, HERE)  # from where it was: too late
    assert (await played.newest(live.id)).message_id is None
    await played.shown(live.id, live.seq, 100, Place(1, 6))
    assert (await played.newest(live.id)).message_id == 100


async def test_another_process_that_knows_the_old_place_does_not_play_there(
    played: GameService, make_games: Callable[..., GameService]
) -> None:
    live = await begin(played)
    await played.shown(live.id, live.seq, 99)
    other = make_games(prefix="h")
    assert (await other.get(live.id)).place == HERE
    await played.relocate(live.id, ANN, Place(1, 6))
    found = await other.at(6)
    assert found is not None
    assert found.place == Place(1, 6)


@pytest.mark.parametrize(
    ("result", "why", "texts"),
    [
        ("0", "decision", ["adjudicated_won", "adjudicated_lost"]),
        ("1", "forfeit", ["forfeited_lost", "forfeited_won"]),
        ("draw", "", ["adjudicated_drawn", "adjudicated_drawn"]),
        ("void", "", ["voided", "voided"]),
    ],
)
async def test_both_players_hear_of_a_decision(
    played: GameService, notifications: NotificationService, result: Result, why: str, texts: list[str]
) -> None:
    live = await begin(played, "3d/move")
    await played.adjudicate(live.id, result, why)
    told = {row.user_id: json.loads(row.body)["text"] for row in await rows(notifications, "adjudicated")}
    assert told == dict(zip((ANN, BOB), texts, strict=True))
    assert {row.state for row in await rows(notifications, "reminder")} == {"void"}


async def test_a_machine_hears_of_nothing_and_a_person_is_pinged_only_for_a_late_reply(
    played: GameService, notifications: NotificationService, clock: Clock
) -> None:
    live = await played.open(NewGame("nim", {"heap": 30, "dice": "no"}, HERE, "en"), (ANN, MACHINE))
    for late in (1_000, 10 * MINUTE):
        live = await played.play(live.id, ANN, None, "1")
        assert not await notifications.reserve_ping(live)
        clock.at += late
        live = await played.play(live.id, MACHINE, None, "1")
        assert await notifications.reserve_ping(live) is (late > MINUTE)
    assert await rows(notifications) == []
