"""The message of a notification: about a game, a digest, or a notice of another room."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord

from bot.board.message import CONTENT
from bot.core.services import Services
from bot.core.translations import CODES, Language
from bot.games.service import GameService
from bot.notifications import views
from bot.notifications.model import DEFAULT_ROUTES, DIGEST, ROUTES, NoticeKind
from bot.notifications.of_games import is_urgent
from bot.notifications.outbox.service import Outbox
from bot.notifications.service import LOCALE, URGENT, Notification, NotificationService

MOST_NEWS: Final = CONTENT // 2
"""The most characters of a digest's notices. The rest wait for the next digest."""


async def no_files(say: Language) -> list[discord.File]:
    del say
    return []


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message and its route. The text depends on the route: in a channel it is in the channel's language."""

    is_current: bool
    """Whether there is still a reason to send it."""
    routes: tuple[str, ...]
    guild_id: int | None
    channel_id: int | None
    """The channel of the game or of the notice; None for a digest, or if only direct messages are left."""
    locale: str
    """The language of the place."""
    text: Callable[[Language], Awaitable[str]]
    view: Callable[[Language], Awaitable[discord.ui.View]]
    picture: Callable[[Language], Awaitable[list[discord.File]]] = no_files
    """Makes the picture, for direct messages alone."""
    is_urgent: bool = False
    """Whether it is about live play, and so waits neither for the end of quiet hours nor for a digest."""
    notices: tuple[str, ...] = ()
    """The ids of the notices in a digest."""


async def prepare(services: Services, notification: Notification, *, with_notices: bool = True) -> Outgoing | None:
    """Prepares the message to send now; None for an unknown kind.

    ``with_notices``: whether a digest includes the notices kept for it. Notices without a reason any more are voided.
    """
    kind = services[NotificationService].kinds.get(notification.kind)
    if kind is not None:
        return await _notice(notification, kind)
    if notification.kind == DIGEST:
        return await _digest(services, notification, with_notices=with_notices)
    return await _of_game(services, notification) if notification.game_id else None


async def _of_game(services: Services, notification: Notification) -> Outgoing:
    live = await services[GameService].newest(notification.game_id or "")

    async def view(say: Language) -> discord.ui.View:
        return views.view(notification, live, say)

    return Outgoing(
        is_current=services[Outbox].is_current(notification, live),
        routes=ROUTES.get(notification.kind, DEFAULT_ROUTES),
        guild_id=live.place.guild_id,
        channel_id=None if live.place.guild_id is None else live.place.channel_id,
        locale=live.locale,
        text=partial(views.line, services, notification, live),
        view=view,
        picture=partial(views.picture, services, notification, live),
        is_urgent=is_urgent(live),
    )


async def _notice(notification: Notification, kind: NoticeKind) -> Outgoing:
    async def view(say: Language) -> discord.ui.View:
        return views.view(notification, None, say, await kind.buttons(notification, say))

    return Outgoing(
        is_current=await kind.is_current(notification),
        routes=kind.routes,
        guild_id=notification.guild_id,
        channel_id=notification.channel_id,
        locale=notification.body[LOCALE],
        text=partial(kind.text, notification),
        view=view,
        is_urgent=bool(notification.body.get(URGENT)),
    )


async def _digest(services: Services, notification: Notification, *, with_notices: bool) -> Outgoing:
    waiting = await views.waiting(services, notification.user_id)
    notices = await _current_notices(services, notification.user_id) if with_notices else []
    locale = waiting[0].locale if waiting else notices[0][0].body[LOCALE] if notices else CODES[0]
    say = await views.language_of_user(services, notification.user_id, locale)
    shown = _first_that_fit([(notice.id, await kind.text(notice, say)) for notice, kind in notices])

    async def text(say: Language) -> str:
        return await views.digest(services, notification.user_id, waiting, say, [news for _, news in shown])

    async def view(say: Language) -> discord.ui.View:
        return views.view(notification, None, say)

    return Outgoing(
        is_current=bool(waiting or shown),
        routes=ROUTES[DIGEST],
        guild_id=None,
        channel_id=None,
        locale=locale,
        text=text,
        view=view,
        notices=tuple(notice_id for notice_id, _ in shown),
    )


async def _current_notices(services: Services, user_id: int) -> list[tuple[Notification, NoticeKind]]:
    """Returns the notices for the user's next digest that still have a reason. The others are voided."""
    notifications, found = services[NotificationService], []
    for notice in await notifications.digests.notices(user_id):
        kind = notifications.kinds.get(notice.kind)
        if kind is None:
            continue
        if await kind.is_current(notice):
            found.append((notice, kind))
        else:
            await notifications.outbox.void(notice)
    return found


def _first_that_fit(notices: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Returns as many of the first notices as a digest has room for; at least one."""
    length = 0
    for number, (_, text) in enumerate(notices):
        length += len(text)
        if length > MOST_NEWS and number:
            return notices[:number]
    return notices
