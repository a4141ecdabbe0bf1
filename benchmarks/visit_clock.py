"""The acts with a clock: a pause, another time control, a claim when time is up, and vacations."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from harness.bot import private
from harness.discord import Seat, components
from visit import LONG, Visit, has
from visit_acts import begun, opened_more, resigned

USUAL: Final = "10m"
OTHER: Final = "15m"
SHORTEST: Final = "5s/move"
"""The least time of a turn. Two players who claim wait a moment longer."""
LOOK: Final = 0.1


async def shown(what: Callable[[], object]) -> None:
    """Waits for something that needs no press."""
    async with asyncio.timeout(LONG):
        while not what():  # noqa: ASYNC110  # the awaited change has no event of its own
            await asyncio.sleep(LOOK)


# --- by agreement ----------------------------------------------------------------------------------------------------


async def paused(visit: Visit) -> None:
    """Plays a game by the clock: a pause, agreed and ended; then another time control."""
    await begun(visit, time=USUAL)
    who = visit.awaited
    await visit.press(who, "ask_pause", await opened_more(visit, who))
    await agreed(visit, who)
    await visit.press(who, "resume", visit.room.board)
    await visit.press(who, "stay_paused")
    await visit.press(who, "resume", visit.room.board)
    await visit.moving_on(visit.press(who, "resume_now"))
    other = visit.other
    await visit.press(other, "resume", visit.room.board)
    await visit.moving_on(visit.press(other, "resume_now"))
    await visit.press(who, "ask_adjourn", await opened_more(visit, who))
    await visit.choose(who, "adjourn_to", OTHER)
    await agreed(visit, who)
    await resigned(visit)


async def agreed(visit: Visit, who: Seat) -> None:
    """Offers the requested change, which the other accepts."""
    other = visit.room.ben if who is visit.room.ana else visit.room.ana
    await visit.moving_on(visit.press(who, "offer_time"))
    await visit.moving_on(visit.press(other, "accept", visit.room.board))


# --- the claim -------------------------------------------------------------------------------------------------------


async def claimed(visit: Visit) -> None:
    """Lets a player's time run out where the other may claim. They are notified; the other claims."""
    ana = visit.room.ana
    await visit.slash(ana, "abak server")
    await visit.press(ana, "page_server", at=page(ana, "time"))
    await visit.choose(ana, "set_server", "claim", "timeout_policy")
    await begun(visit, time=SHORTEST)
    late, who = visit.awaited, visit.other
    await shown(lambda: has(visit.room.board, "b:claim_win:"))
    await shown(lambda: any(has(message, "b:waiting:") for message in late.direct().messages))
    notification = next(message for message in late.direct().messages[::-1] if has(message, "b:waiting:"))
    await visit.press(late, "waiting", notification)
    await visit.press(who, "claim_draw", visit.room.board)
    await visit.press(who, "wait_on")
    await visit.press(who, "claim_win", visit.room.board)
    await visit.moving_on(visit.press(who, "claim"))


def page(who: Seat, name: str) -> str:
    """Returns the custom_id of a panel's page."""
    found = [x.get("custom_id", "") for x in components(private(who))]
    return next(x for x in found if x.startswith("b:page_") and x.endswith(f":{name}"))


# --- vacations -------------------------------------------------------------------------------------------------------


async def vacations(visit: Visit) -> None:
    """Sets a vacation from now on, ended at once; and a later one, cancelled."""
    ben = visit.room.ben
    await visit.slash(ben, "abak vacation", days=2)
    await visit.press(ben, "vacation_back")
    opened = await visit.press(ben, "vacation_other")
    filled = {"from": str((datetime.now(UTC) + timedelta(days=20)).date()), "days": "3"}
    await visit.timed("form vacation_fill", lambda: ben.submit(opened, filled))
    await visit.press(ben, "vacation_back")
    await visit.choose(ben, "vacation_from_now", "1")
    await visit.press(ben, "vacation_take")
    await visit.press(ben, "vacation_end")
