"""Notifications: written in the transaction of the change that is their reason, sent later, and once."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.randomness import fresh_id
from bot.core.storage.database import after_commit
from bot.core.workers import backoff
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.notifications.quiet_hours import WANTED, quiet_until, reminders
from bot.notifications.repository import FAILED, PENDING, SENT, VOID, Notification, NotificationRepository, key_of
from bot.players.service import PreferenceService
from bot.players.zones import at_hour
from engine.core.hours import DAY, MINUTE
from engine.core.record import Entry, Kind
from engine.core.table import Table
from engine.core.timekeeping import SYSTEM_KINDS

__all__ = ["KEYS", "Notification", "NotificationService", "played_seq"]

TURN: Final = "turn"
"""It is the user's turn, and the board could not be posted."""
PING: Final = "ping"
"""It is the user's turn: sent when their quiet hours end."""
REMINDER: Final = "reminder"
DIGEST: Final = "digest"
TIME_UP: Final = "time_up"
MOVED: Final = "moved"
GONE: Final = "gone"
"""The channel in which the game is played was deleted."""
PAUSED: Final = "paused"
RESUMED: Final = "resumed"
CONDITIONAL_GONE: Final = "conditional_gone"
DIGEST_PREFERENCES: Final = ("zone", "digest_hour")
"""The preferences that say when a digest is due."""
OF_A_TURN: Final = (TURN, PING, REMINDER)
"""What is of no use any more when the game goes on."""
LEASE_MS: Final = 60_000
"""How long a process may take to send what it has leased; then another one does."""
SENDING_MS: Final = LEASE_MS // 2
"""How long one attempt may take; so it is over before its lease is."""
BATCH: Final = 20
KEPT_MS: Final = 180 * DAY
"""How long a settled notification is kept, so that it is not sent again: longer than any turn lasts."""
MOST_ATTEMPTS: Final = 12
"""Attempts to send one notification; after these the user reads it beside the answer to their next command."""

_GAME: Final = ("game", "opponent", "link")
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "notification.turn": _GAME,
    "notification.turn_gone": _GAME,
    "notification.ping": _GAME,
    "notification.reminder": (*_GAME, "when"),
    "notification.moved": _GAME,
    "notification.gone": _GAME,
    "notification.paused": _GAME,
    "notification.resumed": _GAME,
    "notification.time_lost": _GAME,
    "notification.time_won": _GAME,
    "notification.time_late": _GAME,
    "notification.time_claim": _GAME,
    "notification.time_aborted": _GAME,
    "notification.time_claimed": _GAME,
    "notification.digest": ("n",),
    "notification.undelivered": ("text",),
}
"""The texts of notifications, with their parameters."""


def played_seq(table: Table[Any, Any]) -> int:
    """The number of entries up to the last that a player made or the dice: what a turn is known by.

    What the bot notes of absences changes nothing for whoever is awaited.
    """
    entries = table.record.entries
    return next((number for number in range(len(entries), 0, -1) if entries[number - 1].kind not in SYSTEM_KINDS), 0)


