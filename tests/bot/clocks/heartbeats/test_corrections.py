"""After an outage: one turn of the loops does a bounded piece of work, and every board is right in the end."""

from collections.abc import Awaitable, Callable

import pytest
from fakes.clock import START
from fakes.process import Process, deadline, noted, timeouts
from harness.thinning import in_number
from sqlalchemy import insert, select

from bot.clocks import service
from bot.games.stored import Place, StoredGame
from bot.games.tables import entries, games
from engine.core.clock import LAG, SECOND
from engine.core.hours import DAY, HOUR, MINUTE

ANN, BOB = 11, 22
HERE = Place(1, 5)
Loads = list[str]
Copies = Callable[..., Awaitable[list[str]]]


@pytest.fixture
def loads(process: Process, monkeypatch: pytest.MonkeyPatch) -> Loads:
    """The ids of the games that are loaded from the database, in order."""
    found: Loads = []
    load = process.games.repository.load

    async def counted(game_id: str) -> StoredGame | None:
        found.append(game_id)
        return await load(game_id)

    monkeypatch.setattr(process.games.repository, "load", counted)
    return found


@pytest.fixture
def copies(process: Process) -> Copies:
    """``copies(n)``: as many games with two days a move, by their deadlines; each began a second after the one before.

    They are rows of one insert: to open so many games takes a minute.
    """

    async def make(number: int, *, shard: int = 0, prefix: str = "n") -> list[str]:
        first = await process.nim("2d/move", (ANN, BOB), Place(shard << 22, 5 + shard), played=4)
        async with process.database.writing() as connection:
            row = (await connection.execute(select(games).where(games.c.id == first.id))).one()._asdict()
            listed = (await connection.execute(select(entries).where(entries.c.game_id == first.id))).all()
            ids = [f"{prefix}{n:05}" for n in range(number)]
            for n, game_id in enumerate(ids, 1):
                moved = {key: row[key] + n * SECOND for key in ("started", "last_entry_at", "deadline")}
                row_of = row | moved | {"id": game_id, "channel_id": 1000 + n + shard * 10_000}
                await connection.execute(insert(games).values(row_of))
            await connection.execute(
                insert(entries), [entry._asdict() | {"game_id": game_id} for game_id in ids for entry in listed]
            )
        return [first.id, *ids]

    return make


async def outage(process: Process, milliseconds: int) -> None:
    """Lets the bot be away and come back, and the loop have its first turn."""
    process.clock.at += milliseconds
    await process.deadlines.run_once([0])


@in_number("many", 500, 5000)
@pytest.mark.both_databases
async def test_the_first_turn_after_an_outage_loads_only_what_is_due(
    process: Process, copies: Copies, loads: Loads, many: int
) -> None:
    ids = await copies(many)
    await process.live(DAY)
    loads.clear()
    await outage(process, 5 * HOUR)
    assert loads == []
    turns = 3
    for _ in range(turns):
        await process.corrections.run_once()
    assert loads == ids[: turns * service.CORRECTIONS_PER_SECOND]  # the nearest deadline first
    for game_id in loads[:]:
        live = await process.games.get(game_id)
        now = live.elapsed(process.clock.at)
        assert noted(live) == [f"{now} credit * {now - 5 * HOUR} {now}"]


async def test_every_board_is_right_in_the_end_and_nobody_loses_on_time(
    process: Process, copies: Copies, loads: Loads
) -> None:
    ids = await copies(60)
    before = {game_id: deadline(await process.games.newest(game_id)) for game_id in ids}
    await process.live(2 * DAY - HOUR)
    loads.clear()
    await outage(process, HOUR + 10 * SECOND + LAG)
    due = [game_id for game_id in ids if before[game_id] + LAG <= process.clock.at]
    assert 0 < len(due) < len(ids)
    assert loads == due  # their deadline has come: the tick found the outage first
    turns = 0
    while process.corrections.pending:
        await process.corrections.run_once()
        turns += 1
        assert len(loads) <= len(due) + turns * service.CORRECTIONS_PER_SECOND
    assert loads == ids
    for game_id in ids:
        live = await process.games.newest(game_id)
        assert timeouts(live) == []
        assert len(noted(live)) == 1
        assert deadline(live) == before[game_id] + HOUR + 10 * SECOND + LAG
    await process.corrections.run_once()
    assert loads == ids


async def test_a_game_that_goes_on_meanwhile_is_given_its_time_once(
    process: Process, copies: Copies, loads: Loads
) -> None:
    ids = await copies(12)
    await process.live(DAY)
    await outage(process, HOUR)
    process.clock.at += SECOND
    touched = ids[-1]
    live = await process.games.play(touched, ANN, None, "1")
    assert len(noted(live)) == 1
    loads.clear()
    while process.corrections.pending:
        await process.corrections.run_once()
    assert loads == ids[:-1]
    assert noted(await process.games.newest(touched)) == noted(live)


async def test_an_outage_that_a_move_notices_is_corrected_too(process: Process, copies: Copies) -> None:
    ids = await copies(2)
    await process.live(DAY)
    process.clock.at += HOUR
    await process.games.play(ids[0], ANN, None, "1")
    await process.corrections.run_once()
    assert [len(noted(await process.games.newest(game_id))) for game_id in ids] == [1] * 3


@pytest.mark.both_databases
@pytest.mark.parametrize(("away", "corrected"), [(MINUTE, 1), (5 * MINUTE, 4)])
async def test_a_short_outage_is_shown_at_once_only_where_time_is_nearly_up(
    process: Process, away: int, corrected: int
) -> None:
    games = [
        await process.nim(f"{hours}h/move", (ANN, BOB), Place(1, 50 + hours), played=4) for hours in (1, 2, 30, 40)
    ]
    await process.live(HOUR // 2 - away)
    await outage(process, away)
    while process.corrections.pending:
        await process.corrections.run_once()
    told = [live for live in games if noted(await process.games.newest(live.id))]
    assert len(told) == corrected


@pytest.mark.both_databases
async def test_games_of_a_shard_that_is_away_wait_for_it(process: Process, copies: Copies) -> None:
    process.heartbeats.shard_count = 2
    here = await copies(3)
    there = await copies(3, shard=1, prefix="m")
    await process.live(DAY, [0, 1])
    process.clock.at += HOUR
    await process.deadlines.run_once([0])
    while process.corrections.pending:
        await process.corrections.run_once()
    assert [len(noted(await process.games.newest(game_id))) for game_id in (*here, *there)] == [1] * 4 + [0] * 4
    process.clock.at += HOUR
    await process.deadlines.run_once([0, 1])
    while process.corrections.pending:
        await process.corrections.run_once()
    assert [len(noted(await process.games.newest(game_id))) for game_id in there] == [1] * 4


async def test_a_second_outage_begins_with_the_nearest_deadline_again(
    process: Process, copies: Copies, loads: Loads
) -> None:
    ids = await copies(20)
    await process.live(DAY)
    await outage(process, HOUR)
    await process.corrections.run_once()
    await outage(process, HOUR)
    loads.clear()
    while process.corrections.pending:
        await process.corrections.run_once()
    assert loads == [*ids[5:], *ids[:5]]  # the first five have a later deadline by now
    for game_id in ids:
        live = await process.games.newest(game_id)
        assert deadline(live) == START + (ids.index(game_id)) * SECOND + 2 * DAY + 2 * HOUR
