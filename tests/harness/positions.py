"""A game that begins at a given position, in a room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.randomness import fresh_id
from bot.games.live import seated_of
from bot.games.repository import Filed
from bot.games.service import Place
from engine.core.chance import commitment
from engine.core.record import Header, Record
from engine.core.table import Table
from engine.registry import find

if TYPE_CHECKING:
    from bot.games.service import Seated
    from harness.bot import Room


async def placed(room: Room, game: str, position: str, **given: str) -> Seated:
    """A game between Ana (the first seat) and Ben from a position text, with these options, shown in the channel."""
    assert room.bot is not None
    rules, tables = find(game), room.bot.services.tables
    secret = tables.luck.secret()
    options = tuple(rules.settle_options(given).items())
    header = Header(game, rules.version, fresh_id(), 0, options, position=position, commitment=commitment(secret))
    table = Table.open(rules, header)
    world = room.server.world
    place = Place(world.guild_id, room.channel_id)
    stored = Filed(Record(header), (room.ana.user_id, room.ben.user_id), place, room.say.code, secret)
    seated = seated_of(table, stored)
    for seat, name in ((room.ana, "Ana"), (room.ben, "Ben")):
        await room.bot.services.people.seen(seat.user_id, name)
    await tables.seat(seated)
    return await room.shown()
