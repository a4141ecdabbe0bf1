"""Tests which faults `abakbot db check` finds, and what it accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.luck import SeededLuck
from harness.thinning import one_of
from harness.tournaments import Desk, plan_of
from sqlalchemy import delete, select, update
from structlog.testing import capture_logs

from bot.app import assemble
from bot.core.services import Sources
from bot.core.storage.database import Database
from bot.dice.tables import dice_counts, dice_uncounted
from bot.explorer.tables import explored_moves, uncounted_games
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import games
from bot.ratings.tables import rated_contests, rating_changes, ratings
from bot.rebuild import check_copy, rebuild_rated, recount
from bot.settings import Settings
from bot.tournaments.tables import tournament_pairings, tournament_players, tournaments
from bot.tournaments.tournament import Status
from engine.match.match import Terms
from engine.tournament.model import IN_ROUNDS, Format

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fakes.clock import Clock
    from sqlalchemy import Delete, Update

ANN, BOB = 11, 22
SETTINGS = Settings.load(database_url="sqlite:///unused")


@pytest.fixture
async def ended(sqlite_url: str) -> AsyncIterator[Database]:
    """A game with dice and one without have just ended, and nobody has counted them yet."""
    async with Database(sqlite_url) as database:
        service = assemble(database, Sources(SeededLuck(1), lambda: 0, lambda: 10**12), SETTINGS)[GameService]
        for channel, key in enumerate(("backgammon", "abalone")):
            live = await service.open(NewGame(key, {}, Place(9, channel), "en"), (ANN, BOB))
            for _ in range(4):
                steps = []
                state, actor = live.state, live.game.to_act(live.state)
                while live.game.to_act(state) == actor:
                    steps.append(live.game.legal(state)[0])
                    state = live.game.apply(state, steps[-1])
                live = await service.play(live.id, live.awaited or 0, live.seq, steps)
            await service.resign(live.id, ANN, live.game.resign_values(live.state, 0)[-1])
        yield database


async def faults(database: Database) -> list[str]:
    """Returns the faults that the check finds. The check itself is made on a copy; here the database is one."""
    return [fault async for fault in check_copy(database, SETTINGS)]


async def test_games_that_still_wait_to_be_counted_are_no_fault(ended: Database) -> None:
    async with ended.reading() as connection:
        waiting = [len((await connection.execute(table.select())).all()) for table in (dice_uncounted, uncounted_games)]
    assert waiting == [1, 2]
    assert await faults(ended) == []


DAMAGES = {
    "a count of rolls": (update(dice_counts).values(count=dice_counts.c.count + 1), "dice_counts"),
    "rolls that are not counted": (delete(dice_counts).where(dice_counts.c.user_id == ANN), "dice_counts"),
    "a count of moves": (update(explored_moves).values(points0=7), "explored_moves"),
    "moves that are not counted": (delete(explored_moves).where(explored_moves.c.guild_id == 9), "explored_moves"),
}


async def test_counts_that_do_not_follow_are_found_and_counted_anew(ended: Database) -> None:
    assert await faults(ended) == []
    for change, table in DAMAGES.values():
        await apply(ended, change)
        assert await faults(ended) == [f"the table {table} does not follow from the finished games"]
        await apply(ended, change)  # the check has counted anew
        assert await recount(ended, SETTINGS) == (1, 2)
        assert await faults(ended) == []


@pytest.mark.parametrize("rated", [True, False])
async def test_a_time_control_that_cannot_be_read_is_named_and_changes_no_rating(rated: bool, ended: Database) -> None:
    """The check and the rebuild name the game; they end with no traceback, and write no other rating."""
    await recount(ended, SETTINGS)
    if rated:
        await apply(ended, update(games).values(rated=True))
        await rebuild_rated(ended, SETTINGS)
    damaged = (await ended.fetch(select(games.c.id).where(games.c.game == "abalone"))).scalar_one()
    before = await rating_rows(ended)
    await apply(ended, update(games).where(games.c.id == damaged).values(clock="5 minuets"))
    with capture_logs() as logs:
        found = await faults(ended)
    assert found == [
        f"{damaged} is left as it is: game {damaged} does not replay: clock.text (text=5 minuets)",
        *([f"the time control of {damaged} cannot be read: 5 minuets. No rating was checked."] if rated else []),
        "the table explored_moves does not follow from the finished games",
    ]
    assert not [entry["event"] for entry in logs if entry.get("exc_info")]
    assert (await rebuild_rated(ended, SETTINGS)).fault == (found[1] if rated else "")
    assert await rating_rows(ended) == before


async def rating_rows(database: Database) -> list[tuple[object, ...]]:
    async with database.reading() as connection:
        return [
            tuple(row)
            for table in (rated_contests, rating_changes, ratings)
            for row in await connection.execute(select(table))
        ]


async def apply(database: Database, change: Update | Delete) -> None:
    async with database.writing() as connection:
        await connection.execute(change)


# --- tournaments ------------------------------------------------------------------------------------------------------


@pytest.fixture
async def cup(sqlite_url: str, clock: Clock) -> AsyncIterator[Desk]:
    """A tournament with a second round that is open: a game was won, one drawn, one void, and one player had a bye."""
    async with Database(sqlite_url) as database:
        desk = Desk.on(database, clock)
        await desk.begin(plan_of(Format.SWISS, rounds=2), 7)
        first, second, third = await desk.running()
        await desk.win(first, first.pairing.players[1])
        await desk.draw(second)
        await desk.games.adjudicate((await desk.game(third)).id, "void")
        await desk.go_on()
        yield desk


def of(desk: Desk) -> Database:
    return desk.service.repository.database


EARLY = {"result": "1-0", "state": "done", "decided_by": "game"}
MISSING = "pairing 1 names the game none, which does not exist"
PAIRINGS = {
    "a result": (1, {"result": "1-0"}, "pairing 1 has the result 1-0, its game {} has 0-1"),
    "a draw": (2, {"result": "0-1"}, "pairing 2 has the result 0-1, its game {} has 1/2-1/2"),
    "a forfeit": (3, {"result": "1-0"}, "pairing 3 has the result 1-0, its game {} has ---"),
    "no result": (1, {"result": None}, "pairing 1 has the result none, its game {} has 0-1"),
    "an open pairing": (
        1,
        {"result": None, "state": "running", "decided_by": ""},
        "pairing 1 goes on, but its game {} is over",
    ),
    "a result too early": (5, EARLY, "pairing 5 has the result 1-0, its game {} has none"),
    "another game": (1, {"contest_id": "none", "game_id": "none"}, MISSING),
    "another match": (1, {"contest_id": "none"}, MISSING),
}


async def test_a_pairing_has_the_result_of_its_game(cup: Desk) -> None:
    """A check takes long, so those of different pairings are looked for at once."""
    assert await faults(of(cup)) == []
    table, left = tournament_pairings, dict(PAIRINGS)
    while left:
        damages = {number: (damage, values, said) for damage, (number, values, said) in left.items()}
        rows, found = {}, []
        for number, (damage, values, said) in sorted(damages.items()):
            del left[damage]
            async with of(cup).reading() as connection:
                rows[number] = (await connection.execute(select(table).where(table.c.id == number))).one()._asdict()
            await apply(of(cup), update(table).where(table.c.id == number).values(values))
            found.append(f"tournament {cup.tournament_id}: {said.format(rows[number]['contest_id'])}")
        assert await faults(of(cup)) == found
        for number, row in rows.items():
            await apply(of(cup), update(table).where(table.c.id == number).values(row))
    assert await faults(of(cup)) == []


async def test_what_an_organiser_has_decided_need_not_follow_from_the_game(cup: Desk) -> None:
    values = {"result": "1-0", "decided_by": "organiser"}
    await apply(of(cup), update(tournament_pairings).where(tournament_pairings.c.id == 1).values(values))
    assert await faults(of(cup)) == []


async def test_a_pairing_has_the_result_of_its_match(sqlite_url: str, clock: Clock) -> None:
    async with Database(sqlite_url) as database:
        desk = Desk.on(database, clock)
        plan = plan_of(Format.SINGLE_ELIMINATION, game="backgammon", terms=Terms(points=3))
        await desk.begin(plan, 4)
        desk.decide = lambda stored: min(stored.pairing.players) if stored.id == 1 else None
        await desk.play_on(1)
        assert await faults(database) == []
        pairing = (await desk.snapshot()).pairings[0]
        await apply(database, update(tournament_pairings).where(tournament_pairings.c.id == 1).values(result="0-1"))
        said = f"pairing 1 has the result 0-1, its game {pairing.contest_id} has 1-0"
        assert await faults(database) == [f"tournament {desk.tournament_id}: {said}"]


@one_of("format_", sorted(IN_ROUNDS))
async def test_the_final_places_follow_from_the_results(format_: Format, sqlite_url: str, clock: Clock) -> None:
    async with Database(sqlite_url) as database:
        desk = Desk.on(database, clock)
        await desk.begin(plan_of(format_, rounds=2), 3)
        await desk.play_on(6)
        assert (await desk.snapshot()).tournament.status is Status.OVER
        assert await faults(database) == []
        said = [f"tournament {desk.tournament_id}: the final places do not follow from the results"]
        last = tournament_players.c.number == 3
        for values in ({"last_place": 7}, {"first_place": None, "last_place": None}):
            await apply(database, update(tournament_players).where(last).values(values))
            assert await faults(database) == said


async def test_a_tournament_that_cannot_be_read_does_not_hide_the_others(cup: Desk) -> None:
    damaged = cup.tournament_id
    await cup.begin(plan_of(Format.SWISS, rounds=2), 2)
    await apply(of(cup), update(tournament_pairings).where(tournament_pairings.c.id == 1).values(EARLY))
    await apply(of(cup), update(tournaments).where(tournaments.c.id == damaged).values(plan="{"))
    found = sorted(await faults(of(cup)), key=lambda fault: damaged not in fault)
    assert [fault.split(": ")[:2] for fault in found] == [
        [f"tournament {damaged}", "it cannot be read"],
        [
            f"tournament {cup.tournament_id}",
            f"pairing 1 has the result 1-0, its game {(await cup.snapshot()).pairings[0].contest_id} has none",
        ],
    ]
