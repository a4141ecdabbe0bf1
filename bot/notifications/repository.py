"""SQL for the outbox of notifications. Each is sent once. Times in ms since 1970.

A notification is ``pending``, then ``sent``, ``failed`` (the user reads it with their next command) or ``void`` (it has
no reason any more). It is in state ``digest`` while it is kept for the user's next digest. If ``sent_to`` is set, it
may have arrived in that channel. Then the channel is searched before it is sent again, and no board pings instead.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    TextClause,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.faults.damage import readable
from bot.core.storage.rows import from_row, to_row
from bot.games.tables import games
from bot.notifications.model import DIGEST_ROUTE, FAILED, FOR_DIGEST, PENDING, SENT, VOID, Notification
from bot.notifications.tables import HAS_SUBJECT, IS_DONE, IS_FAILED, IS_PENDING, notifications
from bot.players.machines import is_machine


class NotificationRepository:
    """Methods that take a connection work in the transaction of the caller."""

    def __init__(self, database: Database) -> None:
        self.database = database
        new = database.insert(notifications)
        self._add = new.on_conflict_do_nothing(index_elements=["key"])
        unsent = notifications.c.sent_to.is_(None)
        moved: dict[str, ColumnElement[Any]] = {
            name: new.excluded[name] for name in ("state", "next_attempt_at", "body")
        }
        moved["due"] = case((unsent, new.excluded.due), else_=notifications.c.due)
        where = (notifications.c.state == VOID) | ((notifications.c.state == PENDING) & unsent)
        self._add_again = new.on_conflict_do_update(index_elements=["key"], set_=moved, where=where)

    # --- writing -------------------------------------------------------------------------------------------------

    async def add(
        self, connection: AsyncConnection, added: Iterable[Notification], *, reschedule: bool = False
    ) -> None:
        """Adds new notifications. Those with a known key, and those to machines, are skipped.

        ``reschedule``: a known one is moved if no attempt was made to send it, and revived if it was void. If it may
        have arrived, it keeps its ``due``, from which on its channel is searched.
        """
        rows = [_row(notification) for notification in added if not is_machine(notification.user_id)]
        if rows:
            await connection.execute(self._add_again if reschedule else self._add, rows)

    async def add_pinged(self, connection: AsyncConnection, notification: Notification) -> None:
        """Records that the board in the game's channel has pinged a user."""
        await self.add(connection, [notification])
        done = {"state": SENT, "via": "place"}
        await connection.execute(update(notifications).where(notifications.c.key == notification.key).values(done))

    async def void_in(
        self, connection: AsyncConnection, game_id: str, kinds: Sequence[str], kept: Sequence[str] = ()
    ) -> None:
        """Voids the pending notifications of these kinds of a game, except those with the ``kept`` keys."""
        mine = (notifications.c.game_id == game_id, notifications.c.kind.in_(kinds), notifications.c.key.not_in(kept))
        await connection.execute(update(notifications).where(IS_PENDING, *mine).values(state=VOID))

    async def void_subject(
        self, connection: AsyncConnection, subject: str, kinds: Sequence[str], user_id: int | None
    ) -> None:
        """Voids the unsent notifications of these kinds about a subject; of all users if ``user_id`` is None."""
        about = (HAS_SUBJECT, notifications.c.subject == subject, notifications.c.kind.in_(kinds))
        unsent = notifications.c.state.in_((PENDING, FAILED, FOR_DIGEST))
        to = true() if user_id is None else notifications.c.user_id == user_id
        await connection.execute(update(notifications).where(*about, unsent, to).values(state=VOID))

    async def keep_for_digest(self, connection: AsyncConnection, leased: Notification) -> bool:
        """Keeps it for the user's next digest. Returns False if the lease is lost."""
        statement = update(notifications).where(*_is_leased(leased)).values(state=FOR_DIGEST)
        return bool((await connection.execute(statement)).rowcount)

    async def release(self, user_id: int, now: int) -> bool:
        """Makes the notices due that are kept for a digest of the user. Returns whether there were any."""
        kept = (notifications.c.user_id == user_id, notifications.c.state == FOR_DIGEST)
        return await self._changed(update(notifications).where(*kept).values(state=PENDING, next_attempt_at=now))

    async def void_later(
        self, connection: AsyncConnection, user_id: int, kind: str, after: int, kept: str = ""
    ) -> bool:
        """Voids notifications of a kind to a user that are due after a moment and concern no single game, except
        ``kept``.

        Returns whether there were any.
        """
        where = (
            IS_PENDING,
            notifications.c.game_id.is_(None),
            notifications.c.user_id == user_id,
            notifications.c.kind == kind,
            notifications.c.key != kept,
        )
        later = (notifications.c.due > after, notifications.c.sent_to.is_(None))
        return bool((await connection.execute(update(notifications).where(*where, *later).values(state=VOID))).rowcount)

    async def lease(self, now: int, until: int, limit: int, excluded_users: Collection[int] = ()) -> list[Notification]:
        """Leases due notifications until ``until``: the first one of each user, except for ``excluded_users``."""
        earlier = notifications.alias("earlier")
        before = tuple_(earlier.c.next_attempt_at, earlier.c.id) < tuple_(
            notifications.c.next_attempt_at, notifications.c.id
        )
        same_user = earlier.c.user_id == notifications.c.user_id
        is_first = ~exists().where(IS_PENDING, same_user, earlier.c.next_attempt_at <= now, before)
        due = select(notifications.c.id).where(IS_PENDING, notifications.c.next_attempt_at <= now, is_first)
        if excluded_users:
            due = due.where(notifications.c.user_id.not_in(excluded_users))
        due = (
            due.order_by(notifications.c.next_attempt_at, notifications.c.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        once = select(due.cte("due").c.id)  # see GameRepository.lease
        statement = update(notifications).where(notifications.c.id.in_(once)).values(next_attempt_at=until)
        async with self.database.writing() as connection:
            rows = (await connection.execute(statement.returning(*notifications.c))).all()
        return sorted(map(_notification, rows), key=lambda notification: (notification.due, notification.id))

    async def sending(self, leased: Notification, channel_id: int, until: int, body: Mapping[str, Any]) -> bool:
        """Stores the channel to which a notification is about to be sent, with this ``body``, and renews its lease.

        Returns False if it must not be sent any more, or if another process has leased it.
        """
        values = {"sent_to": channel_id, "next_attempt_at": until, "body": json.dumps(dict(body))}
        return await self._changed(update(notifications).where(*_is_leased(leased)).values(values))

    async def fail(self, leased: Notification, *, doubtful: bool, contained: Sequence[str] = ()) -> None:
        """Stores that it is not tried again and, unless ``doubtful``, has not arrived. Does nothing if the lease is
        lost.

        ``contained``: the ids of the notices in a digest, which fail with it.
        """
        changes = {} if doubtful else {"sent_to": None}
        statement = update(notifications).where(*_is_leased(leased)).values(state=FAILED, **changes)
        await self._changed(statement, contained, FAILED)

    async def settle(self, notice_id: str, state: str, via: str = "", contained: Sequence[str] = ()) -> bool:
        """Sets the final state. Returns whether it was open before. ``contained``: as for ``fail``."""
        is_open = notifications.c.state.in_((PENDING, FAILED, FOR_DIGEST))
        statement = update(notifications).where(is_open, notifications.c.id == notice_id).values(state=state, via=via)
        return await self._changed(statement, contained, state)

    async def retry_at(self, leased: Notification, attempts: int, next_attempt_at: int) -> None:
        """Schedules another attempt after one that may succeed later. Does nothing if the lease is lost."""
        await self._changed(
            update(notifications).where(*_is_leased(leased)).values(attempts=attempts, next_attempt_at=next_attempt_at)
        )

    async def void_unsent(self, key: str) -> bool:
        """Voids a notification that cannot have arrived. Returns whether that was in time."""
        where = (
            notifications.c.key == key,
            notifications.c.state.in_((PENDING, FAILED)),
            notifications.c.sent_to.is_(None),
        )
        return await self._changed(update(notifications).where(*where).values(state=VOID))

    async def forget(self, before: int, limit: int) -> int:
        """Deletes up to ``limit`` notifications that are not pending and were due before ``before``. Returns their
        number.
        """
        old = select(notifications.c.id).where(IS_DONE, notifications.c.due < before).limit(limit)
        async with self.database.writing() as connection:
            statement = delete(notifications).where(notifications.c.id.in_(old.scalar_subquery()))
            return (await connection.execute(statement)).rowcount

    async def _changed(self, statement: Any, contained: Sequence[str] = (), state: str = "") -> bool:
        """Executes the statement and returns whether it changed a row. If it did, the notices in ``contained`` get
        ``state``.
        """
        kept = (notifications.c.id.in_(contained), notifications.c.state == FOR_DIGEST)
        async with self.database.writing() as connection:
            changed = bool((await connection.execute(statement)).rowcount)
            if changed and contained:
                route = DIGEST_ROUTE if state == SENT else ""
                await connection.execute(update(notifications).where(*kept).values(state=state, via=route))
            return changed

    async def is_player(self, connection: AsyncConnection, game_id: str, user_id: int) -> bool:
        """Returns whether the user has a seat in the game. Locks the game, so that they cannot be replaced in this
        transaction.
        """
        theirs = or_(games.c.seat0 == user_id, games.c.seat1 == user_id)
        query = select(games.c.id).where(games.c.id == game_id, theirs).with_for_update(read=True)
        return await connection.scalar(query) is not None

    async def is_stored(self, connection: AsyncConnection, notice_id: str) -> bool:
        """Returns whether the notification still exists. Locks it."""
        query = select(notifications.c.id).where(notifications.c.id == notice_id).with_for_update()
        return await connection.scalar(query) is not None

    # --- reading -------------------------------------------------------------------------------------------------

    async def states(self, keys: Sequence[str]) -> dict[str, str]:
        """Returns the states of the notifications with these keys; unknown keys are left out."""
        query = select(notifications.c.key, notifications.c.state).where(notifications.c.key.in_(keys))
        return {row.key: row.state for row in await self.database.fetch(query)}

    async def next_due(self) -> int | None:
        """Returns the moment of the next attempt; None if nothing is pending."""
        due: int | None = (
            await self.database.fetch(select(func.min(notifications.c.next_attempt_at)).where(IS_PENDING))
        ).scalar()
        return due

    async def kept_for_digest(self, user_id: int, limit: int) -> list[Notification]:
        """Returns at most ``limit`` notices for the user's next digest, the oldest first."""
        kept = (notifications.c.user_id == user_id, notifications.c.state == FOR_DIGEST)
        query = select(notifications).where(*kept).order_by(notifications.c.due, notifications.c.id).limit(limit)
        return readable("notification", await self.database.fetch(query), _notification)

    async def failed_of(self, user_id: int, limit: int) -> list[Notification]:
        """Returns at most ``limit`` notifications that could not be sent to the user, the oldest first."""
        query = (
            select(notifications)
            .where(IS_FAILED, notifications.c.user_id == user_id)
            .order_by(notifications.c.due, notifications.c.id)
            .limit(limit)
        )
        return readable("notification", await self.database.fetch(query), _notification)


def _is_leased(leased: Notification) -> tuple[ColumnElement[bool] | TextClause, ...]:
    """Returns the condition that a notification is pending and its lease is still held."""
    return (IS_PENDING, notifications.c.id == leased.id, notifications.c.next_attempt_at == leased.leased_until)


def _row(notification: Notification) -> dict[str, Any]:
    return to_row(
        notification,
        "leased_until",
        key=notification.key,
        body=json.dumps(dict(notification.body)),
        state=PENDING,
        attempts=0,
        next_attempt_at=notification.due,
        via="",
        sent_to=None,
    )


def _notification(row: Row[Any]) -> Notification:
    return from_row(Notification, row, body=json.loads(row.body), leased_until=row.next_attempt_at)
