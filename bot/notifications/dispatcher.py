"""Brings notices to users: by direct message, else in the game's place, else in the server's channel for notices.

Each is noted as being sent before it is sent. What may have arrived all the same is looked for in the channel itself,
among all messages since it was due, and sent again only if it is not there. Where that cannot be known, because the bot
may not read the history (any more), it is not sent again, and no board calls in its place: the user is told beside the
answer to their next command. So nobody gets a message twice, whenever a process dies, but may read in such an answer
what a message had told already. Beyond that are messages that somebody removed before they were looked for, and
requests that reach Discord after that and after it has forgotten the notice's nonce (some minutes).
"""

import asyncio
from typing import Any, Final

import discord
import structlog

from bot.board import message as board
from bot.board.delivery import channel_history
from bot.board.delivery import errors as delivery_errors
from bot.board.delivery.publisher import LOST
from bot.core.translations import language
from bot.core.worker import Loop
from bot.games.live import Seated
from bot.notifications import views as notification_views
from bot.notifications.service import DIGEST, ENOUGH, GONE, PLAN_DROPPED, SENDING_MS, TURN, Notice
from bot.services import Services
from engine.core.hours import DAY

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
DIRECT: Final = "dm"
PLACE: Final = "place"
SERVER: Final = "server"
TOLD: Final = "told"
"""The ways to a user; the last one is beside the answer to their next command."""
ROUTES: Final = {TURN: (DIRECT, SERVER), GONE: (DIRECT, SERVER), DIGEST: (DIRECT,), PLAN_DROPPED: (DIRECT,)}
USUAL: Final = (DIRECT, PLACE, SERVER)

log = structlog.get_logger()


class Courier(Loop):
    """One loop: sleeps until the next notice is due."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._services = services
        self._notices = services.notices
        self._turn = asyncio.Lock()
        self._forget_at = 0

    def start(self) -> None:
        self._notices.subscribe(self.wake)
        super().start()

    async def next_turn(self) -> float:
        """A turn, and once a day what is long past is forgotten; seconds until the next notice."""
        await self.turn()
        if self._notices.now() >= self._forget_at:
            self._forget_at = self._notices.now() + DAY
            await self._notices.forget()
        due = await self._notices.next_due()
        return LONGEST_SLEEP if due is None else max(SHORTEST_SLEEP, (due - self._notices.now()) / 1000)

    async def channel_gone(self, channel_id: int) -> None:
        """A channel or thread was deleted: whoever plays there hears how to go on elsewhere."""
        seated = await self._services.tables.at(channel_id)
        if seated is not None:
            await self._notices.gone(seated)

    async def turn(self) -> None:
        """Sends all that is due; after whatever is being sent already."""
        async with self._turn:
            while not self.stopping and (due := await self._notices.due()):
                for notice in due:
                    await self._try(notice)

    async def _try(self, notice: Notice) -> None:
        if self.stopping:  # the lease runs out
            return
        try:
            await self._deliver(notice)
        except LOST as error:
            log.info("notice_not_looked_for", notice=notice.id, error=str(error))
            await self._notices.again(notice)
        except Exception:  # one that cannot be made keeps no other waiting
            log.exception("notice_failed", notice=notice.id)
            await self._notices.again(notice)

    async def _deliver(self, notice: Notice) -> None:
        seated = await self._services.tables.newest(notice.game_id) if notice.game_id else None
        if not await self._needed(notice, seated):
            await self._notices.void(notice)
            return
        arrived = await self._arrived(notice)
        if arrived:
            await self._notices.sent(notice, "")
            return
        if arrived is None:
            log.info("history_not_readable", notice=notice.id, channel=notice.sent_to)
            await self._notices.failed(notice, doubtful=True)
            return
        if notice.attempts >= ENOUGH:
            await self._notices.failed(notice)
            return
        for route in ROUTES.get(notice.kind, USUAL):
            try:
                target = await self._target(route, notice, seated)
                if target is None:
                    continue
                held = await self._notices.sending(notice, target.id)
                if held is None:
                    return
                notice = held
                async with asyncio.timeout(SENDING_MS / 1000):
                    await self._send(route, target, notice, seated)
            except LOST as error:
                log.info("notice_not_sent", notice=notice.id, via=route, error=str(error))
                if not isinstance(error, discord.HTTPException) or not _final(error):
                    await self._notices.again(notice)
                    return
            else:
                await self._notices.sent(notice, route)
                return
        await self._notices.failed(notice)

    async def _needed(self, notice: Notice, seated: Seated | None) -> bool:
        """Whether there is still a reason for it; for a digest, the next one is planned."""
        if seated is None:
            games = await notification_views.waiting(self._services, notice.user_id)
            return await self._notices.digested(notice, waiting=bool(games))
        return self._notices.stands(notice, seated) and await self._notices.wanted(notice)

    async def _target(
        self, route: str, notice: Notice, seated: Seated | None
    ) -> discord.DMChannel | discord.PartialMessageable | None:
        """The channel of a route; None if there is none. Raises discord.HTTPException."""
        if route == DIRECT:
            return await self._client.create_dm(discord.Object(notice.user_id))
        if seated is None:
            return None
        if route == PLACE:
            channel_id = seated.place.channel_id
        else:
            server = await self._services.preferences.of_server(seated.place.guild_id)
            channel_id = int(server["notice_channel"] or 0)
        return self._client.get_partial_messageable(channel_id, guild_id=seated.place.guild_id) if channel_id else None

    async def _send(
        self,
        route: str,
        target: discord.DMChannel | discord.PartialMessageable,
        notice: Notice,
        seated: Seated | None,
    ) -> None:
        services = self._services
        games = [seated] if seated else await notification_views.waiting(services, notice.user_id)
        locale = games[0].locale
        if route == DIRECT:
            say = await notification_views.speaker(services, notice.user_id, locale)
            calling, mentions = "", board.NOBODY
        else:
            say = language(locale)
            calling = f"<@{notice.user_id}> "
            mentions = discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(notice.user_id)], replied_user=False
            )
        text = await notification_views.line(services, notice, seated, say)
        files = await notification_views.picture(services, notice, seated, say) if seated and route == DIRECT else []
        view = notification_views.view(notice, seated, say)
        await target.send(f"{calling}{text}", files=files, view=view, allowed_mentions=mentions, nonce=notice.id)

    async def _arrived(self, notice: Notice) -> bool | None:
        """Whether an earlier attempt has reached its channel, by the button with the notice's id; None: who knows.

        Raises what a request fails with.
        """
        if notice.sent_to is None:
            return False
        return await channel_history.carries(
            self._client, notice.sent_to, f"b:{notification_views.VERB}:{notice.id}:0:", notice.due
        )


def _final(error: discord.HTTPException) -> bool:
    """Whether trying the same way again would be of no use."""
    return isinstance(error, discord.Forbidden | discord.NotFound) or error.code in delivery_errors.SHUT


async def unreached(client: Any, user_id: int, say: Any) -> list[tuple[Notice, str]]:
    """What could not be brought to somebody who is here now, in words."""
    services: Services = client.services
    found = []
    for notice in await services.notices.unreached(user_id):
        seated = await services.tables.newest(notice.game_id) if notice.game_id else None
        if seated is None:
            stands = bool(await notification_views.waiting(services, user_id))
        else:
            stands = services.notices.stands(notice, seated)
        if not stands:
            await services.notices.void(notice)
            continue
        found.append(
            (notice, say("notice.unreached", text=await notification_views.line(services, notice, seated, say)))
        )
    return found
