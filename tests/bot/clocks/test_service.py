"""Time runs out when it does: by itself, however often it is asked, and for a move that comes too late."""

import pytest
from fakes.process import Process, timeouts
from structlog.testing import capture_logs

from bot.clocks.heartbeats.service import GAP_MS, HEARTBEAT_MS
from bot.clocks.service import LEASE_MS
from bot.games.live import LiveGame
from bot.games.stored import Place
from engine.core.clock import LAG
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Kind
from engine.core.table import Table

ANN, BOB, EVE = 11, 22, 33
HERE, THERE = Place(1, 5), Place(1 << 22, 6)
"""In two shards, where there are two."""


@pytest.mark.both_databases
async def test_time_runs_out_by_itself_and_is_dated_when_it_did(process: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    heard: list[LiveGame] = []
    process.games.subscribe(heard.append)
    await process.live(HOUR + LAG - 1)
    assert (await process.games.get(live.id)).table.outcome is None
    await process.live(DAY)  # noticed late
    over = await process.games.get(live.id)
    assert timeouts(over) == [f"{HOUR + LAG} timeout 0"]
    assert over.table.outcome is not None
    assert over.table.outcome.winner == 1
    assert over.table.counts
    assert [one.seq for one in heard] == [over.seq]
    assert Table.replay(over.table.game, over.table.record) == over.table
    await process.live(DAY)
    assert (await process.games.newest(live.id)).seq == over.seq


async def test_with_a_claim_the_game_waits_for_a_player(process: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, timeout_policy="claim", played=4)
    await process.live(2 * HOUR)
    late = await process.games.get(live.id)
    assert (late.table.overdue, late.table.outcome) == (0, None)
    await process.live(DAY)
    assert (await process.games.newest(live.id)).seq == late.seq
    with pytest.raises(Refused):
        await process.games.claim(live.id, ANN, "win")
    won = await process.games.claim(live.id, BOB, "win")
    assert won.table.outcome is not None
    assert (won.table.outcome.winner, won.table.counts) == (1, True)


async def test_a_late_player_may_play_on_where_the_other_has_not_claimed(process: Process) -> None:
    live = await process.nim("1h", (ANN, BOB), HERE, timeout_policy="claim", played=4)
    await process.pass_time(2 * HOUR)
    played = await process.games.play(live.id, ANN, live.seq, "1")
    assert [entry.kind for entry in played.table.record.entries[-2:]] == [Kind.TIMEOUT, Kind.PLAY]
    assert played.table.clock is not None
    assert played.table.clock.banks[0] == 0
    assert played.table.overdue is None


async def test_a_game_of_few_turns_is_aborted(process: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=3)
    await process.live(2 * HOUR)
    over = await process.games.get(live.id)
    assert over.table.outcome is not None
    assert (over.table.outcome.reason, over.table.counts) == ("end.aborted", False)


async def test_the_loop_wakes_when_the_next_time_runs_out(process: Process) -> None:
    assert await process.deadlines.run_once([0]) == HEARTBEAT_MS
    await process.nim("10s/move", (ANN, BOB), HERE, played=4)
    assert await process.deadlines.run_once([0]) == HEARTBEAT_MS
    await process.live(10_000)
    assert await process.deadlines.run_once([0]) == LAG
    await process.live(LAG)
    assert await process.deadlines.run_once([0]) == HEARTBEAT_MS


async def test_without_a_connection_nothing_beats_and_nothing_is_ticked(process: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.pass_time(2 * HOUR)
    assert await process.deadlines.run_once([]) == HEARTBEAT_MS
    assert timeouts(await process.games.newest(live.id)) == []


@pytest.mark.both_databases
async def test_ticks_change_nothing_a_second_time(process: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, timeout_policy="claim", played=4)
    await process.pass_time(2 * HOUR)
    first = await process.games.tick(live.id)
    assert len(timeouts(first)) == 1
    assert [(await process.games.tick(live.id)).table for _ in range(3)] == [first.table] * 3


async def test_one_game_that_cannot_be_ticked_keeps_no_other_waiting(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    good = await process.nim("1h/move", (BOB, EVE), THERE, played=4)
    tick = process.games.tick

    async def fragile(game_id: str) -> LiveGame:
        if game_id == bad.id:
            raise ConnectionError
        return await tick(game_id)

    monkeypatch.setattr(process.games, "tick", fragile)
    await process.pass_time(2 * HOUR)
    with capture_logs() as logs:
        pause = await process.deadlines.run_once([0])
    assert [(log["event"], log["game"]) for log in logs] == [("tick_failed", bad.id)]
    assert pause == HEARTBEAT_MS  # it is not asked for again and again
    assert len(timeouts(await process.games.newest(good.id))) == 1
    monkeypatch.setattr(process.games, "tick", tick)
    await process.live(LEASE_MS - 1)
    assert timeouts(await process.games.newest(bad.id)) == []
    await process.live(1)
    assert timeouts(await process.games.newest(bad.id)) == [f"{HOUR + LAG} timeout 0"]


# --- commands --------------------------------------------------------------------------------------------------------


async def test_a_move_that_comes_too_late_ends_the_game_and_is_told_so(process: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    heard: list[LiveGame] = []
    process.games.subscribe(heard.append)
    await process.pass_time(HOUR + LAG)
    with pytest.raises(Refused) as caught:
        await process.games.play(live.id, ANN, live.seq, "1")
    assert caught.value.key == "table.time_up"
    (over,) = heard
    assert timeouts(over) == [f"{HOUR + LAG} timeout 0"]
    with pytest.raises(Refused) as caught:
        await process.games.play(live.id, ANN, live.seq, "1")
    assert caught.value.key == "table.over"


async def test_a_move_within_the_time_that_messages_take_is_in_time(process: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.pass_time(HOUR + LAG - 1)
    assert (await process.games.play(live.id, ANN, live.seq, "1")).to_act == BOB


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_what_the_bot_notes_makes_no_press_stale(process: Process, other: Process, elsewhere: bool) -> None:
    live = await process.nim("1d/move", (ANN, BOB), HERE, played=4)
    await process.pass_time(MINUTE)
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    process.clock.at += GAP_MS + 1
    who = other if elsewhere else process
    noted = await who.games.tick(live.id)
    assert [entry.kind for entry in noted.table.record.entries[live.seq :]] == [Kind.HOURS, Kind.CREDIT]
    played = await process.games.play(live.id, ANN, live.seq, "1")
    assert played.table.record.entries[-1].kind is Kind.PLAY
    with pytest.raises(Refused) as caught:
        await process.games.play(live.id, BOB, live.seq, "1")  # saw the board before that move
    assert caught.value.key == "table.stale"
