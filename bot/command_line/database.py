"""Defines the commands about the database: ``abakbot backup``, ``abakbot restore`` and ``abakbot db``."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from bot.command_line.running import while_stopped
from bot.command_line.settings import (
    DATABASE,
    config_option,
    in_target,
    load_settings,
    naming_target,
    reaching,
    refuse,
)

if TYPE_CHECKING:
    from bot.core.storage.database import Database
    from bot.settings import Settings


RESTORE: Final = "Restore a backup into a new database. The records were not checked."


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Runs ``work``. If the database cannot be used, prints one sentence."""
    with reaching(DATABASE):
        asyncio.run(work)


def _tell(table: str, rows: int) -> None:
    click.echo(f"{table}: {rows} rows")


@click.command(help="Write all that the database holds into a new FILE. The bot may play on meanwhile.")
@click.argument("file", type=click.Path(path_type=Path))
@config_option
def backup(file: Path, config: Path | None) -> None:
    _run(_backup(load_settings(config).database_url, file))
    click.echo(f"The backup is {file}. `abakbot db check --backup {file}` checks it.")


async def _backup(url: str, file: Path) -> None:
    from bot.core.storage.backups import write_backup
    from bot.core.storage.database import Database

    await write_backup(url, file)
    async with Database(url) as database:
        await _tell_left_out(database, "a restore leaves it out")


async def _tell_left_out(database: "Database", so: str) -> None:
    """Prints which tables and columns are not the bot's, and what becomes of them."""
    from bot.core.storage.schema import foreign_parts

    async with database.reading() as connection:
        for part in await connection.run_sync(foreign_parts):
            click.echo(f"{part}: {so}.")


@click.command(help="Fill the database, which must be new or empty, with the backup FILE.")
@click.argument("file", type=click.Path(path_type=Path))
@config_option
def restore(file: Path, config: Path | None) -> None:
    _run(_restore(file, load_settings(config).database_url))
    click.echo("The database holds what the backup holds.")


async def _restore(file: Path, url: str) -> None:
    from bot.core.storage.backups import restore_backup

    aside = await restore_backup(file, url, _tell)
    for one in aside:
        click.echo(f"A file of an earlier database was in the way. It is now {one}.")
    if aside:
        click.echo("Delete such files when no move is missed: each restore leaves the database before it.")


@click.group(help="Check, copy, upgrade or rebuild the database.")
@config_option
def db(config: Path | None) -> None:
    del config  # the command finds it by itself


@db.command(help="Bring the database up to date and stop; ``run`` does so by itself.")
@config_option
def upgrade(config: Path | None) -> None:
    _run(_upgrade(load_settings(config).database_url))
    click.echo("The database is up to date.")


async def _upgrade(url: str) -> None:
    from bot.core.storage.database import Database

    async with await Database.open(url) as database:
        if database.is_new:
            click.echo(f"A new database was made: {database.place}.")


@db.command(help="Take the database back to the schema REVISION of an older version. What newer tables hold is lost.")
@click.argument("revision")
@click.option("--yes", is_flag=True, help="Do not ask.")
@config_option
def downgrade(revision: str, config: Path | None, *, yes: bool) -> None:
    settings = load_settings(config)
    _run(_check_downgrade(settings, revision))
    if not yes:
        click.confirm("What newer tables and columns hold is lost. Is there a backup?", abort=True)
    _run(_downgrade(settings, revision))
    click.echo(f"The database has the schema {revision}.")


async def _check_downgrade(settings: "Settings", revision: str) -> None:
    from bot.core.storage.backups import NotPossible, check_there
    from bot.core.storage.database import Database
    from bot.core.storage.revisions import current, revisions, way_to_newest

    await check_there(settings.database_url, writes=True)
    known = revisions()
    if revision not in known:
        raise NotPossible(f"There is no schema {revision}. `abakbot db check` of the old version names the one it has.")
    async with Database(settings.database_url) as database, database.reading() as connection:
        found = await connection.run_sync(current)
        if found is None or found not in known:
            raise NotPossible(f"The database has the schema {found}: {await connection.run_sync(way_to_newest)}.")
        if known.index(revision) >= known.index(found):
            raise NotPossible(f"The database has the schema {found}, and {revision} is not older. Nothing was changed.")
    async with while_stopped(settings):
        pass


async def _downgrade(settings: "Settings", revision: str) -> None:
    from bot.core.storage.database import Database
    from bot.core.storage.migrate import downgrade

    async with (
        while_stopped(settings, looks=False),
        Database(settings.database_url) as database,
        database.writing() as connection,
    ):
        await connection.run_sync(downgrade, revision)


@db.command(
    help="Copy the database into that of URL, SQLite or PostgreSQL, and compare the two. Stop the bot before.\n\n"
    "If the copy is interrupted, the same command continues it."
)
@click.argument("url")
@config_option
def copy(url: str, config: Path | None) -> None:
    from bot.settings import Settings, SettingsError

    settings = load_settings(config)
    try:
        target = Settings.load(config, database_url=url).database_url
    except SettingsError as error:
        refuse([in_target(problem) for problem in error.problems])
    _run(_copy(settings, target))
    click.echo("Both databases hold the same. Set DATABASE_URL to the new one, then start the bot.")


async def _copy(settings: "Settings", target_url: str) -> None:
    from bot.core.storage.backups import check_target, check_there, check_version
    from bot.core.storage.database import Database

    await check_there(settings.database_url)
    with naming_target():  # before the host waits until it is sure that no bot runs
        continues = await check_target(target_url)
    async with while_stopped(settings), Database(settings.database_url) as source:
        await check_version(source)
        await _copy_into(source, target_url, continues=continues)
        await _tell_left_out(source, "the copy leaves it out")


