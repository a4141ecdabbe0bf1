"""A game of Nim to keep, and its repository."""

from collections.abc import Callable
from typing import Any

import pytest
from fakes.clock import START
from fakes.toy import Nim

from bot.core.storage.database import Database
from bot.games.repository import GameRepository
from bot.games.stored import Place, StoredGame
from engine.core.record import Entry, Header, Kind
from engine.core.table import Table

MakeTable = Callable[..., Table[Any, Any]]


@pytest.fixture
def repository(database: Database, nim: Nim) -> GameRepository:
    del nim
    return GameRepository(database)


@pytest.fixture
def table(nim: Nim) -> MakeTable:
    """``table("g1", "2", "1")``: a game without dice, and what has been taken."""

    def make(game_id: str, *taken: str, heap: int = 9) -> Table[Any, Any]:
        header = Header("nim", 1, game_id, START, (("heap", heap), ("dice", "no")))
        made = Table.open(nim, header)
        for number, text in enumerate(taken):
            made = made.append(Entry(1000 * (number + 1), Kind.PLAY, number % 2, text))
        return made

    return make


@pytest.fixture
def file(repository: GameRepository) -> Callable[..., Any]:
    """Stores a table as a game of users 11 and 22, in channel 5 unless told otherwise."""

    async def keep(
        table: Table[Any, Any], *, players: tuple[int, int] = (11, 22), channel: int = 5, guild: int | None = 1
    ) -> StoredGame:
        stored = StoredGame(table.record, players, Place(guild, channel), "es", "a-secret")
        async with repository.database.writing() as connection:
            await repository.create(connection, stored, table)
        return stored

    return keep
