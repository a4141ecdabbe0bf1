"""Reads whose turn it is from the database, past the bot and past the faults, once a second."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import asyncpg
from sqlalchemy.engine import make_url

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

EVERY: Final = 1.0
OURS: Final = "soak"
"""The name of the soak's own connections, which no fault meets."""
RUNNING: Final = """
    SELECT id, game, guild_id, channel_id, seat0, seat1, seq, awaited, offered, paused, match_id
    FROM games WHERE status = 'running'
"""
ENTRANTS: Final = """
    SELECT p.tournament_id, p.user_id FROM tournament_players p JOIN tournaments t ON t.id = p.tournament_id
    WHERE p.status = 'in' AND t.status NOT IN ('over', 'cancelled')
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A running game. ``awaited``: the user who has to do something."""

    id: str
    game: str
    guild_id: int | None
    channel_id: int
    players: tuple[int, int]
    seq: int
    awaited: int | None
    offered: bool
    paused: bool
    of_match: bool


async def connect(url: str) -> asyncpg.Connection[Any]:
    """Returns a connection past the faults."""
    there = make_url(url)
    return await asyncpg.connect(
        host=there.query.get("host") or there.host,
        port=there.port,
        user=there.username,
        password=there.password,
        database=there.database,
        server_settings={"application_name": OURS},
    )


@dataclass
class Snapshots:
    """The running games as they were a moment ago."""

    url: str
    of_user: Mapping[int, list[Row]] = field(default_factory=dict)
    by_id: Mapping[str, Row] = field(default_factory=dict)
    cups: Mapping[str, str] = field(default_factory=dict)
    """The status of each tournament."""
    entrants: Collection[tuple[str, int]] = frozenset()
    """Who is in which tournament."""

    async def run(self) -> None:
        """Reads again and again, until it is cancelled."""
        connection = await connect(self.url)
        try:
            while True:
                await self.read(connection)
                await asyncio.sleep(EVERY)
        finally:
            await asyncio.shield(connection.close())

    async def read(self, connection: asyncpg.Connection[Any]) -> None:
        found: dict[int, list[Row]] = defaultdict(list)
        rows: dict[str, Row] = {}
        for one in await connection.fetch(RUNNING):
            players = (one["seat0"], one["seat1"])
            awaited = None if one["awaited"] is None else players[one["awaited"]]
            row = Row(
                one["id"],
                one["game"],
                one["guild_id"],
                one["channel_id"],
                players,
                one["seq"],
                awaited,
                one["offered"],
                one["paused"],
                one["match_id"] is not None,
            )
            rows[row.id] = row
            for user in set(players):
                found[user].append(row)
        self.of_user, self.by_id = found, rows
        self.entrants = {(one["tournament_id"], one["user_id"]) for one in await connection.fetch(ENTRANTS)}
        self.cups = {one["id"]: one["status"] for one in await connection.fetch("SELECT id, status FROM tournaments")}
