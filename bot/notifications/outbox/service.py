"""The outbox: notifications that wait to be sent, each leased to one process at a time."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.core.workers import backoff
from bot.games.live import LiveGame
from bot.notifications.digests.service import NOTICES, Digests, ids_in
from bot.notifications.model import DIGEST, REMINDER, SENT, VOID, NoticeKind, Notification
from bot.notifications.of_games import is_current
from bot.notifications.quiet_hours import REMINDER_CHOICES, WARNED, quiet_until
from bot.notifications.repository import NotificationRepository
from bot.players.service import PreferenceService

LEASE_MS: Final = 60_000
"""The time in which a process has to send a notification that it has leased. After that another process may send it."""
UNDELIVERED: Final = 25
"""The most undelivered notifications that are shown at once."""
SENDING_MS: Final = LEASE_MS // 2
"""The longest time of an attempt: less than its lease."""
BATCH: Final = 20
MOST_ATTEMPTS: Final = 12
"""The attempts to send a notification. After them the user reads it beside the answer to their next command."""


class Outbox:
    """``now`` returns ms since 1970. ``kinds`` are those of ``NotificationService``."""

    def __init__(
        self,
        store: NotificationRepository,
        preferences: PreferenceService,
        now: Callable[[], int],
        digests: Digests,
        kinds: Mapping[str, NoticeKind],
    ) -> None:
        self.store = store
        self.preferences = preferences
        self.now = now
        self.digests = digests
        self.kinds = kinds

    async def due(self, limit: int = BATCH, excluded_users: Collection[int] = ()) -> list[Notification]:
        """Leases due notifications to this process: the first one of each user, except for ``excluded_users``.

        The next notification of a user is leased when the first one is done, so that no lease ends while another
        notification is being sent.
        """
        now, first = self.now(), await self.store.next_due()
        if first is None or first > now:
            return []
        return await self.store.lease(now, now + LEASE_MS, limit, excluded_users)

    async def next_due(self) -> int | None:
        """Returns the moment at which the next notification is due, in ms since 1970; None if there is none."""
        return await self.store.next_due()

    def is_current(self, notification: Notification, live: LiveGame) -> bool:
        """Returns whether a notification about a game still has a reason."""
        return is_current(notification, live, self.now())

    async def is_enabled(self, notification: Notification) -> bool:
        """Returns whether the user's preferences still ask for it."""
        if notification.kind != REMINDER:
            return True
        wanted = REMINDER_CHOICES[(await self.preferences.of_user(notification.user_id))["reminders"]]
        return bool(wanted) if notification.n in WARNED else notification.n in wanted

    async def digest_wanted(self, digest: Notification, *, waiting: bool) -> bool:
        """Returns whether the user still wants this digest: see ``Digests.is_wanted``."""
        return await self.digests.is_wanted(digest, waiting=waiting)

    async def put_off(self, notification: Notification) -> bool:
        """Postpones a leased notification that is not urgent. Returns whether it is postponed.

        A notice of another room is kept for the user's digest. Others wait for the end of quiet hours.
        """
        kind = self.kinds.get(notification.kind)
        if kind is not None and kind.in_digest and await self.digests.keep(notification):
            return True
        if notification.kind == DIGEST:
            return False
        end = quiet_until(await self.preferences.of_user(notification.user_id), self.now())
        if end is not None:
            await self.store.retry_at(notification, notification.attempts, end)
        return end is not None

    async def sending(
        self, notification: Notification, channel_id: int, notices: Sequence[str] = ()
    ) -> Notification | None:
        """Stores the channel to which the notification is about to be sent, and renews the lease for LEASE_MS, twice
        SENDING_MS.

        ``notices``: the ids of the notices in a digest; they are sent or fail with it. Returns None if it must not be
        sent any more, or if another process has leased it since.
        """
        until = max(self.now() + LEASE_MS, notification.leased_until + 1)
        body = {**notification.body, NOTICES: list(notices)} if notification.kind == DIGEST else notification.body
        if not await self.store.sending(notification, channel_id, until, body):
            return None
        return replace(notification, sent_to=channel_id, leased_until=until, body=body)

    async def sent(self, notification: Notification, via: str) -> None:
        await self.store.settle(notification.id, SENT, via, ids_in(notification))

    async def void(self, notification: Notification) -> None:
        await self.store.settle(notification.id, VOID)

    async def failed(self, notification: Notification, *, doubtful: bool = False) -> None:
        """Stores that it cannot be sent. The user reads it with their next command, unless a board pings them before.

        ``doubtful``: it may have arrived, but the bot cannot read the history. Then no board pings instead.
        """
        await self.store.fail(notification, doubtful=doubtful, contained=ids_in(notification))

    async def retry_later(self, notification: Notification) -> None:
        """Schedules another attempt, up to MOST_ATTEMPTS. If this one may have arrived, the channel is
        searched first.
        """
        await self.store.retry_at(notification, notification.attempts + 1, self.now() + backoff(notification.attempts))

    async def forget(self, before: int, limit: int) -> int:
        """Deletes up to ``limit`` notifications that were due before that moment and are not pending. Returns their
        number.

        They must be kept for longer than any turn lasts, so that none is sent twice.
        """
        return await self.store.forget(before, limit)

    async def undelivered(self, user_id: int) -> list[Notification]:
        """Returns notifications that could not be sent to the user, the oldest first, a batch at a time."""
        return await self.store.failed_of(user_id, UNDELIVERED)