class NotificationService(GameHook):
    """``now`` gives ms since 1970."""

    def __init__(
        self,
        store: NotificationRepository,
        preferences: PreferenceService,
        now: Callable[[], int],
        *,
        new_id: Callable[[], str] = fresh_id,
    ) -> None:
        self.store = store
        self.preferences = preferences
        self.now = now
        self._new_id = new_id
        self._listeners: list[Callable[[], None]] = []
        preferences.subscribe(self.chosen)

    def subscribe(self, listener: Callable[[], None]) -> None:
        """``listener`` is called once what may be due earlier than it was is committed."""
        self._listeners.append(listener)

    # --- writing -------------------------------------------------------------------------------------------------

    def of_game(
        self, live: LiveGame, user_id: int, kind: str, *, seq: int, due: int | None = None, **more: Any
    ) -> Notification:
        """A notification about a game, due now if nothing else is said. ``n`` tells those apart that are alike."""
        return Notification(
            id=self._new_id(),
            user_id=user_id,
            kind=kind,
            due=self.now() if due is None else due,
            game_id=live.id,
            seq=seq,
            n=more.pop("n", 0),
            guild_id=live.place.guild_id,
            channel_id=live.place.channel_id,
            body=more,
        )

    async def write(self, connection: AsyncConnection, *written: Notification) -> None:
        """Puts notifications into the outbox, in the caller's transaction; one with a known key is left out."""
        await self.store.add(connection, written)
        after_commit(connection, self.wake)

    def wake(self) -> None:
        """Lets whoever sends look for what is due."""
        for listener in self._listeners:
            listener()

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        """Writes what a change of a game is the reason for: pings put off, reminders, the end of somebody's time."""
        known = 0 if before is None else before.seq
        added = after.table.record.entries[known:]
        events = [
            event for number, entry in enumerate(added, known + 1) for event in self._events(after, entry, number)
        ]
        kept = await self._reminders(connection, after)
        awaited = after.awaited
        ended: tuple[str, ...] = OF_A_TURN
        if awaited is not None:
            if before is None or any(entry.kind not in SYSTEM_KINDS for entry in added):
                pings = await self._pings(connection, after, awaited)
                kept += [notification.key for notification in pings]
                events += pings
            else:
                ended = (REMINDER,)
        await self.store.void_in(connection, after.id, ended, kept)
        await self.store.add(connection, events)
        if events:
            after_commit(connection, self.wake)

    async def on_relocate(self, connection: AsyncConnection, before: LiveGame, after: LiveGame, user_id: int) -> None:
        """Notifies the other player. Whoever the board before has pinged is not pinged by the next."""
        awaited, seq = after.awaited, played_seq(after.table)
        if awaited is not None and before.shown_seq >= max(seq, 0):
            await self.store.add_pinged(connection, self.of_game(after, awaited, TURN, seq=seq))
        number = self.now() // 1000 & 0x7FFFFFFF
        others = {player for player in after.players if player != user_id}
        await self.store.add(
            connection, [self.of_game(after, other, MOVED, seq=after.seq, n=number) for other in others]
        )
        after_commit(connection, self.wake)

    async def _pings(self, connection: AsyncConnection, after: LiveGame, awaited: int) -> list[Notification]:
        """In quiet hours the ping comes at their end. Who wants no pings gets one message a day."""
        if after.table.paused:
            return []
        preferences = await self.preferences.of_user(awaited, connection)
        if preferences["pings"] == "digest":
            await self._schedule_digest(connection, awaited, preferences)
            return []
        end = quiet_until(preferences, self.now())
        return [] if end is None else [self.of_game(after, awaited, PING, seq=played_seq(after.table), due=end)]

    async def _schedule_digest(self, connection: AsyncConnection, user_id: int, preferences: Mapping[str, str]) -> None:
        """The user's next digest, in place of any that was planned for later: known by the minute in which it is due.

        A digest that is due already stays as it is: it is still to be sent.
        """
        now = self.now()
        due = _digest_due(preferences, now)
        digest = Notification(self._new_id(), user_id, DIGEST, due, seq=due // MINUTE)
        await self.store.void_later(connection, user_id, DIGEST, now, digest.key)
        await self.store.add(connection, [digest], reschedule=True)
        after_commit(connection, self.wake)

    async def chosen(self, user_id: int, key: str) -> None:
        """A user has chosen a preference: the digest that waits for them is due when they want it now."""
        if key not in DIGEST_PREFERENCES:
            return
        async with self.store.database.writing() as connection:
            if await self.store.void_later(connection, user_id, DIGEST, self.now()):
                await self._schedule_digest(connection, user_id, await self.preferences.of_user(user_id, connection))

    async def _reminders(self, connection: AsyncConnection, after: LiveGame) -> list[str]:
        """Plans the reminders of whoever's turn it is; gives the keys of those that are planned."""
        clock, user_id = after.table.clock, after.to_act
        if clock is None or clock.turn is None or user_id is None or after.table.deadline is None:
            return []
        preferences = await self.preferences.of_user(user_id, connection)
        turn = clock.turn.since // 1000
        planned = [
            self.of_game(
                after, user_id, REMINDER, seq=turn, due=due, n=n, deadline=clock.started + after.table.deadline
            )
            for n, due in reminders(clock, preferences, self.now()).items()
        ]
        await self.store.add(connection, planned, reschedule=True)
        return [notification.key for notification in planned]

    def _events(self, after: LiveGame, entry: Entry, seq: int) -> list[Notification]:
        """The notifications that an entry is the reason for, beside the board."""
        found: list[tuple[int, str, str]] = []
        first, second = after.players
        if entry.kind is Kind.TIMEOUT:
            late, other = (first, second) if entry.seat == 0 else (second, first)
            outcome = after.table.outcome
            if outcome is None:
                found = [(late, TIME_UP, "time_late"), (other, TIME_UP, "time_claim")]
            elif outcome.winner is None:
                found = [(user, TIME_UP, "time_aborted") for user in after.players]
            else:
                found = [(late, TIME_UP, "time_lost"), (other, TIME_UP, "time_won")]
        elif entry.seat in {0, 1}:
            other = after.players[1 - entry.seat]
            if entry.kind is Kind.CLAIM:
                found = [(other, TIME_UP, "time_claimed")]
            elif entry.kind is Kind.ACCEPT and entry.body == "pause" and other != after.awaited:
                found = [(other, PAUSED, PAUSED)]
            elif entry.kind is Kind.RESUME and other != after.awaited:
                found = [(other, RESUMED, RESUMED)]
        return [self.of_game(after, user, kind, seq=seq, text=text) for user, kind, text in found]

    # --- pings by the board --------------------------------------------------------------------------------------

    async def undeliverable(self, live: LiveGame) -> None:
        """The board cannot be posted: whoever is awaited gets a notification, unless they were pinged before."""
        user_id = live.awaited
        if user_id is None or live.paused or not has_news(live):
            return
        preferences = await self.preferences.of_user(user_id)
        seq = played_seq(live.table)
        ping = key_of(user_id, live.id, seq, PING)
        if preferences["pings"] == "digest" or await self.store.states([ping]):
            return
        due = quiet_until(preferences, self.now()) or self.now()
        async with self.store.database.writing() as connection:
            await self.store.add(connection, [self.of_game(live, user_id, TURN, seq=seq, due=due)], reschedule=True)
            after_commit(connection, self.wake)

    async def gone(self, live: LiveGame) -> None:
        """The channel of a game was deleted: its players read how to go on."""
        number = live.place.channel_id % 0x7FFFFFFF  # of several channels in one turn each is told of
        gone = [self.of_game(live, player, GONE, seq=live.seq, n=number) for player in set(live.players)]
        async with self.store.database.writing() as connection:
            await self.write(connection, *gone)

    async def reserve_ping(self, live: LiveGame) -> bool:
        """Whether the board that is posted pings whoever is awaited; if so, nothing else will, for this turn.

        A notification that cannot have arrived is voided; it is revived if the board turns out ``undeliverable``.
        """
        user_id = live.awaited
        if user_id is None or not has_news(live):
            return False
        preferences = await self.preferences.of_user(user_id)
        if preferences["pings"] == "digest":
            return False
        seq = played_seq(live.table)
        ping, turn = (key_of(user_id, live.id, seq, kind) for kind in (PING, TURN))
        states = await self.store.states([ping, turn])
        if ping in states:
            return False
        state = states.get(turn)
        if state in {PENDING, FAILED}:
            return await self.store.void_unsent(turn)
        return state != SENT

    # --- sending -------------------------------------------------------------------------------------------------

    async def due(self, limit: int = BATCH, but: Collection[int] = ()) -> list[Notification]:
        """What is to be sent now, leased to this process for a while: of each user the first, but of none ``but``.

        The next of the same user is leased when that one is done, so that no lease runs out while another is sent.
        """
        now, first = self.now(), await self.store.next_due()
        if first is None or first > now:
            return []
        return await self.store.lease(now, now + LEASE_MS, limit, but)

    async def next_due(self) -> int | None:
        """When the next notification is due, in ms since 1970."""
        return await self.store.next_due()

    def is_current(self, notification: Notification, live: LiveGame) -> bool:
        """Whether there is still a reason to send it."""
        table = live.table
        if notification.kind in {TURN, PING}:
            return live.awaited == notification.user_id and played_seq(table) == notification.seq and not table.paused
        if notification.kind == GONE:
            return table.outcome is None and live.place.channel_id == notification.channel_id
        if notification.kind == REMINDER:
            clock = table.clock
            if clock is None or clock.turn is None or table.deadline is None or table.outcome is not None:
                return False
            same = clock.turn.since // 1000 == notification.seq and live.to_act == notification.user_id
            return same and self.now() < clock.started + table.deadline
        return True

    async def is_enabled(self, notification: Notification) -> bool:
        """Whether the user's settings still ask for it."""
        if notification.kind != REMINDER:
            return True
        return notification.n in WANTED[(await self.preferences.of_user(notification.user_id))["reminders"]]

    async def digest_wanted(self, notification: Notification, *, waiting: bool) -> bool:
        """Whether the user still wants this digest; while games are ``waiting`` the next one is planned.

        One that is not due at the hour they want by now, as another process planned it that did not know, is dropped.
        """
        preferences = await self.preferences.of_user(notification.user_id)
        wants = preferences["pings"] == "digest" and waiting
        if wants:
            async with self.store.database.writing() as connection:
                await self._schedule_digest(connection, notification.user_id, preferences)
        return wants and _digest_due(preferences, notification.due - 1) == notification.due

    async def sending(self, notification: Notification, channel_id: int) -> Notification | None:
        """Notes where it is about to be sent, and leases it anew, for SENDING_MS and as much again.

        None if it is not to be sent any more, or somebody else has leased it since.
        """
        until = max(self.now() + LEASE_MS, notification.leased_until + 1)
        if not await self.store.sending(notification, channel_id, until):
            return None
        return replace(notification, sent_to=channel_id, leased_until=until)

    async def sent(self, notification: Notification, via: str) -> None:
        """It has arrived."""
        await self.store.settle(notification.id, SENT, via)

    async def void(self, notification: Notification) -> None:
        """There is no reason for it any more."""
        await self.store.settle(notification.id, VOID)

    async def failed(self, notification: Notification, *, doubtful: bool = False) -> None:
        """It cannot be sent: the user is told at their next command, unless a board pings them before.

        ``doubtful``: it may have arrived, and nobody may look; so no board pings in its place.
        """
        await self.store.fail(notification, doubtful=doubtful)

    async def retry_later(self, notification: Notification) -> None:
        """It is looked for later, as it may have arrived, and sent again, unless there were MOST_ATTEMPTS."""
        await self.store.retry_at(notification, notification.attempts + 1, self.now() + backoff(notification.attempts))

    async def forget(self) -> int:
        """Removes what was settled long ago; how many there were."""
        return await self.store.forget(self.now() - KEPT_MS)

    async def undelivered(self, user_id: int) -> list[Notification]:
        """The notifications that could not be sent to a user."""
        return await self.store.failed_of(user_id)


def _digest_due(preferences: Mapping[str, str], after: int) -> int:
    return at_hour(preferences["zone"], int(preferences["digest_hour"]), after)


def has_news(live: LiveGame) -> bool:
    """Whether something has happened since the last board but the bot's own notes of absences."""
    return live.shown_seq < 0 or any(entry.kind not in SYSTEM_KINDS for entry in live.unseen)
