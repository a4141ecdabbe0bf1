"""Of many losses on time one a day counts, whoever notifications them."""

import asyncio

import pytest
from fakes.process import Process

from bot.games.live import LiveGame
from bot.games.stored import Place
from engine.core.clock import LAG
from engine.core.hours import HOUR

ANN, BOB, EVE = 11, 22, 33
HERE, THERE = Place(1, 5), Place(1 << 22, 6)
"""In two shards, where there are two."""


async def mass(process: Process, policy: str) -> list[LiveGame]:
    """Begins three games that Ann leaves, within an hour, and one a day later."""
    games = []
    for number, hours in enumerate((1, 2, 3, 26)):
        players = (ANN, 100 + number)
        live = await process.nim(f"{hours}h/move", players, Place(1, 50 + number), timeout_policy=policy, played=4)
        games.append(live)
    for _ in range(27):
        await process.live(HOUR)
    return [await process.games.newest(live.id) for live in games]


@pytest.mark.both_databases
async def test_of_many_losses_on_time_one_a_day_counts(process: Process) -> None:
    games = await mass(process, "loss")
    assert [live.table.counts for live in games] == [True, False, False, True]
    assert all(live.table.outcome and live.table.outcome.winner == 1 for live in games)


async def test_the_same_holds_where_they_are_claimed(process: Process) -> None:
    games = await mass(process, "claim")
    claimed = []
    for live, wait in zip(games, (0, HOUR, 23 * HOUR - 1, 1), strict=True):
        await process.live(wait)
        claimed.append(await process.games.claim(live.id, live.players[1], "win"))
    # it is the claim's moment that counts
    assert [live.table.counts for live in claimed] == [True, False, False, True]
    assert [live.table.record.entries[-1].body for live in claimed[:2]] == ["win", "win uncounted"]
    assert [live.table.record.entries[-2].body for live in claimed] == [""] * 4


@pytest.mark.parametrize("what", ["", "draw"])
async def test_what_is_not_lost_uses_up_nothing(process: Process, what: str) -> None:
    """A game that a friend leaves overdue, or calls a draw, shelters nobody from other losses."""
    shelter = await process.nim("1h/move", (ANN, BOB), HERE, timeout_policy="claim", played=4)
    other = await process.nim("2h/move", (ANN, EVE), THERE, played=4)
    await process.live(HOUR + LAG)
    if what:
        await process.games.claim(shelter.id, BOB, what)
    await process.live(HOUR)
    assert (await process.games.newest(other.id)).table.counts
    if not what:
        late = await process.games.claim(shelter.id, BOB, "win")
        assert not late.table.counts


@pytest.mark.both_databases
async def test_of_two_claims_in_two_processes_at_once_one_counts(process: Process, other: Process) -> None:
    first = await process.nim("1h/move", (ANN, BOB), HERE, timeout_policy="claim", played=4)
    second = await other.nim("1h/move", (ANN, EVE), THERE, timeout_policy="claim", played=4)
    await process.live(2 * HOUR)
    other.heartbeats._last |= process.heartbeats._last
    claims = process.games.claim(first.id, BOB, "win"), other.games.claim(second.id, EVE, "win")
    assert sorted(live.table.counts for live in await asyncio.gather(*claims)) == [False, True]


@pytest.mark.both_databases
async def test_of_two_processes_that_notice_at_once_one_counts(process: Process, other: Process) -> None:
    first = await process.nim("1h/move", (ANN, BOB), HERE, played=4)
    second = await other.nim("1h/move", (EVE, ANN), THERE, played=5)
    await process.pass_time(2 * HOUR)
    other.heartbeats._last |= process.heartbeats._last
    await asyncio.gather(process.games.tick(first.id), other.games.tick(second.id))
    games = [await process.games.tick(live.id) for live in (first, second)]
    assert sorted(live.table.counts for live in games) == [False, True]


async def test_an_aborted_game_uses_nothing_up(process: Process) -> None:
    await process.nim("1h/move", (ANN, BOB), HERE, played=0)
    second = await process.nim("2h/move", (ANN, EVE), THERE, played=4)
    await process.live(HOUR + LAG)
    await process.live(HOUR)
    assert (await process.games.newest(second.id)).table.counts
