"""Boards that could not be shown: pauses that grow and last, and who knows why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.board.delivery import service
from bot.board.delivery.repository import BoardStore
from bot.board.delivery.service import Boards, OldBoard, pause
from bot.games.service import Place, Seated, Tables

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.core.database import Database

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)


@pytest.fixture
def boards(database: Database, clock: Clock) -> Boards:
    return Boards(BoardStore(database), clock)


async def begin(tables: Tables, place: Place = HERE) -> Seated:
    return await tables.open("nim", {"heap": 30, "dice": "no"}, (ANN, BOB), place, "en")


def test_pauses_double_up_to_the_longest() -> None:
    assert [pause(number) // 60_000 for number in (0, 1, 2, 8, 9, 99)] == [1, 2, 4, 256, 360, 360]


async def test_what_failed_is_due_after_its_pause_in_every_process(
    boards: Boards, tables: Tables, database: Database, clock: Clock
) -> None:
    seated = await begin(tables)
    assert await boards.due() == [seated.id]
    for number in range(1, 4):
        assert await boards.failed(seated.id) == number
        other = Boards(BoardStore(database), clock)
        clock.at += pause(number - 1) - 1
        assert await other.due() == []
        clock.at += 1
        assert await other.due() == [seated.id]
    assert await boards.waiting_in(1) == [seated.id]
    assert await boards.waiting_in(2) == []


async def test_what_was_shown_or_moved_in_is_due_at_once(boards: Boards, tables: Tables) -> None:
    seated = await begin(tables)
    await boards.failed(seated.id, "send_messages")
    await tables.shown(seated.id, seated.seq, 9)
    assert (await boards.hindrance(seated.id), await boards.store.tries(seated.id)) == ("", 0)
    await boards.failed(seated.id, "send_messages")  # too late: it is shown
    assert await boards.hindrance(seated.id) == ""
    await tables.play(seated.id, ANN, None, "1")
    await boards.failed(seated.id, "send_messages")
    assert await boards.due() == []
    await tables.play(seated.id, BOB, None, "1")
    assert await boards.due() == [seated.id]


async def test_each_player_is_told_each_reason_once(boards: Boards, tables: Tables) -> None:
    seated = await begin(tables)
    await boards.failed(seated.id, "send_messages")
    (game,) = await boards.untold(ANN)
    assert (game.id, game.game, game.place, game.hindrance) == (seated.id, "nim", HERE, "send_messages")
    await boards.told(game, ANN)
    await boards.failed(seated.id, "send_messages")
    assert await boards.untold(ANN) == []
    assert len(await boards.hindered(ANN)) == 1
    assert len(await boards.untold(BOB)) == 1
    assert await boards.untold(EVE) == []
    await boards.told(game, BOB)
    await boards.failed(seated.id, "gone")
    assert [len(await boards.untold(user)) for user in (ANN, BOB)] == [1, 1]
    await boards.told(game, ANN)  # of another reason than the present one
    assert len(await boards.untold(ANN)) == 1


async def test_an_old_board_is_given_up_in_the_end(boards: Boards, clock: Clock) -> None:
    await boards.keep_old(OldBoard(7, HERE, removed=False))
    tries = 0
    while clock.at < 10**15:
        found = await boards.old()
        if not found:
            clock.at += service.LONGEST_PAUSE
            found = await boards.old()
        if not found:
            break
        (old,) = found
        tries += 1
        assert old.tries == tries
        await boards.keep_old(old)
    assert tries == service.ENOUGH


async def test_an_old_board_that_is_tidy_is_forgotten(boards: Boards, clock: Clock) -> None:
    await boards.keep_old(OldBoard(7, HERE, removed=True))
    assert await boards.old() == []
    clock.at += service.FIRST_PAUSE
    assert await boards.old() == [OldBoard(7, HERE, removed=True, tries=1)]
    await boards.drop_old(7)
    assert await boards.old() == []
