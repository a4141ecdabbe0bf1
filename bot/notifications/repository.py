"""The outbox: notifications that are still to be sent, each once. Times in ms since 1970.

A notification is ``pending`` until it is ``sent``, ``failed`` (the user hears it with their next command) or ``void``
(nobody needs it any more). With ``sent_to`` it may have arrived there already: it is looked for in that channel before
it is sent again, and nothing else tells it in its place.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, TextClause, case, delete, exists, func, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.notifications.tables import IS_DONE, IS_FAILED, IS_PENDING, notifications

PENDING: Final = "pending"
SENT: Final = "sent"
FAILED: Final = "failed"
VOID: Final = "void"


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification to one user. Of those with the same ``key`` one is sent."""

    id: str
    user_id: int
    kind: str
    due: int
    game_id: str | None = None
    seq: int = 0
    n: int = 0
    guild_id: int | None = None
    channel_id: int | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    """The parameters of its text."""
    state: str = PENDING
    attempts: int = 0
    via: str = ""
    """How it reached the user."""
    sent_to: int | None = None
    """The channel in which an earlier attempt may have arrived; None: none has."""
    leased_until: int = field(default=0, compare=False)
    """Of what was leased: by it the lease is known, as no two of a notification end at once."""

    @property
    def key(self) -> str:
        return key_of(self.user_id, self.game_id, self.seq, self.kind, self.n)


def key_of(user_id: int, game_id: str | None, seq: int, kind: str, n: int = 0) -> str:
    return f"{user_id}:{game_id or '-'}:{seq}:{kind}:{n}"


