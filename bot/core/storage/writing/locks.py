"""Locks users until a transaction ends."""

from collections.abc import Iterable

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection


async def lock_user(connection: AsyncConnection, user_id: int) -> None:
    """Locks a user until the transaction ends, waiting if needed. SQLite needs no lock: it has one writer at a time."""
    await lock_users(connection, (user_id,))


async def lock_users(connection: AsyncConnection, user_ids: Iterable[int]) -> None:
    """Locks several users, always in the same order, so that no two transactions wait for each other.

    The order of locks is games, matches, users, tournaments. A transaction that locks one player of a game and may lock
    both later must lock both at once.

    Two kinds lock users earlier. ``GameCommit`` locks the players of a loss on time, and ``OfferQuotas`` the players of
    an offer, before the match. No transaction can hold the match and wait for them: to lock a match and more, it has
    to lock the running game first, which is this one. ``DeletionRepository`` locks its user before rows of games and
    matches. It has found that none of these games runs, and a transaction on a finished game locks no players. If a
    game begins in between, the deletion starts again. If the two wait for each other, PostgreSQL ends one of them after
    a second, and nothing of it is stored.
    """
    if connection.dialect.name == "postgresql" and (in_order := sorted(user_ids)):
        locks = (func.pg_advisory_xact_lock(user_id) for user_id in in_order)
        await connection.execute(select(*locks))
