"""Ten thousand games in servers that have removed the bot make nothing dearer that the bot does for others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.clock import Clock
from fakes.luck import SeededLuck
from harness.calls import Calls
from sqlalchemy import event, insert, select, text

from bot.app import assemble
from bot.board.delivery.service import BoardDelivery
from bot.clocks.removed_servers.service import RemovedServers
from bot.clocks.service import CorrectionService, DeadlineService
from bot.core.services import Services, Sources
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import games
from bot.settings import Settings
from engine.core.hours import DAY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fakes.toy import Nim

    from bot.core.storage.database import Database

pytestmark = pytest.mark.both_databases

ANN, BOB = 11, 22
HERE, GONE, OTHER = 1 << 22, 2 << 22, 3 << 22
FEW, MANY = 10, 10_000
ROUNDS: Final = 3
"""The first fills caches."""
STEP: Final = 100
"""Instructions of SQLite's programs that are counted as one."""
LOOKS: Final = {"a server removes the bot": 6 * MANY // STEP}
"""The steps of an event that may look once at every running game, as it seldom comes."""
Measured = dict[str, tuple[int, int, int]]
"""By event: the least numbers of statements, of calls in Python, and of steps of SQLite."""


async def fill(services: Services, number: int) -> None:
    """Stores so many games of a server without the bot; each is overdue and has a board that is not shown."""
    place = Place(GONE, 5)
    first = await services[GameService].open(
        NewGame("nim", {"heap": 30, "dice": "no"}, place, "en", "1h/move"), (ANN, BOB)
    )
    async with services.database.writing() as connection:
        row = (await connection.execute(select(games).where(games.c.id == first.id))).one()._asdict()
        rows = [
            row | {"id": f"x{n:06}", "channel_id": 1000 + n, "seat0": 10_000 + n, "seat1": 20_000 + n}
            for n in range(number - 1)
        ]
        for begin in range(0, len(rows), 500):
            await connection.execute(insert(games), rows[begin : begin + 500])
        await connection.execute(text("ANALYZE"))
    await services[RemovedServers].removed(GONE)


async def measure(database: Database, clock: Clock, number: int) -> Measured:
    settings = Settings.load(discord_token="token", database_url="sqlite:///unused")
    services = assemble(database, Sources(SeededLuck(1), lambda: 0, clock), settings)
    await fill(services, number)
    clock.at += DAY
    service = services[GameService]
    live = await service.open(NewGame("nim", {"heap": 99, "dice": "no"}, Place(HERE, 7), "en"), (ANN, BOB))
    deadlines, delivery, removed = services[DeadlineService], services[BoardDelivery], services[RemovedServers]

    async def turn() -> None:
        current = await service.get(live.id)
        await service.play(live.id, current.to_act or 0, None, "1")
        await service.shown(live.id, current.seq + 1, 9)

    events: dict[str, Callable[[], Awaitable[Any]]] = {
        "turn": turn,
        "deadlines": lambda: deadlines.run_once([0]),
        "corrections": services[CorrectionService].run_once,
        "sweep": delivery.due,
        "a server changes": lambda: delivery.waiting_in(HERE),
        "a server joins": lambda: removed.joined(HERE),
        "a server removes the bot": lambda: removed.removed(OTHER),
        "end of games": removed.end_games,
        "games of a player": lambda: service.of(ANN),
    }
    found: dict[str, list[tuple[int, int, int]]] = {name: [] for name in events}
    with costs(database) as (statements, steps):
        for _ in range(ROUNDS):
            for name, work in events.items():
                calls = Calls()
                statements.clear()
                steps.clear()
                with calls.counting():
                    await work()
                found[name].append((len(statements), calls.number, len(steps)))
    return {name: min(rounds) for name, rounds in found.items()}


@contextmanager
def costs(database: Database) -> Iterator[tuple[list[str], list[None]]]:
    """Yields what is asked in the block, and what SQLite does for it: it tells of every STEP."""
    statements, steps = list[str](), list[None]()

    def note(*given: Any) -> None:
        statements.append(given[2])

    def watch(connection: Any, *_: Any) -> None:
        if database.engine.dialect.name == "sqlite":
            connection.run_async(lambda driver: driver.set_progress_handler(lambda: steps.append(None), STEP))

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    event.listen(engine.pool, "checkout", watch)
    yield statements, steps
    event.remove(engine, "before_cursor_execute", note)
    event.remove(engine.pool, "checkout", watch)


@pytest.fixture
async def few(database: Database, nim: Nim) -> Measured:
    del nim
    measured = await measure(database, Clock(), FEW)
    async with database.writing() as connection:
        for table in ("notifications", "entries", "games", "removed_servers"):
            await connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608
    return measured


async def test_no_event_costs_more(database: Database, few: Measured) -> None:
    many = await measure(database, Clock(), MANY)
    assert {name: cost[0] for name, cost in many.items()} == {name: cost[0] for name, cost in few.items()}
    dear = {
        name: (few[name], many[name])
        for name, (_, calls, steps) in many.items()
        if calls > 1.2 * few[name][1] or steps > 3 * few[name][2] + LOOKS.get(name, 10)
    }
    assert dear == {}
