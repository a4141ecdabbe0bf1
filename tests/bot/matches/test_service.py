"""MatchService on both databases: one transaction from game to game, races, what is derived."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import pytest
from fakes.outbox import ANN, BOB, HERE
from harness.match_service import begin, present, stored
from sqlalchemy import event, select, update

from bot.board.delivery.repository import BoardRepository
from bot.board.delivery.service import BoardDelivery
from bot.core.storage.database import Database, PlaceTaken
from bot.games.new_game import NewGame
from bot.games.rebuild import Checked
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import games as rows
from bot.matches.contests import FinishedContest
from bot.matches.finished import contest_of, whole_matches
from bot.matches.rebuild import rebuild_matches
from bot.matches.repository import MatchRepository
from bot.matches.service import MatchService
from bot.matches.tables import matches as match_rows
from bot.ratings.rebuild import rebuild_ratings
from bot.ratings.repository import RatingRepository
from bot.ratings.service import RatingService
from engine.core.clock import HOUR, MINUTE
from engine.core.errors import Refused
from engine.match.match import Terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.clock import Clock


SERIES: Final = Terms(best_of=3)


async def test_a_single_game_has_no_match_and_asks_for_none(
    matches: MatchService, games: GameService, database: Database, ends: list[FinishedContest]
) -> None:
    live = await begin(matches, Terms(), rated=True)
    asked: list[object] = []
    event.listen(database.engine.sync_engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    assert await matches.of(live) is None
    assert asked == []
    await games.resign(live.id, ANN, 3)
    assert [(contest.id, contest.is_match, contest.winner, contest.rated) for contest in ends] == [
        (live.id, False, 1, True)
    ]
    assert await stored(database) == []


@pytest.mark.both_databases
async def test_the_next_game_begins_as_the_last_one_ends(
    matches: MatchService, games: GameService, database: Database, ends: list[FinishedContest]
) -> None:
    heard: list[str] = []
    games.subscribe(lambda live: heard.append(live.id))
    first = await begin(matches, options={"cube": "on"}, rated=True)
    await games.resign(first.id, ANN, 3)
    second = await present(games)
    header = second.record.header
    assert (header.match, header.match_game, header.rated) == (first.record.header.match, 2, True)
    assert [second.table.options[key] for key in ("cube", "points", "score0", "score1")] == ["on", 5, 0, 3]
    assert heard == [first.id, second.id, first.id]
    assert ends == []
    await games.resign(second.id, ANN, 3)
    assert await games.at(HERE.channel_id) is None
    (contest,) = ends
    assert (contest.is_match, contest.winner, contest.points, contest.rated) == (True, 1, 5, True)
    (row,) = await stored(database)
    assert (row["score0"], row["score1"], row["status"], row["winner"], row["reason"]) == (0, 6, "over", 1, "match.won")
    async with database.reading() as connection:
        found = (await connection.execute(whole_matches())).one()
    assert contest_of(found) == contest


async def test_a_match_in_the_cache_needs_no_query(
    matches: MatchService, games: GameService, database: Database
) -> None:
    first = await begin(matches)
    await games.resign(first.id, ANN, 3)
    second = await present(games)
    asked: list[object] = []
    event.listen(database.engine.sync_engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    now, then = await matches.of(second), await matches.of(first)
    assert asked == []
    assert now is not None
    assert then is not None
    assert (now.score, then.score) == ((0, 3), (0, 0))  # to the first game's board as it was read, the game goes on
    assert (await matches.of(await games.get(first.id))) == now


@pytest.mark.both_databases
async def test_another_process_knows_the_score(
    matches: MatchService, games: GameService, make_games: Callable[..., GameService], database: Database
) -> None:
    other_games = make_games()
    other = MatchService(MatchRepository(database), other_games)
    other_games.hooks = [other]
    first = await begin(matches)
    assert await other.of(await other_games.newest(first.id)) is not None
    await games.resign(first.id, ANN, 3)
    second = await other_games.at(HERE.channel_id)
    assert second is not None
    found = await other.of(second)
    assert found is not None
    assert found.score == (0, 3)


@pytest.mark.both_databases
async def test_nothing_is_left_if_the_next_game_cannot_be_created(
    matches: MatchService, games: GameService, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await begin(matches)
    heard: list[str] = []
    games.subscribe(lambda live: heard.append(live.id))
    create = GameRepository.create

    async def fails(*_: object) -> None:
        raise PlaceTaken

    monkeypatch.setattr(GameRepository, "create", fails)
    with pytest.raises(PlaceTaken):
        await games.resign(first.id, ANN, 3)
    assert await present(games) == first
    assert heard == []
    (row,) = await stored(database)
    assert (row["results"], row["score1"], row["status"]) == ("[]", 0, "running")
    found = await matches.of(first)
    assert found is not None
    assert found.finished == 0
    monkeypatch.setattr(GameRepository, "create", create)
    await games.resign(first.id, ANN, 3)
    assert (await present(games)).record.header.match_game == 2


async def test_a_match_and_its_first_game_begin_together(
    matches: MatchService, games: GameService, database: Database
) -> None:
    await games.open(NewGame("abalone", {}, HERE, "en"), (ANN, 33))
    with pytest.raises(Refused, match=r"place\.taken"):
        await begin(matches)
    assert await stored(database) == []


@pytest.mark.both_databases
async def test_of_two_presses_at_once_one_starts_the_next_game(
    matches: MatchService, games: GameService, make_games: Callable[..., GameService], database: Database
) -> None:
    """In one process, and in two."""
    other_games = make_games(prefix="o")
    other_games.hooks = [MatchService(MatchRepository(database), other_games)]
    first = await begin(matches, Terms(best_of=25), "abalone")
    for service in (games, other_games):
        before = await present(games)
        pressed = [service.resign(before.id, ANN, 1), games.resign(before.id, BOB, 1)]
        done = await asyncio.gather(*pressed, return_exceptions=True)
        assert sorted(isinstance(one, Refused) for one in done) == [False, True], done
        after = await games.at(HERE.channel_id)
        assert after is not None
        assert after.record.header.match_game == before.record.header.match_game + 1
    async with database.reading() as connection:
        found = (await connection.execute(select(rows.c.match_game, rows.c.status).order_by(rows.c.match_game))).all()
    assert [tuple(row) for row in found] == [(1, "over"), (2, "over"), (3, "running")]
    assert first.record.header.match_game == 1


async def test_whoever_is_late_loses_the_match(
    matches: MatchService, games: GameService, clock: Clock, ends: list[FinishedContest]
) -> None:
    first = await begin(matches, clock="1h/move", timeout_policy="loss")
    await games.resign(first.id, ANN, 3)
    second = await present(games)
    late = second.to_act
    clock.at += 3 * HOUR
    await games.tick(second.id)
    (contest,) = ends
    assert contest.players[contest.winner or 0] != late
    assert contest.counts
    found = await matches.get(second.record.header.match)
    assert found is not None
    assert found.result is not None
    assert found.result.reason == "match.forfeited"
    assert await games.at(HERE.channel_id) is None


@pytest.mark.parametrize(("bank", "left"), [("game", 10 * MINUTE), ("match", 6 * MINUTE)])
async def test_a_bank_may_be_for_the_whole_match(
    matches: MatchService, games: GameService, clock: Clock, bank: str, left: int
) -> None:
    terms = Terms(best_of=3, bank=bank)
    first = await begin(matches, terms, "abalone", clock="10m", timeout_policy="loss")
    assert first.to_act == ANN
    clock.at += 4 * MINUTE
    await games.play(first.id, ANN, None, "a1b1")
    await games.resign(first.id, BOB, 1)
    second = await present(games)
    assert second.players == (BOB, ANN)
    assert second.clock is not None
    assert second.clock.banks == (10 * MINUTE, left)


async def test_a_match_that_is_aborted_in_its_first_game_counts_nothing(
    matches: MatchService, games: GameService, clock: Clock, ends: list[FinishedContest]
) -> None:
    first = await begin(matches, SERIES, "abalone", clock="1h/move", timeout_policy="loss", rated=True)
    clock.at += 3 * HOUR
    await games.tick(first.id)
    assert [(contest.winner, contest.counts) for contest in ends] == [(None, False)]


@pytest.mark.both_databases
async def test_rebuilding_finds_what_does_not_follow_from_the_games(
    matches: MatchService, games: GameService, database: Database
) -> None:
    async def run() -> list[Checked]:
        return [checked async for checked in rebuild_matches(database)]

    first = await begin(matches)
    match_id = first.record.header.match
    await games.resign(first.id, ANN, 3)
    await games.resign_match((await present(games)).id, BOB)
    before = await stored(database)
    assert before[0]["reason"] == "match.resigned"
    assert await run() == [Checked(match_id)]
    wrong = {"results": "[]", "score1": 1.5, "status": "running", "winner": None, "ended": 7}
    async with database.writing() as connection:
        await connection.execute(update(match_rows).values(wrong))
    assert await run() == [Checked(match_id, ("results", "score1", "status", "winner", "ended"))]
    assert await stored(database) == before
    assert await run() == [Checked(match_id)]
    async with database.writing() as connection:
        await connection.execute(update(rows).where(rows.c.id == first.id).values(match_id=None))
    (checked,) = await run()
    assert "lacks a game" in checked.fault


async def test_a_match_moves_with_its_game(matches: MatchService, games: GameService, database: Database) -> None:
    first = await begin(matches)
    await games.relocate(first.id, BOB, Place(9, 99))
    assert [(row["guild_id"], row["channel_id"]) for row in await stored(database)] == [(9, 99)]
    await games.resign(first.id, ANN, 3)
    assert (await games.at(99)) is not None


async def test_a_rated_match_changes_ratings_once(
    matches: MatchService, games: GameService, database: Database, clock: Clock
) -> None:
    """At its end, by its length; and rebuilding them finds the same."""
    ratings = RatingService(RatingRepository(database), clock, 10)
    matches.hooks.append(ratings)
    first = await begin(matches, rated=True)
    await games.resign(first.id, ANN, 3)
    match_id = first.record.header.match
    assert await ratings.changes_of(match_id) == []
    await games.resign((await present(games)).id, ANN, 3)
    changes = await ratings.changes_of(match_id)
    assert [(change.user_id, change.score) for change in changes] == [(ANN, 0), (BOB, 1)]
    assert await ratings.changes_of(first.id) == []
    checked = await rebuild_ratings(database, 10)
    assert (checked.contests, checked.differences) == (1, [])


async def test_a_first_board_waits_for_the_card_before_unless_that_has_failed(
    matches: MatchService, games: GameService, database: Database, clock: Clock
) -> None:
    delivery = BoardDelivery(BoardRepository(database), clock)
    first = await begin(matches)
    assert await delivery.attempts(first) == 0
    await games.resign(first.id, ANN, 3)
    second = await present(games)
    assert await matches.next_game(await games.get(first.id)) == second.id
    assert await delivery.attempts(second) is None
    await delivery.failed(first.id)
    assert await delivery.attempts(second) == 0
    await delivery.failed(second.id)
    assert await delivery.attempts(second) == 1
    await games.shown(first.id, (await games.get(first.id)).seq, 900)
    assert await delivery.attempts(second) == 1
