"""Notifications as a test writes them, and all that stands in the outbox."""

from typing import Any

from sqlalchemy import select

from bot.core.randomness import fresh_id
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.model import PENDING, REMINDER, VOID
from bot.notifications.quiet_hours import WARNED
from bot.notifications.service import Notification, NotificationService
from bot.notifications.tables import notifications as table

ANN, BOB = 11, 22
HERE = Place(1, 5)
NOON = 1_800_014_400_000
"""Noon in UTC."""


async def begin(games: GameService, clock: str = "") -> LiveGame:
    """Begins a game of Nim without dice."""
    return await games.open(NewGame("nim", {"heap": 30, "dice": "no"}, HERE, "en", clock), (ANN, BOB))


def is_far_warning(row: Any) -> bool:
    """Returns whether the row is a warning that a game without a clock keeps for weeks later, or that a
    turn made void.
    """
    return row.kind == REMINDER and row.n in WARNED and row.state in {PENDING, VOID}


async def rows(notifications: NotificationService, kind: str | None = None) -> list[Any]:
    """Returns all notifications of a kind, or all except far warnings."""
    query = select(table).order_by(table.c.due, table.c.n)
    async with notifications.store.database.reading() as connection:
        found = list(await connection.execute(query))
    return [row for row in found if row.kind == kind or (kind is None and not is_far_warning(row))]


async def write(notifications: NotificationService, *written: Notification) -> None:
    async with notifications.store.database.writing() as connection:
        await notifications.write(connection, *written)


def note(user_id: int = ANN, seq: int = 0, due: int = NOON, **more: Any) -> Notification:
    return Notification(fresh_id(), user_id, "digest", due, seq=seq, **more)
