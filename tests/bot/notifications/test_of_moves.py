"""Notices written with the move that is their reason: reminders, calls, and that a game was brought elsewhere."""

import asyncio
import random
from collections.abc import Callable

import pytest
from fakes.clock import Clock
from fakes.outbox import ANN, BOB, HERE, NOON, begin, rows

from bot.games.service import Place, Seated, Tables
from bot.notifications.quiet_hours import LAST_HOUR, SHARE
from bot.notifications.service import Notice, Notices
from bot.players.preferences import Preferences
from engine.core.hours import HOUR


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


async def test_reminders_are_planned_anew_with_each_turn(played: Tables, notices: Notices, clock: Clock) -> None:
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
    played: Tables, notices: Notices, clock: Clock
) -> None:
    seated = await begin(played, "3d/move")
    clock.at += 60 * HOUR
    (share,) = await notices.due()
    assert notices.stands(share, seated)
    await notices.sent(share, "dm")
    await played.offer(seated.id, ANN, "draw")
    assert [(row.n, row.state) for row in await rows(notices, "reminder")] == [(SHARE, "sent"), (LAST_HOUR, "pending")]


async def test_a_pause_takes_reminders_away_and_its_end_brings_them_back(
    played: Tables, notices: Notices, clock: Clock
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
    await played.resign(seated.id, ANN, seated.table.game.resign_values(seated.table.state, 0)[-1])
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


async def test_whom_a_board_has_told_needs_no_notice(played: Tables, notices: Notices) -> None:
    seated = await begin(played)
    await played.shown(seated.id, seated.seq, 99)
    await notices.undeliverable(await played.get(seated.id))
    assert await rows(notices) == []


async def being_sent(notices: Notices, seated: Seated) -> Notice:
    """The notice of a turn whose board cannot be shown, on its way to a channel."""
    await notices.undeliverable(seated)
    (turn,) = await notices.due()
    sending = await notices.sending(turn, 7)
    assert sending is not None
    return sending


async def test_what_failed_is_taken_back_for_a_board_and_revived_when_that_fails_too(
    played: Tables, notices: Notices
) -> None:
    seated = await begin(played)
    turn = await being_sent(notices, seated)
    await notices.failed(turn)  # refused: it has arrived nowhere
    assert [(row.state, row.sent_to) for row in await rows(notices)] == [("failed", None)]
    assert await notices.may_call(seated)
    assert await notices.unreached(ANN) == []
    await notices.undeliverable(seated)
    (again,) = await notices.due()
    assert (again.id, again.sent_to) == (turn.id, None)


async def test_what_failed_and_may_have_arrived_stays_whatever_becomes_of_the_board(
    played: Tables, notices: Notices
) -> None:
    seated = await begin(played)
    turn = await being_sent(notices, seated)
    await notices.failed(turn, doubtful=True)
    for _ in range(2):
        assert not await notices.may_call(seated)
        await notices.undeliverable(seated)
        assert [(left.id, left.sent_to) for left in await notices.unreached(ANN)] == [(turn.id, 7)]
    await notices.sent(turn, "told")
    assert not await notices.may_call(seated)
    await notices.undeliverable(seated)
    assert [row.state for row in await rows(notices)] == ["sent"]


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


# --- brought elsewhere -----------------------------------------------------------------------------------------------


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
