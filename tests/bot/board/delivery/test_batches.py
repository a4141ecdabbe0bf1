"""Many boards at once: a few are at work, the longest waiting first, and a move never waits behind them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import START, Clock
from fakes.luck import SeededLuck
from fakes.unshown import unshown
from harness.discord import until
from sqlalchemy import insert, select

from bot.app import assemble
from bot.board.delivery import publisher, service
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery, OldBoard
from bot.core.services import Services, Sources
from bot.core.workers import Pace
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import games
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fakes.toy import Nim

    from bot.board.delivery.task import BoardTask
    from bot.core.storage.database import Database

ANN, BOB = 11, 22
HERE = Place(1, 5)
MANY = 2 * service.BATCH + 20


@pytest.fixture
def services(database: Database, nim: Nim, clock: Clock) -> Services:
    del nim
    settings = Settings.load(discord_token="token", database_url="sqlite:///unused")
    return assemble(database, Sources(SeededLuck(1), lambda: 0, clock), settings)


class Boards(BoardPublisher):
    """Notes which boards are at work, and since when; each takes a moment, or until it is ``released``."""

    def __init__(self, services: Services) -> None:
        super().__init__(None, services)  # type: ignore[arg-type]
        self.services = services
        self._pace = Pace(1_000_000)  # type: ignore[assignment]
        self.released = asyncio.Event()
        self.released.set()
        self.begun: list[str] = []
        self.working: set[str] = set()
        self.most = 0

    async def _bring_up(self, task: BoardTask, *, recovering: bool) -> None:
        del recovering
        self.begun.append(task.game_id)
        self.working.add(task.game_id)
        self.most = max(self.most, len(self.working))
        await asyncio.sleep(0.001)
        await self.released.wait()
        live = await self.services[GameService].newest(task.game_id)
        await self.services[GameService].shown(task.game_id, live.seq, 9)
        self.working.discard(task.game_id)


@pytest.fixture
async def boards(services: Services, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Boards]:
    monkeypatch.setattr(publisher, "LONGEST", 600.0)  # no sweep is cut off on a busy machine
    made = Boards(services)
    yield made
    made.released.set()
    await made.close()


async def fill(services: Services, number: int) -> list[str]:
    """Stores so many games that were never shown. Returns their ids, the longest waiting first."""
    first = await services[GameService].open(NewGame("nim", {"heap": 30, "dice": "no"}, HERE, "en"), (ANN, BOB))
    async with services.database.writing() as connection:
        row = (await connection.execute(select(games).where(games.c.id == first.id))).one()._asdict()
        ids = [f"n{n:04}" for n in range(number - 1)]
        for n, game_id in enumerate(ids, 1):
            more = {"id": game_id, "channel_id": 1000 + n, "last_entry_at": START + n, "started": START + n}
            await connection.execute(insert(games).values(row | more))
    return [first.id, *ids]


async def none_left(services: Services) -> None:
    async def all_shown() -> bool:
        return not await unshown(services.database)

    await until(all_shown, "every board is shown")


@pytest.mark.long
async def test_after_a_start_a_few_boards_are_at_work_at_once(services: Services, boards: Boards) -> None:
    ids = await fill(services, MANY)
    boards.start()
    await none_left(services)
    await boards.idle()
    assert boards.most <= publisher.RECOVERIES
    assert boards.begun == ids


async def test_a_move_does_not_wait_behind_a_sweep(services: Services, boards: Boards) -> None:
    ids = await fill(services, MANY)
    boards.released.clear()
    boards.start()
    await until(lambda: len(boards.begun) == publisher.RECOVERIES, "every place is taken")
    await asyncio.sleep(0.05)
    assert boards.begun == ids[: publisher.RECOVERIES]
    await services[GameService].play(ids[-1], ANN, None, "1")
    await until(lambda: len(boards.begun) > publisher.RECOVERIES, "the move is at work")
    assert boards.begun[publisher.RECOVERIES :] == [ids[-1]]


async def test_moves_of_many_games_at_once_are_shown_in_turn(services: Services, boards: Boards) -> None:
    ids = await fill(services, 3 * publisher.MOVES)
    for game_id in ids:
        boards._task(game_id).is_leased = True
        boards.wake(game_id)
    await boards.idle()
    assert boards.most == publisher.MOVES
    assert boards.begun == ids


async def test_a_server_whose_permissions_change_has_its_boards_shown_a_few_at_once(
    services: Services, boards: Boards
) -> None:
    ids = await fill(services, 3 * service.BATCH)
    for game_id in ids:
        await services[BoardDelivery].failed(game_id, "send_messages")  # none is due for a while
    await asyncio.gather(*(boards.retry_server(1) for _ in range(3)))
    await boards.idle()
    assert await unshown(services.database) == []
    assert boards.most <= publisher.RECOVERIES
    assert sorted(set(boards.begun)) == sorted(ids)


async def test_a_board_that_fails_keeps_no_place_while_it_waits(
    services: Services, boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else as many boards as there are places, in channels that do not answer, would hold up all others."""
    ids = await fill(services, 4 * publisher.RECOVERIES)
    broken = set(ids[: 2 * publisher.RECOVERIES])
    bring_up = Boards._bring_up

    async def fragile(self: Boards, task: BoardTask, *, recovering: bool) -> None:
        if task.game_id in broken:
            raise ConnectionResetError
        await bring_up(self, task, recovering=recovering)

    monkeypatch.setattr(Boards, "_bring_up", fragile)
    boards.start()

    async def others_shown() -> bool:
        return set(await unshown(services.database)) == broken

    await until(others_shown, "all others are shown")


async def test_all_old_boards_are_tidied_though_one_cannot_be(
    services: Services, boards: Boards, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    delivery = services[BoardDelivery]
    for number in range(1, 2 * service.BATCH + 2):
        await delivery.store.schedule_old(OldBoard(number, HERE, removed=True, attempts=1), clock.at + number)
    clock.at += 1000
    tidied: list[int] = []

    async def tidy(old: Any, _: object) -> None:
        if old.message_id == 1:
            raise ZeroDivisionError
        await delivery.drop_old(old.message_id)
        tidied.append(old.message_id)

    monkeypatch.setattr(boards.old_boards, "tidy", tidy)
    boards.start()
    await until(lambda: len(tidied) == 2 * service.BATCH, "all others are tidied")
    assert sorted(tidied) == list(range(2, 2 * service.BATCH + 2))
    assert await delivery.old() == []
