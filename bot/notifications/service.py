"""Notifications: each is written in the transaction of the change that causes it, and is sent later, once."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.randomness import fresh_id
from bot.core.storage.database import after_commit
from bot.core.workers import backoff
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.notifications.quiet_hours import REMINDER_CHOICES, quiet_until, reminders
from bot.notifications.repository import FAILED, PENDING, SENT, VOID, Notification, NotificationRepository, key_of
from bot.players.service import PreferenceService
from bot.players.zones import at_hour
from engine.core.adjudication import RULINGS
from engine.core.adjudication import VOID as VOID_RULING
from engine.core.game import Seat
from engine.core.hours import MINUTE
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
RELOCATED: Final = "relocated"
GONE: Final = "gone"
"""The channel in which the game is played was deleted."""
PAUSED: Final = "paused"
RESUMED: Final = "resumed"
CONDITIONAL_GONE: Final = "conditional_gone"
LEFT: Final = "left"
ADJUDICATED: Final = "adjudicated"
"""The game was ended by a decision from outside."""
DIGEST_PREFERENCES: Final = ("zone", "digest_hour")
"""The preferences that decide when a digest is due."""
ONLY_THIS_TURN: Final = (TURN, PING, REMINDER)
"""Kinds that become pointless when the game goes on."""
LEASE_MS: Final = 60_000
"""How long a process may take to send a notification that it has leased. After that another process may send it."""
UNDELIVERED: Final = 25
"""How many undelivered notifications are shown at once."""
SENDING_MS: Final = LEASE_MS // 2
"""How long one attempt may take: less than its lease."""
BATCH: Final = 20
MOST_ATTEMPTS: Final = 12
"""Attempts to send one notification. After that the user reads it beside the answer to their next command."""

_GAME: Final = ("game", "opponent", "link")
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "notification.turn": _GAME,
    "notification.turn_gone": _GAME,
    "notification.ping": _GAME,
    "notification.reminder": (*_GAME, "when"),
    "notification.relocated": _GAME,
    "notification.gone": _GAME,
    "notification.paused": _GAME,
    "notification.resumed": _GAME,
    "notification.time_lost": _GAME,
    "notification.time_won": _GAME,
    "notification.time_late": _GAME,
    "notification.time_claim": _GAME,
    "notification.time_aborted": _GAME,
    "notification.time_claimed": _GAME,
    "notification.left": _GAME,
    "notification.left_aborted": _GAME,
    "notification.adjudicated_won": _GAME,
    "notification.adjudicated_lost": _GAME,
    "notification.adjudicated_drawn": _GAME,
    "notification.forfeited_won": _GAME,
    "notification.forfeited_lost": _GAME,
    "notification.voided": _GAME,
    "notification.digest": ("n",),
    "notification.undelivered": ("text",),
}
"""The texts of notifications, with their parameters."""


def played_seq(table: Table[Any, Any]) -> int:
    """The number of entries up to the last one of a player or of the dice. It identifies a turn.

    The bot's own entries about absences do not count: they change nothing for the awaited player.
    """
    entries = table.record.entries
    return next((number for number in range(len(entries), 0, -1) if entries[number - 1].kind not in SYSTEM_KINDS), 0)


class NotificationService(GameHook):
    """``now`` returns ms since 1970."""

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
        preferences.subscribe(self.on_preference_change)

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Calls ``listener`` after each commit that may have made a notification due earlier."""
        self._listeners.append(listener)

    # --- writing -------------------------------------------------------------------------------------------------

    def of_game(
        self, live: LiveGame, user_id: int, kind: str, *, seq: int, due: int | None = None, **more: Any
    ) -> Notification:
        """A notification about a game; due now if ``due`` is None. ``n`` distinguishes notifications that are otherwise
        equal.
        """
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
        """Writes notifications in the transaction of the caller. One with a known key is skipped."""
        await self.store.add(connection, written)
        after_commit(connection, self.wake)

    def wake(self) -> None:
        """Wakes the dispatcher to check the outbox."""
        for listener in self._listeners:
            listener()

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        """Writes the notifications that a change of a game causes: pings after quiet hours, reminders, time-outs."""
        known = 0 if before is None else before.seq
        added = after.table.record.entries[known:]
        events = [
            event for number, entry in enumerate(added, known + 1) for event in self._events(after, entry, number)
        ]
        kept = await self._reminders(connection, after)
        awaited = after.awaited
        ended: tuple[str, ...] = ONLY_THIS_TURN
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
        """Notifies the other player. The awaited player is not pinged again if the previous board has pinged them."""
        awaited, seq = after.awaited, played_seq(after.table)
        if awaited is not None and before.shown_seq >= max(seq, 0):
            await self.store.add_pinged(connection, self.of_game(after, awaited, TURN, seq=seq))
        number = self.now() // 1000 & 0x7FFFFFFF
        others = {player for player in after.players if player != user_id}
        await self.store.add(
            connection, [self.of_game(after, other, RELOCATED, seq=after.seq, n=number) for other in others]
        )
        after_commit(connection, self.wake)

    async def _pings(self, connection: AsyncConnection, after: LiveGame, awaited: int) -> list[Notification]:
        """The ping for this turn, due at the end of quiet hours; none outside quiet hours, as then the board pings.

        A user who has chosen the digest gets no ping: their digest is scheduled.
        """
        if after.table.paused:
            return []
        preferences = await self.preferences.of_user(awaited, connection)
        if preferences["pings"] == "digest":
            await self._schedule_digest(connection, awaited, preferences)
            return []
        end = quiet_until(preferences, self.now())
        return [] if end is None else [self.of_game(after, awaited, PING, seq=played_seq(after.table), due=end)]

    async def _schedule_digest(self, connection: AsyncConnection, user_id: int, preferences: Mapping[str, str]) -> None:
        """Schedules the user's next digest and voids any that was planned for later. Its key contains the minute when
        it is due.

        A digest that is already due stays and is still sent.
        """
        now = self.now()
        due = _digest_due(preferences, now)
        digest = Notification(self._new_id(), user_id, DIGEST, due, seq=due // MINUTE)
        await self.store.void_later(connection, user_id, DIGEST, now, digest.key)
        await self.store.add(connection, [digest], reschedule=True)
        after_commit(connection, self.wake)

    async def on_preference_change(self, user_id: int, key: str) -> None:
        """Called when a user has changed a preference: a digest that is scheduled moves to the time they want now."""
        if key not in DIGEST_PREFERENCES:
            return
        async with self.store.database.writing() as connection:
            if await self.store.void_later(connection, user_id, DIGEST, self.now()):
                await self._schedule_digest(connection, user_id, await self.preferences.of_user(user_id, connection))

    async def _reminders(self, connection: AsyncConnection, after: LiveGame) -> list[str]:
        """Schedules the reminders of the player to act. Returns the keys of the scheduled reminders."""
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
        """The notifications that an entry causes, beside the board."""
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
        elif entry.kind is Kind.ADJUDICATE:
            found = [(user, ADJUDICATED, ruling_text(entry, seat)) for seat, user in enumerate(after.players)]
        elif entry.seat in {0, 1}:
            other = after.players[1 - entry.seat]
            if entry.kind is Kind.LEAVE:
                found = [(other, LEFT, LEFT)]
            elif entry.kind is Kind.CLAIM:
                found = [(other, TIME_UP, "time_claimed")]
            elif entry.kind is Kind.ACCEPT and entry.body == "pause" and other != after.awaited:
                found = [(other, PAUSED, PAUSED)]
            elif entry.kind is Kind.RESUME and other != after.awaited:
                found = [(other, RESUMED, RESUMED)]
        return [self.of_game(after, user, kind, seq=seq, text=text) for user, kind, text in found]

    # --- pings by the board --------------------------------------------------------------------------------------

    async def undeliverable(self, live: LiveGame) -> None:
        """Called when the board cannot be posted: notifies the awaited player, unless they were pinged before."""
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
            if await self.store.is_player(connection, live.id, user_id):  # they may have had their data deleted
                await self.store.add(connection, [self.of_game(live, user_id, TURN, seq=seq, due=due)], reschedule=True)
                after_commit(connection, self.wake)

    async def notify_channel_gone(self, live: LiveGame) -> None:
        """Notifies the players of a game whose channel was deleted how to continue."""
        number = live.place.channel_id % 0x7FFFFFFF  # distinguishes several deleted channels within one turn
        async with self.store.database.writing() as connection:
            players = [user for user in live.players if await self.store.is_player(connection, live.id, user)]
            notices = [self.of_game(live, player, GONE, seq=live.seq, n=number) for player in players]
            await self.write(connection, *notices)

    async def reserve_ping(self, live: LiveGame) -> bool:
        """Whether the new board pings the awaited player. If so, nothing else pings them for this turn.

        A pending notification that cannot have arrived is voided. It is revived if the board proves ``undeliverable``.
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

    async def due(self, limit: int = BATCH, excluded_users: Collection[int] = ()) -> list[Notification]:
        """Leases what is due to this process: the first notification of each user, ``excluded_users`` left out.

        The next notification of the same user is leased when the first one is done, so that no lease runs out while
        another notification is being sent.
        """
        now, first = self.now(), await self.store.next_due()
        if first is None or first > now:
            return []
        return await self.store.lease(now, now + LEASE_MS, limit, excluded_users)

    async def next_due(self) -> int | None:
        """When the next notification is due, in ms since 1970; None if there is none."""
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
        """Whether the user's preferences still ask for it."""
        if notification.kind != REMINDER:
            return True
        return notification.n in REMINDER_CHOICES[(await self.preferences.of_user(notification.user_id))["reminders"]]

    async def digest_wanted(self, notification: Notification, *, waiting: bool) -> bool:
        """Whether the user still wants this digest. If they do and games are ``waiting``, the next digest is scheduled.

        A digest at an hour that the user no longer wants is dropped: another process scheduled it before it knew the
        change.
        """
        preferences = await self.preferences.of_user(notification.user_id)
        wants = preferences["pings"] == "digest" and waiting
        if wants:
            async with self.store.database.writing() as connection:
                if not await self.store.is_stored(connection, notification.id):  # the user had their data deleted
                    return False
                await self._schedule_digest(connection, notification.user_id, preferences)
        return wants and _digest_due(preferences, notification.due - 1) == notification.due

    async def sending(self, notification: Notification, channel_id: int) -> Notification | None:
        """Records where the notification is about to be sent, and renews the lease: for LEASE_MS, which is twice
        SENDING_MS.

        None if it must not be sent any more, or if another process has leased it since.
        """
        until = max(self.now() + LEASE_MS, notification.leased_until + 1)
        if not await self.store.sending(notification, channel_id, until):
            return None
        return replace(notification, sent_to=channel_id, leased_until=until)

    async def sent(self, notification: Notification, via: str) -> None:
        """Records that it has arrived."""
        await self.store.settle(notification.id, SENT, via)

    async def void(self, notification: Notification) -> None:
        """Records that there is no reason for it any more."""
        await self.store.settle(notification.id, VOID)

    async def failed(self, notification: Notification, *, doubtful: bool = False) -> None:
        """Records that it cannot be sent. The user reads it with their next command, unless a board pings them before.

        ``doubtful``: it may have arrived, but the bot cannot read the history. Then no board pings instead.
        """
        await self.store.fail(notification, doubtful=doubtful)

    async def retry_later(self, notification: Notification) -> None:
        """Schedules another attempt. If this one may have arrived, the channel is searched first. At most
        MOST_ATTEMPTS.
        """
        await self.store.retry_at(notification, notification.attempts + 1, self.now() + backoff(notification.attempts))

    async def forget(self, before: int, limit: int) -> int:
        """Deletes up to ``limit`` notifications that were due before that moment and are not pending. Returns how many.

        They must be kept for longer than any turn lasts, so that none is sent twice.
        """
        return await self.store.forget(before, limit)

    async def undelivered(self, user_id: int) -> list[Notification]:
        """Notifications of the user that could not be sent, oldest first; the next ones when these are settled."""
        return await self.store.failed_of(user_id, UNDELIVERED)


def _digest_due(preferences: Mapping[str, str], after: int) -> int:
    return at_hour(preferences["zone"], int(preferences["digest_hour"]), after)


def ruling_text(entry: Entry, seat: Seat) -> str:
    """Which text tells a player of a decision from outside."""
    winner, reason = RULINGS[entry.body]
    if entry.body == VOID_RULING:
        return "voided"
    if winner is None:
        return "adjudicated_drawn"
    return f"{reason.removeprefix('end.')}_{'won' if winner == seat else 'lost'}"


def has_news(live: LiveGame) -> bool:
    """Whether anything but the bot's own entries about time has happened since the last board."""
    return live.shown_seq < 0 or any(entry.kind not in SYSTEM_KINDS for entry in live.unseen)
