"""Registers the commands with Discord, once for each version of them.

While processes of several releases run, the older commands stay: a process with newer ones waits until the last older
process has ended. So a restart changes nothing, in either release.
"""

import asyncio
import hashlib
import json
from collections.abc import Iterable
from typing import Any, Final

import structlog
from discord import app_commands
from sqlalchemy import select

from bot.core.processes.membership import Membership
from bot.core.processes.tables import command_registrations
from bot.core.storage.database import Database

PATIENCE: Final = 60.0
"""Seconds that the registration may take, since the bot connects after it.

Discord limits how often commands are changed, and another process may be waiting for that.
"""
Registered = Iterable[app_commands.AppCommand]

log = structlog.get_logger(__name__)


class Registration:
    def __init__(self, tree: app_commands.CommandTree[Any], database: Database, membership: Membership) -> None:
        self._tree = tree
        self._database = database
        self._membership = membership
        self._own = ""
        self._waits = False

    async def register(self) -> None:
        """Sends the commands to Discord, unless they are registered, or another process answers the registered ones.

        Raises an exception of ``REQUEST_ERRORS``.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self._register()
        except TimeoutError as error:
            raise TimeoutError(f"not done after {PATIENCE:g} seconds") from error

    async def look_again(self) -> None:
        """Registers again if another process has registered anything. Else asks the database alone."""
        known = await _stored(self._database, self._application)
        if known is None or known[0] != self._own:
            await self.register()

    @property
    def _application(self) -> int:
        return self._tree.client.application_id or 0

    async def _register(self) -> None:
        self._own = self._own or await _digest(self._tree)
        async with self._membership.registering():
            await self._membership.answer_commands(self._own)
            known = await _stored(self._database, self._application)
            if known is not None and known[0] != self._own and await self._membership.others_answer(known[0]):
                if not self._waits:
                    log.info("commands_wait", reason="another release runs")
                self._waits = True
                return
            self._waits = False
            if known is not None and known == (self._own, _ids(await self._tree.fetch_commands())):
                return
            registered = _ids(await self._tree.sync())
            row = {"application": self._application, "digest": self._own, "registered": registered}
            statement = self._database.insert(command_registrations).values(row)
            async with self._database.writing() as connection:
                await connection.execute(statement.on_conflict_do_update(index_elements=["application"], set_=row))


async def _stored(database: Database, application: int) -> tuple[str, str] | None:
    columns = (command_registrations.c.digest, command_registrations.c.registered)
    async with database.reading() as connection:
        row = (
            await connection.execute(select(*columns).where(command_registrations.c.application == application))
        ).one_or_none()
    return None if row is None else (row.digest, row.registered)


async def _digest(tree: app_commands.CommandTree[Any]) -> str:
    """Computes a digest of all that ``tree.sync`` sends: names, options and their translations."""
    commands = tree.get_commands()
    translator = tree.translator
    sent = [
        await command.get_translated_payload(tree, translator) if translator else command.to_dict(tree)
        for command in commands
    ]
    return hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()


def _ids(commands: Registered) -> str:
    return " ".join(sorted(str(command.id) for command in commands))
