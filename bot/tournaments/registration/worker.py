"""Brings the announcements of tournaments up to date: posts them, and edits them without pings."""

from datetime import UTC, datetime
from typing import Final

import discord
import structlog

from bot.board.delivery.errors import delivery_error
from bot.board.delivery.permission_issues import PermissionIssues
from bot.clocks.service import CatchUp
from bot.core.discord_errors import NO_CHANNEL, NO_MESSAGE, REQUEST_ERRORS, code_of
from bot.core.interactions.answer import Context
from bot.core.interactions.components import custom_ids
from bot.core.interactions.press import Press
from bot.core.translations import language
from bot.core.workers import Worker
from bot.tournaments.registration import announcement
from bot.tournaments.registration.service import BATCH, MOST_POSTED, RegistrationService
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Tournament, TournamentSnapshot

LONGEST: Final = 60.0
"""Seconds between two runs at most: then also what another process has changed is shown."""

SEARCHED: Final = 300
"""How many messages are searched for one that may have been posted."""
SKEW_SECONDS: Final = 60
"""How far Discord's clock and ours may be apart."""

log = structlog.get_logger()


class AnnouncementWorker(Worker):
    """Each run brings up to date what is due. A change wakes it; the next edit of the same message waits a little."""

    def __init__(self, context: Context) -> None:
        super().__init__(LONGEST)
        self._context = context
        self._service = context.services[RegistrationService]
        self._pace = context.services[CatchUp]
        self._tournaments = context.services[TournamentService]
        self._tournaments.subscribe(lambda _: self.wake())

    async def run_once(self) -> float:
        found = await self._service.unshown()
        for tournament_id, since in found:
            await self._pace.wait()
            if self.stopping:
                return 0
            try:
                await self._bring_up(tournament_id, since)
            except UnreadableTournament:  # it is named in the log, once
                await self._service.failed(tournament_id)
            except Exception:  # one failure must not stop the others
                log.exception("announcement_failed", tournament=tournament_id)
                await self._service.failed(tournament_id)
        if len(found) == BATCH:
            return 0
        following = await self._service.next_unshown()
        return LONGEST if following is None else max(0.05, (following - self._service.now()) / 1000)

    async def _bring_up(self, tournament_id: str, since: int | None) -> None:
        whole = await self._tournaments.whole(tournament_id)
        posted = await self._service.times_posted(tournament_id)
        tournament = whole.tournament
        try:
            if tournament.message_id is not None:
                await self._edit(whole, tournament.message_id)
                await self._service.shown(tournament, tournament.message_id, posted)
            elif posted < MOST_POSTED:
                message_id = await self._posted_before(tournament, since)
                if message_id is None:
                    message_id = await self._post(whole, posted)
                else:  # it may show an earlier state
                    await self._edit(whole, message_id)
                await self._service.shown(tournament, message_id, posted + 1)
            else:  # it was deleted twice: nobody wants it there
                await self._service.shown(tournament, None, posted)
        except REQUEST_ERRORS as error:
            log.warning("announcement_not_shown", tournament=tournament_id, error=str(error))
            await self._failed(whole, posted, error)

    async def _edit(self, whole: TournamentSnapshot, message_id: int) -> None:
        tournament = whole.tournament
        say = language(tournament.locale)
        channel = self._context.client.get_partial_messageable(tournament.channel_id, guild_id=tournament.guild_id)
        await channel.get_partial_message(message_id).edit(
            content=announcement.content(whole, say, self._service.now()),
            view=announcement.view(tournament, say),
            allowed_mentions=announcement.NOBODY,
        )

    async def _posted_before(self, tournament: Tournament, since: int | None) -> int | None:
        """The announcement that was posted but not noted: it is found by its buttons. Raises REQUEST_ERRORS."""
        if since is None:
            return None
        client = self._context.client
        channel = client.get_partial_messageable(tournament.channel_id, guild_id=tournament.guild_id)
        after = datetime.fromtimestamp(since / 1000 - SKEW_SECONDS, UTC)
        me = client.user.id if client.user else 0
        wanted = f"b:{Press(announcement.PLAYERS, tournament.id, 0)}"
        try:
            async for message in channel.history(limit=SEARCHED, after=after, oldest_first=True):
                if message.author.id == me and wanted in custom_ids(message.components):
                    return message.id
        except discord.Forbidden:
            log.info("history_not_readable", channel=tournament.channel_id)
        return None

    async def _post(self, whole: TournamentSnapshot, posted: int) -> int:
        """Posts the message. With the same nonce, Discord posts it once if it is tried twice."""
        tournament = whole.tournament
        say = language(tournament.locale)
        channel = self._context.client.get_partial_messageable(tournament.channel_id, guild_id=tournament.guild_id)
        sent = await channel.send(
            announcement.content(whole, say, self._service.now()),
            view=announcement.view(tournament, say),
            allowed_mentions=announcement.NOBODY,
            nonce=f"{tournament.id}:a{posted}",
        )
        return sent.id

    async def _failed(self, whole: TournamentSnapshot, posted: int, error: Exception) -> None:
        """A message that is gone is posted again; without a channel nothing is shown; all else is tried again."""
        tournament, code = whole.tournament, code_of(error)
        if code == NO_MESSAGE and tournament.message_id is not None:
            await self._service.lost(tournament.id)
            self.wake()
            return
        if code == NO_CHANNEL:
            await self._service.shown(tournament, None, posted)
            return
        why = await delivery_error(self._context.client, tournament.channel_id, error)
        if why:
            issues = self._context.services[PermissionIssues]
            await issues.note(tournament.channel_id, why, tournament.guild_id)
        if await self._service.failed(tournament.id, tournament.version):
            log.warning("announcement_given_up", tournament=tournament.id)
