"""Locks that a transaction holds until it ends."""

from collections.abc import Iterable

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection


async def lock_user(connection: AsyncConnection, user_id: int) -> None:
    """Locks a user until the transaction ends, waiting if needed. SQLite needs no lock: it has one writer at a time."""
    await lock_users(connection, (user_id,))


async def lock_users(connection: AsyncConnection, user_ids: Iterable[int]) -> None:
    """Locks several users, always in the same order, so that no two transactions wait for each other.

    The order of locks is games, matches, users, tournaments. One that locks one player of a game and may lock both
    later must lock both at once.

    Two kinds lock users earlier. ``GameCommit`` locks the players of a loss on time, and ``OfferQuotas`` those of an
    offer, before the match: nobody else can hold that and wait for them, since whoever locks a match and more has
    locked its running game first, which is this one. ``DeletionRepository`` locks its user before rows of games and
    matches: it has found that none of these games runs, and nobody who has locked a game that is over locks its
    players. A game that begins in between makes it start again; should the two wait for each other, PostgreSQL ends one
    of them after a second, and nothing of it is stored.
    """
    if connection.dialect.name == "postgresql" and (in_order := sorted(user_ids)):
        locks = (func.pg_advisory_xact_lock(user_id) for user_id in in_order)
        await connection.execute(select(*locks))
