"""A tournament on a desk whose channel or threads are deleted: what is due then, and doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fakes.outbox import rows

from bot.games.stored import Place
from bot.notifications.service import NotificationService
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.reopening.notices import REOPENED
from bot.tournaments.reopening.service import ReopeningService, Step
from engine.core.hours import DAY
from engine.tournament.model import Format
from harness.tournaments import plan_of

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.tournaments.reopening.service import Displaced
    from bot.tournaments.tournament import StoredPairing
    from harness.tournaments import Desk

CHANNEL: Final = 100
"""Where a desk has its tournament."""
ELSEWHERE: Final = 200
SWISS: Final = plan_of(Format.SWISS, rounds=3, clock="1d/move", round_length=14 * DAY)


def reopening(desk: Desk) -> ReopeningService:
    return desk.services[ReopeningService]


async def resume(desk: Desk, channel: int = ELSEWHERE) -> None:
    await desk.services[OrganiserService].resume(desk.tournament_id, By(9, "Here.", 999), channel)


async def due(desk: Desk) -> list[Displaced]:
    return await reopening(desk).due(100)


async def reopen(desk: Desk, found: Displaced) -> LiveGame:
    """Opens it in a channel of its own; its board is not shown yet."""
    assert found.stored is not None
    await reopening(desk).reopen(found, Place(1, 20_000 + found.stored.id))
    return await desk.games.get(found.game_id or "")


async def show(desk: Desk, *shown: LiveGame) -> None:
    """Shows their boards at their places, and lets their clocks run."""
    for live in shown:
        await desk.games.shown(live.id, live.seq, 1, live.place)
    await desk.go_on(61)  # the lease of who has opened it ends
    for found in await due(desk):
        assert found.step is Step.GO_ON
        await reopening(desk).go_on(found)


async def left(desk: Desk, stored: StoredPairing) -> int:
    live = await desk.game(stored)
    assert live.clock is not None
    return live.clock.left(live.seat_to_act or 0, live.elapsed(desk.clock()))


async def told(desk: Desk) -> list[int]:
    """Returns those whom a notice of new places waits for."""
    return sorted(row.user_id for row in await rows(desk.services[NotificationService], REOPENED))