class NotificationRepository:
    """A method that takes a connection works inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- writing -------------------------------------------------------------------------------------------------

    async def add(
        self, connection: AsyncConnection, added: Iterable[Notification], *, reschedule: bool = False
    ) -> None:
        """Adds new notifications; those with a known key are left alone.

        ``reschedule``: but one that has not been sent yet is moved, and one that was voided is revived. If it may have
        arrived, it keeps the moment since which it is looked for.
        """
        for notification in added:
            row = {
                "id": notification.id,
                "key": notification.key,
                "user_id": notification.user_id,
                "game_id": notification.game_id,
                "seq": notification.seq,
                "kind": notification.kind,
                "n": notification.n,
                "guild_id": notification.guild_id,
                "channel_id": notification.channel_id,
                "body": json.dumps(dict(notification.body)),
                "due": notification.due,
                "state": PENDING,
                "attempts": 0,
                "next_attempt_at": notification.due,
                "via": "",
                "sent_to": None,
            }
            statement = self.database.insert(notifications).values(row)
            if reschedule:
                unsent = notifications.c.sent_to.is_(None)
                due = case((unsent, notification.due), else_=notifications.c.due)
                moved = {"state": PENDING, "due": due, "next_attempt_at": notification.due, "body": row["body"]}
                where = (notifications.c.state == VOID) | ((notifications.c.state == PENDING) & unsent)
                statement = statement.on_conflict_do_update(index_elements=["key"], set_=moved, where=where)
            else:
                statement = statement.on_conflict_do_nothing(index_elements=["key"])
            await connection.execute(statement)

    async def add_pinged(self, connection: AsyncConnection, notification: Notification) -> None:
        """Notes that the board in the game's place has pinged a user."""
        await self.add(connection, [notification])
        done = {"state": SENT, "via": "place"}
        await connection.execute(update(notifications).where(notifications.c.key == notification.key).values(done))

    async def void_in(
        self, connection: AsyncConnection, game_id: str, kinds: Sequence[str], kept: Sequence[str] = ()
    ) -> None:
        """Voids a game's notifications that need not be sent any more, but for those with the ``kept`` keys."""
        where = (
            IS_PENDING,
            notifications.c.game_id == game_id,
            notifications.c.kind.in_(kinds),
            notifications.c.key.not_in(kept),
        )
        await connection.execute(update(notifications).where(*where).values(state=VOID))

    async def void_later(
        self, connection: AsyncConnection, user_id: int, kind: str, after: int, kept: str = ""
    ) -> bool:
        """Voids what was to be sent to a user of no single game after a moment, but for the notification ``kept``.

        Gives whether there was any.
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

    async def lease(self, now: int, until: int, limit: int, but: Collection[int] = ()) -> list[Notification]:
        """What is due, for nobody else until ``until``: of each user the first, and nothing of the users ``but``."""
        earlier = notifications.alias("earlier")
        before = tuple_(earlier.c.next_attempt_at, earlier.c.id) < tuple_(
            notifications.c.next_attempt_at, notifications.c.id
        )
        same_user = earlier.c.user_id == notifications.c.user_id
        is_first = ~exists().where(IS_PENDING, same_user, earlier.c.next_attempt_at <= now, before)
        due = select(notifications.c.id).where(IS_PENDING, notifications.c.next_attempt_at <= now, is_first)
        if but:
            due = due.where(notifications.c.user_id.not_in(but))
        due = (
            due.order_by(notifications.c.next_attempt_at, notifications.c.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        statement = (
            update(notifications).where(notifications.c.id.in_(due.scalar_subquery())).values(next_attempt_at=until)
        )
        async with self.database.writing() as connection:
            rows = (await connection.execute(statement.returning(*notifications.c))).all()
        return sorted(map(_notice, rows), key=lambda notification: (notification.due, notification.id))

    async def sending(self, leased: Notification, channel_id: int, until: int) -> bool:
        """Notes where a notification is about to be sent, and leases it until then.

        False if it is not to be sent any more, or is leased by somebody else by now.
        """
        statement = update(notifications).where(*_held(leased)).values(sent_to=channel_id, next_attempt_at=until)
        return await self._changed(statement)

    async def fail(self, leased: Notification, *, doubtful: bool) -> None:
        """Notes that it is not tried any more, and unless ``doubtful`` has arrived nowhere; for who has the lease."""
        reached = {} if doubtful else {"sent_to": None}
        await self._changed(update(notifications).where(*_held(leased)).values(state=FAILED, **reached))

    async def settle(self, notice_id: str, state: str, via: str = "") -> bool:
        """Ends a notification; whether it was still open."""
        opened = or_(notifications.c.state == PENDING, notifications.c.state == FAILED)
        return await self._changed(
            update(notifications).where(opened, notifications.c.id == notice_id).values(state=state, via=via)
        )

    async def retry_at(self, leased: Notification, attempts: int, next_attempt_at: int) -> None:
        """Notes that an attempt failed in a way that may pass; not for who has lost the lease."""
        await self._changed(
            update(notifications).where(*_held(leased)).values(attempts=attempts, next_attempt_at=next_attempt_at)
        )

    async def void_unsent(self, key: str) -> bool:
        """Takes back a notification that cannot have arrived; whether that came in time."""
        where = (
            notifications.c.key == key,
            notifications.c.state.in_((PENDING, FAILED)),
            notifications.c.sent_to.is_(None),
        )
        return await self._changed(update(notifications).where(*where).values(state=VOID))

    async def forget(self, before: int) -> int:
        """Removes what was settled and due before; how many there were."""
        async with self.database.writing() as connection:
            return (
                await connection.execute(delete(notifications).where(IS_DONE, notifications.c.due < before))
            ).rowcount

    async def _changed(self, statement: Any) -> bool:
        async with self.database.writing() as connection:
            return bool((await connection.execute(statement)).rowcount)

    # --- reading -------------------------------------------------------------------------------------------------

    async def states(self, keys: Sequence[str]) -> dict[str, str]:
        """The states of the notifications with these keys, as far as there are any."""
        query = select(notifications.c.key, notifications.c.state).where(notifications.c.key.in_(keys))
        async with self.database.reading() as connection:
            return {row.key: row.state for row in await connection.execute(query)}

    async def next_due(self) -> int | None:
        """When the next notification is to be sent."""
        async with self.database.reading() as connection:
            due: int | None = await connection.scalar(
                select(func.min(notifications.c.next_attempt_at)).where(IS_PENDING)
            )
        return due

    async def failed_of(self, user_id: int) -> list[Notification]:
        """The notifications that could not be sent to a user."""
        query = (
            select(notifications)
            .where(IS_FAILED, notifications.c.user_id == user_id)
            .order_by(notifications.c.due, notifications.c.id)
        )
        async with self.database.reading() as connection:
            return [_notice(row) for row in await connection.execute(query)]


def _held(leased: Notification) -> tuple[ColumnElement[bool] | TextClause, ...]:
    """That a notification is still to be sent, by whoever leased it so."""
    return (IS_PENDING, notifications.c.id == leased.id, notifications.c.next_attempt_at == leased.leased_until)


def _notice(row: Row[Any]) -> Notification:
    return Notification(
        id=row.id,
        user_id=row.user_id,
        kind=row.kind,
        due=row.due,
        game_id=row.game_id,
        seq=row.seq,
        n=row.n,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        body=json.loads(row.body),
        state=row.state,
        attempts=row.attempts,
        via=row.via,
        sent_to=row.sent_to,
        leased_until=row.next_attempt_at,
    )
