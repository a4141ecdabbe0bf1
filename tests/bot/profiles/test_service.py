"""Leaderboards follow results, preferences and servers, on both databases."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from bot.core.storage.database import Database
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.matches.contests import FinishedContest
from bot.matches.service import MatchService
from bot.players.repository import PreferenceRepository
from bot.players.service import PreferenceService
from bot.profiles.profile import Tally
from bot.profiles.ranking import Board
from bot.profiles.repository import ProfileRepository
from bot.profiles.service import PER_PAGE, ProfileService
from bot.ratings.repository import RatingRepository
from bot.ratings.service import RatingService
from engine.match.match import Terms

pytestmark = pytest.mark.both_databases

ANN, BOB, CAT = 11, 12, 13
HERE, THERE = 501, 502
LIVE = "10m"
CONTEST = FinishedContest("c1", False, "abalone", (ANN, BOB), 0, True, True, LIVE, 1, 0, 1000, HERE)
HERE_LIVE, ALL_LIVE = Board(HERE, "abalone", "live"), Board(0, "abalone", "live")


class World:
    """Ratings and profiles over one database, as the app connects them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.preferences = PreferenceService(PreferenceRepository(database))
        self.ratings = RatingService(RatingRepository(database), lambda: 0, daily_limit=10_000)
        self.profiles = ProfileService(ProfileRepository(database), self.preferences)
        self.ratings.hooks.append(self.profiles)
        self._count = 0

    async def end(self, contest: FinishedContest = CONTEST) -> None:
        """Ends the contest for the first time."""
        self._count += 1
        made = replace(contest, id=f"c{self._count}", ended=contest.ended + self._count)
        async with self.database.writing() as connection:
            await self.ratings.on_end(connection, made)

    async def settle(self, times: int = 16) -> None:
        """Lets Ann and Bob beat one another in turn until their ratings are established."""
        for number in range(times):
            await self.end(replace(CONTEST, winner=number % 2))

    async def listed(self, board: Board) -> list[int]:
        found, _ = await self.profiles.page(board, 0)
        return [player.user_id for player in found]


@pytest.fixture
def people(database: Database) -> World:
    return World(database)


async def test_a_provisional_rating_is_not_listed(people: World) -> None:
    await people.end()
    assert await people.listed(ALL_LIVE) == []
    assert await people.profiles.place(ALL_LIVE, ANN) is None


async def test_established_players_stand_where_they_played(people: World) -> None:
    await people.settle()
    await people.end()
    for board in (HERE_LIVE, ALL_LIVE):
        assert await people.listed(board) == [ANN, BOB]
        assert [await people.profiles.place(board, user) for user in (ANN, BOB, CAT)] == [0, 1, None]
    others = (
        HERE_LIVE._replace(guild_id=THERE),
        HERE_LIVE._replace(pace="correspondence"),
        HERE_LIVE._replace(game="apb"),
    )
    for board in others:
        assert await people.listed(board) == []


async def test_the_list_shows_the_present_rating(people: World) -> None:
    await people.settle()
    await people.end(replace(CONTEST, guild_id=THERE))
    (first, *_), _ = await people.profiles.page(HERE_LIVE, 0)
    rating = await people.ratings.of(ANN, "abalone", "live")
    assert first.user_id == ANN
    assert first.rating == pytest.approx(rating.rating, abs=1e-9)
    assert first.contests == 17


@pytest.mark.parametrize("contest", [replace(CONTEST, rated=False), replace(CONTEST, counts=False)])
async def test_what_does_not_count_lists_nobody(people: World, contest: FinishedContest) -> None:
    await people.end(contest)
    async with people.database.reading() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM leaderboard")) == 0


async def test_who_hides_is_left_out_until_they_show_themselves(people: World) -> None:
    await people.settle()
    await people.preferences.set_user(ANN, "leaderboard", "hide")
    assert await people.listed(ALL_LIVE) == [BOB]
    await people.end()
    assert await people.listed(HERE_LIVE) == [BOB]
    await people.preferences.set_user(ANN, "leaderboard", "show")
    assert await people.listed(HERE_LIVE) == [ANN, BOB]


async def test_a_result_that_is_rolled_back_leaves_nothing(people: World) -> None:
    async def fail() -> None:
        async with people.database.writing() as connection:
            await people.ratings.on_end(connection, CONTEST)
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        await fail()
    async with people.database.reading() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM leaderboard")) == 0


async def test_pages_follow_one_another(people: World) -> None:
    async with people.database.writing() as connection:
        for user_id in range(1, 2 * PER_PAGE + 2):
            await people.profiles.repository.add(connection, [ALL_LIVE], user_id)
        await connection.execute(text("UPDATE leaderboard SET listed = TRUE, rating = 1500 + user_id % 3"))
    pages = [await people.profiles.page(ALL_LIVE, number) for number in range(3)]
    found = [player for page, _ in pages for player in page]
    assert [more for _, more in pages] == [True, True, False]
    assert sorted(player.user_id for player in found) == list(range(1, 2 * PER_PAGE + 2))
    assert found == sorted(found, key=lambda player: (-player.rating, -player.user_id))
    places = [await people.profiles.place(ALL_LIVE, player.user_id) for player in found]
    assert places == list(range(2 * PER_PAGE + 1))


async def test_a_profile_has_the_results_against_the_reader(people: World) -> None:
    await people.settle(5)
    await people.end(replace(CONTEST, players=(ANN, CAT), winner=None))
    profile = await people.profiles.of(ANN, BOB)
    assert profile.pairing == Tally(3, 0, 2)
    (game,) = profile.games
    assert (game.tally, len(game.results)) == (Tally(3, 1, 2), 6)
    assert [result.score for result in game.results] == [1, 0, 1, 0, 1, 0.5]
    assert (await people.profiles.of(ANN, ANN)).pairing is None
    assert (await people.profiles.of(CAT, BOB)).pairing == Tally(0, 0, 0)
    assert (await people.profiles.of(99, BOB)).games == ()


async def test_a_rebuild_lists_everybody_with_a_rating(people: World) -> None:
    await people.settle()
    async with people.database.writing() as connection:
        await connection.execute(text("DELETE FROM leaderboard"))
    assert await people.profiles.rebuild() == 2
    assert sorted(await people.listed(ALL_LIVE)) == [ANN, BOB]


async def test_a_rebuild_lists_nobody_before_their_match_is_over(
    people: World, games: GameService, matches: MatchService
) -> None:
    live = await matches.open(
        Terms(best_of=3), NewGame("abalone", {}, Place(HERE, 1), "en", LIVE, rated=True), (ANN, BOB)
    )
    await games.resign(live.id, BOB, 1)
    await people.profiles.rebuild()
    async with people.database.reading() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM leaderboard")) == 0
