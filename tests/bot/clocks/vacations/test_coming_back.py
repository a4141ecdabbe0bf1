"""The first moments after the bot was away: nothing is decided before what was missed has been given back."""

import pytest
from fakes.clock import Clock
from fakes.process import Process

from bot.clocks.heartbeats.service import GAP_MS, HEARTBEAT_MS
from bot.core.storage.database import Database
from bot.games.live import LiveGame
from bot.games.stored import Place
from engine.core.hours import HOUR, MINUTE
from engine.core.record import Kind

ANN, BOB = 11, 22
HERE = Place(1, 5)


class Running(Clock):
    """A clock that runs: whoever reads it takes a while."""

    def __init__(self, step: int = 0) -> None:
        super().__init__()
        self.step = step

    def __call__(self) -> int:
        self.at += self.step
        return self.at


@pytest.fixture
def running() -> Running:
    return Running()


@pytest.fixture
def process(database: Database, running: Running, nim: object) -> Process:
    del nim
    return Process(database, running)


def credits_of(live: LiveGame) -> list[str]:
    return [entry.body for entry in live.table.record.entries if entry.kind is Kind.CREDIT]


async def test_a_move_is_taken_although_time_goes_on_while_it_is_handled(process: Process, running: Running) -> None:
    await process.deadlines.run_once([0])
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    running.at += 2 * HOUR
    running.step = 7
    live = await process.games.play(live.id, ANN, None, "1")
    assert live.table.outcome is None
    assert len(credits_of(live)) == 1


async def test_a_tick_gives_back_first_although_time_goes_on(process: Process, running: Running) -> None:
    await process.deadlines.run_once([0])
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    running.at += 2 * HOUR
    running.step = 7
    live = await process.games.tick(live.id)
    assert live.table.outcome is None
    assert len(credits_of(live)) == 1


async def test_an_outage_that_ends_in_the_midst_of_a_tick_counts_up_to_then(process: Process, running: Running) -> None:
    """Another process notes it between this one's look at the clock and its look at the outages."""
    await process.deadlines.run_once([0])
    live = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    running.at += HOUR + MINUTE
    await process.heartbeats.store.record([0], 1, running.at + 10, GAP_MS)
    process.heartbeats._last[0, 1] = running.at
    live = await process.games.tick(live.id)
    assert live.table.outcome is None
    assert credits_of(live) == [f"0 {HOUR + MINUTE}"]


async def test_a_long_round_of_ticks_is_no_outage(
    process: Process, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [await process.nim("1h/move", (ANN, BOB), Place(1, 100 + number)) for number in range(20)]
    await process.deadlines.run_once([0])
    running.at += HOUR + MINUTE
    tick = process.games.tick

    async def slow(game_id: str) -> LiveGame:
        running.at += HEARTBEAT_MS - 1000
        return await tick(game_id)

    monkeypatch.setattr(process.games, "tick", slow)
    while not await process.deadlines.run_once([0]):  # the deadline of every game has come meanwhile: each is ticked
        pass
    assert [len(credits_of(await process.games.get(live.id))) for live in games] == [1] * 20


async def only_the_first(_: object) -> list[int]:
    return [0]


async def test_heartbeats_within_a_round_are_for_shards_that_are_connected_still(
    process: Process, running: Running
) -> None:
    process.heartbeats.shard_count = 2
    await process.nim("1h/move", (ANN, BOB), HERE)
    await process.deadlines.run_once([0, 1])
    process.deadlines.connected = only_the_first
    running.at += HEARTBEAT_MS
    await process.deadlines.run_once([0, 1])
    assert process.heartbeats.is_recorded_for(0)
    running.at += GAP_MS - HEARTBEAT_MS + 1
    assert process.heartbeats.is_recorded_for(0)
    assert not process.heartbeats.is_recorded_for(1 << 22)


async def test_an_absence_is_not_told_where_no_clock_ran(process: Process, running: Running) -> None:
    await process.deadlines.run_once([0])
    live = await process.nim("2d/move", (ANN, BOB), HERE)
    await process.games.offer(live.id, ANN, "pause")
    await process.games.answer(live.id, BOB, accept=True)
    running.at += HOUR
    await process.deadlines.run_once([0])
    live = await process.games.resume(live.id, BOB)
    assert credits_of(live) == []
