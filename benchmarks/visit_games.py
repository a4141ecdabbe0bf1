"""The acts of players with several games: the list and its pages, the next game, and a game that is moved elsewhere."""

from dataclasses import replace
from typing import Final

from harness.bot import private
from harness.discord import components
from visit import Visit, has
from visit_acts import begun, resigned

from bot.my_games.views import PER_PAGE

MANY: Final = PER_PAGE + 1
"""The number of games that fill more than a page."""


async def elsewhere(visit: Visit) -> Visit:
    """Makes a visit of the same two with a game in a channel of its own."""
    channel = visit.room.server.world.add_channel("games")
    away = replace(visit, room=visit.room.elsewhere(channel))
    await begun(away)
    return away


async def brought(visit: Visit) -> None:
    """Moves a game from another channel here. A player with many looks through them before."""
    await elsewhere(visit)
    if visit.busy:
        others = [await elsewhere(visit) for _ in range(MANY - 1)]
        await looked_through(visit)
        for other in others:
            await resigned(other)
    ana = visit.room.ana
    (offered,) = await visit.typing(ana, "abak move here", "game", game="")
    await visit.moving_on(visit.slash(ana, "abak move here", game=offered["value"]))
    await resigned(visit)


async def looked_through(visit: Visit) -> None:
    """Opens the list, another page of it and back; the next game, and the one after that."""
    for who in (visit.room.ana, visit.room.ben):
        await visit.slash(who, "abak games")
        for _ in ("forward", "back"):
            turns = [x for x in components(private(who)) if x.get("custom_id", "").startswith("b:games:")]
            await visit.press(who, "games", at=next(x["custom_id"] for x in turns if not x.get("disabled")))
        for name in ("button next", "button next again"):
            if has(private(who), "b:next:"):  # of so many games, one waits for one of the two
                await visit.press(who, "next", name=name)
