"""Sends notifications: by direct message, or else in the game's channel, or else in the server's notification channel.

Before an attempt, the notification is leased and its channel is stored. If an earlier attempt may have arrived, the
channel is searched from the time at which the notification was due, and it is sent again only if it is not found. If
the bot may not read the history, it is not sent again, and no board pings instead: the user reads it beside the answer
to their next command. So nobody gets a message twice, whenever a process dies; only the answer to a command may repeat
a message.

Two cases are not covered: a message that was deleted before the search, and a request that reaches Discord after the
search and after Discord has forgotten the nonce (some minutes).
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Any, Final

import discord
import structlog

from bot.clocks.displaced.service import DisplacedGames
from bot.clocks.service import CatchUp
from bot.core.discord_errors import REQUEST_ERRORS, is_final
from bot.core.interactions.answer import Context
from bot.core.messages import NOBODY, ChannelMessages, has_button
from bot.core.services import Services
from bot.core.translations import language
from bot.core.workers import Worker
from bot.games.live import LiveGame
from bot.games.running.log_context import about_game
from bot.games.service import GameService
from bot.games.stored import UnreadableGame
from bot.notifications import views as notification_views
from bot.notifications.model import DIGEST, DIRECT, ONLY_THIS_TURN, SERVER
from bot.notifications.outbox.service import MOST_ATTEMPTS, SENDING_MS, Outbox
from bot.notifications.outgoing import Outgoing, prepare
from bot.notifications.service import Notification, NotificationService
from bot.players.service import PreferenceService

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
MAX_USERS_AT_ONCE: Final = 8
"""The most users to whom notifications are sent at the same time."""
RECHECK_SECONDS: Final = 1.0
"""Seconds between two checks of the outbox while something is being sent."""
LATE_MS: Final = 5_000
"""The wait after which a notification is sent at the pace of catching up."""
PER_NOTICE: Final = 2.0
"""The requests of a notification: one opens the direct messages, one sends it."""
LONGEST_TURN: Final = 60.0
"""Seconds after which a turn begins to send no more. The next turn follows at once."""

log = structlog.get_logger()


async def nowhere(live: LiveGame) -> bool:
    """Returns False: the bot reopens no game."""
    del live
    return False


class NotificationDispatcher(Worker):
    """A loop that sleeps until the next notification is due."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._services = services
        self._notices = services[NotificationService]
        self._outbox = services[Outbox]
        self._turn = asyncio.Lock()
        self._pace = services[CatchUp]
        self._one_waits = asyncio.Lock()
        self._turn_ends = 0.0
        self.reopens: Callable[[LiveGame], Awaitable[bool]] = nowhere
        """Returns whether the bot itself reopens a game whose channel was deleted."""

    def start(self) -> None:
        self._notices.subscribe(self.wake)
        super().start()

    async def run_once(self) -> float:
        """Sends what is due. Returns seconds until the next notification."""
        await self.turn()
        due = await self._outbox.next_due()
        return LONGEST_SLEEP if due is None else max(SHORTEST_SLEEP, (due - self._notices.now()) / 1000)

    async def channel_gone(self, channel_id: int) -> None:
        """Tells the players of a game whose channel or thread was deleted how to continue elsewhere, unless the bot
        reopens it.
        """
        live = await self._services[GameService].at(channel_id)
        if live is not None and not await self.reopens(live):
            await self._notices.notify_channel_gone(live)

    async def turn(self) -> None:
        """Sends everything that is due, also what becomes due meanwhile. Only one call runs at a time.

        Several users are served at the same time, so a slow channel delays only its own user. Each user gets one
        notification after the other. After LONGEST_TURN a turn begins no more, and the next one goes on.
        """
        async with self._turn:
            sending: dict[asyncio.Task[None], int] = {}
            self._turn_ends = asyncio.get_running_loop().time() + LONGEST_TURN
            try:
                await self._begin(sending)
                while sending:
                    await self._done(sending)
                    await self._begin(sending)
            finally:
                for task in sending:
                    task.cancel()
                await asyncio.gather(*sending, return_exceptions=True)

    @property
    def _begins_no_more(self) -> bool:
        return self.stopping or asyncio.get_running_loop().time() >= self._turn_ends

    async def _begin(self, sending: dict[asyncio.Task[None], int]) -> None:
        """Starts to send due notifications to users who are not being served, as far as there are free slots."""
        free_slots = MAX_USERS_AT_ONCE - len(sending)
        if self._begins_no_more:  # the wake-up stays set, and ends the worker's next sleep
            return
        self._wake.clear()
        if not free_slots:
            return
        for notification in await self._outbox.due(free_slots, set(sending.values())):
            with about_game(notification.game_id, notification.seq) if notification.game_id else nullcontext():
                sending[asyncio.create_task(self._try(notification))] = notification.user_id

    async def _done(self, sending: dict[asyncio.Task[None], int]) -> None:
        """Waits until a notification is sent or, if there is a free slot, until another may be due."""
        woken = asyncio.ensure_future(self._wake.wait())
        has_free_slot = len(sending) < MAX_USERS_AT_ONCE and not self._begins_no_more
        waited: set[asyncio.Future[Any]] = {*sending, woken} if has_free_slot else {*sending}
        await asyncio.wait(
            waited, timeout=RECHECK_SECONDS if has_free_slot else None, return_when=asyncio.FIRST_COMPLETED
        )
        woken.cancel()
        for task in [task for task in sending if task.done()]:
            del sending[task]
            task.result()

    async def _try(self, notification: Notification) -> None:
        if self.stopping:  # another process sends it once the lease has ended
            return
        try:
            await self._deliver(notification)
        except REQUEST_ERRORS as error:
            log.info("notice_not_looked_for", notification=notification.id, error=str(error))
            await self._outbox.retry_later(notification)
        except UnreadableGame as error:
            await self._unreadable(notification, error)
        except Exception:  # one failure must not delay the others
            log.exception("notice_failed", notification=notification.id)
            await self._outbox.retry_later(notification)

    async def _unreadable(self, notification: Notification, error: UnreadableGame) -> None:
        """Voids a notification about an unreadable game. A digest or another notice is sent later."""
        log.warning("notice_of_unreadable_game", notification=notification.id, game=error.game_id)
        if error.game_id == notification.game_id:
            await self._outbox.void(notification)
        else:
            await self._outbox.retry_later(notification)

    async def _deliver(self, notification: Notification) -> None:
        outgoing = await prepare(self._services, notification)
        if outgoing is None:  # perhaps written by a later release
            log.warning("unknown_kind_of_notice", notification=notification.id, kind=notification.kind)
            await self._outbox.retry_later(notification)
            return
        if not await self._needed(notification, outgoing):
            await self._outbox.void(notification)
            return
        async with asyncio.timeout(SENDING_MS / 1000):
            arrived = await self._arrived(notification)
        if arrived:
            await self._outbox.sent(notification, "")
            return
        if arrived is None:
            log.info("history_not_readable", notification=notification.id)
            await self._outbox.failed(notification, doubtful=True)
            return
        if notification.attempts >= MOST_ATTEMPTS:
            await self._outbox.failed(notification)
            return
        if not outgoing.is_urgent and await self._outbox.put_off(notification):
            return
        await self._keep_pace(notification)
        if self.stopping:
            return
        for route in outgoing.routes:
            try:
                async with asyncio.timeout(SENDING_MS / 1000):
                    target = await self._target(route, notification, outgoing)
                if target is None:
                    continue
                leased = await self._outbox.sending(notification, target.id, outgoing.notices)
                if leased is None:
                    return
                notification = leased
                async with asyncio.timeout(SENDING_MS / 1000):
                    await self._send(route, target, notification, outgoing)
            except REQUEST_ERRORS as error:
                log.info("notice_not_sent", notification=notification.id, via=route, error=str(error))
                if not is_final(error):
                    await self._outbox.retry_later(notification)
                    return
            else:
                await self._outbox.sent(notification, route)
                return
        await self._outbox.failed(notification)

    async def _keep_pace(self, notification: Notification) -> None:
        """Waits for the shared pace while the bot catches up. One notification waits at a time, so they take turns with
        boards.

        At other times, notifications in time do not wait.
        """
        if self._pace.is_used or self._notices.now() - notification.due > LATE_MS:
            async with self._one_waits:
                await self._pace.wait(PER_NOTICE)

    async def _needed(self, notification: Notification, outgoing: Outgoing) -> bool:
        """Returns whether there is still a reason to send it. For a digest, this also schedules the next one.

        Nobody is called to a game without a channel: the new board does so.
        """
        if notification.kind == DIGEST:
            return await self._outbox.digest_wanted(notification, waiting=outgoing.is_current)
        if not outgoing.is_current or not await self._outbox.is_enabled(notification):
            return False
        if notification.kind not in ONLY_THIS_TURN or notification.game_id is None:
            return True
        return not await self._services[DisplacedGames].is_displaced(notification.game_id)

    async def _target(
        self, route: str, notification: Notification, outgoing: Outgoing
    ) -> discord.DMChannel | discord.PartialMessageable | None:
        """Returns the channel of a route; None if there is none. Raises REQUEST_ERRORS."""
        if route == DIRECT:
            return await self._client.create_dm(discord.Object(notification.user_id))
        channel_id = outgoing.channel_id
        if route == SERVER:
            server = await self._services[PreferenceService].of_server(outgoing.guild_id)
            channel_id = int(server["notification_channel"] or 0)
        return self._client.get_partial_messageable(channel_id, guild_id=outgoing.guild_id) if channel_id else None

    async def _send(
        self,
        route: str,
        target: discord.DMChannel | discord.PartialMessageable,
        notification: Notification,
        outgoing: Outgoing,
    ) -> None:
        if route == DIRECT:
            say = await notification_views.language_of_user(self._services, notification.user_id, outgoing.locale)
            ping, mentions = "", NOBODY
        else:
            say = language(outgoing.locale)
            ping = f"<@{notification.user_id}> "
            mentions = discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(notification.user_id)], replied_user=False
            )
        text = await outgoing.text(say)
        files = await outgoing.picture(say) if route == DIRECT else []
        view = await outgoing.view(say)
        await target.send(f"{ping}{text}", files=files, view=view, allowed_mentions=mentions, nonce=notification.id)

    async def _arrived(self, notification: Notification) -> bool | None:
        """Returns whether an earlier attempt has arrived in its channel, found by the button with its id; None if
        unknown.

        Raises REQUEST_ERRORS.
        """
        if notification.sent_to is None:
            return False
        button = f"b:{notification_views.VERB}:{notification.id}:0:"
        found = await ChannelMessages(self._client, notification.sent_to).find(has_button(button), notification.due)
        return None if found is None else bool(found)


async def undelivered(context: Context, user_id: int, say: Any) -> list[tuple[Notification, str]]:
    """Returns the user's undelivered notifications, each with its text. Those without a reason any more are voided."""
    services, outbox = context.services, context.services[Outbox]
    found = []
    for notification in await outbox.undelivered(user_id):
        try:
            outgoing = await prepare(services, notification, with_notices=False)
        except UnreadableGame as error:  # it would stop the others at each command
            if error.game_id == notification.game_id:
                await outbox.void(notification)
            continue
        if outgoing is None:
            continue
        if outgoing.is_current:
            found.append((notification, say("notification.undelivered", markup=await outgoing.text(say))))
        else:
            await outbox.void(notification)
    return found