async def _copy_into(source: "Database", target_url: str, *, continues: bool) -> None:
    """Copies, ``continues`` an interrupted copy. Until both hold the same, no version uses the target.

    Changes nothing in a database that holds something and is no interrupted copy: a bot may have played on it.
    """
    from bot.core.storage.backups import NotPossible, name_schema
    from bot.core.storage.copying import copy_rows, differing_tables, is_empty, is_same, table_with_more
    from bot.core.storage.database import Database
    from bot.core.storage.revisions import newest, unfinished_copy

    with naming_target():
        target = Database(target_url) if continues else await Database.open(target_url)
    async with target:
        if await is_same(source, target):
            raise NotPossible("URL is the database of DATABASE_URL itself. Name another one.")
        finished = not continues and not await is_empty(target)
        if finished:
            different = next(iter(await differing_tables(source, target)), None)
        else:
            different = await table_with_more(source, target)
        if different is not None:
            raise NotPossible(
                f"The database of URL holds something else already, in the table {different}."
                " Nothing was copied. Name a new, empty database."
            )
        if finished:
            return
        await name_schema(target, unfinished_copy())
        await copy_rows(source, target, _tell)
        if differ := await differing_tables(source, target):
            raise NotPossible(
                f"These tables differ: {', '.join(differ)}. Stop the bot, and copy into a new, empty database."
            )
        await name_schema(target, newest())


@db.command(
    help="Check the database on a copy of it, and change nothing. The bot may run meanwhile.\n\n"
    "The file is checked, every record is replayed, and all that follows from the records is "
    "compared: results,\n"
    "deadlines, ratings, leaderboards, counts of dice and of moves, pairings and places in tournaments. Ends with 1 if "
    "anything is wrong."
)
@click.option("--backup", type=click.Path(path_type=Path), help="Check this backup instead.")
@config_option
def check(backup: Path | None, config: Path | None) -> None:
    loaded = load_settings(config)
    with reaching(DATABASE):
        if not asyncio.run(_check(loaded, backup)):
            sys.exit(1)


async def _check(settings: "Settings", file: Path | None) -> bool:
    """Prints each fault, and what to do. Returns whether there is none."""
    from bot.core.storage.backups import check_there, opened_backup, snapshot
    from bot.core.storage.revisions import current, newest
    from bot.rebuild import check_copy

    faults = 0
    if file is None:
        await check_there(settings.database_url)
        if await _check_schema(settings.database_url):
            click.echo(f"The schema is not {newest()} as it should be. {RESTORE}")
            return False
    async with snapshot(settings.database_url) if file is None else opened_backup(file) as copy:
        if file is not None:
            await _tell_left_out(copy, "a restore leaves it out")
        async for fault in check_copy(copy, settings):
            click.echo(fault)
            faults += 1
        async with copy.connected() as connection:
            schema = await connection.run_sync(current)
    if not faults:
        click.echo(f"The {'database' if file is None else 'backup'} is in order. Its schema is {schema}.")
    elif file is not None:
        click.echo(f"Faults in the backup: {faults}. After a restore, `abakbot db check` says what can be mended.")
    elif schema == newest():
        click.echo(
            f"Faults: {faults}. `abakbot db rebuild` mends what follows from the records."
            " Results in tournaments are corrected by their organisers."
        )
    return not faults


async def _check_schema(url: str) -> int:
    """Prints how the schema differs. Returns the number of differences."""
    from bot.core.storage.database import Database
    from bot.core.storage.schema import schema_faults

    async with Database(url) as database, database.reading() as connection:
        found = await connection.run_sync(schema_faults)
    for fault in found:
        click.echo(fault)
    return len(found)


@db.command(
    help="Replay the record of every game and match, and write anew what follows from it, such as "
    "results and deadlines.\n\n"
    "Then count all ratings, rolls of dice and explored moves again, and correct what differs. Games whose "
    "records are corrupt are\n"
    "named and left as they are; the command then ends with 1. The bot may run meanwhile, if "
    "it is of the same version."
)
@config_option
def rebuild(config: Path | None) -> None:
    loaded = load_settings(config)
    with reaching(DATABASE):
        faults = asyncio.run(_rebuild(loaded, click.echo))
    sys.exit(1 if faults else 0)


async def _rebuild(settings: "Settings", tell: Callable[[str], None]) -> int:
    """Prints the changes. Returns how many games and matches were left as they are, and one more for unread ratings."""
    from bot.core.storage.backups import check_there, check_version
    from bot.core.storage.database import Database
    from bot.rebuild import rebuild_rated, rebuild_records, recount

    await check_there(settings.database_url, writes=True)
    async with Database(settings.database_url) as database:
        await check_version(database)
        checked = changed = faults = 0
        async for each in rebuild_records(database):
            checked += 1
            changed += bool(each.changed)
            faults += bool(each.fault)
            if each.in_words:
                tell(each.in_words)
        tell(f"{checked} games and matches checked, {changed} written anew, {faults} left as they are.")
        rated = await rebuild_rated(database, settings)
        for difference in rated.differences:
            tell(difference)
        tell(
            rated.fault
            or f"{rated.contests} rated games and matches counted, {rated.ratings} ratings checked,"
            f" {len(rated.differences)} differences corrected."
        )
        faults += bool(rated.fault)
        rolled, explored = await recount(database, settings)
        tell(f"The rolls of {rolled} games and the moves of {explored} counted.")
    return faults
