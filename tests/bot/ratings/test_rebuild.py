"""Ratings are counted again from the records of games, to the last bit."""

import asyncio
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner
from fakes.clock import Clock, Names
from fakes.rated import ANN, BOB, EVE, LIMIT, RatedGames, simulated, store
from fakes.toy import Nim
from harness.thinning import in_number
from sqlalchemy import delete, insert, select, update

from bot.__main__ import main
from bot.core.storage.database import Database
from bot.games.new_game import NewGame
from bot.games.stored import Place
from bot.games.tables import games
from bot.ratings.rebuild import rebuild_ratings
from bot.ratings.tables import rated_contests, rating_changes, ratings
from engine.match.match import Terms


@pytest.fixture
def process(database: Database, nim: Nim, clock: Clock) -> RatedGames:
    del nim
    return RatedGames(database, clock, Names("g"))


async def everything(database: Database) -> list[list[dict[str, Any]]]:
    """Returns all rows of the tables of ratings; of contests without their numbers."""
    found = []
    async with database.reading() as connection:
        for table in (rated_contests, rating_changes, ratings):
            rows = await connection.execute(select(table).order_by(*table.primary_key))
            found.append([dict(row) for row in rows.mappings()])
    return found


@pytest.mark.both_databases
@in_number("count", 60, 1000)
async def test_simulated_games_rebuild_to_the_stored_ratings(process: RatedGames, count: int) -> None:
    await store(process, simulated(count, people=12, seed=1))
    before = await everything(process.database)
    checked = await rebuild_ratings(process.database, LIMIT)
    assert (checked.contests, checked.ratings, checked.differences) == (count, 12, [])
    uncounted = [row for row in before[0] if not row["counted"]]
    assert len(before[1]) == 2 * (count - len(uncounted))
    async with process.database.writing() as connection:
        await connection.execute(delete(rating_changes))
        await connection.execute(delete(ratings))
    checked = await rebuild_ratings(process.database, LIMIT)
    assert len(checked.differences) == count - len(uncounted) + 12
    assert await everything(process.database) == before
    assert (await rebuild_ratings(process.database, LIMIT)).differences == []


