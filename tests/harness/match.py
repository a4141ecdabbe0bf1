"""Matches: how one begins in a room, and how its games are ended quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.games.new_game import NewGame
from bot.games.stored import Place
from bot.matches.service import MatchService
from harness.bot import private
from harness.cube import FIRST, insist, press

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.matches.live import LiveMatch
    from engine.match.match import Terms
    from harness.bot import Room
    from harness.discord import Seat


async def begin_match(room: Room, terms: Terms, game: str, clock: str = "", **options: Any) -> LiveGame:
    """Begins a match of Ana (player 0) and Ben, and returns its first game, once its board is shown."""
    assert room.bot is not None
    place = Place(room.server.world.guild_id, room.channel_id)
    players = (room.ana.user_id, room.ben.user_id)
    policy = "loss" if clock else ""
    for who in (room.ana, room.ben):  # so that the bot knows their names
        await who.slash("abak games")
    await room.bot.service(MatchService).open(terms, NewGame(game, options, place, "en", clock, policy), players)
    return await room.shown()


async def match_of(room: Room) -> LiveMatch:
    """Returns the match of the room's present game, with its present result."""
    assert room.bot is not None
    live = await room.present()
    found = await room.bot.service(MatchService).get(live.record.header.match)
    assert found is not None
    return found


async def resign(room: Room, who: Seat, points: int, *, offer: bool = False) -> LiveGame:
    """Gives up so many points; with ``offer`` the other one accepts. The game that is then shown."""
    await who.slash("abak resign")
    await who.press(
        next(x for x in verbs_of(who) if x.startswith("b:resign_for:") and x.endswith(f":{points}")), private(who)
    )
    if offer:
        other = room.ben if who.user_id == room.ana.user_id else room.ana
        await room.shown()
        await other.press("b:accept:", room.board)
    return await room.shown()


def verbs_of(who: Seat) -> list[str]:
    from harness.bot import wired

    return [x["custom_id"] for x in wired(private(who))]


async def first_turn(room: Room, game: str = "backgammon") -> LiveGame:
    """Lets Ana (White) play the opening roll 3-1."""
    await room.type(await room.present(), FIRST[game])
    return await room.shown()


async def pass_double(room: Room) -> LiveGame:
    """Lets Ana play, Ben double and Ana pass."""
    await first_turn(room)
    await insist(room, room.ben, "double")
    return await insist(room, room.ana, "pass")


async def take_double(room: Room) -> LiveGame:
    """Lets Ana play, Ben double and Ana take."""
    await first_turn(room)
    await insist(room, room.ben, "double")
    return await insist(room, room.ana, "take")


__all__ = ["begin_match", "first_turn", "match_of", "pass_double", "press", "resign", "take_double"]
