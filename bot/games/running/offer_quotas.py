"""Limits a user's offers over all their games. They are counted in the records, so the limit holds over all processes.

Each game limits them as well (``actions.check_pace``). This limit is for players with many games against one person.
"""

from math import ceil
from typing import Final

from sqlalchemy import BigInteger, bindparam, case, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.limits.rates import OFFERS_OF_PAIR, OFFERS_OF_USER, Quota
from bot.core.storage.writing.locks import lock_users
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.games.tables import IS_RUNNING, entries, games
from engine.core.errors import Refused
from engine.core.hours import MINUTE
from engine.core.record import Entry, Kind

ASKS: Final = (Kind.OFFER, Kind.ASK_RESUME)
"""The kinds of entries that ask the opponent for something. A double does not count, as it is a turn."""
USER: Final = bindparam("user_id", type_=BigInteger)
SINCE: Final = bindparam("since", type_=BigInteger)
AT: Final = games.c.started + entries.c.at
ASKED: Final = (
    select(AT, games.c.seat0, games.c.seat1)
    .join_from(games, entries)
    .where(
        IS_RUNNING,  # a finished game pings nobody again, and the next one needs both players
        or_(games.c.seat0 == USER, games.c.seat1 == USER),
        games.c.last_entry_at > SINCE,
        entries.c.seat == case((games.c.seat0 == USER, 0), else_=1),
        entries.c.kind.in_([kind.value for kind in ASKS]),
        AT > SINCE,
    )
    .order_by(AT.desc())
)
"""The requests of a user in running games: their times, the latest first, and both players."""


class OfferQuotas(GameHook):
    """Refuses offers over the quota, if they are ``limited``.

    Offers to a machine, and its own, ping nobody and do not count.
    """

    def __init__(self, *, limited: bool) -> None:
        self._limited = limited

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        """Raises Refused if the offer is over the quota. Nothing of it is stored then."""
        if self._limited and before is not None and not after.has_machine:
            for entry in after.entries[before.seq :]:
                if entry.kind in ASKS:
                    await check_quotas(connection, after, entry)


async def check_quotas(connection: AsyncConnection, live: LiveGame, offer: Entry) -> None:
    """Locks both players and counts their offers, in the transaction that stores this one. Raises Refused."""
    await lock_users(connection, live.players)
    user_id, opponent = live.players[offer.seat], live.players[1 - offer.seat]
    now = live.started + offer.at
    since = now - max(OFFERS_OF_PAIR.period, OFFERS_OF_USER.period)
    asked = (await connection.execute(ASKED, {"user_id": user_id, "since": since})).all()
    _check("pair", OFFERS_OF_PAIR, [at for at, *players in asked if opponent in players], now)
    _check("user", OFFERS_OF_USER, [at for at, *_ in asked], now)


def _check(name: str, quota: Quota, times: list[int], now: int) -> None:
    """Raises Refused if the offers exceed the quota. ``times``: those of all offers with the new one, the
    latest first.
    """
    if len(times) > quota.most and (wait := times[quota.most] + quota.period - now) > 0:
        raise Refused(f"table.quota.{name}", n=ceil(wait / MINUTE))
