"""Tests the decisions of organisers about games and rounds: adjudicate, correct, pair again; and their undoing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harness.organising import FIRST, OWNER, refused
from sqlalchemy import select

from bot.core.translations import CODES, language
from bot.notifications.service import NotificationService
from bot.notifications.tables import notifications
from bot.tournaments.organising.rules import acts, decisions
from bot.tournaments.organising.rules.effect import Act, Ruling
from bot.tournaments.rounds.notices import PAIRED
from bot.tournaments.tournament import REASON_LENGTH, Ladder, PairingState, Seeding, Status
from engine.core.hours import DAY
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from fakes.clock import Clock
    from harness.organising import Desk


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """SQLite alone: ``test_transactions`` has what depends on the database."""
    return sqlite_url


# --- deciding --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruling", "result", "winner"),
    [
        (Ruling.FIRST, Result.FIRST_WINS, "first"),
        (Ruling.SECOND, Result.SECOND_WINS, "second"),
        (Ruling.DRAW, Result.DRAW, None),
        (Ruling.BOTH_FORFEIT, Result.BOTH_FORFEIT, None),
    ],
)
async def test_a_running_game_is_decided(desk: Desk, ruling: Ruling, result: Result, winner: str | None) -> None:
    await desk.create()
    stored, _ = await desk.start()
    await desk.organiser.adjudicate(desk.id, await desk.by("He left."), stored.id, ruling)
    decided = await desk.pairing(stored.id)
    assert (decided.result, decided.state, decided.decided_by) == (result, PairingState.DONE, "organiser")
    await desk.finish()
    live = await desk.game(stored)
    assert live.outcome is not None
    if winner is not None:
        user = (await desk.player(getattr(stored.pairing, winner))).user_id
        assert live.players[live.outcome.winner or 0] == user
    else:
        assert live.outcome.winner is None
    assert (await desk.pairing(stored.id)).result is result  # the end of the game has changed nothing
    (entry, *_) = await desk.log()
    assert (entry.act, entry.actor, entry.reason, entry.detail["result"]) == (
        Act.ADJUDICATE,
        OWNER,
        "He left.",
        result.value,
    )


async def test_a_game_that_is_played_again_is_void_and_a_new_one_opens(desk: Desk, clock: Clock) -> None:
    await desk.create(round_length=DAY)
    stored, _ = await desk.start()
    clock.pass_seconds(1)
    await desk.organiser.adjudicate(desk.id, await desk.by(), stored.id, Ruling.REPLAY)
    await desk.finish()
    former = await desk.game(stored)
    assert former.outcome is not None
    assert former.outcome.reason == "end.voided"
    await desk.go_on()
    again = await desk.pairing(stored.id)
    assert again.state is PairingState.RUNNING
    assert again.contest_id not in {None, stored.contest_id}
    assert again.pairing == stored.pairing
    async with desk.services.database.reading() as connection:
        told = await connection.execute(select(notifications).where(notifications.c.kind == PAIRED))
        bodies = [json.loads(row.body) for row in told if row.n == stored.id]
    assert len(bodies) == 4  # both players, of either game
    assert [body.get("again") for body in bodies].count(True) == 2
    service, user = desk.services[NotificationService], FIRST
    for code in CODES:
        made = service.notice(user, PAIRED, desk.id, guild_id=1, channel_id=100, locale=code, n=stored.id, again=True)
        assert language(code)("tournament.notice.again") in await service.kinds[PAIRED].text(made, language(code))
    # the former game is over, and nothing can bring it back
    (entry, *_) = await desk.log()
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), entry.seq)) == "undo_replay"


@pytest.mark.parametrize(
    ("format_", "lasts"), [(Format.ARENA, None), (Format.LADDER, 2 * DAY), (Format.SWISS, 3 * DAY)]
)
async def test_a_game_that_is_played_again_has_the_deadline_of_its_format(
    desk: Desk, clock: Clock, format_: Format, lasts: int | None
) -> None:
    """A plan keeps the length of a round when its format changes; arenas and ladders have none."""
    await desk.create(format_, round_length=3 * DAY, ladder=Ladder(answer=2 * DAY))
    await desk.start()
    if format_ is Format.LADDER:
        await desk.rounds.challenge(desk.id, FIRST + 1, FIRST)
    clock.pass_seconds(5)
    stored, *_ = await desk.go_on()
    await desk.organiser.adjudicate(desk.id, await desk.by(), stored.id, Ruling.REPLAY)
    again = await desk.pairing(stored.id)
    assert again.state is PairingState.WAITING
    assert again.deadline == (None if lasts is None else clock() + lasts)
    assert again.warned is (format_ is not Format.SWISS)  # a day before, as of a round, it would say "must end by"


async def test_a_game_that_was_never_opened_is_won_by_forfeit(desk: Desk) -> None:
    await desk.create()
    await desk.rounds.start(desk.id, OWNER)
    await desk.rounds.advance(desk.id)
    stored, _ = (await desk.snapshot()).pairings
    by = await desk.by()
    assert await refused(desk.organiser.adjudicate(desk.id, by, stored.id, Ruling.DRAW)) == "no_game"
    await desk.organiser.adjudicate(desk.id, by, stored.id, Ruling.SECOND)
    decided = await desk.pairing(stored.id)
    assert decided.result is Result.SECOND_WINS_BY_FORFEIT
    await desk.go_on()
    assert (await desk.pairing(stored.id)).contest_id is None


async def test_what_cannot_be_decided_is_refused_with_its_reason(desk: Desk) -> None:
    await desk.create(players=3)
    by = await desk.by()
    organiser = desk.organiser
    assert await refused(organiser.adjudicate(desk.id, by, 1, Ruling.FIRST)) == "not_running"
    pairings = await desk.start()
    bye = next(one for one in pairings if one.pairing.second is None)
    game = next(one for one in pairings if one.pairing.second is not None)
    assert await refused(organiser.adjudicate(desk.id, by, bye.id, Ruling.FIRST)) == "bye"
    assert await refused(organiser.adjudicate(desk.id, by, 99, Ruling.FIRST)) == "no_pairing"
    assert await refused(organiser.correct(desk.id, by, game.id, Result.DRAW)) == "no_result"
    none, long = replace(by, reason=""), replace(by, reason="x" * (REASON_LENGTH + 1))
    assert await refused(organiser.adjudicate(desk.id, none, game.id, Ruling.FIRST)) == "no_reason"
    assert await refused(organiser.adjudicate(desk.id, long, game.id, Ruling.FIRST)) == "long_reason"
    await desk.win(game, game.pairing.first)
    assert await refused(organiser.adjudicate(desk.id, by, game.id, Ruling.FIRST)) == "has_result"
    assert await refused(organiser.correct(desk.id, by, game.id, Result.FIRST_WINS)) == "same_result"


async def test_a_decision_is_undone_by_a_new_game(desk: Desk) -> None:
    await desk.create()
    stored, _ = await desk.start()
    await desk.organiser.adjudicate(desk.id, await desk.by(), stored.id, Ruling.FIRST)
    await desk.finish()
    entry = await desk.organiser.undo(desk.id, await desk.by("A mistake."))
    await desk.go_on()
    again = await desk.pairing(stored.id)
    assert (again.result, again.state, again.decided_by) == (None, PairingState.RUNNING, "")
    assert again.contest_id != stored.contest_id
    undo, decision, *_ = await desk.log()
    assert (undo.act, undo.seq, decision.undone) == (Act.UNDO, entry.seq, entry.seq)
    # neither twice, nor an undoing itself
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), decision.seq)) == "undo_done"
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), undo.seq)) == "undo_never"
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), 999)) == "undo_unknown"
    assert await refused(desk.organiser.undo(desk.id, await desk.by())) == "undo_nothing"


# --- correcting ------------------------------------------------------------------------------------------------------


async def test_a_correction_changes_the_result_and_not_the_game(desk: Desk) -> None:
    await desk.create()
    stored, _ = await desk.start()
    await desk.win(stored, stored.pairing.first)
    before = await desk.pairing(stored.id)
    entry = await desk.organiser.correct(desk.id, await desk.by(), stored.id, Result.DRAW)
    assert entry.detail["later"] is False
    assert (await desk.pairing(stored.id)).result is Result.DRAW
    outcome = (await desk.game(stored)).outcome
    assert outcome is not None
    assert outcome.winner is not None
    await desk.organiser.undo(desk.id, await desk.by())
    assert await desk.pairing(stored.id) == before


async def test_a_correction_after_the_next_pairing_changes_no_pairing_and_says_so(desk: Desk) -> None:
    await desk.create()
    for stored in await desk.start():
        await desk.win(stored, stored.pairing.first)
    second = await desk.go_on()
    assert second[0].pairing.round == 2
    first = (await desk.snapshot()).pairings[0]
    entry = await desk.organiser.correct(desk.id, await desk.by(), first.id, Result.SECOND_WINS)
    assert entry.detail["later"] is True
    assert await desk.go_on() == second
    # the next round of the first result has started long ago; the correction itself belongs to this one
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    assert (await desk.pairing(first.id)).result is Result.FIRST_WINS


async def test_a_knockout_is_corrected_only_until_its_next_round(desk: Desk) -> None:
    await desk.create(Format.SINGLE_ELIMINATION)
    one, other = await desk.start()
    await desk.win(one, one.pairing.first)
    await desk.organiser.correct(desk.id, await desk.by(), one.id, Result.SECOND_WINS)
    await desk.win(other, other.pairing.first)
    (final,) = await desk.go_on()
    assert one.pairing.second in final.pairing.players
    organiser = desk.organiser
    assert await refused(organiser.correct(desk.id, await desk.by(), one.id, Result.FIRST_WINS)) == "bracket"
    # paused, taken back, corrected, resumed: the way that the refusal names
    await organiser.pause(desk.id, await desk.by())
    await organiser.repair(desk.id, await desk.by())
    await organiser.correct(desk.id, await desk.by(), one.id, Result.FIRST_WINS)
    assert await desk.go_on() == [await desk.pairing(one.id), await desk.pairing(other.id)]
    await organiser.resume(desk.id, await desk.by())
    (final,) = await desk.go_on()
    assert set(final.pairing.players) == {one.pairing.first, other.pairing.first}
    assert len(decisions.correctable(await desk.snapshot())) == 2
    # as soon as that round has a result, there is no way back
    await desk.win(final, final.pairing.first)
    assert [found.id for found in decisions.correctable(await desk.snapshot())] == [final.id]
    assert await refused(organiser.correct(desk.id, await desk.by(), one.id, Result.SECOND_WINS)) == "bracket_played"


async def test_taking_back_a_round_of_a_knockout_helps_only_with_the_round_before(desk: Desk) -> None:
    await desk.create(Format.SINGLE_ELIMINATION, 8)
    quarters = await desk.start()
    for stored in quarters:
        await desk.win(stored, stored.pairing.first)
    semis = await desk.go_on()
    for stored in semis:
        await desk.win(stored, stored.pairing.first)
    await desk.go_on()
    snapshot, loser_wins = await desk.snapshot(), Result.SECOND_WINS
    assert acts.can_repair(snapshot)
    assert {one.id for one in decisions.correctable(snapshot)} == {one.id for one in semis}
    refusals = [
        await refused(desk.organiser.correct(desk.id, await desk.by(), one.id, loser_wins))
        for one in (semis[0], quarters[0])
    ]
    assert refusals == ["bracket", "bracket_played"]


async def test_a_correction_after_the_end_gives_other_places(desk: Desk) -> None:
    await desk.create(Format.ROUND_ROBIN, 2)
    (stored,) = await desk.start()
    await desk.win(stored, 1)
    await desk.go_on()
    assert (await desk.snapshot()).tournament.status is Status.OVER
    assert (await desk.player(1)).first_place == 1
    result = Result.SECOND_WINS if stored.pairing.first == 1 else Result.FIRST_WINS
    await desk.organiser.correct(desk.id, await desk.by(), stored.id, result)
    assert [(await desk.player(number)).first_place for number in (1, 2)] == [2, 1]
    await desk.organiser.undo(desk.id, await desk.by())
    assert [(await desk.player(number)).first_place for number in (1, 2)] == [1, 2]


# --- pairing again ---------------------------------------------------------------------------------------------------


async def test_a_round_is_paired_again_with_those_who_are_there(desk: Desk) -> None:
    await desk.create(players=4)
    before = await desk.start()
    await desk.organiser.expel(desk.id, await desk.by(), 4)
    await desk.finish()
    # the game that the expelled one has lost stands in the way: undone, the pairing is free
    assert await refused(desk.organiser.repair(desk.id, await desk.by())) == "has_ended"
    await desk.organiser.undo(desk.id, await desk.by())
    async with desk.tournaments.changing(desk.id) as change:  # a late entry
        late = replace(change.snapshot.player(4), number=5, user_id=OWNER, seed=5, first_round=1)
        await change.add_player(late)
    await desk.organiser.repair(desk.id, await desk.by())
    assert (await desk.snapshot()).tournament.round == 0
    assert (await desk.snapshot()).pairings == ()
    await desk.finish()
    for stored in before:
        outcome = (await desk.game(stored)).outcome
        assert outcome is not None
        assert outcome.winner is None or stored.pairing.first == 4 or stored.pairing.second == 4
    again = await desk.go_on()
    assert sorted(number for one in again for number in one.pairing.players) == [1, 2, 3, 4, 5]
    assert (await desk.snapshot()).tournament.round == 1
    assert not {one.contest_id for one in again if one.contest_id} & {one.contest_id for one in before}


@pytest.mark.parametrize("is_paired", [False, True])
async def test_the_former_pairings_come_back(desk: Desk, *, is_paired: bool) -> None:
    await desk.create(seeding=Seeding.RATING)
    before = await desk.start()
    await desk.organiser.repair(desk.id, await desk.by())
    await desk.finish()
    if is_paired:
        await desk.go_on()
    await desk.organiser.undo(desk.id, await desk.by())
    await desk.finish()
    again = await desk.go_on()
    assert [one.pairing for one in again] == [one.pairing for one in before]
    assert [one.id for one in again] == [one.id for one in before]
    assert all(one.state is PairingState.RUNNING for one in again)
    assert not {one.contest_id for one in again} & {one.contest_id for one in before}
    assert (await desk.snapshot()).tournament.round == 1


async def test_no_result_is_lost_by_pairing_again(desk: Desk) -> None:
    await desk.create()
    assert await refused(desk.organiser.repair(desk.id, await desk.by())) == "not_running"
    stored, _ = await desk.start()
    await desk.win(stored, stored.pairing.first)
    assert await refused(desk.organiser.repair(desk.id, await desk.by())) == "has_ended"


async def test_undoing_a_new_pairing_takes_its_message_away(desk: Desk) -> None:
    """Otherwise two messages of one round would stand in the channel."""
    await desk.create()
    await desk.start()
    await desk.organiser.repair(desk.id, await desk.by())
    await desk.go_on()
    await desk.rounds.repository.shown(desk.id, 1, 0, [555, 556], 0)
    entry = await desk.organiser.undo(desk.id, await desk.by())
    assert entry.detail["messages"] == [555, 556]
