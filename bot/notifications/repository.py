"""The outbox: what users have still to be told, each thing once. Times in ms since 1970.

A notice is ``pending`` until it is ``sent``, ``failed`` (it is told when the user is here, or by something else that
takes it back) or ``void`` (there is no reason for it, or something else tells it). Each of them may have arrived if it
has ``sent_to``: then it is never sent before it was looked for there, and nothing else tells it in its place.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, TextClause, case, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.database import Database
from bot.core.tables import IS_DONE, IS_FAILED, IS_PENDING, notices

PENDING: Final = "pending"
SENT: Final = "sent"
FAILED: Final = "failed"
VOID: Final = "void"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell one user. What is alike in ``key`` is told once."""

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
    """Of what was leased: by it the lease is known, as no two of a notice end at once."""

    @property
    def key(self) -> str:
        return key_of(self.user_id, self.game_id, self.seq, self.kind, self.n)


def key_of(user_id: int, game_id: str | None, seq: int, kind: str, n: int = 0) -> str:
    return f"{user_id}:{game_id or '-'}:{seq}:{kind}:{n}"


class NoticeStore:
    """A method that takes a connection works inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # --- writing -------------------------------------------------------------------------------------------------

    async def add(self, connection: AsyncConnection, added: Iterable[Notice], *, again: bool = False) -> None:
        """New notices; what is known already is left alone.

        ``again``: but what has not been begun is moved, and what was taken back is revived; if it may have arrived, it
        keeps the moment since which it is looked for.
        """
        for notice in added:
            row = {
                "id": notice.id,
                "key": notice.key,
                "user_id": notice.user_id,
                "game_id": notice.game_id,
                "seq": notice.seq,
                "kind": notice.kind,
                "n": notice.n,
                "guild_id": notice.guild_id,
                "channel_id": notice.channel_id,
                "body": json.dumps(dict(notice.body)),
                "due": notice.due,
                "state": PENDING,
                "attempts": 0,
                "try_at": notice.due,
                "via": "",
                "sent_to": None,
            }
            statement = self.database.insert(notices).values(row)
            if again:
                unsent = notices.c.sent_to.is_(None)
                due = case((unsent, notice.due), else_=notices.c.due)
                moved = {"state": PENDING, "due": due, "try_at": notice.due, "body": row["body"]}
                where = (notices.c.state == VOID) | ((notices.c.state == PENDING) & unsent)
                statement = statement.on_conflict_do_update(index_elements=["key"], set_=moved, where=where)
            else:
                statement = statement.on_conflict_do_nothing(index_elements=["key"])
            await connection.execute(statement)

    async def called(self, connection: AsyncConnection, notice: Notice) -> None:
        """Notes that a user has been told by the board in the game's place."""
        await self.add(connection, [notice])
        done = {"state": SENT, "via": "place"}
        await connection.execute(update(notices).where(notices.c.key == notice.key).values(done))

    async def void_in(
        self, connection: AsyncConnection, game_id: str, kinds: Sequence[str], kept: Sequence[str] = ()
    ) -> None:
        """What a game's players need not be told any more, but for the notices with the ``kept`` keys."""
        where = (IS_PENDING, notices.c.game_id == game_id, notices.c.kind.in_(kinds), notices.c.key.not_in(kept))
        await connection.execute(update(notices).where(*where).values(state=VOID))

    async def void_later(
        self, connection: AsyncConnection, user_id: int, kind: str, after: int, kept: str = ""
    ) -> bool:
        """Takes back what a user was to be told of no single game after a moment, but for the notice ``kept``.

        Gives whether there was any.
        """
        of_no_game = notices.c.game_id.is_(None)  # few are: their part of the index is short
        where = (IS_PENDING, of_no_game, notices.c.user_id == user_id, notices.c.kind == kind, notices.c.key != kept)
        later = (notices.c.due > after, notices.c.sent_to.is_(None))
        return bool((await connection.execute(update(notices).where(*where, *later).values(state=VOID))).rowcount)

    async def lease(self, now: int, until: int, limit: int) -> list[Notice]:
        """What is due, for nobody else until ``until``."""
        due = select(notices.c.id).where(IS_PENDING, notices.c.try_at <= now)
        due = due.order_by(notices.c.try_at, notices.c.id).limit(limit).with_for_update(skip_locked=True)
        statement = update(notices).where(notices.c.id.in_(due.scalar_subquery())).values(try_at=until)
        async with self.database.writing() as connection:
            rows = (await connection.execute(statement.returning(*notices.c))).all()
        return sorted(map(_notice, rows), key=lambda notice: (notice.due, notice.id))

    async def sending(self, leased: Notice, channel_id: int, until: int) -> bool:
        """Notes where a notice is about to be sent, and leases it until then.

        False if it is not to be sent any more, or is leased by somebody else by now.
        """
        statement = update(notices).where(*_held(leased)).values(sent_to=channel_id, try_at=until)
        return await self._changed(statement)

    async def fail(self, leased: Notice, *, doubtful: bool) -> None:
        """Notes that it is not tried any more, and unless ``doubtful`` has arrived nowhere; for who has the lease."""
        reached = {} if doubtful else {"sent_to": None}
        await self._changed(update(notices).where(*_held(leased)).values(state=FAILED, **reached))

    async def settle(self, notice_id: str, state: str, via: str = "") -> bool:
        """Ends a notice; whether it was still open."""
        opened = or_(notices.c.state == PENDING, notices.c.state == FAILED)
        return await self._changed(
            update(notices).where(opened, notices.c.id == notice_id).values(state=state, via=via)
        )

    async def again(self, leased: Notice, attempts: int, try_at: int) -> None:
        """Notes that an attempt failed in a way that may pass; not for who has lost the lease."""
        await self._changed(update(notices).where(*_held(leased)).values(attempts=attempts, try_at=try_at))

    async def void_unsent(self, key: str) -> bool:
        """Takes back a notice that cannot have arrived; whether that came in time."""
        where = (notices.c.key == key, notices.c.state.in_((PENDING, FAILED)), notices.c.sent_to.is_(None))
        return await self._changed(update(notices).where(*where).values(state=VOID))

    async def forget(self, before: int) -> int:
        """Removes what was settled and due before; how many there were."""
        async with self.database.writing() as connection:
            return (await connection.execute(delete(notices).where(IS_DONE, notices.c.due < before))).rowcount

    async def _changed(self, statement: Any) -> bool:
        async with self.database.writing() as connection:
            return bool((await connection.execute(statement)).rowcount)

    # --- reading -------------------------------------------------------------------------------------------------

    async def states(self, keys: Sequence[str]) -> dict[str, str]:
        """The states of the notices with these keys, as far as there are any."""
        query = select(notices.c.key, notices.c.state).where(notices.c.key.in_(keys))
        async with self.database.reading() as connection:
            return {row.key: row.state for row in await connection.execute(query)}

    async def next_due(self) -> int | None:
        """When the next notice is to be sent."""
        async with self.database.reading() as connection:
            due: int | None = await connection.scalar(select(func.min(notices.c.try_at)).where(IS_PENDING))
        return due

    async def failed_of(self, user_id: int) -> list[Notice]:
        """What could not be brought to a user."""
        query = select(notices).where(IS_FAILED, notices.c.user_id == user_id).order_by(notices.c.due, notices.c.id)
        async with self.database.reading() as connection:
            return [_notice(row) for row in await connection.execute(query)]


def _held(leased: Notice) -> tuple[ColumnElement[bool] | TextClause, ...]:
    """That a notice is still to be sent, by whoever leased it so."""
    return (IS_PENDING, notices.c.id == leased.id, notices.c.try_at == leased.leased_until)


def _notice(row: Row[Any]) -> Notice:
    return Notice(
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
        leased_until=row.try_at,
    )
