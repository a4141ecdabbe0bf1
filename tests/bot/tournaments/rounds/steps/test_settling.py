"""Tests what the end of a game means for its pairing, and that nothing happens twice; on both databases."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from harness.tournaments import Desk, plan_of

from bot.clocks.heartbeats.service import HeartbeatService
from bot.core.storage.database import Database
from bot.games.stored import Place
from bot.matches.contests import FinishedContest
from bot.tournaments.rounds.steps.settling import result_of
from bot.tournaments.tournament import Status
from engine.core.errors import Refused
from engine.match.match import Terms
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from fakes.clock import Clock


def ended(
    winner: int | None = None, *, drawn: bool = False, absent: int | None = None, unplayed: bool = False
) -> Result:
    contest = FinishedContest(
        "g", False, "abalone", (1, 2), winner, True, True, "", 1, 0, 1, 1, drawn, "", absent, unplayed
    )
    return result_of(contest)


def test_what_an_end_means() -> None:
    assert ended(0) is Result.FIRST_WINS
    assert ended(1, absent=0) is Result.SECOND_WINS
    assert ended(1, absent=0, unplayed=True) is Result.SECOND_WINS_BY_FORFEIT
    assert ended(drawn=True) is Result.DRAW
    assert ended(absent=1, unplayed=True) is Result.FIRST_WINS_BY_FORFEIT
    assert ended(absent=1) is Result.FIRST_WINS_BY_FORFEIT
    assert ended() is Result.BOTH_FORFEIT


@pytest.mark.both_databases
async def test_a_knockout_of_matches(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION, game="backgammon", terms=Terms(points=3)), 3)
    desk.decide = lambda stored: min(stored.pairing.players)
    await desk.play_on(3)
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.OVER
    assert snapshot.player(1).first_place == 1


async def test_a_player_who_never_begins_loses_by_forfeit_on_time(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SWISS, rounds=2, clock="5s/move"), 2)
    (stored,) = await desk.running()
    for _ in range(4):
        desk.clock.pass_seconds(10)
        await desk.services[HeartbeatService].record([0])
    await desk.games.tick((await desk.game(stored)).id)
    assert (await desk.pairing(stored)).result is Result.SECOND_WINS_BY_FORFEIT


@pytest.mark.parametrize("what", ["win", "draw"])
async def test_who_claims_a_game_that_never_began_does_not_forfeit_it(desk: Desk, what: str) -> None:
    """So few turns abort the game, whatever is claimed; the late one is to blame."""
    await desk.begin(plan_of(Format.SWISS, rounds=2, clock="5s/move", timeout_policy="claim"), 2)
    (stored,) = await desk.running()
    for _ in range(4):
        desk.clock.pass_seconds(10)
        await desk.services[HeartbeatService].record([0])
    late = await desk.games.tick((await desk.game(stored)).id)
    await desk.games.claim(late.id, late.players[1], what)
    assert (await desk.pairing(stored)).result is Result.SECOND_WINS_BY_FORFEIT


async def test_a_game_resigned_before_the_first_turn_is_played_and_lost(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SWISS, rounds=2), 2)
    (stored,) = await desk.running()
    live = await desk.game(stored)
    await desk.games.resign(live.id, live.players[0], 1)
    assert (await desk.pairing(stored)).result is Result.SECOND_WINS


async def test_a_void_game_without_anybody_to_blame_is_lost_for_both(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SWISS, rounds=2), 2)
    (stored,) = await desk.running()
    await desk.games.adjudicate((await desk.game(stored)).id, "void")
    assert (await desk.pairing(stored)).result is Result.BOTH_FORFEIT


@pytest.mark.both_databases
async def test_a_pairing_is_never_opened_twice(desk: Desk, clock: Clock) -> None:
    await desk.create(plan_of(Format.SWISS, rounds=2), 2)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.rounds.advance(desk.tournament_id)
    (opening,) = await desk.openings.repository.unopened(clock(), 10, clock() + 1)
    assert await desk.openings.repository.unopened(clock(), 10, clock() + 1) == []
    live = await desk.openings.open(opening, Place(1, 500))
    with pytest.raises(Refused, match=r"tournament\.rounds\.opened"):
        await desk.openings.open(opening, Place(1, 501))
    assert await desk.games.at(501) is None
    assert (await desk.running())[0].game_id == live.id


@pytest.mark.both_databases
async def test_two_processes_never_start_a_round_twice(desk: Desk, database: Database, clock: Clock) -> None:
    await desk.create(plan_of(Format.SWISS, rounds=3), 6)
    second = Database(database.url.render_as_string(hide_password=False))
    try:
        other = Desk.on(second, clock, desk.tournament_id)
        await desk.rounds.start(desk.tournament_id, 9)
        for number in (1, 2, 3):
            work = [one.rounds.advance(desk.tournament_id) for one in (desk, other, desk, other)]
            await asyncio.gather(*work)
            assert (await desk.snapshot()).tournament.round == number
            assert len(await desk.of_round(number)) == 3
            await desk.go_on()
            await desk.play_round()
        await asyncio.gather(*(one.rounds.advance(desk.tournament_id) for one in (desk, other)))
        assert (await desk.snapshot()).tournament.status is Status.OVER
        assert (await desk.acts()).count("paired") == 3
        assert (await desk.acts()).count("finished") == 1
    finally:
        await second.close()
