"""Analysis boards in the database, on SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.exchange.analysis import Analysis
from bot.exchange.repository import AnalysisRepository
from engine.core.record import Entry, Header, Kind, Record

if TYPE_CHECKING:
    from bot.core.storage.database import Database

pytestmark = pytest.mark.both_databases

ANA, BEN = 1573951852234407938, 1573951852234407939
GAME = Record(Header("abalone", 1, "position", 0, (("target", 6),)), (Entry(0, Kind.PLAY, 0, "a1b1"),))


def board(name: str, user_id: int = ANA) -> Analysis:
    return Analysis(name, user_id, (GAME, GAME), ('A "quoted" name', "Núñez"))


@pytest.fixture
def repository(database: Database) -> AnalysisRepository:
    return AnalysisRepository(database)


async def test_a_board_comes_back_with_its_line_to_its_owner_alone(repository: AnalysisRepository) -> None:
    stored = board("a")
    await repository.add(stored, 1, 20)
    assert await repository.get("a", ANA) == stored
    assert await repository.get("a", BEN) is None
    assert await repository.get("b", ANA) is None
    line = Record(Header("abalone", 1, "1-0", 0, (("target", 6),)), (Entry(0, Kind.PLAY, 0, "a1b1"),))
    await repository.set_line(stored, line, 2)
    found = await repository.get("a", ANA)
    assert found is not None
    assert (found.line, found.origin) == (line, (1, 0))
    await repository.set_line(stored, None, 3)
    assert await repository.get("a", ANA) == stored


async def test_the_oldest_boards_of_a_user_make_room(repository: AnalysisRepository) -> None:
    await repository.add(board("b", BEN), 0, 2)
    for number, name in enumerate("xyz", 1):
        await repository.add(board(name), number, 3)
    await repository.set_line(board("x"), None, 9)  # x was used last
    await repository.add(board("new"), 10, 3)
    kept = [name for name in ("x", "y", "z", "new") if await repository.get(name, ANA)]
    assert kept == ["x", "z", "new"]
    assert await repository.get("b", BEN) is not None


async def test_old_boards_are_deleted_in_batches(repository: AnalysisRepository) -> None:
    for number, name in enumerate("abcd"):
        await repository.add(board(name), number, 20)
    assert await repository.delete_before(3, 2) == 2
    assert [name for name in "abcd" if await repository.get(name, ANA)] == ["c", "d"]
    assert await repository.delete_before(3, 2) == 1
    assert await repository.delete_before(3, 2) == 0
    assert await repository.get("d", ANA) is not None
