"""Two processes play the same games: what one remembers of vacations undoes nothing that the other has noted.

Neither hears what the other announces: what a process reads for itself has to do.
"""

from collections.abc import Iterable

import pytest
from fakes.clock import START
from fakes.process import Process, noted

from bot.clocks.vacations.repository import Vacation
from bot.clocks.vacations.service import BUDGET_DAYS
from bot.games.live import LiveGame
from bot.games.stored import Place
from engine.core.clock import SECOND
from engine.core.hours import DAY

pytestmark = pytest.mark.both_databases

ANN, BOB = 11, 22
HERE, THERE = Place(1, 5), Place(1, 6)
CONTROLS = pytest.mark.parametrize("control", ["20d/move", ""], ids=["with a clock", "without"])


def away(live: LiveGame) -> list[str]:
    return [line for line in noted(live) if " away " in line]


async def remembered(process: Process) -> list[tuple[int, int]]:
    """Returns Ann's vacations, as the process remembers them."""
    found = (await process.vacations.since([ANN], START, BUDGET_DAYS, fresh=False))[ANN]
    return [(vacation.since, vacation.until) for vacation, _ in found]


@CONTROLS
async def test_what_was_taken_in_one_is_not_called_off_by_the_other(
    process: Process, other: Process, control: str
) -> None:
    live = await process.nim(control, (ANN, BOB), HERE)
    await other.games.tick(live.id)
    await process.vacations.take(ANN, START + DAY, START + 6 * DAY)
    taken = [f"0 away 0 {DAY} {6 * DAY}"]
    assert away(await process.games.tick(live.id)) == taken
    assert await remembered(other) == []
    await process.pass_time(SECOND)
    assert away(await other.games.play(live.id, ANN, None, "1")) == taken


@CONTROLS
async def test_what_was_called_off_in_one_does_not_come_back_in_the_other(
    process: Process, other: Process, control: str
) -> None:
    live = await process.nim(control, (ANN, BOB), HERE)
    await process.vacations.take(ANN, START + 2 * DAY, START + 6 * DAY)
    await other.games.tick(live.id)
    await process.pass_time(DAY)
    await end(process)
    called_off = [f"0 away 0 {2 * DAY} {6 * DAY}", f"{DAY} away 0 {2 * DAY} {2 * DAY}"]
    assert away(await process.games.tick(live.id)) == called_off
    assert await remembered(other) == [(START + 2 * DAY, START + 6 * DAY)]
    assert away(await other.games.play(live.id, ANN, None, "1")) == called_off
    assert await remembered(other) == [], "it knows better now"


@CONTROLS
async def test_who_came_back_early_in_one_is_not_sent_away_again_by_the_other(
    process: Process, other: Process, control: str
) -> None:
    live = await process.nim(control, (ANN, BOB), HERE)
    await process.vacations.take(ANN, START, START + 6 * DAY)
    await other.games.tick(live.id)
    await process.pass_time(DAY)
    await end(process)
    back = [f"0 away 0 0 {6 * DAY}", f"{DAY} away 0 0 {DAY}"]
    assert away(await process.games.tick(live.id)) == back
    assert await remembered(other) == [(START, START + 6 * DAY)]
    assert away(await other.games.play(live.id, ANN, None, "1")) == back


async def test_a_game_that_begins_in_the_other_has_no_vacation_that_was_called_off(
    process: Process, other: Process
) -> None:
    live = await process.nim("20d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START + 2 * DAY, START + 6 * DAY)
    await other.games.tick(live.id)
    await end(process)
    assert away(await other.nim("20d/move", (ANN, BOB), THERE)) == []


async def test_vacations_are_read_again_only_where_they_would_change_a_record(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    await process.vacations.take(ANN, START + DAY, START + 6 * DAY)
    live = await process.nim("20d/move", (ANN, BOB), HERE)
    assert len(away(live)) == 1
    store, read = process.vacations.store, []
    of = store.of

    async def reading(user_ids: Iterable[int], after: int) -> list[Vacation]:
        read.append(user_ids)
        return await of(user_ids, after)

    monkeypatch.setattr(store, "of", reading)
    for player in (ANN, BOB, ANN, BOB):
        await process.pass_time(SECOND)
        await process.games.play(live.id, player, None, "1")
    assert read == []


async def end(process: Process) -> None:
    (vacation,) = await process.vacations.of(ANN)
    await process.vacations.end(ANN, vacation.id)
