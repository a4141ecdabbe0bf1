"""The row of a running game says the same as its record, now and at any later moment."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fakes.timed import MONDAY, noted, opened, overdue, paused, played

from bot.clocks import words as clock_words
from bot.games.live import LiveGame, live_game
from bot.games.repository import GameRepository
from bot.games.stored import Place, RunningGame, StoredGame
from engine.core.hours import DAY, HOUR
from engine.core.record import Kind
from engine.core.table import Table
from engine.core.timekeeping import ABANDONED

pytestmark = pytest.mark.both_databases

File = Callable[..., Awaitable[StoredGame]]
PLAYERS = (11, 22)
WEEKEND, NIGHTS = "- 5,6 60", "1320-420 - 60"


def away(table: Table[Any, Any], seat: int, begin: int, end: int) -> Table[Any, Any]:
    return noted(table, table.record.entries[-1].at, Kind.AWAY, seat, f"{begin} {end}")


def resting(hours: str, clock: str = "3d/move") -> Table[Any, Any]:
    """Returns a game whose second player rests in the present turn."""
    table = played(0, clock)
    table = noted(table, 0, Kind.HOURS, 1, hours)
    return table.play(0, "1", HOUR)


TABLES: dict[str, Table[Any, Any]] = {
    "untimed": played(3, ""),
    "untimed, on vacation": away(away(played(3, ""), 1, 4 * DAY, 9 * DAY), 1, 6 * DAY, 12 * DAY),
    "untimed, the waiting player on vacation": away(played(3, ""), 0, 4 * DAY, 9 * DAY),
    "untimed, after an outage": noted(played(3, ""), 5 * DAY, Kind.CREDIT, -1, f"{4 * DAY} {5 * DAY}"),
    "just opened": opened(),
    "timed": played(3),
    "an offer": played(3).make_offer(0, "draw", 4 * HOUR),
    "the own offer": played(3).make_offer(1, "draw", 4 * HOUR),
    "paused": paused(),
    "an offer in a pause": paused().make_offer(0, "draw", 5 * HOUR),
    "overdue": overdue(),
    "resting on weekends": resting(WEEKEND),
    "resting at night": resting(NIGHTS, "3d+12h"),
    "on vacation": away(resting(NIGHTS), 1, 2 * DAY, 5 * DAY),
    "on vacation in a live game": away(played(1, "12h"), 1, 2 * HOUR, 5 * DAY),
    "the waiting player on vacation": away(resting(NIGHTS), 0, 2 * DAY, 5 * DAY),
    "vacation called off": away(away(resting(NIGHTS), 1, 2 * DAY, 5 * DAY), 1, 2 * DAY, 2 * DAY),
}


def as_live(table: Table[Any, Any]) -> LiveGame:
    return live_game(table, StoredGame(table.record, PLAYERS, Place(1, 5), "en", ""))


def moments() -> Iterator[int]:
    """Yields each half hour of the first days, and around the day of a claim."""
    yield from range(MONDAY, MONDAY + 13 * DAY, HOUR // 2)
    for days in range(12):
        for near in (-1, 0, 1, HOUR, 3 * HOUR):
            yield MONDAY + ABANDONED + days * DAY + near


@pytest.fixture
async def rows(repository: GameRepository, file: File) -> dict[str, RunningGame]:
    """The row of each table."""
    for number, table in enumerate(TABLES.values()):
        header = replace(table.record.header, id=str(number))
        await file(replace(table, record=replace(table.record, header=header)), players=PLAYERS, channel=number + 1)
    games = {game.id: game for game in await repository.running_of(PLAYERS[0])}
    return {name: games[str(number)] for number, name in enumerate(TABLES)}


def test_a_row_says_what_the_record_says(rows: dict[str, RunningGame]) -> None:
    for name, table in TABLES.items():
        live, game = as_live(table), rows[name]
        assert (game.to_act, game.awaited, game.offered) == (live.to_act, live.awaited, table.offer is not None), name
        assert (game.paused, game.overdue) == (table.paused, table.overdue is not None), name
        at = clock_words.present(live)
        assert (game.due, game.last_entry_at) == (clock_words.due(live), MONDAY + at), name
        assert game.time_left == (None if table.clock is None else table.clock.left(table.to_act or 0, at)), name


def test_a_row_knows_the_moment_of_a_claim(rows: dict[str, RunningGame]) -> None:
    for name, table in TABLES.items():
        live, game = as_live(table), rows[name]
        for user_id in (*PLAYERS, 33):
            claims = [game.may_claim(user_id, now) for now in moments()]
            assert claims == [live.may_claim(user_id, now) for now in moments()], name


def test_a_row_knows_when_the_clock_stands(rows: dict[str, RunningGame]) -> None:
    for name, table in TABLES.items():
        clock, game = table.clock, rows[name]
        for now in moments():
            at = now - MONDAY
            if at < clock_words.present(as_live(table)):
                continue
            is_away = clock is not None and clock.running is not None
            is_away = is_away and any(since <= at < until for since, until in clock.away[clock.running])
            assert any(since <= now < until for since, until in game.away) == is_away, name
            if not is_away:
                stands = clock is not None and clock_words.is_stopped(clock, at)
                assert game.clock_stopped(now) == stands, (name, at / HOUR)
