"""The end of a rated game changes both ratings, in the same transaction."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fakes.clock import Clock, Names
from fakes.rated import ANN, BOB, EVE, LIMIT, RatedGames
from fakes.toy import Nim
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.matches.contests import ContestHook, FinishedContest
from bot.ratings.changes import PERIOD, RatingChange, Standing, changes
from bot.ratings.pace import CORRESPONDENCE, LIVE, pace_of
from bot.ratings.rebuild import rebuild_ratings
from bot.ratings.tables import rated_contests, rating_changes, ratings
from engine.core.errors import RuleError
from engine.core.hours import DAY, HOUR
from engine.rating.glicko import Rating, Result, grown, update, weight_of_match

BEGINNER = Rating()
WON, LOST, DRAWN = (update(BEGINNER, (Result(BEGINNER, score),), periods=0) for score in (1, 0, 0.5))


@pytest.fixture
def process(database: Database, nim: Nim, clock: Clock) -> RatedGames:
    del nim
    return RatedGames(database, clock, Names("g"))


@pytest.fixture
async def other(database: Database, process: RatedGames, clock: Clock) -> AsyncIterator[RatedGames]:
    """Another process on the same database, with connections of its own."""
    del process
    its_own = Database(database.url.render_as_string(hide_password=False))
    yield RatedGames(its_own, clock, Names("o"), channel=9000)
    await its_own.close()


async def stored(database: Database) -> tuple[int, int, int]:
    """Counts the rows of contests, changes and ratings."""
    tables = (rated_contests, rating_changes, ratings)
    async with database.reading() as connection:
        first, second, third = [await connection.scalar(select(func.count()).select_from(one)) or 0 for one in tables]
    return first, second, third


def contest(**given: Any) -> FinishedContest:
    made: dict[str, Any] = {
        "id": "m1",
        "is_match": True,
        "game": "backgammon",
        "players": (ANN, BOB),
        "winner": 0,
        "rated": True,
        "counts": True,
        "clock": "",
        "points": 1,
        "started": 0,
        "ended": DAY,
        "guild_id": None,
    }
    return FinishedContest(**made | given)


def test_the_pace_is_that_of_the_clock() -> None:
    assert [pace_of(text) for text in ("10m", "5m+10s", "30s/move")] == [LIVE] * 3
    assert [pace_of(text) for text in ("", "3d/move", "1d", "7d+1d")] == [CORRESPONDENCE] * 4
    with pytest.raises(RuleError):
        pace_of("soon")


@pytest.mark.both_databases
async def test_a_result_changes_both_ratings(process: RatedGames) -> None:
    assert await process.ratings.of(ANN, "nim", CORRESPONDENCE) == BEGINNER
    live = await process.play(winner=1)
    assert await process.ratings.of_all([ANN, BOB, EVE], "nim", CORRESPONDENCE) == [LOST, WON, BEGINNER]
    assert await process.ratings.of(ANN, "nim", LIVE) == BEGINNER
    assert await process.ratings.of(ANN, "chess", CORRESPONDENCE) == BEGINNER
    first, second = await process.ratings.changes_of(live.id)
    common = (live.id, "nim", CORRESPONDENCE, 1.0, process.clock.at)
    for change, player, score, after in ((first, 0, 0.0, LOST), (second, 1, 1.0, WON)):
        assert (change.contest_id, change.game, change.pace, change.weight, change.ended) == common
        assert (change.player, change.user_id, change.opponent_id) == (player, (ANN, BOB)[player], (BOB, ANN)[player])
        assert (change.score, change.before, change.after) == (score, BEGINNER, after)
    assert (first.gain, second.gain) == (-162, 162)


async def test_live_and_correspondence_are_rated_apart(process: RatedGames) -> None:
    await process.play(clock="10m", after=0)
    await process.play(winner=None, after=0)
    assert await process.ratings.of(ANN, "nim", LIVE) == WON
    assert await process.ratings.of(ANN, "nim", CORRESPONDENCE) == DRAWN


async def test_wins_draws_and_losses_are_counted(process: RatedGames) -> None:
    for winner in (0, 0, 1, None):
        await process.play(winner=winner)
    async with process.database.reading() as connection:
        (ann, bob) = await process.ratings.repository.standings([ANN, BOB], "nim", CORRESPONDENCE, connection)
    assert (ann.contests, ann.wins, ann.draws, ann.losses) == (4, 2, 1, 1)
    assert (bob.contests, bob.wins, bob.draws, bob.losses) == (4, 1, 1, 2)
    assert ann.last_at == process.clock.at


async def test_casual_aborted_and_uncounted_games_never_count(process: RatedGames) -> None:
    await process.play(rated=False)
    aborted = await process.open(clock="1d/move")
    process.clock.at += 2 * DAY
    aborted = await process.games.tick(aborted.id)
    assert aborted.outcome is not None
    assert aborted.outcome.reason == "end.aborted"
    assert await stored(process.database) == (0, 0, 0)
    for given in ({"rated": False}, {"counts": False}):
        async with process.database.writing() as connection:
            await process.ratings.on_end(connection, contest(**given))
    assert await stored(process.database) == (0, 0, 0)


@pytest.mark.both_databases
async def test_what_is_rolled_back_leaves_no_trace(process: RatedGames) -> None:
    class Fails(ContestHook):
        async def on_end(self, connection: AsyncConnection, contest: FinishedContest) -> None:
            found = await connection.execute(select(rating_changes).where(rating_changes.c.contest_id == contest.id))
            assert len(found.all()) == 2
            raise OSError("the disk is full")

    live = await process.open()
    process.matches.hooks.append(Fails())
    with pytest.raises(OSError, match="full"):
        await process.end(live, 0)
    assert await stored(process.database) == (0, 0, 0)
    assert not (await process.games.newest(live.id)).is_over
    process.matches.hooks.pop()
    await process.end(live, 0)
    assert await stored(process.database) == (1, 2, 2)


async def test_a_deviation_grows_with_time_until_a_rating_is_provisional_again(process: RatedGames) -> None:
    sure = Standing(Rating(1600, 60, 0.06), contests=90, wins=90, last_at=process.clock.at)
    async with process.database.writing() as connection:
        await process.ratings.repository.keep(connection, ANN, "nim", LIVE, sure)
    assert not (await process.ratings.of(ANN, "nim", LIVE)).provisional
    process.clock.at += 300 * DAY
    assert not (await process.ratings.of(ANN, "nim", LIVE)).provisional
    process.clock.at += 66 * DAY
    idle = await process.ratings.of(ANN, "nim", LIVE)
    assert idle.provisional
    assert idle == grown(sure.rating, 366 * DAY / PERIOD)
    assert idle.deviation == pytest.approx(110, abs=0.2)
    live = await process.play(clock="10m", after=0)
    change, _ = await process.ratings.changes_of(live.id)
    assert change.before == idle
    assert change.after.deviation < idle.deviation


def test_a_match_weighs_more_by_its_length() -> None:
    standing = Standing()
    seven, _ = changes(contest(points=7), (standing, standing))
    single, lost = changes(contest(), (standing, standing))
    assert (single.weight, seven.weight) == (1, weight_of_match(7))
    assert seven.after.rating > single.after.rating > 1500 > lost.after.rating
    assert seven.after.deviation < single.after.deviation


def test_an_end_that_is_noticed_late_takes_no_time() -> None:
    """Time runs out by the clock of one game, and is noticed after a later end of another."""
    standing = Standing(Rating(1500, 80, 0.06), 1, 1, 0, 0, last_at=5 * DAY)
    change, _ = changes(contest(ended=2 * DAY), (standing, Standing()))
    assert change.before == standing.rating


@pytest.mark.both_databases
async def test_only_so_many_games_of_two_players_a_day_are_rated(process: RatedGames) -> None:
    games = [await process.play(after=HOUR) for _ in range(LIMIT + 2)]
    rated = [bool(await process.ratings.changes_of(live.id)) for live in games]
    assert rated == [True] * LIMIT + [False] * 2
    assert [await process.ratings.was_counted(live.id) for live in games] == rated
    assert await process.ratings.was_counted("none") is None
    assert await process.ratings.changes_of((await process.play((BOB, EVE))).id)
    process.clock.at += 15 * HOUR  # the first few are more than a day ago
    assert await process.ratings.changes_of((await process.play((BOB, ANN))).id)
    assert (await rebuild_ratings(process.database, LIMIT)).differences == []


async def test_a_new_game_is_rated_only_if_the_limit_allows_it(process: RatedGames) -> None:
    running = [await process.open() for _ in range(LIMIT - 1)]
    assert await process.ratings.may_rate(ANN, BOB)
    await process.end(running.pop(), 0)
    await process.open((BOB, ANN))
    assert not await process.ratings.may_rate(ANN, BOB)
    assert not await process.ratings.may_rate(BOB, ANN)
    assert await process.ratings.may_rate(ANN, EVE)
    process.clock.at += DAY + 1  # those that go on for more than a day do not count
    assert await process.ratings.may_rate(ANN, BOB)


@pytest.mark.both_databases
async def test_ends_in_two_processes_at_once_lose_no_update(process: RatedGames, other: RatedGames) -> None:
    people = [(ANN, BOB), (BOB, ANN), (BOB, EVE), (EVE, ANN), (EVE, BOB), (ANN, EVE)]
    mine = [await process.open(pair) for pair in people for _ in range(3)]
    theirs = [await other.open(pair) for pair in people for _ in range(3)]
    process.clock.at += HOUR
    pairs = zip(mine, theirs, strict=True)
    await asyncio.gather(*(end for one, two in pairs for end in (process.end(one, 0), other.end(two, 1))))
    count = len(mine) + len(theirs)
    assert await stored(process.database) == (count, 2 * (count - 6), 3)  # of each two, 12 games, 10 rated
    async with process.database.reading() as connection:
        found = await process.ratings.repository.standings([ANN, BOB, EVE], "nim", CORRESPONDENCE, connection)
    assert sum(standing.contests for standing in found) == 2 * (count - 6)
    assert (await rebuild_ratings(process.database, LIMIT)).differences == []


@pytest.mark.both_databases
async def test_losses_on_time_at_once_do_not_wait_for_each_other_for_ever(
    process: RatedGames, other: RatedGames
) -> None:
    """The loser is locked first, to find out whether it is their first loss on time, then both for the ratings."""
    games = []
    for opener in (process, other) * 4:
        live = await opener.open((ANN, BOB) if len(games) % 4 < 2 else (BOB, ANN), clock="1d/move")
        for _ in range(2 + len(games) % 2):  # either seat is the late one
            live = await opener.games.play(live.id, live.to_act or 0, None, "1")
        games.append((opener, live))
    process.clock.at += 3 * DAY
    ended = await asyncio.gather(*(opener.games.tick(live.id) for opener, live in games))
    assert all(live.is_over for live in ended)
    assert (await rebuild_ratings(process.database, LIMIT)).differences == []


def test_a_gain_is_the_difference_of_what_players_see() -> None:
    before, after = Rating(1499.6), Rating(1520.4)
    change = RatingChange("g", 0, ANN, BOB, "nim", LIVE, 1.0, 1.0, before, after, 0)
    assert change.gain == 20
