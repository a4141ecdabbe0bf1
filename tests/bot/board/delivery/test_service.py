"""BoardDelivery that could not be shown: pauses that grow and last, and who knows why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.board.delivery import service
from bot.board.delivery.repository import BoardRepository
from bot.board.delivery.service import BoardDelivery, OldBoard
from bot.core import workers
from bot.core.workers import backoff
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.notice_repository import NoticeRepository

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.core.storage.database import Database

pytestmark = pytest.mark.both_databases

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)


@pytest.fixture
def boards(database: Database, clock: Clock) -> BoardDelivery:
    return BoardDelivery(BoardRepository(database), clock)


async def begin(games: GameService, place: Place = HERE) -> LiveGame:
    return await games.open(NewGame("nim", {"heap": 30, "dice": "no"}, place, "en"), (ANN, BOB))


def test_pauses_double_up_to_the_longest() -> None:
    assert [backoff(number) // 60_000 for number in (0, 1, 2, 8, 9, 99)] == [1, 2, 4, 256, 360, 360]


async def test_what_failed_is_due_after_its_pause_in_every_process(
    boards: BoardDelivery, games: GameService, database: Database, clock: Clock
) -> None:
    live = await begin(games)
    assert [waiting.game_id for waiting in await boards.due()] == [live.id]
    for number in range(1, 4):
        assert await boards.failed(live.id) == number
        other = BoardDelivery(BoardRepository(database), clock)
        clock.at += backoff(number - 1) - 1
        assert await other.due() == []
        clock.at += 1
        assert [waiting.game_id for waiting in await other.due()] == [live.id]
    assert [waiting.game_id for waiting in await boards.waiting_in(1)] == [live.id]
    assert await boards.waiting_in(2) == []


async def test_what_was_shown_or_moved_in_is_due_at_once(boards: BoardDelivery, games: GameService) -> None:
    live = await begin(games)
    await boards.failed(live.id, "send_messages")
    await games.shown(live.id, live.seq, 9)
    assert (await boards.delivery_error(live.id), await boards.store.attempts(live.id)) == ("", 0)
    await boards.failed(live.id, "send_messages")  # too late: it is shown
    assert await boards.delivery_error(live.id) == ""
    await games.play(live.id, ANN, None, "1")
    await boards.failed(live.id, "send_messages")
    assert await boards.due() == []
    await games.play(live.id, BOB, None, "1")
    assert [waiting.game_id for waiting in await boards.due()] == [live.id]


async def test_each_player_is_told_each_reason_once(boards: BoardDelivery, games: GameService) -> None:
    live = await begin(games)
    notices = NoticeRepository(boards.store.database)
    assert not await notices.waiting(ANN, 1)
    await boards.failed(live.id, "send_messages")
    assert [await notices.waiting(user, None) for user in (ANN, BOB, EVE)] == [True, True, False]
    (game,) = await boards.not_informed(ANN)
    assert (game.id, game.game, game.place, game.delivery_error) == (live.id, "nim", HERE, "send_messages")
    await boards.mark_informed(game, ANN)
    await boards.failed(live.id, "send_messages")
    assert await boards.not_informed(ANN) == []
    assert [await notices.waiting(user, None) for user in (ANN, BOB)] == [False, True]
    assert len(await boards.undelivered(ANN)) == 1
    assert len(await boards.not_informed(BOB)) == 1
    assert await boards.not_informed(EVE) == []
    await boards.mark_informed(game, BOB)
    await boards.failed(live.id, "gone")
    assert [len(await boards.not_informed(user)) for user in (ANN, BOB)] == [1, 1]
    await boards.mark_informed(game, ANN)  # of another reason than the present one
    assert len(await boards.not_informed(ANN)) == 1


async def test_an_old_board_is_given_up_in_the_end(boards: BoardDelivery, clock: Clock) -> None:
    await boards.retry_old(OldBoard(7, HERE, removed=False))
    attempts = 0
    while clock.at < 10**15:
        found = await boards.old()
        if not found:
            clock.at += workers.LONGEST_PAUSE
            found = await boards.old()
        if not found:
            break
        (old,) = found
        attempts += 1
        assert old.attempts == attempts
        await boards.retry_old(old)
    assert attempts == service.MAX_ATTEMPTS


async def test_an_old_board_that_is_tidy_is_forgotten(boards: BoardDelivery, clock: Clock) -> None:
    await boards.retry_old(OldBoard(7, HERE, removed=True))
    assert await boards.old() == []
    clock.at += workers.FIRST_PAUSE
    assert await boards.old() == [OldBoard(7, HERE, removed=True, attempts=1)]
    await boards.drop_old(7)
    assert await boards.old() == []
