"""A game that begins at a given position, in a room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.randomness import fresh_id
from bot.games.live import live_game
from bot.games.service import GameService
from bot.games.stored import Place, StoredGame
from bot.players.service import PlayerNames
from engine.core.chance import commitment
from engine.core.record import Header, Record
from engine.core.table import Table
from engine.registry import find

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from harness.bot import Room


async def placed(room: Room, game: str, position: str, **given: str) -> LiveGame:
    """Begins a game between Ana (the first seat) and Ben from a position text, with these options, and shows it in the
    channel.
    """
    assert room.bot is not None
    rules, games = find(game), room.bot.service(GameService)
    secret, now = games.luck.secret(), room.bot.services.now()
    options = tuple(rules.settle_options(given).items())
    header = Header(game, rules.version, fresh_id(), now, options, position=position, commitment=commitment(secret))
    table = Table.open(rules, header)
    world = room.server.world
    place = Place(world.guild_id, room.channel_id)
    stored = StoredGame(Record(header), (room.ana.user_id, room.ben.user_id), place, room.say.code, secret)
    live = live_game(table, stored)
    for seat, name in ((room.ana, "Ana"), (room.ben, "Ben")):
        await room.bot.service(PlayerNames).seen(seat.user_id, name)
    await games.seat(live)
    return await room.shown()
