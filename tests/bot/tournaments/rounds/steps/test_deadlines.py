"""The deadline of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.tournaments import plan_of
from sqlalchemy import select

from bot.notifications.tables import notifications
from bot.tournaments.tournament import LateRule, PairingState
from engine.core.hours import DAY
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from harness.tournaments import Desk

WEEK = 7 * DAY
SWISS = Format.SWISS


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """One is enough: ``test_results`` has the transactions on both."""
    return sqlite_url


async def told(desk: Desk, kind: str) -> list[int]:
    """Returns the users with notices of a kind, once for each notice."""
    async with desk.service.repository.database.reading() as connection:
        query = select(notifications.c.user_id).where(notifications.c.kind == kind).order_by(notifications.c.due)
        return sorted(await connection.scalars(query))


async def test_both_are_told_a_day_before_and_then_the_player_on_move_forfeits(desk: Desk) -> None:
    await desk.begin(plan_of(SWISS, rounds=2, round_length=WEEK, late_rule=LateRule.FORFEIT), 2)
    (stored,) = await desk.running()
    live = await desk.game(stored)
    await desk.games.play(live.id, live.to_act or 0, None, "a1b1")
    await desk.go_on((WEEK - DAY) / 1000 - 1)
    assert await told(desk, "round_deadline") == []
    await desk.go_on(2)
    assert await told(desk, "round_deadline") == [1001, 1002]
    await desk.go_on(DAY / 1000)
    (done,) = await desk.of_round(1)
    assert (done.result, done.decided_by) == (Result.FIRST_WINS_BY_FORFEIT, "game")
    assert (await desk.game(stored)).is_over


async def test_a_player_who_has_moved_and_is_late_loses_a_played_game(desk: Desk) -> None:
    await desk.begin(plan_of(SWISS, rounds=2, round_length=WEEK, late_rule=LateRule.FORFEIT), 2)
    (stored,) = await desk.running()
    live = await desk.game(stored)
    for turn in ("a1b1", "g5f5"):
        live = await desk.games.play(live.id, live.to_act or 0, None, turn)
    await desk.go_on(WEEK / 1000 + 1)
    assert (await desk.pairing(stored)).result is Result.SECOND_WINS


async def test_a_game_is_extended_once(desk: Desk) -> None:
    plan = plan_of(SWISS, rounds=2, round_length=WEEK, late_rule=LateRule.EXTEND, extension=3 * DAY)
    await desk.begin(plan, 2)
    (stored,) = await desk.running()
    await desk.go_on(WEEK / 1000 + 1)
    extended = await desk.pairing(stored)
    assert (extended.state, extended.extended) == (PairingState.RUNNING, True)
    assert extended.deadline == (stored.deadline or 0) + 3 * DAY
    await desk.go_on(2 * DAY / 1000)
    assert await told(desk, "round_deadline") == [1001, 1002]
    await desk.go_on(DAY / 1000)
    assert (await desk.pairing(stored)).result is Result.SECOND_WINS_BY_FORFEIT


async def test_the_organiser_decides_and_a_game_does_not_overwrite_it(desk: Desk) -> None:
    await desk.begin(plan_of(SWISS, rounds=2, round_length=WEEK, late_rule=LateRule.ORGANISER), 2)
    (stored,) = await desk.running()
    await desk.go_on(WEEK / 1000 + 1)
    await desk.go_on(WEEK / 1000)
    late = await desk.pairing(stored)
    assert late.state is PairingState.LATE
    assert await told(desk, "round_late") == [9]
    async with desk.service.changing(desk.tournament_id) as change:
        await desk.rounds.settle(change, late, Result.DRAW, "organiser")
    await desk.win(stored, 2)
    decided = await desk.pairing(stored)
    assert (decided.result, decided.decided_by) == (Result.DRAW, "organiser")


async def test_a_paused_tournament_does_nothing_but_take_results(desk: Desk) -> None:
    await desk.begin(plan_of(SWISS, rounds=2, round_length=WEEK, late_rule=LateRule.FORFEIT), 2)
    async with desk.service.changing(desk.tournament_id) as change:
        from dataclasses import replace

        await change.set(replace(change.tournament, paused=change.now))
    await desk.go_on(2 * WEEK / 1000)
    (stored,) = await desk.running()
    await desk.win(stored, 1)
    await desk.go_on()
    assert (await desk.pairing(stored)).result is not None
    assert (await desk.snapshot()).tournament.round == 1


@pytest.mark.parametrize("rule", LateRule)
async def test_a_game_that_was_never_opened_is_the_organisers_matter(desk: Desk, rule: LateRule) -> None:
    await desk.create(plan_of(SWISS, rounds=2, round_length=WEEK, late_rule=rule, extension=DAY), 2)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.rounds.advance(desk.tournament_id)
    for _ in range(2):
        desk.clock.pass_seconds(WEEK / 1000 + 1)
        await desk.rounds.advance(desk.tournament_id)
    (stored,) = await desk.of_round(1)
    assert stored.state is PairingState.LATE
