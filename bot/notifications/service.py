"""Notifications: each is written in the transaction of the change that causes it, and sent later, once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.randomness import fresh_id
from bot.core.storage.database import after_commit
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.notifications.digests.service import Digests
from bot.notifications.model import (
    ADJUDICATED,
    FAILED,
    GONE,
    ONLY_THIS_TURN,
    PENDING,
    PING,
    RELOCATED,
    REMINDER,
    SENT,
    TURN,
    NoticeKind,
    Notification,
    key_of,
)
from bot.notifications.of_games import events, has_news, is_present, is_urgent, played_seq
from bot.notifications.outbox.service import Outbox
from bot.notifications.quiet_hours import quiet_until, reminders, warnings
from bot.notifications.repository import NotificationRepository
from bot.players.machines import is_machine
from bot.players.service import PreferenceService
from engine.core.record import Kind
from engine.core.timekeeping import SYSTEM_KINDS

__all__ = ["NoticeKind", "Notification", "NotificationService"]

LOCALE: Final = "locale"
URGENT: Final = "urgent"
"""The keys, in the body of a notice, of the language of its channel, and of whether it is about live play."""


class NotificationService(GameHook):
    """``now`` returns ms since 1970. ``kinds`` has the notifications of other rooms, which add them at the start."""

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
        self.kinds: dict[str, NoticeKind] = {}
        self.digests = Digests(store, preferences, now, new_id, self.wake)
        self.outbox = Outbox(store, preferences, now, self.digests, self.kinds)
        self._listeners: list[Callable[[], None]] = []
        preferences.subscribe(self.digests.on_preference_change)

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Calls ``listener`` after each commit that may have made a notification due earlier."""
        self._listeners.append(listener)

    # --- writing -------------------------------------------------------------------------------------------------

    def of_game(
        self, live: LiveGame, user_id: int, kind: str, *, seq: int, due: int | None = None, **more: Any
    ) -> Notification:
        """Returns a notification about a game, due now if ``due`` is None. ``n`` distinguishes ones that are otherwise
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

    def notice(
        self,
        user_id: int,
        kind: str,
        subject: str,
        *,
        guild_id: int | None,
        channel_id: int | None,
        locale: str,
        seq: int = 0,
        n: int = 0,
        due: int | None = None,
        game_id: str | None = None,
        urgent: bool = False,
        **parameters: Any,
    ) -> Notification:
        """Returns a notification of another room, of one of ``kinds``; due now if ``due`` is None.

        Nobody gets two with the same ``subject`` (such as the id of a tournament), ``seq``, ``kind`` and ``n``.
        ``channel_id``: the channel for users who take no direct messages; ``locale``: its language. ``urgent``: it is
        about live play, so it waits neither for the end of quiet hours nor for a digest. ``parameters`` are for its
        text, and must be JSON. They must not hold ids of other users, as these would outlive the deletion of their
        data.
        """
        return Notification(
            id=self._new_id(),
            user_id=user_id,
            kind=kind,
            due=self.now() if due is None else due,
            game_id=game_id,
            subject=subject,
            seq=seq,
            n=n,
            guild_id=guild_id,
            channel_id=channel_id,
            body={**parameters, LOCALE: locale, URGENT: urgent},
        )

    async def void_subject(
        self, connection: AsyncConnection, subject: str, kinds: Sequence[str], user_id: int | None = None
    ) -> None:
        """Voids the unsent notices of these kinds about a subject; only those to ``user_id``, if given.

        A notice that is just being sent may still arrive.
        """
        await self.store.void_subject(connection, subject, kinds, user_id)

    async def mark_pinged(self, connection: AsyncConnection, live: LiveGame) -> None:
        """Stores that the awaited player learns of this turn in another way, so that nothing else pings them for it.

        For the transaction in which a game is opened (``also``).
        """
        if live.awaited is None:
            return
        await self.store.void_in(connection, live.id, (PING,))
        turn = self.of_game(live, live.awaited, TURN, seq=played_seq(live.table))
        await self.store.add_pinged(connection, turn)

    async def write(self, connection: AsyncConnection, *written: Notification) -> None:
        """Writes notifications in the transaction of the caller. One with a known key is skipped."""
        await self.store.add(connection, written)
        after_commit(connection, self.wake)

    def wake(self) -> None:
        for listener in self._listeners:
            listener()

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        """Writes the notifications that a change of a game causes: pings after quiet hours, reminders, time-outs."""
        known = 0 if before is None else before.seq
        added = after.table.record.entries[known:]
        written = [
            self.of_game(after, user, kind, seq=number, text=text)
            for number, entry in enumerate(added, known + 1)
            for user, kind, text in events(after, entry)
        ]
        kept = await self._reminders(connection, after)
        awaited = after.awaited
        ended: tuple[str, ...] = ONLY_THIS_TURN
        if awaited is not None:
            if before is None or any(entry.kind not in SYSTEM_KINDS for entry in added):
                pings = await self._pings(connection, after, awaited)
                kept += [notification.key for notification in pings]
                written += pings
            else:
                ended = (REMINDER,)
        await self.store.void_in(connection, after.id, ended, kept)
        await self.store.add(connection, written)
        if written:
            after_commit(connection, self.wake)

    async def on_relocate(
        self, connection: AsyncConnection, before: LiveGame, after: LiveGame, user_id: int | None
    ) -> None:
        """Notifies the other player. The awaited player is not pinged again if the previous board has pinged them."""
        awaited, seq = after.awaited, played_seq(after.table)
        if awaited is not None and before.shown_seq >= max(seq, 0):
            await self.store.add_pinged(connection, self.of_game(after, awaited, TURN, seq=seq))
        if user_id is None:
            return
        number = self.now() // 1000 & 0x7FFFFFFF
        others = {player for player in after.players if player != user_id}
        await self.store.add(
            connection, [self.of_game(after, other, RELOCATED, seq=after.seq, n=number) for other in others]
        )
        after_commit(connection, self.wake)

    async def _pings(self, connection: AsyncConnection, after: LiveGame, awaited: int) -> list[Notification]:
        """Returns the ping for this turn, due at the end of quiet hours; none outside quiet hours, as then the board
        pings.

        A user with a digest gets no ping: their digest is scheduled. In a live game the board always pings.
        """
        if after.table.paused or is_urgent(after) or is_present(after):
            return []
        preferences = await self.preferences.of_user(awaited, connection)
        if preferences["pings"] == "digest":
            await self.digests.schedule(connection, awaited, preferences)
            return []
        end = quiet_until(preferences, self.now())
        return [] if end is None else [self.of_game(after, awaited, PING, seq=played_seq(after.table), due=end)]

    async def _reminders(self, connection: AsyncConnection, after: LiveGame) -> list[str]:
        """Schedules the reminders of the player to act. Returns the keys of the scheduled reminders."""
        clock, user_id = after.table.clock, after.to_act
        if user_id is None or (clock is None and after.person_against_machine is not None):
            return []
        preferences = await self.preferences.of_user(user_id, connection)
        if clock is None:
            turn, due = after.table.last_act // 1000, warnings(after.table, preferences, self.now())
            warned = [self.of_game(after, user_id, REMINDER, seq=turn, due=at, n=n) for n, at in due.items()]
            await self.store.add(connection, warned, reschedule=True)
            return [notification.key for notification in warned]
        if clock.turn is None or after.table.deadline is None:
            return []
        turn = clock.turn.since // 1000
        planned = [
            self.of_game(
                after, user_id, REMINDER, seq=turn, due=due, n=n, deadline=clock.started + after.table.deadline
            )
            for n, due in reminders(clock, preferences, self.now()).items()
        ]
        await self.store.add(connection, planned, reschedule=True)
        return [notification.key for notification in planned]

    # --- pings by the board --------------------------------------------------------------------------------------

    async def undeliverable(self, live: LiveGame) -> None:
        """Notifies the awaited player, unless they were pinged before. Called when the board cannot be posted."""
        user_id = live.awaited
        if user_id is None or is_machine(user_id) or live.paused or not has_news(live):
            return
        preferences = await self.preferences.of_user(user_id)
        seq = played_seq(live.table)
        ping = key_of(user_id, live.id, seq, PING)
        if self._in_digest(live, preferences) or await self.store.states([ping]):
            return
        quiet_end = None if is_urgent(live) else quiet_until(preferences, self.now())
        due = quiet_end or self.now()
        async with self.store.database.writing() as connection:
            if await self.store.is_player(connection, live.id, user_id):  # the user may have had their data deleted
                await self.store.add(connection, [self.of_game(live, user_id, TURN, seq=seq, due=due)], reschedule=True)
                after_commit(connection, self.wake)

    async def notify_channel_gone(self, live: LiveGame) -> None:
        """Tells the players of a game how to continue, as its channel was deleted."""
        number = live.place.channel_id % 0x7FFFFFFF  # distinguishes several deleted channels within one turn
        async with self.store.database.writing() as connection:
            players = [user for user in live.players if await self.store.is_player(connection, live.id, user)]
            notices = [self.of_game(live, player, GONE, seq=live.seq, n=number) for player in players]
            await self.write(connection, *notices)

    async def hold(self, connection: AsyncConnection, game_ids: Iterable[str]) -> None:
        """Voids what is about turns of games whose channel was deleted. Reminders come back with the clock."""
        for game_id in game_ids:
            await self.store.void_in(connection, game_id, ONLY_THIS_TURN)

    async def server_removed(self, connection: AsyncConnection, live: LiveGame) -> None:
        """Tells both players that the server of their game has removed the bot, in place of the usual text.

        For the transaction that ends the game (``also``).
        """
        await self.store.void_in(connection, live.id, (ADJUDICATED,))
        notices = [
            self.of_game(live, player, ADJUDICATED, seq=live.seq, n=1, text="server_removed")
            for player in live.players
            if player > 0
        ]
        await self.write(connection, *notices)

    async def skip_result(self, connection: AsyncConnection, live: LiveGame, user_id: int) -> None:
        """Voids the notice of a decision from outside to a user who learns of it in another way.

        For the transaction that ends the game (``also``).
        """
        others = [key_of(user, live.id, live.seq, ADJUDICATED) for user in live.players if user != user_id]
        await self.store.void_in(connection, live.id, (ADJUDICATED,), others)

    async def reserve_ping(self, live: LiveGame) -> bool:
        """Returns whether the new board pings the awaited player. If so, nothing else pings them for this turn.

        A pending notification that cannot have arrived is voided. It is revived if the board proves ``undeliverable``.
        """
        user_id = live.awaited
        if user_id is None or is_machine(user_id) or is_present(live) or not has_news(live):
            return False
        preferences = await self.preferences.of_user(user_id)
        if self._in_digest(live, preferences):
            return False
        seq = played_seq(live.table)
        last = live.entries[seq - 1] if seq else None
        if last is not None and last.kind is Kind.RESUME and last.seat == live.awaited_seat:
            return False  # the player has just ended the pause
        ping, turn = (key_of(user_id, live.id, seq, kind) for kind in (PING, TURN))
        states = await self.store.states([ping, turn])
        if ping in states:
            return False
        state = states.get(turn)
        if state in {PENDING, FAILED}:
            return await self.store.void_unsent(turn)
        return state != SENT

    @staticmethod
    def _in_digest(live: LiveGame, preferences: Mapping[str, str]) -> bool:
        """Returns whether the user's digest tells them that it is their turn."""
        return preferences["pings"] == "digest" and not is_urgent(live)
