"""What organisers do to a round robin whose games all begin at once: expulsion, undo, pairing again, pause."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harness.organising import CHANNEL, FIRST, OWNER, refused
from sqlalchemy import select

from bot.games.service import GameService
from bot.notifications.tables import notifications
from bot.tournaments.organising.rules.effect import Ruling
from bot.tournaments.rounds.grouped_notices import BEGUN
from bot.tournaments.rounds.notices import PAIRED
from bot.tournaments.tournament import PairingState, Status
from engine.core.hours import DAY, HOUR
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.clock import Clock
    from harness.organising import Desk

    from bot.tournaments.tournament import StoredPairing, Tournament

WON = {Result.FIRST_WINS, Result.SECOND_WINS}
BY_FORFEIT = {Result.FIRST_WINS_BY_FORFEIT, Result.SECOND_WINS_BY_FORFEIT}


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """SQLite alone: ``test_transactions`` has what depends on the database."""
    return sqlite_url


@pytest.fixture
async def games(desk: Desk) -> list[StoredPairing]:
    """Four players, six games; the times are those of a correspondence."""
    await desk.create(Format.ROUND_ROBIN, at_once=True, round_length=60 * DAY, round_break=12 * HOUR, clock="3d/move")
    return await desk.start()


async def told(desk: Desk, kind: str) -> list[int]:
    """Returns the players who have notices of a kind, by number."""
    query = select(notifications.c.user_id).where(notifications.c.kind == kind)
    return sorted(user - FIRST + 1 for user in (await desk.rounds.repository.database.fetch(query)).scalars())


async def of(desk: Desk, number: int) -> list[StoredPairing]:
    return [one for one in (await desk.snapshot()).pairings if number in one.pairing.players]


async def test_an_expulsion_decides_each_running_game_by_itself(desk: Desk, games: list[StoredPairing]) -> None:
    moved = next(one for one in games if one.pairing.first == 1)
    live = await desk.game(moved)
    await desk.services[GameService].play(live.id, live.players[0], None, [live.game.legal(live.state)[0]])
    await desk.organiser.expel(desk.id, await desk.by(), 1)
    await desk.finish()
    own = await of(desk, 1)
    assert {one.result in WON for one in own if one.id == moved.id} == {True}
    assert {one.result in BY_FORFEIT for one in own if one.id != moved.id} == {True}
    assert [(await desk.game(one)).is_over for one in own] == [True] * 3
    assert sum(one.state is PairingState.RUNNING for one in (await desk.snapshot()).pairings) == 3


async def test_an_expulsion_undone_opens_all_its_games_anew_with_one_notice(
    desk: Desk, games: list[StoredPairing]
) -> None:
    await desk.win(games[-1], games[-1].pairing.first)
    assert await told(desk, BEGUN) == [1, 2, 3, 4]
    expelled = games[0].pairing.first
    before = {one.id: one.game_id for one in await of(desk, expelled)}
    entry = await desk.organiser.expel(desk.id, await desk.by(), expelled)
    await desk.finish()
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    await desk.go_on()
    own = [one for one in await of(desk, expelled) if one.id != games[-1].id]
    assert {one.state for one in own} == {PairingState.RUNNING}
    assert all(one.game_id != before[one.id] for one in own)
    assert (await desk.player(expelled)).is_in
    opponents = [number for one in own for number in one.pairing.players if number != expelled]
    assert await told(desk, PAIRED) == sorted([expelled, *opponents])
    assert await told(desk, BEGUN) == [1, 2, 3, 4]


async def test_a_game_that_is_replayed_has_a_notice_of_its_own(desk: Desk, games: list[StoredPairing]) -> None:
    await desk.organiser.adjudicate(desk.id, await desk.by(), games[2].id, Ruling.REPLAY)
    await desk.finish()
    await desk.go_on()
    assert await told(desk, PAIRED) == sorted(games[2].pairing.players)


async def test_a_correction_changes_the_places_while_other_games_go_on(desk: Desk, games: list[StoredPairing]) -> None:
    await desk.win(games[3], games[3].pairing.first)
    entry = await desk.organiser.correct(desk.id, await desk.by(), games[3].id, Result.SECOND_WINS)
    assert (await desk.pairing(games[3].id)).result is Result.SECOND_WINS
    assert entry.detail["later"] is False
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    assert (await desk.pairing(games[3].id)).result is Result.FIRST_WINS
    assert sum(one.state is PairingState.RUNNING for one in (await desk.snapshot()).pairings) == 5


async def test_a_table_is_paired_again_as_a_whole_while_no_game_has_ended(
    desk: Desk, games: list[StoredPairing]
) -> None:
    entry = await desk.organiser.repair(desk.id, await desk.by())
    await desk.finish()
    assert [(await desk.game(one)).is_over for one in games] == [True] * 6
    again = await desk.go_on()
    assert len(again) == 6
    assert not {one.game_id for one in again}.intersection(one.game_id for one in games)
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    await desk.finish()
    assert len(await desk.go_on()) == 6
    last = (await desk.snapshot()).pairings[0]
    await desk.win(last, last.pairing.first)
    assert await refused(desk.organiser.repair(desk.id, await desk.by())) == "has_ended"


async def test_a_pause_moves_the_deadlines_of_all_games(desk: Desk, games: list[StoredPairing], clock: Clock) -> None:
    await desk.organiser.pause(desk.id, await desk.by())
    await desk.win(games[5], games[5].pairing.first)
    clock.at += 5 * DAY
    await desk.organiser.resume(desk.id, await desk.by())
    running = [one for one in (await desk.snapshot()).pairings if one.state is PairingState.RUNNING]
    assert len(running) == 5
    assert all((one.deadline or 0) - (games[0].deadline or 0) == 5 * DAY for one in running)


async def test_a_pause_while_games_are_being_opened_holds_the_rest(desk: Desk, clock: Clock) -> None:
    await desk.create(Format.ROUND_ROBIN, at_once=True, clock="3d/move")
    await desk.rounds.start(desk.id, OWNER)
    await desk.rounds.advance(desk.id)
    await desk.organiser.pause(desk.id, await desk.by())
    assert not await desk.openings.repository.unopened(clock(), 99, clock() + 1)
    await desk.organiser.resume(desk.id, await desk.by(), CHANNEL + 500)
    assert {one.state for one in await desk.go_on()} == {PairingState.RUNNING}


async def test_a_decision_of_an_organiser_has_its_break_before_the_end(desk: Desk, games: list[StoredPairing]) -> None:
    for stored in games[1:]:
        await desk.win(stored, stored.pairing.first)
    entry = await desk.organiser.adjudicate(desk.id, await desk.by(), games[0].id, Ruling.DRAW)
    await desk.finish()
    await desk.go_on()
    tournament = (await desk.snapshot()).tournament
    assert tournament.status is Status.RUNNING
    assert tournament.break_until is not None
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    await desk.go_on()
    stored = await desk.pairing(games[0].id)
    assert stored.state is PairingState.RUNNING
    await desk.win(stored, stored.pairing.first)
    await desk.go_on()
    assert (await desk.snapshot()).tournament.status is Status.OVER


async def test_more_players_than_a_group_holds_are_refused(desk: Desk) -> None:
    await desk.create(Format.ROUND_ROBIN, at_once=True, clock="3d/move", capacity=12)

    def change(capacity: int) -> Callable[[Tournament], Tournament]:
        return lambda tournament: replace(tournament, plan=replace(tournament.plan, capacity=capacity))

    raised = desk.organiser.edit(desk.id, await desk.by(), change(13))
    assert await refused(raised) == "tournament.problem.at_once_players"
    await desk.organiser.edit(desk.id, await desk.by(), change(11))
