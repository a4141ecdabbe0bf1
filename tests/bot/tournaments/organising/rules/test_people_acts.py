"""Tests the acts of organisers on the people of a tournament: expel, pair again, assist; and what is undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harness.organising import FIRST, HELPER, OWNER, refused
from sqlalchemy import select

from bot.core.translations import CODES, language
from bot.games.service import GameService
from bot.notifications.model import ADJUDICATED
from bot.notifications.tables import notifications
from bot.tournaments.notices import ACT
from bot.tournaments.organising import words
from bot.tournaments.organising.rules import acts
from bot.tournaments.organising.rules.effect import Act
from bot.tournaments.tournament import PairingState, PlayerStatus
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from harness.organising import Desk


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """SQLite alone: ``test_transactions`` has what depends on the database."""
    return sqlite_url


async def test_an_expelled_player_loses_the_game_and_is_not_paired_again(desk: Desk) -> None:
    await desk.create(players=5)
    pairings = await desk.start()
    game = next(one for one in pairings if one.pairing.second is not None)
    number, winner = game.pairing.players
    await desk.organiser.expel(desk.id, await desk.by(), number)
    await desk.finish()
    assert (await desk.player(number)).status is PlayerStatus.EXPELLED
    lost = await desk.pairing(game.id)
    assert lost.result is Result.SECOND_WINS_BY_FORFEIT  # no turn was made
    live = await desk.game(game)
    assert live.outcome is not None
    assert live.players[live.outcome.winner or 0] == (await desk.player(winner)).user_id
    assert await refused(desk.organiser.expel(desk.id, await desk.by(), number)) == "not_in"
    other = next(one for one in pairings if one.pairing.second is not None and one.id != game.id)
    await desk.win(other, other.pairing.first)
    second = await desk.go_on()
    assert number not in {one for stored in second for one in stored.pairing.players if stored.state != "done"}


async def test_an_expelled_player_reads_of_it_once_and_the_opponent_of_the_game(desk: Desk) -> None:
    await desk.create()
    game = (await desk.start())[0]
    number, winner = game.pairing.players
    await desk.organiser.expel(desk.id, await desk.by(), number)
    await desk.finish()
    kinds = notifications.c.kind.in_((ACT, ADJUDICATED))
    query = select(notifications.c.user_id, notifications.c.kind).where(kinds, notifications.c.state == "pending")
    found = await desk.organiser.repository.database.fetch(query)
    assert {tuple(row) for row in found} == {(FIRST + number - 1, ACT), (FIRST + winner - 1, ADJUDICATED)}


@pytest.mark.parametrize("code", CODES)
async def test_undoing_an_expulsion_says_whether_a_game_is_played_again(desk: Desk, code: str) -> None:
    say = language(code)

    async def undone(number: int) -> str:
        await desk.organiser.expel(desk.id, await desk.by(), number)
        await desk.organiser.undo(desk.id, await desk.by())
        entry, *_ = await desk.log()
        return words.line(replace(entry, reason=""), words.users_of(await desk.snapshot()), say)

    def back(number: int, seq: int) -> str:
        player = f"<@{FIRST + number - 1}>"
        return say("tournament.act.undo.expel", actor=f"<@{OWNER}>", seq=seq, player=player)

    await desk.create()
    assert await undone(1) == back(1, 1)
    first, _ = await desk.start()
    seq = await desk.organiser.last_seq(desk.id) + 1
    again = say("tournament.act.undo.again", n=1)
    assert await undone(first.pairing.first) == f"{back(first.pairing.first, seq)} {again}"


async def acts_told(desk: Desk) -> list[int]:
    """Returns the numbers of the players with a notice of the newest act, in order."""
    seq = await desk.organiser.last_seq(desk.id)
    query = select(notifications.c.user_id).where(notifications.c.kind == ACT, notifications.c.seq == seq)
    found = list((await desk.organiser.repository.database.fetch(query)).scalars())
    return sorted(user - FIRST + 1 for user in found)


@pytest.mark.parametrize("code", CODES)
async def test_who_beat_an_expelled_player_is_told_that_it_does_not_count(desk: Desk, code: str) -> None:
    say = language(code)
    await desk.create(Format.ROUND_ROBIN)
    for stored in await desk.start():
        await desk.win(stored, stored.pairing.first)
    second = await desk.go_on()
    out = second[0].pairing.first
    met = {
        number
        for one in (await desk.snapshot()).pairings
        if out in one.pairing.players
        for number in one.pairing.players
    }
    entry = await desk.organiser.expel(desk.id, await desk.by(), out)
    assert len(met) == 3
    assert await acts_told(desk) == sorted(met)
    line = words.line(replace(entry, reason=""), words.users_of(await desk.snapshot()), say)
    player = f"<@{FIRST + out - 1}>"
    assert line.endswith(f". {say('tournament.act.left_out', player=player)}")
    undone = await desk.organiser.undo(desk.id, await desk.by())
    assert await acts_told(desk) == sorted(met)
    line = words.line(replace(undone, reason=""), words.users_of(await desk.snapshot()), say)
    assert line.endswith(f" {say('tournament.act.undo.counts', player=player)}")


async def test_an_expulsion_after_half_of_the_games_says_nothing_about_results(desk: Desk) -> None:
    await desk.create(Format.ROUND_ROBIN)
    pairings = await desk.start()
    for _ in range(2):
        for stored in pairings:
            await desk.win(stored, stored.pairing.first)
        pairings = await desk.go_on()
    out = pairings[0].pairing.first
    entry = await desk.organiser.expel(desk.id, await desk.by(), out)
    assert await acts_told(desk) == [out]
    line = words.line(entry, words.users_of(await desk.snapshot()), language("en"))
    assert line == f"<@{OWNER}> expelled <@{FIRST + out - 1}>. Reason: Because."


@pytest.mark.parametrize("format_", [Format.SWISS, Format.LADDER])
async def test_a_round_is_paired_again_only_while_none_of_its_games_has_ended(desk: Desk, format_: Format) -> None:
    await desk.create(format_)
    assert not acts.can_repair(await desk.snapshot())
    pairings = await desk.start()
    assert acts.can_repair(await desk.snapshot()) is (format_ is Format.SWISS)
    if pairings:
        await desk.win(pairings[0], pairings[0].pairing.first)
        assert not acts.can_repair(await desk.snapshot())


async def test_a_game_in_which_the_expelled_one_has_moved_counts_as_played(desk: Desk) -> None:
    await desk.create()
    game, _ = await desk.start()
    live = await desk.game(game)
    snapshot = await desk.snapshot()
    mover = next(one for one in game.pairing.players if snapshot.player(one).user_id == live.to_act)
    await desk.services[GameService].play(live.id, live.to_act or 0, None, [live.game.legal(live.state)[0]])
    await desk.organiser.expel(desk.id, await desk.by(), mover)
    result = (await desk.pairing(game.id)).result
    assert result is (Result.SECOND_WINS if mover == game.pairing.first else Result.FIRST_WINS)


async def test_an_expulsion_is_undone_with_a_new_game(desk: Desk) -> None:
    await desk.create()
    game, _ = await desk.start()
    before = await desk.player(game.pairing.first)
    await desk.organiser.expel(desk.id, await desk.by(), before.number)
    await desk.finish()
    await desk.organiser.undo(desk.id, await desk.by())
    await desk.go_on()
    assert await desk.player(before.number) == before
    again = await desk.pairing(game.id)
    assert again.state is PairingState.RUNNING
    assert again.contest_id != game.contest_id


async def test_before_the_start_the_waiting_list_moves_up(desk: Desk) -> None:
    await desk.create(players=4, capacity=3)
    async with desk.tournaments.changing(desk.id) as change:
        await change.set_players(replace(change.snapshot.player(4), status=PlayerStatus.WAITING))
    await desk.organiser.expel(desk.id, await desk.by(), 1)
    assert [(await desk.player(number)).status for number in (1, 4)] == [PlayerStatus.EXPELLED, PlayerStatus.IN]
    entry = next(one for one in await desk.log() if one.act == Act.EXPEL)
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    assert (await desk.player(1)).status is PlayerStatus.WAITING  # the place is taken


async def test_assistants_come_and_go(desk: Desk) -> None:
    await desk.create()
    organiser = desk.organiser
    await organiser.appoint(desk.id, await desk.by(), HELPER, adds=True)
    assert await desk.tournaments.organisers(desk.id) == [HELPER]
    assert await refused(organiser.appoint(desk.id, await desk.by(), HELPER, adds=True)) == "is_organiser"
    assert await refused(organiser.appoint(desk.id, await desk.by(), OWNER, adds=True)) == "is_organiser"
    await organiser.undo(desk.id, await desk.by())
    assert await desk.tournaments.organisers(desk.id) == []
    assert await refused(organiser.appoint(desk.id, await desk.by(), HELPER, adds=False)) == "not_assistant"
    await organiser.appoint(desk.id, await desk.by(), HELPER, adds=True)
    await organiser.appoint(desk.id, await desk.by(), HELPER, adds=False)
    await organiser.undo(desk.id, await desk.by())
    assert await desk.tournaments.organisers(desk.id) == [HELPER]
