"""The bot's own absence: time is given back, once, where it was lost, before anything runs out."""

import pytest
from fakes.clock import START, Clock
from fakes.process import Process, deadline, noted, refused, timeouts

from bot.clocks.heartbeats.service import HEARTBEAT_MS
from bot.core.storage.database import Database
from bot.games.stored import Place
from engine.core.clock import LAG
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Entry, Kind

ANN, BOB, EVE = 11, 22, 33
HERE, THERE = Place(1, 5), Place(1 << 22, 6)
"""In two shards, where there are two."""


@pytest.mark.both_databases
async def test_an_outage_is_given_back_once(process: Process) -> None:
    await process.deadlines.run_once([0])
    live = await process.nim("2d/move", (ANN, BOB), HERE)
    process.clock.at += HOUR
    live = await process.games.tick(live.id)
    assert noted(live) == [f"{HOUR} credit * 0 {HOUR}"]
    assert deadline(live) == START + 2 * DAY + HOUR
    process.clock.at += HEARTBEAT_MS
    assert (await process.games.tick(live.id)).seq == live.seq


async def test_a_correction_that_fails_is_made_in_the_next_turn(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn of the deadlines itself corrects no board any more: it would hold up everything else."""
    await process.deadlines.run_once([0])
    live = await process.nim("2d/move", (ANN, BOB), HERE)
    process.clock.at += HOUR

    async def fall_silent(*_: object) -> list[str]:
        raise OSError("the database is away")

    await process.deadlines.run_once([0])
    with monkeypatch.context() as patched:
        patched.setattr(process.games.repository, "affected", fall_silent)
        with pytest.raises(OSError, match="away"):
            await process.corrections.run_once()
    assert noted(await process.games.get(live.id)) == []
    assert process.corrections.pending
    await process.corrections.run_once()
    assert noted(await process.games.get(live.id)) == [f"{HOUR} credit * 0 {HOUR}"]
    assert not process.corrections.pending


async def test_only_the_games_of_that_lane_are_given_time(database: Database, nim: object, clock: Clock) -> None:
    del nim
    process = Process(database, clock, shard_count=2)
    await process.deadlines.run_once([0, 1])
    games = [await process.nim("2d/move", (ANN, BOB), Place(shard << 22, 5 + shard)) for shard in (0, 1)]
    await process.live(HOUR, shards=[1])
    await process.deadlines.run_once([0, 1])
    ticked = [await process.games.tick(live.id) for live in games]
    assert [deadline(live) - START for live in ticked] == [2 * DAY + HOUR, 2 * DAY]


async def test_an_outage_that_is_noticed_by_a_move_costs_nobody_anything(process: Process) -> None:
    await process.deadlines.run_once([0])
    live = await process.nim("10m", (ANN, BOB), HERE, played=1)
    assert live.to_act == BOB
    process.clock.at += HOUR  # far beyond Bob's time
    live = await process.games.play(live.id, BOB, live.seq, "1")
    assert live.table.clock is not None
    assert live.table.clock.banks == (10 * MINUTE, 10 * MINUTE)
    assert noted(live) == [f"{HOUR} credit * 0 {HOUR}"]
    assert live.table.record.entries[-1] == Entry(HOUR, Kind.PLAY, 1, "1")


async def test_an_outage_before_the_game_or_the_turn_is_none_of_its_business(process: Process) -> None:
    await process.deadlines.run_once([0])
    process.clock.at += HOUR
    await process.deadlines.run_once([0])
    live = await process.nim("2d/move", (ANN, BOB), HERE, played=1)
    assert noted(await process.games.tick(live.id)) == []


async def test_a_time_out_right_before_an_outage_is_one(process: Process) -> None:
    live = await process.nim("1m", (ANN, BOB), HERE, played=4)
    await process.live(MINUTE)
    process.clock.at += LAG - 1  # the last heartbeat was before; the seat had until then
    assert (await process.games.tick(live.id)).table.outcome is None
    process.clock.at += DAY
    live = await process.games.tick(live.id)
    assert [str(entry) for entry in live.table.record.entries[-2:]] == [
        f"{DAY + MINUTE + LAG - 1} credit * {MINUTE} {DAY + MINUTE + LAG - 1}",
        f"{DAY + MINUTE + LAG - 1} timeout 0",
    ]


@pytest.mark.both_databases
async def test_nobody_stays_away_while_the_bot_does(process: Process) -> None:
    await process.deadlines.run_once([0])
    live = await process.nim("", (ANN, BOB), HERE, played=4)
    process.clock.at += 3 * DAY
    await process.deadlines.run_once([0])
    await process.live(27 * DAY)
    await refused(process.games.claim(live.id, BOB, "win"), "table.no_claim")
    assert noted(await process.games.tick(live.id)) == [f"{30 * DAY} credit * 0 {3 * DAY}"]
    await process.live(3 * DAY)
    assert (await process.games.claim(live.id, BOB, "win")).table.outcome is not None


# --- what runs out ---------------------------------------------------------------------------------------------------


async def test_after_an_outage_time_is_given_back_before_anything_runs_out(process: Process) -> None:
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    await process.live(HOUR - MINUTE)
    process.clock.at += DAY
    await process.deadlines.run_once([0])
    assert timeouts(await process.games.newest(live.id)) == []
    await process.live(MINUTE + LAG - 1)
    assert timeouts(await process.games.newest(live.id)) == []
    await process.live(1)
    assert timeouts(await process.games.newest(live.id)) == [f"{DAY + HOUR + LAG} timeout 0"]


async def test_nothing_runs_out_in_a_shard_that_is_cut_off(process: Process) -> None:
    process.heartbeats.shard_count = 2
    here = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    there = await process.nim("1h/move", (BOB, EVE), THERE, played=4)
    await process.live(MINUTE, [0, 1])
    for _ in range(3):
        process.clock.at += HOUR
        await process.record_heartbeats(process.clock.at, [0])
        assert await process.deadlines.run_once([0]) == HEARTBEAT_MS
    assert len(timeouts(await process.games.newest(here.id))) == 1
    assert timeouts(await process.games.newest(there.id)) == []
    # nor does it when a player's games are brought up to date
    await process.deadlines.refresh(EVE)
    assert timeouts(await process.games.newest(there.id)) == []
    await process.live(0, [0])
    await process.deadlines.run_once([0, 1])
    after = await process.games.newest(there.id)
    assert timeouts(after) == []
    assert [str(entry) for entry in after.table.record.entries if entry.kind is Kind.CREDIT] == [
        f"{3 * HOUR + MINUTE} credit * {MINUTE} {3 * HOUR + MINUTE}"
    ]
    await process.live(HOUR - MINUTE + LAG, [0, 1])
    assert timeouts(await process.games.newest(there.id)) == [f"{4 * HOUR + LAG} timeout 0"]


@pytest.mark.both_databases
@pytest.mark.parametrize("shards", [[0], [1], [0, 1], [2]])
async def test_only_games_of_the_recorded_shards_are_leased(process: Process, shards: list[int]) -> None:
    process.heartbeats.shard_count = 4
    places = [Place(shard << 22 if shard else None, 5 + shard) for shard in range(3)]
    games = [await process.nim("1h/move", (50 + place.channel_id, BOB), place, played=4) for place in places]
    await process.pass_time(2 * HOUR)
    await process.deadlines.run_once(shards)
    late = [bool(timeouts(await process.games.newest(live.id))) for live in games]
    assert late == [shard in shards for shard in range(3)]
