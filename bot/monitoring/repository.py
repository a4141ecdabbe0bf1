"""Counts pending work in the database, each time by a partial index. Times in ms since 1970."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, FromClause, ScalarSelect, TextClause, func, select

from bot.board.delivery.tables import old_boards
from bot.core.storage.database import Database
from bot.games.tables import IS_RUNNING, IS_TIMED, TO_SHOW, games
from bot.notifications.tables import IS_PENDING, notifications

LATE_MS: Final = 30_000
"""The delay after which a deadline counts as late: the longest lease of a process."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Pending work at one moment. Ages in ms; 0 if nothing waits."""

    running: Mapping[str, int]
    """Running games by game."""
    deadlines_due: int
    deadlines_late: int
    deadline_age: int
    boards_due: int
    boards_delayed: int
    board_age: int
    old_boards_due: int
    old_boards_delayed: int
    outbox_due: int
    outbox_delayed: int
    outbox_age: int


class MonitoringRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def waiting(self, now: int) -> Waiting:
        """Returns all pending work, in one snapshot."""
        passed, to_show, pending = games.c.deadline <= now, games.c.next_attempt_at, notifications.c.next_attempt_at
        old = old_boards.c.next_attempt_at
        query = select(
            _count(games, IS_TIMED, passed),
            _count(games, IS_TIMED, games.c.deadline <= now - LATE_MS),
            _earliest(games.c.deadline, IS_TIMED, passed),
            _count(games, TO_SHOW, to_show <= now),
            _count(games, TO_SHOW, to_show > now),
            _earliest(games.c.last_entry_at, TO_SHOW, to_show <= now),
            _count(old_boards, old <= now),
            _count(old_boards, old > now),
            _count(notifications, IS_PENDING, pending <= now),
            _count(notifications, IS_PENDING, pending > now),
            _earliest(pending, IS_PENDING, pending <= now),
        )
        by_game = select(games.c.game, func.count().label("running")).where(IS_RUNNING).group_by(games.c.game)
        async with self.database.reading() as connection:
            row = (await connection.execute(query)).one()
            running = {row.game: row.running for row in await connection.execute(by_game)}
        (due, late, deadline, shown, delayed, board, old_due, old_delayed, sent, unsent, notice) = row
        ages = [0 if since is None else max(0, now - since) for since in (deadline, board, notice)]
        return Waiting(
            running, due, late, ages[0], shown, delayed, ages[1], old_due, old_delayed, sent, unsent, ages[2]
        )

    def connections(self) -> tuple[int, int]:
        """Returns the number of used connections to the database, and the most that are kept open."""
        pool: Any = self.database.engine.pool
        return pool.checkedout(), pool.size()


def _count(table: FromClause, *where: ColumnElement[bool] | TextClause) -> ScalarSelect[int]:
    return select(func.count()).select_from(table).where(*where).scalar_subquery()


def _earliest(column: ColumnElement[Any], *where: ColumnElement[bool] | TextClause) -> ScalarSelect[Any]:
    return select(func.min(column)).where(*where).scalar_subquery()
