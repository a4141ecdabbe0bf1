"""Rebuilds the data that follow from the records of all rooms, or compares them in a copy of the database."""

from collections.abc import AsyncIterator
from typing import Final

from sqlalchemy import select, text

from bot.app import assemble, system_sources
from bot.core.services import Services
from bot.core.storage.copying import digest
from bot.core.storage.database import Database
from bot.core.storage.faults.damage import DAMAGED
from bot.core.storage.revisions import current, is_newest, newest, way_to_newest
from bot.core.storage.schema import foreign_parts, schema_faults
from bot.dice.service import DiceService
from bot.dice.tables import dice_counts
from bot.explorer.service import ExplorerService
from bot.explorer.tables import explored_moves
from bot.games.rebuild import Checked, rebuild_all
from bot.games.service import GameService
from bot.matches.contests import FinishedContest
from bot.matches.rebuild import rebuild_matches
from bot.matches.service import MatchService, finished_match, single_game
from bot.profiles.service import ProfileService
from bot.profiles.tables import leaderboard
from bot.ratings.rebuild import RatingsChecked, rebuild_ratings
from bot.settings import Settings
from bot.tournaments.results.standing import awarded, final_places
from bot.tournaments.rounds.steps.settling import BY_GAME, result_of
from bot.tournaments.service import TournamentService
from bot.tournaments.tables import tournaments
from bot.tournaments.tournament import PairingState, Status, StoredPairing, TournamentSnapshot
from engine.core.errors import Refused

COMPARED: Final = (leaderboard, dice_counts, explored_moves)
"""The tables that are counted anew as a whole."""


async def rebuild_records(database: Database) -> AsyncIterator[Checked]:
    """Checks and corrects every game, then every match."""
    for rebuilt in (rebuild_all(database), rebuild_matches(database)):
        async for checked in rebuilt:
            yield checked


async def rebuild_rated(database: Database, settings: Settings) -> RatingsChecked:
    """Computes all ratings again, and rebuilds the leaderboards, unless a contest cannot be read."""
    checked = await rebuild_ratings(database, settings.rated_a_day)
    if not checked.fault:
        await assemble(database, system_sources(), settings)[ProfileService].rebuild()
    return checked


async def recount(database: Database, settings: Settings) -> tuple[int, int]:
    """Counts the rolls and the moves of all finished games anew. Returns the numbers of games counted for each."""
    services = assemble(database, system_sources(), settings)
    return await services[DiceService].recount(), await services[ExplorerService].recount()


async def count_waiting(database: Database, settings: Settings) -> None:
    """Counts the recently ended games. The bot itself does that some time after their end."""
    services = assemble(database, system_sources(), settings)
    await services[DiceService].count_all()
    await services[ExplorerService].count_all()


async def check_copy(copy: Database, settings: Settings) -> AsyncIterator[str]:
    """Rebuilds a copy of a database. Yields each error in it as a sentence."""
    async for fault in _faults_of_the_file(copy):
        yield fault
    async with copy.connected() as connection:
        if not await connection.run_sync(is_newest):
            return
    async for checked in rebuild_records(copy):
        if checked.in_words:
            yield checked.in_words
    await count_waiting(copy, settings)
    async with copy.reading() as connection:
        before = {table: await digest(connection, table) for table in COMPARED}
    rated = await rebuild_rated(copy, settings)
    for difference in [rated.fault] if rated.fault else rated.differences:
        yield difference
    await recount(copy, settings)
    async with copy.reading() as connection:
        for table in COMPARED:
            if await digest(connection, table) != before[table]:
                yield f"the table {table.name} does not follow from the finished games"
    async for fault in _faults_of_tournaments(copy, settings):
        yield fault


async def _faults_of_tournaments(copy: Database, settings: Settings) -> AsyncIterator[str]:
    """Yields pairings without the result of their game, and final places that do not follow from the results."""
    services = assemble(copy, system_sources(), settings)
    ids = list((await copy.fetch(select(tournaments.c.id).order_by(tournaments.c.id))).scalars())
    for tournament_id in ids:
        try:
            snapshot = await services[TournamentService].snapshot(tournament_id)
            faults = [fault for one in snapshot.pairings if (fault := await _fault_of_pairing(services, one))]
            if not _is_placed(snapshot):
                faults.append("the final places do not follow from the results")
        except DAMAGED as error:
            faults = [f"it cannot be read: {error}"]
        for fault in faults:
            yield f"tournament {tournament_id}: {fault}"


async def _fault_of_pairing(services: Services, stored: StoredPairing) -> str:
    """Says how a pairing differs from its game. Returns "" if it agrees, or if the game does not replay, which is
    reported before.
    """
    if stored.contest_id is None:
        return ""
    try:
        contest = await _contest(services, stored)
    except Refused:
        return f"pairing {stored.id} names the game {stored.contest_id}, which does not exist"
    except DAMAGED:
        return ""
    expected = None if contest is None else result_of(contest)
    if expected is not None and stored.state is not PairingState.DONE:
        return f"pairing {stored.id} goes on, but its game {stored.contest_id} is over"
    if stored.decided_by == BY_GAME and stored.result is not expected:
        result, of_game = (one.value if one else "none" for one in (stored.result, expected))
        return f"pairing {stored.id} has the result {result}, its game {stored.contest_id} has {of_game}"
    return ""


async def _contest(services: Services, stored: StoredPairing) -> FinishedContest | None:
    """Returns the finished game or match of a pairing; None while it goes on.

    Raises Refused if there is none, one of DAMAGED if it does not replay.
    """
    games, matches = services[GameService], services[MatchService]
    if stored.contest_id == stored.game_id:
        live = await games.get(stored.game_id or "")
        return single_game(live) if live.is_over else None
    match = await matches.get(stored.contest_id or "")
    if match is None:
        raise Refused("table.unknown")
    if not match.is_over:
        return None
    last = await games.get((await matches.game_ids(match.id))[-1])
    return finished_match(match, match.ended or 0, last)


def _is_placed(snapshot: TournamentSnapshot) -> bool:
    """Returns whether the final places are those that follow from the results.

    There are none before the end, nor without a played game, except in tournaments that ended in an earlier version.
    """
    if snapshot.tournament.status is not Status.OVER:
        return True
    stored = {(one.number, one.first_place, one.last_place) for one in snapshot.players if one.first_place is not None}
    if not stored:
        return not awarded(snapshot)
    return stored == {(place.entrant, place.first, place.last) for place in final_places(snapshot)}


async def _faults_of_the_file(copy: Database) -> AsyncIterator[str]:
    """Yields the errors in the file, the references and the schema."""
    async with copy.connected() as connection:
        for (found,) in await connection.execute(text("PRAGMA integrity_check")):
            if found != "ok":
                yield str(found)
        for row in await connection.execute(text("PRAGMA foreign_key_check")):
            yield f"row {row[1]} of {row[0]} names something in {row[2]} that does not exist"
        found = await connection.run_sync(current)
        if found != newest():
            advice = await connection.run_sync(way_to_newest)
            yield f"the database has the schema {found}, this version {newest()}: {advice}"
        foreign = await connection.run_sync(foreign_parts)  # no fault of a backup: a restore leaves them out
        for fault in await connection.run_sync(schema_faults):
            if fault not in foreign:
                yield fault
