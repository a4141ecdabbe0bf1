"""Challenges in the database. The status of a challenge changes only once, and only while it is open."""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeAlias

from sqlalchemy import ColumnElement, Row, TextClause, and_, case, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.challenges.tables import (
    CANCELLED,
    DECLINED,
    EXPIRED,
    IS_CLOSED,
    IS_OPEN,
    NOT_POSTED,
    NOT_SHOWN,
    ONE_REMATCH,
    OPEN,
    challenges,
)
from bot.core.storage.database import Database, violated
from bot.core.storage.faults.damage import readable
from bot.core.storage.rows import from_row, to_row
from bot.games.stored import Place
from bot.games.tables import games
from bot.players.tables import SERVER, preferences
from engine.core.chance import promise
from engine.core.errors import Refused
from engine.core.game import OptionValue
from engine.core.hours import DAY
from engine.match.match import Terms


@dataclass(frozen=True, slots=True)
class Challenge:
    """An invitation to play. Times are in ms since 1970. ``opponent`` None: anyone may accept."""

    id: str
    place: Place
    message_id: int | None
    challenger: int
    opponent: int | None
    game: str
    options: dict[str, OptionValue]
    locale: str
    created: int
    expires: int
    status: str
    """``open``, ``accepted``, ``declined``, ``cancelled`` or ``expired``."""
    game_id: str | None
    answered_by: int | None
    secret: str = field(repr=False)
    """The secrets of the game's rolls (``Luck.secret``); only services may read them."""
    first: int | None = None
    """The user in the first seat. None: ``seat`` decides, or the coin."""
    seat: int | None = None
    """The challenger's seat, if the challenger has chosen it."""
    rematch_of: str | None = None
    """The finished game that this one follows."""
    clock: str = ""
    """The game's time control (``TimeControl``); empty for none."""
    timeout_policy: str = ""
    """The consequence when time is up (``Header.timeout_policy``); only with a clock."""
    points: int = 0
    """The points of the match; 0 if it is not a match to points."""
    best_of: int = 1
    """The most games of a series; 1 if it is not a series."""
    bank: str = "game"
    """Whether the clock's bank is for each ``game`` or for the whole ``match``."""
    rated: bool = False
    rating_low: int | None = None
    """The lowest rating that may accept; None for any. ``rating_high``: the highest."""
    rating_high: int | None = None
    attempts: int = 0
    """The failures in a row to edit its message, or to search for it."""

    @property
    def terms(self) -> Terms:
        return Terms(self.points, self.best_of, self.bank)

    @property
    def commitment(self) -> str:
        """The commitment to the secrets of all rolls."""
        return promise(self.secret)

    def still_open(self, now: int) -> Self:
        """Returns this challenge. Raises Refused if it is closed, or expired at ``now``."""
        if self.status == EXPIRED or (self.status == OPEN and self.expires <= now):
            raise Refused("challenge.expired")
        if self.status != OPEN:
            raise Refused("challenge.closed")
        return self


Also: TypeAlias = Callable[[AsyncConnection], Awaitable[None]]

POSTING_MS: Final = 100_000
"""How long after its post a challenge's message is searched for in the channel: longer than any answer takes
(``LONGEST_WORK``).
"""
NOT_FOUND: Final = and_(challenges.c.message_id.is_(None), challenges.c.attempts > 0)
"""Challenges without a known message: the search in the channel failed, or the bot may not read there."""
CLOSING_MS: Final = 7 * DAY
"""How long after the expiry of a challenge failed edits of its message are tried again. Its buttons are
refused anyway.
"""


class NotSeated(Exception):
    """The opponent of the earlier game has just had their data deleted. Nothing was written."""


class RematchOpen(Exception):
    """The game has an open challenge for a rematch already. Nothing was written."""


class AlreadyPosted(Exception):
    """The challenge exists already. Nothing was written."""


