"""Digests: their due times, and the notices of other rooms that are kept for them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import after_commit
from bot.notifications.model import DIGEST, Notification
from bot.notifications.quiet_hours import quiet_until
from bot.notifications.repository import NotificationRepository
from bot.players.service import PreferenceService
from bot.players.zones import at_hour
from engine.core.hours import DAY, MINUTE

PINGS: Final = "pings"
DIGEST_PREFERENCES: Final = ("zone", "digest_hour", "quiet")
"""The preferences that decide when a digest is due."""
NOTICES: Final = "notices"
"""The key, in the body of a digest that may have arrived, of the ids of its notices."""
MOST_NOTICES: Final = 25
"""The most notices that are considered for a digest."""


class Digests:
    """``now`` returns ms since 1970; ``wake`` wakes the dispatcher."""

    def __init__(
        self,
        store: NotificationRepository,
        preferences: PreferenceService,
        now: Callable[[], int],
        new_id: Callable[[], str],
        wake: Callable[[], None],
    ) -> None:
        self._store = store
        self._preferences = preferences
        self._now = now
        self._new_id = new_id
        self._wake = wake

    async def schedule(self, connection: AsyncConnection, user_id: int, preferences: Mapping[str, str]) -> None:
        """Schedules the user's next digest, and voids any that was planned for later. Its key contains the minute at
        which it is due.

        A digest that is already due stays and is still sent.
        """
        now = self._now()
        due = _due(preferences, now)
        digest = Notification(self._new_id(), user_id, DIGEST, due, seq=due // MINUTE)
        await self._store.void_later(connection, user_id, DIGEST, now, digest.key)
        await self._store.add(connection, [digest], reschedule=True)
        after_commit(connection, self._wake)

    async def on_preference_change(self, user_id: int, key: str) -> None:
        """Moves a scheduled digest to the user's new time after a change of a preference.

        A user who wants no more digests is sent the notices that were kept for the next one.
        """
        if key == PINGS and (await self._preferences.of_user(user_id))[PINGS] != DIGEST:
            await self._release(user_id)
        if key not in DIGEST_PREFERENCES:
            return
        async with self._store.database.writing() as connection:
            if await self._store.void_later(connection, user_id, DIGEST, self._now()):
                await self.schedule(connection, user_id, await self._preferences.of_user(user_id, connection))

    async def is_wanted(self, digest: Notification, *, waiting: bool) -> bool:
        """Returns whether the user still wants this digest. If so, and something is ``waiting``, the next digest is
        scheduled.

        A digest at an hour that the user no longer wants is dropped: it was scheduled by a process that did not know
        the change yet.
        """
        preferences = await self._preferences.of_user(digest.user_id)
        if preferences[PINGS] != DIGEST:
            await self._release(digest.user_id)
            return False
        if not waiting:
            return False
        async with self._store.database.writing() as connection:
            if not await self._store.is_stored(connection, digest.id):  # the user has had their data deleted
                return False
            await self.schedule(connection, digest.user_id, preferences)
        return _due(preferences, digest.due - 1) == digest.due

    async def keep(self, notice: Notification) -> bool:
        """Keeps a leased notice for the user's next digest. Returns False, and does nothing, if they want
        no digests.
        """
        preferences = await self._preferences.of_user(notice.user_id)
        if preferences[PINGS] != DIGEST:
            return False
        async with self._store.database.writing() as connection:
            if await self._store.keep_for_digest(connection, notice):
                await self.schedule(connection, notice.user_id, preferences)
        return True

    async def notices(self, user_id: int) -> list[Notification]:
        """Returns the notices that are kept for the user's next digest, the oldest first."""
        return await self._store.kept_for_digest(user_id, MOST_NOTICES)

    async def _release(self, user_id: int) -> None:
        if await self._store.release(user_id, self._now()):
            self._wake()


def ids_in(digest: Notification) -> Sequence[Any]:
    """Returns the ids of the notices in a digest that may have arrived."""
    found: Sequence[Any] = digest.body.get(NOTICES, ())
    return found


def _due(preferences: Mapping[str, str], after: int) -> int:
    """Returns the moment of the first digest after ``after``: at the chosen hour, or at the end of quiet hours around
    it.
    """
    hour = after - DAY
    while True:
        hour = at_hour(preferences["zone"], int(preferences["digest_hour"]), hour)
        due = quiet_until(preferences, hour) or hour
        if due > after:
            return due
