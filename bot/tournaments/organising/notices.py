"""Notices to the users whom an act concerns, with its line of the log."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.translations import Language
from bot.notifications.model import NoticeKind
from bot.notifications.service import Notification, NotificationService
from bot.players.mentions import is_former
from bot.tournaments.notices import ACT, about
from bot.tournaments.organising import words
from bot.tournaments.organising.rules.effect import Act
from bot.tournaments.rounds.notices import BYE, DEADLINE, LATE, PAIRED, WALKOVER
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import LogEntry, TournamentSnapshot
from engine.core.errors import Refused


class OrganiserNotices:
    """Writes notices in the transaction of an act. Their text is read from the log when they are sent."""

    def __init__(self, notifications: NotificationService, tournaments: TournamentService) -> None:
        self._notifications = notifications
        self._tournaments = tournaments
        notifications.kinds[ACT] = NoticeKind(self.text, self.is_current)

    async def tell(
        self, connection: AsyncConnection, snapshot: TournamentSnapshot, entry: LogEntry, user_ids: Sequence[int]
    ) -> None:
        tournament = snapshot.tournament
        if Act.REPAIR in {entry.act, entry.detail.get("act")}:  # unsent notices are about deleted pairings
            await self._notifications.void_subject(connection, tournament.id, (PAIRED, BYE, WALKOVER, DEADLINE, LATE))
        written = [
            about(self._notifications, tournament, user_id, ACT, seq=entry.seq)
            for user_id in user_ids
            if not is_former(user_id)
        ]
        await self._notifications.write(connection, *written)

    async def text(self, notification: Notification, say: Language) -> str:
        """Returns the tournament and the line of the log; empty if they are gone or unreadable."""
        try:
            snapshot = await self._tournaments.snapshot(notification.subject)
        except Refused:
            return ""
        entry = next(iter(await self._entries(notification)), None)
        if entry is None:
            return ""
        line = words.line(entry, words.users_of(snapshot), say)
        return say("tournament.act.posted", text=snapshot.tournament.name, line=line)

    async def is_current(self, notification: Notification) -> bool:
        """Returns whether the act still stands. If it was undone before, no notice is sent."""
        return all(entry.undone is None for entry in await self._entries(notification))

    async def _entries(self, notification: Notification) -> Sequence[LogEntry]:
        return await self._tournaments.repository.log_of(notification.subject, 1, notification.seq + 1)