class ChallengeRepository:
    """Reads and writes challenges. Methods that take a connection work inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(
        self,
        challenge: Challenge,
        also: Also | None = None,
        before: Also | None = None,
        replaced: Challenge | None = None,
    ) -> None:
        """Stores a new challenge; ``before`` checks, and ``also`` writes, in the same transaction.

        The challenge that is ``replaced`` is cancelled first, and the new one takes over its message. Until that is
        edited, ``unshown`` lists the new challenge. Raises Refused if the replaced one is not open, AlreadyPosted if
        there is a challenge with this id, and RematchOpen if the game has an open rematch challenge already.
        """
        row = to_row(
            challenge,
            "place",
            "attempts",
            guild_id=challenge.place.guild_id,
            channel_id=challenge.place.channel_id,
            options=json.dumps(challenge.options),
            closed_shown=False,
        )
        # an earlier one that has expired without a mark, or was not found, does not block it
        due = challenges.c.expires <= challenge.created
        idle = (IS_OPEN, challenges.c.rematch_of == challenge.rematch_of, or_(due, NOT_FOUND))
        try:
            async with self.database.writing() as connection:
                if replaced is not None:
                    await self._replace(connection, replaced, challenge)
                if before is not None:
                    await before(connection)
                if challenge.rematch_of is not None:
                    await _check_seats(connection, challenge)
                    await connection.execute(update(challenges).where(*idle).values(status=EXPIRED))
                await connection.execute(insert(challenges).values(row))
                if also is not None:
                    await also(connection)
        except IntegrityError as error:
            if violated(error) == ONE_REMATCH:
                raise RematchOpen from error
            if violated(error) != str(challenges.primary_key.name):
                raise
            if not await self._drop_lost(challenge):
                raise AlreadyPosted from error
            await self.add(challenge, also, before, replaced)

    async def _replace(self, connection: AsyncConnection, replaced: Challenge, by: Challenge) -> None:
        if not await self.close(connection, replaced.id, by.created, CANCELLED, by.challenger):
            raise Refused("challenge.closed")
        later = update(challenges).where(challenges.c.id == replaced.id)
        await connection.execute(later.values(next_attempt_at=by.created + POSTING_MS))

    async def replacing(self, challenge: Challenge) -> Challenge | None:
        """Returns the latest challenge that took over this challenge's message; None if it was not changed."""
        if challenge.message_id is None or challenge.status != CANCELLED:
            return None
        theirs = (challenges.c.challenger == challenge.challenger, challenges.c.created >= challenge.created)
        later = (challenges.c.message_id == challenge.message_id, challenges.c.id != challenge.id)
        found = await self._list(*theirs, *later)
        return max(found, key=lambda one: one.created, default=None)

    async def _drop_lost(self, challenge: Challenge) -> bool:
        """Deletes an earlier attempt at this challenge whose message was not found. Returns whether there was one."""
        same = (challenges.c.id == challenge.id, challenges.c.challenger == challenge.challenger)
        given_up = and_(challenges.c.message_id.is_(None), challenges.c.closed_shown)
        async with self.database.writing() as connection:
            lost = delete(challenges).where(*same, or_(given_up, NOT_FOUND))
            return bool((await connection.execute(lost)).rowcount)

    async def posted(self, challenge_id: str, message_id: int) -> None:
        """Stores the message of the challenge, unless one is stored. It still has its buttons."""
        statement = update(challenges).where(challenges.c.id == challenge_id, challenges.c.message_id.is_(None))
        async with self.database.writing() as connection:
            values = {"message_id": message_id, "closed_shown": False, "attempts": 0, "next_attempt_at": 0}
            await connection.execute(statement.values(values))

    async def unposted(self, now: int, limit: int) -> list[Challenge]:
        """Returns at most ``limit`` challenges whose message should be stored by now and is not, if a search is due."""
        late = challenges.c.created <= now - POSTING_MS
        return await self._list(NOT_POSTED, late, challenges.c.next_attempt_at <= now, limit=limit)

    async def give_up(self, challenge_id: str) -> None:
        lost = (challenges.c.id == challenge_id, challenges.c.message_id.is_(None))
        status = case((challenges.c.status == OPEN, EXPIRED), else_=challenges.c.status)
        async with self.database.writing() as connection:
            await connection.execute(update(challenges).where(*lost).values(closed_shown=True, status=status))

    async def closing_shown(self, challenge_id: str) -> None:
        await self._set(challenge_id, closed_shown=True)

    async def reserve(self, challenge_id: str, user_id: int, now: int, until: int) -> bool:
        """Reserves an open challenge for a user until ``until``, and delays its expiry to then.
        Returns whether it was free.
        """
        still_open = (challenges.c.id == challenge_id, challenges.c.status == OPEN, challenges.c.expires > now)
        expires = case((challenges.c.expires < until, until), else_=challenges.c.expires)
        values = {"reserved_by": user_id, "reserved_until": until, "expires": expires}
        statement = update(challenges).where(*still_open, _free_for(user_id, now)).values(values)
        async with self.database.writing() as connection:
            return (await connection.execute(statement)).rowcount == 1

    async def failed(self, challenge_id: str, attempts: int, next_attempt_at: int) -> None:
        """Stores that editing or searching for its message has failed, ``attempts`` times in a row."""
        await self._set(challenge_id, attempts=attempts, next_attempt_at=next_attempt_at)

    async def close(
        self,
        connection: AsyncConnection,
        challenge_id: str,
        now: int,
        status: str,
        user_id: int,
        game_id: str | None = None,
    ) -> bool:
        """Closes an open challenge that has not expired.
        Returns False if it is closed, expired, or reserved for another user.
        """
        free = _free_for(user_id, now)
        unanswered = (challenges.c.id == challenge_id, challenges.c.status == OPEN, challenges.c.expires > now, free)
        values = {"status": status, "answered_by": user_id, "game_id": game_id}
        result = await connection.execute(update(challenges).where(*unanswered).values(values))
        return result.rowcount == 1

    async def expire(self, now: int, limit: int) -> bool:
        """Expires up to ``limit`` challenges that are due, and gives up as many messages that have failed for too long.

        Returns whether more of either may be left.
        """
        due = (IS_OPEN, challenges.c.expires <= now)
        tried = or_(challenges.c.attempts > 0, challenges.c.message_id.is_(None))
        hopeless = (NOT_SHOWN, challenges.c.expires <= now - CLOSING_MS, tried)
        changes = ((due, {"status": EXPIRED}), (hopeless, {"closed_shown": True}))
        counts = []
        async with self.database.writing() as connection:
            for where, values in changes:
                few = select(challenges.c.id).where(*where).limit(limit).with_for_update(skip_locked=True)
                once = select(few.cte("due").c.id)  # see GameRepository.lease
                statement = update(challenges).where(challenges.c.id.in_(once)).values(values)
                changed = await connection.execute(statement.returning(challenges.c.id))  # no rowcount after WITH
                counts.append(len(changed.all()))
        return limit in counts

    async def close_all_of(self, user_id: int) -> int:
        ends = ((challenges.c.challenger == user_id, CANCELLED), (challenges.c.opponent == user_id, DECLINED))
        closed = 0
        async with self.database.writing() as connection:
            for theirs, status in ends:
                statement = update(challenges).where(IS_OPEN, theirs).values(status=status, answered_by=user_id)
                closed += (await connection.execute(statement)).rowcount
            reserved = update(challenges).where(IS_OPEN, challenges.c.reserved_by == user_id)
            await connection.execute(reserved.values(reserved_by=None, reserved_until=0))
        return closed

    async def forget(self, before: int, limit: int) -> int:
        """Deletes up to ``limit`` closed challenges that expired before ``before``. Returns their number."""
        old = select(challenges.c.id).where(IS_CLOSED, challenges.c.expires < before).limit(limit)
        async with self.database.writing() as connection:
            statement = delete(challenges).where(challenges.c.id.in_(old.scalar_subquery()))
            return (await connection.execute(statement)).rowcount

    async def get(self, challenge_id: str) -> Challenge | None:
        found = await self._list(challenges.c.id == challenge_id)
        return found[0] if found else None

    async def open_rematch(self, game_id: str) -> Challenge | None:
        found = await self._list(IS_OPEN, challenges.c.rematch_of == game_id)
        return found[0] if found else None

    async def open_of(self, user_id: int) -> int:
        theirs = (challenges.c.challenger == user_id) | (challenges.c.opponent == user_id)
        return (
            await self.database.fetch(select(func.count()).select_from(challenges).where(IS_OPEN, theirs))
        ).scalar() or 0

    async def pending_of(self, user_id: int, now: int) -> list[Challenge]:
        """Returns the open challenges that the user has made or was sent, if their message was posted,
        by their expiry.
        """
        theirs = (challenges.c.challenger == user_id) | (challenges.c.opponent == user_id)
        return await self._list(IS_OPEN, theirs, challenges.c.message_id.is_not(None), challenges.c.expires > now)

    async def seeks(self, now: int, setting: str) -> list[Challenge]:
        """Returns the challenges to anyone that have a known message and no reservation, ordered by expiry.

        Only servers that have chosen a value of ``setting`` count.
        """
        chosen = select(preferences.c.id).where(preferences.c.scope == SERVER, preferences.c.key == setting)
        free = (challenges.c.message_id.is_not(None), challenges.c.expires > now, challenges.c.reserved_until <= now)
        return await self._list(IS_OPEN, challenges.c.opponent.is_(None), challenges.c.guild_id.in_(chosen), *free)

    async def next_expiry(self) -> int | None:
        query = select(func.min(challenges.c.expires)).where(IS_OPEN)
        due: int | None = (await self.database.fetch(query)).scalar()
        return due

    async def unshown(self, now: int, limit: int) -> list[Challenge]:
        """Returns at most ``limit`` closed challenges whose message does not show that, if the next attempt is due."""
        posted = challenges.c.message_id.is_not(None)
        return await self._list(NOT_SHOWN, posted, challenges.c.next_attempt_at <= now, limit=limit)

    async def _list(self, *where: ColumnElement[bool] | TextClause, limit: int | None = None) -> list[Challenge]:
        query = select(challenges).where(*where).order_by(challenges.c.expires, challenges.c.id).limit(limit)
        rows: Sequence[Row[Any]] = (await self.database.fetch(query)).all()
        return readable("challenge", rows, _challenge)

    async def _set(self, challenge_id: str, **values: Any) -> None:
        async with self.database.writing() as connection:
            await connection.execute(update(challenges).where(challenges.c.id == challenge_id).values(values))


async def _check_seats(connection: AsyncConnection, challenge: Challenge) -> None:
    """Locks the earlier game of a rematch. Raises NotSeated if the two are no longer its players."""
    seats = select(games.c.seat0, games.c.seat1).where(games.c.id == challenge.rematch_of).with_for_update(read=True)
    row = (await connection.execute(seats)).one_or_none()
    if row is not None and {row.seat0, row.seat1} != {challenge.challenger, challenge.opponent}:
        raise NotSeated


def _free_for(user_id: int, now: int) -> ColumnElement[bool]:
    """Returns the condition that the challenge is not reserved for another user."""
    return (challenges.c.reserved_until <= now) | (challenges.c.reserved_by == user_id)


def _challenge(row: Row[Any]) -> Challenge:
    place = Place(row.guild_id, row.channel_id)
    return from_row(Challenge, row, place=place, options=json.loads(row.options))
