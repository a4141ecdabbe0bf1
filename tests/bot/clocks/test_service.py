"""Time runs out when it does: by itself, however often it is asked, and for a move that comes too late."""

import pytest
from fakes.process import Process, timeouts
from structlog.testing import capture_logs

from bot.clocks.heartbeats.service import BEAT_MS, GAP_MS
from bot.clocks.service import LEASE_MS
from bot.games.service import Place, Seated
from engine.core.clock import LAG
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Kind
from engine.core.table import Table

ANN, BOB, EVE = 11, 22, 33
HERE, THERE = Place(1, 5), Place(1 << 22, 6)
"""In two lanes, where there are two."""


async def test_time_runs_out_by_itself_and_is_dated_when_it_did(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    heard: list[Seated] = []
    process.tables.subscribe(heard.append)
    await process.live(HOUR + LAG - 1)
    assert (await process.tables.get(seated.id)).table.outcome is None
    await process.live(DAY)  # noticed late
    over = await process.tables.get(seated.id)
    assert timeouts(over) == [f"{HOUR + LAG} timeout 0"]
    assert over.table.outcome is not None
    assert over.table.outcome.winner == 1
    assert over.table.counts
    assert [one.seq for one in heard] == [over.seq]
    assert Table.replay(over.table.game, over.table.record) == over.table
    await process.live(DAY)
    assert (await process.tables.newest(seated.id)).seq == over.seq


async def test_with_a_claim_the_game_waits_for_a_player(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, policy="claim", played=4)
    await process.live(2 * HOUR)
    late = await process.tables.get(seated.id)
    assert (late.table.overdue, late.table.outcome) == (0, None)
    await process.live(DAY)
    assert (await process.tables.newest(seated.id)).seq == late.seq
    with pytest.raises(Refused):
        await process.tables.claim(seated.id, ANN, "win")
    won = await process.tables.claim(seated.id, BOB, "win")
    assert won.table.outcome is not None
    assert (won.table.outcome.winner, won.table.counts) == (1, True)


async def test_a_late_player_may_play_on_where_the_other_has_not_claimed(process: Process) -> None:
    seated = await process.nim("1h", (ANN, BOB), HERE, policy="claim", played=4)
    await process.beat(2 * HOUR)
    played = await process.tables.play(seated.id, ANN, seated.seq, "1")
    assert [entry.kind for entry in played.table.record.entries[-2:]] == [Kind.TIMEOUT, Kind.PLAY]
    assert played.table.clock is not None
    assert played.table.clock.banks[0] == 0
    assert played.table.overdue is None


async def test_a_game_of_few_turns_is_aborted(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=3)
    await process.live(2 * HOUR)
    over = await process.tables.get(seated.id)
    assert over.table.outcome is not None
    assert (over.table.outcome.reason, over.table.counts) == ("end.aborted", False)


async def test_the_loop_wakes_when_the_next_time_runs_out(process: Process) -> None:
    assert await process.deadlines.turn([0]) == BEAT_MS
    await process.nim("10s/move", (ANN, BOB), HERE, played=4)
    assert await process.deadlines.turn([0]) == BEAT_MS
    await process.live(10_000)
    assert await process.deadlines.turn([0]) == LAG
    await process.live(LAG)
    assert await process.deadlines.turn([0]) == BEAT_MS


async def test_without_a_connection_nothing_beats_and_nothing_is_ticked(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.beat(2 * HOUR)
    assert await process.deadlines.turn([]) == BEAT_MS
    assert timeouts(await process.tables.newest(seated.id)) == []


async def test_ticks_change_nothing_a_second_time(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, policy="claim", played=4)
    await process.beat(2 * HOUR)
    first = await process.tables.tick(seated.id)
    assert len(timeouts(first)) == 1
    assert [(await process.tables.tick(seated.id)).table for _ in range(3)] == [first.table] * 3


async def test_one_game_that_cannot_be_ticked_keeps_no_other_waiting(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    good = await process.nim("1h/move", (BOB, EVE), THERE, played=4)
    tick = process.tables.tick

    async def fragile(game_id: str) -> Seated:
        if game_id == bad.id:
            raise ConnectionError
        return await tick(game_id)

    monkeypatch.setattr(process.tables, "tick", fragile)
    await process.beat(2 * HOUR)
    with capture_logs() as logs:
        pause = await process.deadlines.turn([0])
    assert [(log["event"], log["game"]) for log in logs] == [("tick_failed", bad.id)]
    assert pause == BEAT_MS  # it is not asked for again and again
    assert len(timeouts(await process.tables.newest(good.id))) == 1
    monkeypatch.setattr(process.tables, "tick", tick)
    await process.live(LEASE_MS - 1)
    assert timeouts(await process.tables.newest(bad.id)) == []
    await process.live(1)
    assert timeouts(await process.tables.newest(bad.id)) == [f"{HOUR + LAG} timeout 0"]


# --- commands --------------------------------------------------------------------------------------------------------


async def test_a_move_that_comes_too_late_ends_the_game_and_is_told_so(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    heard: list[Seated] = []
    process.tables.subscribe(heard.append)
    await process.beat(HOUR + LAG)
    with pytest.raises(Refused) as caught:
        await process.tables.play(seated.id, ANN, seated.seq, "1")
    assert caught.value.key == "table.time_up"
    (over,) = heard
    assert timeouts(over) == [f"{HOUR + LAG} timeout 0"]
    with pytest.raises(Refused) as caught:
        await process.tables.play(seated.id, ANN, seated.seq, "1")
    assert caught.value.key == "table.over"


async def test_a_move_within_the_time_that_messages_take_is_in_time(process: Process) -> None:
    seated = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.beat(HOUR + LAG - 1)
    assert (await process.tables.play(seated.id, ANN, seated.seq, "1")).to_act == BOB


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_what_the_bot_notes_makes_no_press_stale(process: Process, other: Process, elsewhere: bool) -> None:
    seated = await process.nim("1d/move", (ANN, BOB), HERE, played=4)
    await process.beat(MINUTE)
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    process.clock.at += GAP_MS + 1
    who = other if elsewhere else process
    noted = await who.tables.tick(seated.id)
    assert [entry.kind for entry in noted.table.record.entries[seated.seq :]] == [Kind.HOURS, Kind.CREDIT]
    played = await process.tables.play(seated.id, ANN, seated.seq, "1")
    assert played.table.record.entries[-1].kind is Kind.PLAY
    with pytest.raises(Refused) as caught:
        await process.tables.play(seated.id, BOB, seated.seq, "1")  # saw the board before that move
    assert caught.value.key == "table.stale"
