"""Each act of an organiser, what it refuses, and what undoing it does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from harness.organising import CHANNEL, FIRST, HELPER, OWNER

from bot.core.translations import CODES, language
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.tournaments.organising import words
from bot.tournaments.organising.rules.effect import Act, Ruling
from bot.tournaments.tournament import REASON_LENGTH, PairingState, PlayerStatus, Seeding, Status
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR
from engine.match.match import Terms
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from fakes.clock import Clock
    from harness.organising import Desk


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """SQLite alone: ``test_transactions`` has what depends on the database."""
    return sqlite_url


async def refused(work: Any) -> str:
    """The key of what is refused."""
    with pytest.raises(Refused) as error:
        await work
    return error.value.key.removeprefix("tournament.organising.")


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


async def test_a_game_that_is_played_again_is_void_and_a_new_one_opens(desk: Desk) -> None:
    await desk.create(round_length=DAY)
    stored, _ = await desk.start()
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
    # the former game is over, and nothing can bring it back
    (entry, *_) = await desk.log()
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), entry.seq)) == "undo_replay"


async def test_a_game_that_was_never_opened_is_won_by_forfeit(desk: Desk) -> None:
    await desk.create()
    await desk.rounds.start(desk.id, OWNER)
    await desk.rounds.advance(desk.id)
    stored, _ = (await desk.whole()).pairings
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
    first = (await desk.whole()).pairings[0]
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


async def test_a_correction_after_the_end_gives_other_places(desk: Desk) -> None:
    await desk.create(Format.ROUND_ROBIN, 2)
    (stored,) = await desk.start()
    await desk.win(stored, 1)
    await desk.go_on()
    assert (await desk.whole()).tournament.status is Status.OVER
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
        late = replace(change.whole.player(4), number=5, user_id=OWNER, seed=5, first_round=1)
        await change.add_player(late)
    await desk.organiser.repair(desk.id, await desk.by())
    assert (await desk.whole()).tournament.round == 0
    assert (await desk.whole()).pairings == ()
    await desk.finish()
    for stored in before:
        outcome = (await desk.game(stored)).outcome
        assert outcome is not None
        assert outcome.winner is None or stored.pairing.first == 4 or stored.pairing.second == 4
    again = await desk.go_on()
    assert sorted(number for one in again for number in one.pairing.players) == [1, 2, 3, 4, 5]
    assert (await desk.whole()).tournament.round == 1
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
    assert (await desk.whole()).tournament.round == 1


async def test_no_result_is_lost_by_pairing_again(desk: Desk) -> None:
    await desk.create()
    assert await refused(desk.organiser.repair(desk.id, await desk.by())) == "not_running"
    stored, _ = await desk.start()
    await desk.win(stored, stored.pairing.first)
    assert await refused(desk.organiser.repair(desk.id, await desk.by())) == "has_ended"


# --- pausing ---------------------------------------------------------------------------------------------------------


async def test_a_pause_moves_deadlines_and_holds_rounds(desk: Desk, clock: Clock) -> None:
    await desk.create(round_length=5 * DAY)
    one, other = await desk.start()
    organiser = desk.organiser
    await organiser.pause(desk.id, await desk.by())
    assert await refused(organiser.pause(desk.id, await desk.by())) == "paused"
    await desk.win(one, one.pairing.first)  # games go on
    await desk.win(other, other.pairing.first)
    assert (await desk.go_on())[0].pairing.round == 1  # but no round starts
    clock.at += 2 * DAY
    await organiser.resume(desk.id, await desk.by(), CHANNEL + 500)
    assert (await desk.whole()).tournament.channel_id == CHANNEL + 500
    (first, *_) = await desk.go_on()
    assert first.pairing.round == 2
    assert await refused(organiser.resume(desk.id, await desk.by())) == "not_paused"


async def test_a_resumed_round_has_its_time_back_and_undone_it_waits_again(desk: Desk, clock: Clock) -> None:
    await desk.create(round_length=5 * DAY)
    stored, _ = await desk.start()
    deadline = stored.deadline or 0
    await desk.organiser.pause(desk.id, await desk.by())
    paused = clock.at
    clock.at += 3 * HOUR
    await desk.organiser.resume(desk.id, await desk.by())
    assert (await desk.pairing(stored.id)).deadline == deadline + 3 * HOUR
    (row,) = await rounds_of(desk)
    assert row.deadline == deadline + 3 * HOUR
    clock.at += HOUR
    await desk.organiser.undo(desk.id, await desk.by())
    assert (await desk.pairing(stored.id)).deadline == deadline
    assert (await desk.whole()).tournament.paused == paused
    # and undoing the pause itself is resuming
    entry = next(one for one in await desk.log() if one.act == Act.PAUSE)
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    assert (await desk.whole()).tournament.paused is None
    assert (await desk.pairing(stored.id)).deadline == deadline + 4 * HOUR


async def rounds_of(desk: Desk) -> list[Any]:
    async with desk.organiser.repository.database.reading() as connection:
        return list(await desk.organiser.repository.rounds(connection, desk.id))


async def test_what_was_to_start_starts_later(desk: Desk, clock: Clock) -> None:
    starts = clock.at + DAY
    await desk.create(starts=starts)
    await desk.organiser.pause(desk.id, await desk.by())
    clock.at += 2 * DAY
    await desk.rounds.advance(desk.id)
    await desk.organiser.resume(desk.id, await desk.by())
    assert (await desk.whole()).tournament.plan.starts == starts + 2 * DAY


# --- people ----------------------------------------------------------------------------------------------------------


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


async def test_a_game_in_which_the_expelled_one_has_moved_counts_as_played(desk: Desk) -> None:
    await desk.create()
    game, _ = await desk.start()
    live = await desk.game(game)
    whole = await desk.whole()
    mover = next(one for one in game.pairing.players if whole.player(one).user_id == live.to_act)
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
        await change.set_players(replace(change.whole.player(4), status=PlayerStatus.WAITING))
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


# --- cancelling ------------------------------------------------------------------------------------------------------


async def test_a_cancelled_tournament_leaves_its_games_and_comes_back(desk: Desk) -> None:
    await desk.create()
    one, other = await desk.start()
    await desk.organiser.cancel(desk.id, await desk.by())
    await desk.finish()
    assert (await desk.whole()).tournament.status is Status.CANCELLED
    assert not (await desk.game(one)).is_over
    assert await refused(desk.organiser.pause(desk.id, await desk.by())) == "over"
    await desk.win(one, one.pairing.first)  # an ordinary game now
    await desk.rounds.advance(desk.id)
    await desk.organiser.undo(desk.id, await desk.by())
    await desk.win(other, other.pairing.first)
    second = await desk.go_on()
    assert second[0].pairing.round == 2
    assert (await desk.pairing(one.id)).result is Result.FIRST_WINS


# --- ending ----------------------------------------------------------------------------------------------------------


async def test_a_ladder_ends_when_its_organiser_ends_it(desk: Desk) -> None:
    await desk.create(Format.LADDER, players=4)
    assert await refused(desk.organiser.finish(desk.id, await desk.by())) == "finish_not_running"
    await desk.start()
    await desk.rounds.challenge(desk.id, (await desk.player(2)).user_id, (await desk.player(1)).user_id)
    (won,) = await desk.go_on()
    await desk.win(won, 2)
    await desk.rounds.challenge(desk.id, (await desk.player(4)).user_id, (await desk.player(3)).user_id)
    going = (await desk.go_on())[-1]
    entry = await desk.organiser.finish(desk.id, await desk.by("It is winter."))
    await desk.finish()
    whole = await desk.whole()
    assert (whole.tournament.status, whole.tournament.ended) == (Status.OVER, whole.tournament.closing_at)
    assert [player.first_place for player in whole.players] == [2, 1, 3, 4]
    assert not (await desk.game(going)).is_over
    await desk.win(going, 4)  # an ordinary game now: nobody changes places
    after = await desk.whole()
    assert (after.players, after.pairings) == (whole.players, whole.pairings)
    assert (await desk.pairing(going.id)).result is None
    log = [one for one in await desk.log() if one.act in {Act.FINISH, "finished"}]
    assert [(one.act, one.actor, one.reason) for one in log] == [(Act.FINISH, OWNER, "It is winter.")]
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), entry.seq)) == "undo_never"
    assert await refused(desk.organiser.finish(desk.id, await desk.by())) == "over"


@pytest.mark.parametrize(
    "format_", [Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION, Format.ARENA]
)
async def test_any_tournament_ends_with_its_present_standings(desk: Desk, clock: Clock, format_: Format) -> None:
    """What has ended counts; what goes on does not, now or later, and is not opened any more."""
    await desk.create(format_, players=6)
    await desk.start()
    clock.at += HOUR // 60  # an arena waits a little before it pairs
    found = await desk.go_on()
    one, other, *_ = [stored for stored in found if stored.contest_id]
    await desk.win(one, one.pairing.second or 0)
    await desk.organiser.pause(desk.id, await desk.by())
    await desk.organiser.finish(desk.id, await desk.by())
    whole = await desk.whole()
    assert (whole.tournament.status, whole.tournament.paused) == (Status.OVER, None)
    assert all(stored.state is PairingState.DONE for stored in whole.pairings)
    places = {player.number: player.first_place or 0 for player in whole.players}
    assert places.keys() == {1, 2, 3, 4, 5, 6}
    assert min(places.values()) == 1
    if format_ is not Format.DOUBLE_ELIMINATION:  # there, nobody is out after one loss
        assert places[one.pairing.second or 0] < places[one.pairing.first]
    await desk.win(other, other.pairing.first)
    await desk.go_on()
    assert await desk.whole() == whole
    assert await refused(desk.organiser.correct(desk.id, await desk.by(), other.id, Result.DRAW)) == "no_result"


# --- trust -----------------------------------------------------------------------------------------------------------


async def test_nothing_is_undone_after_the_next_round_has_started(desk: Desk) -> None:
    await desk.create()
    one, other = await desk.start()
    entry = await desk.organiser.adjudicate(desk.id, await desk.by(), one.id, Ruling.FIRST)
    await desk.win(other, other.pairing.first)
    await desk.go_on()
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), entry.seq)) == "undo_next_round"
    assert await refused(desk.organiser.undo(desk.id, await desk.by())) == "undo_nothing"


async def test_what_has_changed_since_is_not_undone(desk: Desk) -> None:
    await desk.create()
    one, _ = await desk.start()
    entry = await desk.organiser.adjudicate(desk.id, await desk.by(), one.id, Ruling.FIRST)
    await desk.organiser.correct(desk.id, await desk.by(), one.id, Result.DRAW)
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), entry.seq)) == "undo_changed"
    await desk.organiser.undo(desk.id, await desk.by())  # the correction first, then the decision
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    assert (await desk.pairing(one.id)).result is None


async def test_a_whole_match_is_decided_by_its_running_game(desk: Desk) -> None:
    """The seats of a match's later games may be the other way round."""
    await desk.create(players=2, game="backgammon", terms=Terms(points=5))
    (stored,) = await desk.start()
    live = await desk.game(stored)
    await desk.services[GameService].resign(live.id, live.players[1], 1)
    if not (await desk.services[GameService].newest(live.id)).is_over:
        await desk.services[GameService].answer(live.id, live.players[0], accept=True)
    second = await desk.game(stored)
    assert second.record.header.match_game == 2
    await desk.organiser.adjudicate(desk.id, await desk.by(), stored.id, Ruling.SECOND)
    await desk.finish()
    match = await desk.services[MatchService].get(stored.contest_id or "")
    assert match is not None
    assert match.result is not None
    assert match.players[match.result.winner or 0] == (await desk.player(stored.pairing.second or 0)).user_id
    assert (await desk.pairing(stored.id)).result is Result.SECOND_WINS


