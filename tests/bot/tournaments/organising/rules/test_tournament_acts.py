"""Tests the acts of organisers on a tournament: pause, cancel, end; what stays, and departures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.snapshots import SWISS, Made
from harness.organising import CHANNEL, FIRST, OWNER, refused
from harness.thinning import one_of
from sqlalchemy import select

from bot.core.translations import CODES, language
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.notifications.model import PENDING, VOID
from bot.notifications.tables import notifications
from bot.tournaments.organising import words
from bot.tournaments.organising.rules.effect import Act, Ruling
from bot.tournaments.rounds.notices import WALKOVER
from bot.tournaments.tournament import LogEntry, PairingState, Status
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
    assert (await desk.snapshot()).tournament.channel_id == CHANNEL + 500
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
    assert (await desk.snapshot()).tournament.paused == paused
    # and undoing the pause itself is resuming
    entry = next(one for one in await desk.log() if one.act == Act.PAUSE)
    await desk.organiser.undo(desk.id, await desk.by(), entry.seq)
    assert (await desk.snapshot()).tournament.paused is None
    assert (await desk.pairing(stored.id)).deadline == deadline + 4 * HOUR


async def test_a_pause_and_its_end_bring_the_message_of_the_round_up_to_date(desk: Desk) -> None:
    await desk.create(round_length=5 * DAY)
    await desk.start()
    (before,) = await rounds_of(desk)
    await desk.organiser.pause(desk.id, await desk.by())
    (paused,) = await rounds_of(desk)
    assert paused.version > before.version
    await desk.organiser.resume(desk.id, await desk.by())
    (resumed,) = await rounds_of(desk)
    assert resumed.version > paused.version


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
    assert (await desk.snapshot()).tournament.plan.starts == starts + 2 * DAY


# --- cancelling ------------------------------------------------------------------------------------------------------


async def test_a_cancelled_tournament_leaves_its_games_and_comes_back(desk: Desk) -> None:
    await desk.create()
    one, other = await desk.start()
    await desk.organiser.cancel(desk.id, await desk.by())
    await desk.finish()
    assert (await desk.snapshot()).tournament.status is Status.CANCELLED
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
    snapshot = await desk.snapshot()
    assert (snapshot.tournament.status, snapshot.tournament.ended) == (Status.OVER, snapshot.tournament.closing_at)
    assert [player.first_place for player in snapshot.players] == [2, 1, 3, 4]
    assert not (await desk.game(going)).is_over
    await desk.win(going, 4)  # an ordinary game now: nobody changes places
    after = await desk.snapshot()
    assert (after.players, after.pairings) == (snapshot.players, snapshot.pairings)
    assert (await desk.pairing(going.id)).result is None
    log = [one for one in await desk.log() if one.act in {Act.FINISH, "finished"}]
    assert [(one.act, one.actor, one.reason) for one in log] == [(Act.FINISH, OWNER, "It is winter.")]
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), entry.seq)) == "undo_never"
    assert await refused(desk.organiser.finish(desk.id, await desk.by())) == "over"


@one_of(
    "format_", [Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION, Format.ARENA]
)
async def test_any_tournament_ends_with_its_present_standings(desk: Desk, clock: Clock, format_: Format) -> None:
    """Finished games count; running ones do not, now or later, and no more are opened."""
    await desk.create(format_, players=6)
    await desk.start()
    clock.at += HOUR // 60  # an arena waits a little before it pairs
    found = await desk.go_on()
    one, other, *_ = [stored for stored in found if stored.contest_id]
    await desk.win(one, one.pairing.second or 0)
    await desk.organiser.pause(desk.id, await desk.by())
    played = [one.contest_id or "", other.contest_id or ""]
    assert set(await desk.tournaments.names_of(played)) == set(played)
    await desk.organiser.finish(desk.id, await desk.by())
    assert set(await desk.tournaments.names_of(played)) == {played[0]}  # the other one is an ordinary game now
    snapshot = await desk.snapshot()
    assert (snapshot.tournament.status, snapshot.tournament.paused) == (Status.OVER, None)
    assert all(stored.state is PairingState.DONE for stored in snapshot.pairings)
    places = {player.number: player.first_place or 0 for player in snapshot.players}
    assert places.keys() == {1, 2, 3, 4, 5, 6}
    assert min(places.values()) == 1
    if format_ is not Format.DOUBLE_ELIMINATION:  # there, nobody is out after one loss
        assert places[one.pairing.second or 0] < places[one.pairing.first]
    await desk.win(other, other.pairing.first)
    await desk.go_on()
    assert await desk.snapshot() == snapshot
    assert await refused(desk.organiser.correct(desk.id, await desk.by(), other.id, Result.DRAW)) == "no_result"


# --- departures ------------------------------------------------------------------------------------------------------


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
        return {player.number: player.ladder_place for player in (await desk.snapshot()).players}

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
    say, users = language(code), words.users_of(await desk.snapshot())
    found = {entry.act: words.line(entry, users, say) for entry in await desk.log()}
    assert {"started", "challenged", "sank"} <= found.keys()
    assert say("tournament.act.other") not in found.values()


@pytest.mark.parametrize(
    ("act", "players", "line"),
    [
        ("started", 8, "The tournament started with 8 players."),
        ("started", 1, "The tournament started with 1 player."),
        ("no_show", [4, 7], "2 players did not check in and are out."),
        ("moved_up", [4], "1 player moved up from the waiting list."),
    ],
)
def test_an_entry_says_of_how_many_players_it_is(act: str, players: object, line: str) -> None:
    entry = LogEntry(1, 0, None, act, 1, {"players": players})
    assert words.line(entry, words.users_of(Made(SWISS, 2).snapshot), language("en")) == line


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
    assert (await desk.snapshot()).pairings == ()


async def test_no_decided_game_of_a_ladder_is_offered_to_be_undone(desk: Desk) -> None:
    await desk.create(Format.LADDER)
    await desk.start()
    await desk.rounds.challenge(desk.id, FIRST + 1, FIRST)
    await desk.go_on()
    await desk.organiser.expel(desk.id, await desk.by(), 4)
    assert len(await desk.organiser.undoable(await desk.snapshot())) == 1
    entry = await desk.organiser.expel(desk.id, await desk.by(), 2)
    assert [one.subject for one in await desk.organiser.undoable(await desk.snapshot())] == [FIRST + 3]
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), entry.seq)) == "undo_format"


async def test_a_win_without_a_game_is_not_told_once_its_round_is_paired_again(desk: Desk) -> None:
    await desk.create(Format.ROUND_ROBIN)
    for stored in await desk.start():
        await desk.win(stored, stored.pairing.first)
    await desk.rounds.withdraw(desk.id, FIRST)
    await desk.go_on()

    async def states() -> list[str]:
        query = select(notifications.c.state).where(notifications.c.kind == WALKOVER)
        return list((await desk.organiser.repository.database.fetch(query)).scalars())

    assert await states() == [PENDING]
    await desk.organiser.repair(desk.id, await desk.by())
    assert await states() == [VOID]
