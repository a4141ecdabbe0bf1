"""Notes the statements to a database, and the games that are replayed."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from bot.games.repository import GameRepository
from bot.games.stored import Place, StoredGame
from engine.core.record import Header
from engine.core.table import Table
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from bot.core.storage.database import Database


@dataclass
class Asked:
    """Statements about games, and the ids of the games that were loaded."""

    statements: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)


@contextmanager
def watched(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    """Notes what is asked within the block, but not what the other tasks ask that run already: the bot's own work."""
    asked, load = Asked(), GameRepository.load
    others = asyncio.all_tasks() - {asyncio.current_task()}

    def note(_: object, __: object, statement: str, *___: object) -> None:
        if ("games" in statement or "entries" in statement) and asyncio.current_task() not in others:
            asked.statements.append(statement)

    async def noted(repository: GameRepository, game_id: str) -> StoredGame | None:
        if asyncio.current_task() not in others:
            asked.loads.append(game_id)
        return await load(repository, game_id)

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    with monkeypatch.context() as patched:
        patched.setattr(GameRepository, "load", noted)
        yield asked
    event.remove(engine, "before_cursor_execute", note)


async def fill(database: Database, count: int, players: tuple[int, int], guild: int, **header: Any) -> None:
    """Stores so many games of Abalone in channels of their own, with their boards shown."""
    repository = GameRepository(database)
    async with database.writing() as connection:
        for number in range(count):
            table = Table.open(GAMES["abalone"], Header("abalone", 1, f"many{number}", **header))
            place = Place(guild, 1_000_000 + number)
            game = StoredGame(table.record, players, place, "en", "", shown_seq=0, message_id=2_000_000 + number)
            await repository.create(connection, game, table)
