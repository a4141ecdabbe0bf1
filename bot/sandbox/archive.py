"""Saves a world in a file, so that a sandbox that was stopped or killed restarts with its channels and messages.

Interactions are not saved, as their tokens die with the process. On Discord they die after a quarter of an hour.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from typing import TYPE_CHECKING, Any, Self

from bot.sandbox.state.attachments import Upload
from bot.sandbox.world import World

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

Json = dict[str, Any]
FORMAT = 1
SAVE_DELAY = 0.2
"""Seconds between a change and the saving, so that many changes are written at once."""
_TABLES = """
create table if not exists world (only integer primary key check (only = 1), body text not null);
create table if not exists message (
    id integer primary key, channel integer not null, owner integer, held text not null, body text not null
);
create table if not exists file (id integer primary key, name text not null, kind text not null, content blob not null);
"""


class Archive:
    """A file with one world. Saving writes the changes since the last time.

    Raises:
        OSError: The folder cannot be made.
        sqlite3.Error: The file is no archive.
        ValueError: It is one of another format.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None)
        try:
            self._open(path)
        except BaseException:
            self._db.close()
            raise
        self._messages: dict[int, Json] = {}
        self._files: set[int] = set()
        self._state = ""

    def _open(self, path: Path) -> None:
        (found,) = self._db.execute("pragma user_version").fetchone()
        if found not in {0, FORMAT}:
            raise ValueError(f"{path} is of format {found}; this program reads format {FORMAT}")
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        self._db.executescript(_TABLES)
        self._db.execute(f"pragma user_version = {FORMAT}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def load(self) -> World | None:
        """Returns the last saved world; None if none was saved."""
        row = self._db.execute("select body from world").fetchone()
        if row is None:
            return None
        world = World()
        _restore(world, json.loads(row[0]))
        for number, name, kind, content in self._db.execute("select id, name, kind, content from file"):
            world.messages.files[number] = Upload(name, content, kind)
        rows = self._db.execute("select id, channel, owner, held, body from message order by id")
        for number, channel, owner, held, body in rows:
            message = json.loads(body)
            world.messages.by_channel.setdefault(channel, {})[number] = message
            world.messages.channel_of[number] = channel
            world.messages.attachments[number] = json.loads(held)
            if owner is not None:
                world.messages.owners[number] = owner
        self._remember_saved(world)
        return world

    def save(self, world: World) -> None:
        """Writes all changes, in one transaction."""
        messages, files = _messages(world), world.messages.files
        changed = [m for n, m in messages.items() if self._messages.get(n) is not m]
        state = json.dumps(_state(world))
        if changed or state != self._state or self._messages.keys() != messages.keys() or self._files != files.keys():
            self._db.execute("begin immediate")
            try:
                self._write(world, changed, state)
            except BaseException:
                self._db.execute("rollback")
                raise
            self._db.execute("commit")
        self._remember_saved(world, state)

    def _write(self, world: World, changed: list[Json], state: str) -> None:
        held, owners = world.messages.attachments, world.messages.owners
        self._db.execute("insert or replace into world values (1, ?)", (state,))
        self._db.executemany(
            "insert or replace into message values (?, ?, ?, ?, ?)",
            [
                (n, int(m["channel_id"]), owners.get(n), json.dumps(held.get(n, [])), json.dumps(m))
                for m in changed
                for n in [int(m["id"])]
            ],
        )
        gone = self._messages.keys() - _messages(world).keys()
        self._db.executemany("delete from message where id = ?", [(n,) for n in gone])
        files = world.messages.files
        new = [(n, files[n].name, files[n].content_type, files[n].content) for n in files.keys() - self._files]
        self._db.executemany("insert into file values (?, ?, ?, ?)", new)
        self._db.executemany("delete from file where id = ?", [(n,) for n in self._files - files.keys()])

    def _remember_saved(self, world: World, state: str | None = None) -> None:
        self._messages, self._files = _messages(world), set(world.messages.files)
        self._state = json.dumps(_state(world)) if state is None else state

    async def save_changes(self, world: World) -> None:
        """Saves the world a moment after each change, until it is cancelled, and then once more."""
        changed = asyncio.Event()
        stop = world.subscribe(lambda _event: changed.set())
        try:
            self.save(world)
            while True:
                await changed.wait()
                await asyncio.sleep(SAVE_DELAY)
                changed.clear()
                self.save(world)
        finally:
            stop()
            self.save(world)


def _messages(world: World) -> dict[int, Json]:
    return {n: m for channel in world.messages.by_channel.values() for n, m in channel.items()}


def _state(world: World) -> Json:
    """Returns everything but messages and files in JSON's types; every key is a text."""
    return {
        "last_id": world.ids.last,
        "application_id": world.application_id,
        "guild_id": world.guild_id,
        "base_url": world.base_url,
        "bot_user": world.bot_user,
        "users": world.users,
        "guilds": world.guilds,
        "members": world.members,
        "without_bot": sorted(world.without_bot),
        "closed": sorted(world.dms_closed),
        "channels": world.channels,
        "thread_members": world.thread_members,
        "commands": world.registered.everywhere,
        "guild_commands": world.registered.by_guild,
    }


def _restore(world: World, state: Json) -> None:
    world.ids.last = state["last_id"]
    world.application_id, world.guild_id = state["application_id"], state["guild_id"]
    world.base_url, world.bot_user = state["base_url"], state["bot_user"]
    world.users = _numbered(state["users"])
    world.guilds = _numbered(state["guilds"])
    world.members = {g: _numbered(m) for g, m in _numbered(state["members"]).items()}
    world.without_bot = set(state["without_bot"])
    world.dms_closed = set(state.get("closed", ()))  # an older archive may lack this
    world.channels = _numbered(state["channels"])
    world.thread_members = {t: _numbered(m) for t, m in _numbered(state["thread_members"]).items()}
    world.registered.everywhere[:] = state["commands"]
    world.registered.by_guild = _numbered(state["guild_commands"])


def _numbered(of: Json) -> dict[int, Any]:
    return {int(k): v for k, v in of.items()}
