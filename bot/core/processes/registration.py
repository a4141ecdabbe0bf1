"""Registers the commands with Discord once for each version of them, whichever of the processes comes first."""

import asyncio
import hashlib
import json
from collections.abc import Iterable
from typing import Any, Final

from discord import app_commands
from sqlalchemy import select

from bot.core.processes.membership import Membership
from bot.core.processes.tables import command_registrations
from bot.core.storage.database import Database

PATIENCE: Final = 60.0
"""Seconds that the registration may take: the bot connects after it, and would wait with it. Discord limits how often
commands are changed, and another process may be waiting for that.
"""
Registered = Iterable[app_commands.AppCommand]


async def register(tree: app_commands.CommandTree[Any], database: Database, membership: Membership) -> None:
    """Sends the commands to Discord, unless these are registered already. Raises an exception of ``REQUEST_ERRORS``."""
    try:
        async with asyncio.timeout(PATIENCE):
            await _register(tree, database, membership)
    except TimeoutError as error:
        raise TimeoutError(f"not done after {PATIENCE:g} seconds") from error


async def _register(tree: app_commands.CommandTree[Any], database: Database, membership: Membership) -> None:
    application = tree.client.application_id or 0
    digest = await _digest(tree)
    async with membership.registering():
        known = await _stored(database, application)
        if known is not None and known == (digest, _ids(await tree.fetch_commands())):
            return
        row = {"application": application, "digest": digest, "registered": _ids(await tree.sync())}
        statement = database.insert(command_registrations).values(row)
        async with database.writing() as connection:
            await connection.execute(statement.on_conflict_do_update(index_elements=["application"], set_=row))


async def _stored(database: Database, application: int) -> tuple[str, str] | None:
    columns = (command_registrations.c.digest, command_registrations.c.registered)
    async with database.reading() as connection:
        row = (
            await connection.execute(select(*columns).where(command_registrations.c.application == application))
        ).one_or_none()
    return None if row is None else (row.digest, row.registered)


async def _digest(tree: app_commands.CommandTree[Any]) -> str:
    """A digest of all that ``tree.sync`` sends: names, options and their translations."""
    commands = tree._get_all_commands(guild=None)  # noqa: SLF001  as ``tree.sync`` does
    translator = tree.translator
    sent = [
        await command.get_translated_payload(tree, translator) if translator else command.to_dict(tree)
        for command in commands
    ]
    return hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()


def _ids(commands: Registered) -> str:
    return " ".join(sorted(str(command.id) for command in commands))
