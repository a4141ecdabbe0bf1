"""The lessons that a user has done."""

import pytest
from fakes.clock import Clock

from bot.core.storage.database import Database
from bot.learn.repository import LessonRepository
from bot.learn.service import LearningService

ANN, BOB = 11, 22


@pytest.fixture
def learning(database: Database, clock: Clock) -> LearningService:
    return LearningService(LessonRepository(database), clock)


async def test_lessons_are_remembered_for_each_user_and_game(learning: LearningService) -> None:
    assert await learning.done(ANN, "apb") == set()
    await learning.complete(ANN, "apb", "first")
    await learning.complete(ANN, "apb", "second")
    await learning.complete(ANN, "abak", "guard")
    await learning.complete(BOB, "apb", "first")
    assert await learning.done(ANN, "apb") == {"first", "second"}
    assert await learning.done(ANN, "abak") == {"guard"}
    assert await learning.done(BOB, "apb") == {"first"}


@pytest.mark.both_databases
async def test_a_lesson_done_again_keeps_its_first_time(
    learning: LearningService, database: Database, clock: Clock
) -> None:
    first = clock()
    await learning.complete(ANN, "apb", "first")
    clock.pass_seconds(60)
    await learning.complete(ANN, "apb", "first")
    async with database.reading() as connection:
        times = (await connection.exec_driver_sql("SELECT done_at FROM lessons")).scalars().all()
    assert times == [first]


async def test_a_tour_begun_anew_forgets_that_game_only(learning: LearningService) -> None:
    for user, game in ((ANN, "apb"), (ANN, "abak"), (BOB, "apb")):
        await learning.complete(user, game, "first")
    await learning.reset(ANN, "apb")
    done = [await learning.done(user, game) for user, game in ((ANN, "apb"), (ANN, "abak"), (BOB, "apb"))]
    assert done == [set(), {"first"}, {"first"}]