DAMAGES = {
    "a rating": update(ratings).where(ratings.c.user_id == ANN).values(rating=ratings.c.rating + 1e-9),
    "a count": update(ratings).where(ratings.c.user_id == BOB).values(wins=99, contests=ratings.c.contests + 99),
    "a rating too many": insert(ratings).values(
        user_id=99, game="nim", pace="live", rating=1, deviation=1, volatility=1, last_at=1,
        contests=0, wins=0, draws=0, losses=0,
    ),
    "a rating lost": delete(ratings).where(ratings.c.user_id == EVE),
    "a change": update(rating_changes).where(rating_changes.c.contest_id == "g2").values(deviation_after=1),
    "a player": update(rating_changes).where(rating_changes.c.contest_id == "g2").values(user_id=99),
    "a number": update(rating_changes).where(rating_changes.c.contest_id == "g2").values(seq=99),
    "a change lost": delete(rating_changes).where(rating_changes.c.contest_id == "g3", rating_changes.c.player == 0),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_what_differs_is_corrected(process: RatedGames, damage: Any) -> None:
    for pair, winner in (((ANN, BOB), 0), ((BOB, EVE), 1), ((ANN, EVE), None), ((ANN, BOB), 0)):
        await process.play(pair, winner)
    before = await everything(process.database)
    async with process.database.writing() as connection:
        await connection.execute(damage)
    assert await everything(process.database) != before
    assert len((await rebuild_ratings(process.database, LIMIT)).differences) == 1
    assert await everything(process.database) == before
    assert (await rebuild_ratings(process.database, LIMIT)).differences == []


async def test_a_result_that_was_wrong_changes_all_that_follows(process: RatedGames) -> None:
    for winner in (0, 1, 0):
        await process.play(winner=winner)
    before = await everything(process.database)
    async with process.database.writing() as connection:
        await connection.execute(update(games).where(games.c.id == "g1").values(points0=-2, points1=2))
    checked = await rebuild_ratings(process.database, LIMIT)
    assert len(checked.differences) == 3 + 2
    async with process.database.writing() as connection:
        await connection.execute(update(games).where(games.c.id == "g1").values(points0=2, points1=-2))
    await rebuild_ratings(process.database, LIMIT)
    assert await everything(process.database) == before


async def test_a_game_that_does_not_count_is_taken_out(process: RatedGames) -> None:
    await process.play()
    await process.play(winner=1)
    async with process.database.writing() as connection:
        await connection.execute(update(games).where(games.c.id == "g1").values(counts=False))
    checked = await rebuild_ratings(process.database, LIMIT)
    assert checked.differences[0] == "g1 is not a rated contest that counts"
    assert [row["contest_id"] for row in (await everything(process.database))[0]] == ["g2"]
    assert await process.ratings.repository.changes_of("g1") == []
    assert (await rebuild_ratings(process.database, LIMIT)).differences == []


@pytest.mark.both_databases
async def test_games_that_were_never_counted_are_counted_last_within_the_limit(process: RatedGames) -> None:
    process.matches.hooks.clear()
    lost = [await process.play() for _ in range(LIMIT + 1)]
    process.matches.hooks.append(process.ratings)
    for _ in range(2):
        await process.play((BOB, EVE))
    checked = await rebuild_ratings(process.database, LIMIT)
    assert checked.contests == LIMIT + 3
    contests, *_ = await everything(process.database)
    assert [row["contest_id"] for row in contests] == ["g12", "g13", *(live.id for live in lost)]
    assert [row["counted"] for row in contests] == [True] * (2 + LIMIT) + [False]
    assert (await rebuild_ratings(process.database, LIMIT)).differences == []


@pytest.mark.both_databases
async def test_matches_are_counted_as_a_whole(process: RatedGames) -> None:
    opened = partial(process.matches.open, players=(ANN, BOB))
    new = NewGame("backgammon", {"cube": "on"}, Place(1, 1), "en", rated=True)
    live = await opened(Terms(points=4), new)
    match_id = live.record.header.match
    for _ in range(2):
        process.clock.at += 1000
        live = await process.games.at(1) or live
        offered = await process.games.resign(live.id, BOB, 2)
        await process.games.answer(live.id, ANN, accept=True, seq=offered.seq)
    first, second = await process.ratings.changes_of(match_id)
    assert (first.score, second.score, first.weight, second.weight) == (1, 0, 2, 2)
    new = NewGame("nim", {"heap": 9, "dice": "no"}, Place(1, 2), "en", rated=True)
    live = await opened(Terms(best_of=3), new)
    series = live.record.header.match
    for _ in range(2):
        assert await process.ratings.changes_of(series) == []
        live = await process.games.at(2) or live
        await process.games.resign(live.id, BOB, 2)
    assert [change.weight for change in await process.ratings.changes_of(series)] == [1, 1]
    assert len((await everything(process.database))[0]) == 2
    checked = await rebuild_ratings(process.database, LIMIT)
    assert (checked.contests, checked.ratings, checked.differences) == (2, 4, [])


@pytest.mark.both_databases
async def test_the_command_rebuilds_records_first_then_ratings(
    process: RatedGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    for winner in (0, 1):
        await process.play(winner=winner)
    before = await everything(process.database)
    wrong = update(games).where(games.c.id == "g1").values(points0=-9, points1=9)
    async with process.database.writing() as connection:
        await connection.execute(wrong)
        await connection.execute(delete(rating_changes))
    monkeypatch.setenv("DATABASE_URL", process.database.url.render_as_string(hide_password=False))
    done = await asyncio.to_thread(CliRunner().invoke, main, ["db", "rebuild"])
    assert done.exit_code == 0
    assert "the rating changes of g1 are written anew" in done.output
    assert "2 rated games and matches counted, 2 ratings checked, 2 differences corrected.\n" in done.output
    assert await everything(process.database) == before
