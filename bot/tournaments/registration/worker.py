"""Brings the announcements of tournaments up to date: posts them, and edits them without pings."""

from typing import Final

import structlog

from bot.board.delivery.errors import delivery_error
from bot.board.delivery.permission_issues import PermissionIssues
from bot.clocks.service import CatchUp
from bot.core.discord_errors import NO_CHANNEL, NO_MESSAGE, code_of
from bot.core.interactions.answer import Context
from bot.core.interactions.press import Press
from bot.core.messages import ChannelMessages, failure, has_button, next_attempt
from bot.core.translations import language
from bot.core.workers import Worker, backoff
from bot.tournaments.registration import announcement
from bot.tournaments.registration.service import (
    BATCH,
    LEASE_MS,
    MOST_ATTEMPTS,
    MOST_POSTED,
    RegistrationService,
    UnshownAnnouncement,
)
from bot.tournaments.series.service import SeriesService
from bot.tournaments.service import TournamentService

LONGEST: Final = 60.0
"""The most seconds between two runs, after which changes by other processes are shown."""

log = structlog.get_logger()


class AnnouncementWorker(Worker):
    """Brings due announcements up to date. A change wakes it; the next edit of the same message waits a little."""

    def __init__(self, context: Context) -> None:
        super().__init__(LONGEST)
        self._context = context
        self._service = context.services[RegistrationService]
        self._pace = context.services[CatchUp]
        self._series = context.services[SeriesService]
        self._tournaments = context.services[TournamentService]
        self._tournaments.subscribe(lambda _: self.wake())

    async def run_once(self) -> float:
        found = await self._service.unshown()
        for unshown in found:
            await self._pace.wait()
            if self.stopping:
                return 0
            error = await failure(self._show(unshown), "announcement_not_shown", tournament=unshown.tournament_id)
            if error is not None:
                await self._failed(unshown, error)
        if len(found) == BATCH:
            return 0
        following = await self._service.next_unshown()
        return LONGEST if following is None else max(0.05, (following - self._service.now()) / 1000)

    async def _show(self, unshown: UnshownAnnouncement) -> None:
        """Edits the announcement, or posts it. Raises REQUEST_ERRORS, InDoubt."""
        snapshot = await self._tournaments.snapshot(unshown.tournament_id)
        tournament, posted, say = snapshot.tournament, unshown.posted, language(snapshot.tournament.locale)
        messages = ChannelMessages(self._context.client, tournament.channel_id, tournament.guild_id)
        season = await self._series.season(tournament)
        text, view = (
            announcement.content(snapshot, say, self._service.now(), season),
            announcement.view(tournament, say),
        )
        message_id = tournament.message_id
        if message_id is not None:
            await messages.edit(message_id, text, view)
        elif posted < MOST_POSTED:  # after two deletions it is not wanted there
            if unshown.due:
                button = has_button(f"b:{Press(announcement.PLAYERS, tournament.id, 0)}")
                message_id = await messages.sent_before(button, _tried_since(unshown), unshown.attempts)
            message_id = await messages.edit_or_send(message_id, text, f"{tournament.id}:a{posted}", view)
            posted += 1
        await self._service.shown(tournament.id, tournament.version, message_id, posted)

    async def _failed(self, unshown: UnshownAnnouncement, error: Exception) -> None:
        """Handles a failure: posts a deleted message again, gives up without a channel, and tries all else
        again later.
        """
        if code_of(error) == NO_MESSAGE:
            await self._service.lost(unshown.tournament_id)
            self.wake()
            return
        if code_of(error) == NO_CHANNEL:
            await self._service.shown(unshown.tournament_id, unshown.version, None, unshown.posted)
            return
        why = await delivery_error(self._context.client, unshown.channel_id, error)
        if why:
            await self._context.services[PermissionIssues].note(unshown.channel_id, why, unshown.guild_id)
        attempts, pause = next_attempt(error, unshown.attempts, MOST_ATTEMPTS)
        if pause is None:
            log.warning("announcement_given_up", tournament=unshown.tournament_id)
        await self._service.failed(unshown, attempts, pause)


def _tried_since(unshown: UnshownAnnouncement) -> int:
    """Returns the earliest start of the first attempt to post it. An announcement from before that is another one.

    It may have been posted by any attempt since then, as the others may have failed before they could look.
    """
    pauses = sum(backoff(failures) + LEASE_MS for failures in range(unshown.attempts))
    return max(unshown.created, unshown.due - pauses) if unshown.attempts else unshown.created
