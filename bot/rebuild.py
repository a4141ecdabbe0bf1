"""What follows from the records, over all rooms: written anew in a database, or compared in a copy of it."""

from collections.abc import AsyncIterator
from typing import Final

from alembic import command
from alembic.util import CommandError
from sqlalchemy import text

from bot.app import assemble, system_sources
from bot.core.storage.copying import digest
from bot.core.storage.database import Database
from bot.core.storage.migrate import configure, current, is_newest, newest, way_to_newest
from bot.dice.service import DiceService
from bot.dice.tables import dice_counts
from bot.explorer.service import ExplorerService
from bot.explorer.tables import explored_moves
from bot.games.rebuild import Checked, rebuild_all
from bot.matches.rebuild import rebuild_matches
from bot.profiles.service import ProfileService
from bot.profiles.tables import leaderboard
from bot.ratings.rebuild import RatingsChecked, rebuild_ratings
from bot.settings import Settings

COMPARED: Final = (leaderboard, dice_counts, explored_moves)
"""The tables that are counted anew as a whole."""


async def rebuild_records(database: Database) -> AsyncIterator[Checked]:
    """Checks and corrects every game, then every match."""
    for rebuilt in (rebuild_all(database), rebuild_matches(database)):
        async for checked in rebuilt:
            yield checked


async def rebuild_rated(database: Database, settings: Settings) -> RatingsChecked:
    """Computes all ratings again, and lists everybody anew on the leaderboards."""
    checked = await rebuild_ratings(database, settings.rated_a_day)
    await assemble(database, system_sources(), settings)[ProfileService].rebuild()
    return checked


async def recount(database: Database, settings: Settings) -> tuple[int, int]:
    """Counts the rolls and the moves of all finished games anew; of how many games each."""
    services = assemble(database, system_sources(), settings)
    return await services[DiceService].recount(), await services[ExplorerService].recount()


async def count_waiting(database: Database, settings: Settings) -> None:
    """Counts the games that have just ended: the bot does that some time after their end."""
    services = assemble(database, system_sources(), settings)
    await services[DiceService].count_all()
    await services[ExplorerService].count_all()


async def check_copy(copy: Database, settings: Settings) -> AsyncIterator[str]:
    """Rebuilds a copy of a database; each thing that was wrong in it, as a sentence."""
    async for fault in _faults_of_the_file(copy):
        yield fault
    async with copy.engine.connect() as connection:
        if not await connection.run_sync(is_newest):
            return
    async for checked in rebuild_records(copy):
        if checked.in_words:
            yield checked.in_words
    await count_waiting(copy, settings)
    async with copy.reading() as connection:
        before = {table: await digest(connection, table) for table in COMPARED}
    for difference in (await rebuild_rated(copy, settings)).differences:
        yield difference
    await recount(copy, settings)
    async with copy.reading() as connection:
        for table in COMPARED:
            if await digest(connection, table) != before[table]:
                yield f"the table {table.name} does not follow from the finished games"


async def _faults_of_the_file(copy: Database) -> AsyncIterator[str]:
    """What is wrong with the bytes, the references and the schema."""
    async with copy.engine.connect() as connection:
        for (found,) in await connection.execute(text("PRAGMA integrity_check")):
            if found != "ok":
                yield str(found)
        for row in await connection.execute(text("PRAGMA foreign_key_check")):
            yield f"row {row[1]} of {row[0]} names something in {row[2]} that does not exist"
        found = await connection.run_sync(current)
        if found != newest():
            advice = await connection.run_sync(way_to_newest)
            yield f"the database has the schema {found}, this version {newest()}: {advice}"
            return
        try:
            await connection.run_sync(lambda plain: command.check(configure(plain)))
        except CommandError as error:  # with other tables or columns
            yield f"the tables are not those of the schema {found}: {error}"
