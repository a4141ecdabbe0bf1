"""Quotas of challenges per user, counted in the table, so that they hold over all processes."""

from math import ceil

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.challenges.tables import IS_OPEN, challenges
from bot.core.limits.rates import (
    CHALLENGES_IN_SERVER,
    CHALLENGES_OF_PAIR,
    CHALLENGES_OF_USER,
    CHALLENGES_TO_USER,
    OPEN_OF_PAIR,
    Quota,
)
from bot.core.storage.writing.locks import lock_users
from bot.players.machines import is_machine
from engine.core.errors import Refused
from engine.core.hours import MINUTE


async def check_quotas(
    connection: AsyncConnection, *, pair: tuple[int, int | None], guild_id: int | None, now: int
) -> None:
    """Locks both users and counts their challenges, in the transaction that stores a new one. Raises Refused.

    ``pair``: the challenger and the opponent, or None for anyone. ``now``: ms since 1970. Challenges to a machine are
    not limited.
    """
    challenger, opponent = pair[0], None if is_machine(pair[1]) else pair[1]
    made, sent = challenges.c.challenger == challenger, challenges.c.opponent == opponent
    named = opponent is not None
    await lock_users(connection, {user for user in (challenger, opponent) if user is not None})
    if named:
        unanswered = (IS_OPEN, made, sent, challenges.c.expires > now)
        count = await connection.scalar(select(func.count()).select_from(challenges).where(*unanswered)) or 0
        if count >= OPEN_OF_PAIR:
            raise Refused("challenge.quota.open", n=count)
    quotas: tuple[tuple[str, Quota, bool, ColumnElement[bool]], ...] = (
        ("pair", CHALLENGES_OF_PAIR, named, made & sent),
        ("user", CHALLENGES_OF_USER, True, made),
        ("opponent", CHALLENGES_TO_USER, named, sent),
        ("server", CHALLENGES_IN_SERVER, guild_id is not None, challenges.c.guild_id == guild_id),
    )
    for name, quota, applies, theirs in quotas:
        if applies and (wait := await _wait(connection, quota, theirs, now)):
            raise Refused(f"challenge.quota.{name}", n=ceil(wait / MINUTE))


async def _wait(connection: AsyncConnection, quota: Quota, theirs: ColumnElement[bool], now: int) -> int:
    """Returns the ms until there is room for one more of these challenges; 0 if there is now."""
    recent = challenges.c.created > now - quota.period
    query = select(func.count(), func.min(challenges.c.created)).where(theirs, recent)
    count, oldest = (await connection.execute(query)).one()
    return 0 if count < quota.most else max(1, oldest + quota.period - now)