async def test_the_opponent_of_an_expelled_player_of_an_arena_is_free_again(desk: Desk, clock: Clock) -> None:
    await desk.create(Format.ARENA)
    await desk.rounds.start(desk.id, OWNER)
    clock.pass_seconds(5)
    game, other = await desk.go_on()
    number, opponent = game.pairing.players
    await desk.organiser.expel(desk.id, await desk.by(), number)
    await desk.finish()
    assert (await desk.player(opponent)).free_since is not None
    await desk.win(other, other.pairing.first)
    clock.pass_seconds(5)
    running = [one for one in await desk.go_on() if one.state is PairingState.RUNNING]
    assert opponent in {one for stored in running for one in stored.pairing.players}


async def test_an_expelled_player_of_a_ladder_leaves_no_gap_and_comes_back_to_their_place(desk: Desk) -> None:
    await desk.create(Format.LADDER)
    await desk.start()

    async def places() -> dict[int, int | None]:
        return {player.number: player.ladder_place for player in (await desk.whole()).players}

    assert await places() == {1: 1, 2: 2, 3: 3, 4: 4}
    await desk.organiser.expel(desk.id, await desk.by(), 2)
    assert await places() == {1: 1, 2: None, 3: 2, 4: 3}
    await desk.rounds.challenge(desk.id, FIRST + 3, FIRST + 2)  # 4 beats 3
    (game,) = await desk.go_on()
    await desk.win(game, 4)
    assert await places() == {1: 1, 2: None, 4: 2, 3: 3}
    await desk.organiser.undo(desk.id, await desk.by())
    assert await places() == {1: 1, 2: 2, 4: 3, 3: 4}


@pytest.mark.parametrize("code", CODES)
async def test_every_entry_of_a_ladders_log_has_a_line_of_its_own(desk: Desk, clock: Clock, code: str) -> None:
    await desk.create(Format.LADDER)
    await desk.start()
    await desk.rounds.challenge(desk.id, FIRST + 1, FIRST)
    clock.pass_seconds(31 * 86_400)
    await desk.go_on()
    say, users = language(code), words.users_of(await desk.whole())
    found = {entry.act: words.line(entry, users, say) for entry in await desk.log()}
    assert {"started", "challenged", "sank"} <= found.keys()
    assert say("tournament.act.other") not in found.values()


async def test_a_game_of_a_round_that_is_paired_again_ends_without_a_result(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.create()
    game, _ = await desk.start()
    repository = desk.tournaments.repository

    async def before(*_: Any) -> Any:  # as read before another process took the round back
        return desk.id, game

    await desk.organiser.repair(desk.id, await desk.by())
    monkeypatch.setattr(repository, "of_contest", before)
    await desk.win(game, game.pairing.first)
    assert (await desk.game(game)).is_over
    assert (await desk.whole()).pairings == ()
