"""Buttons of notices that link to the game or the tournament, as direct messages are far from both."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.core.translations import Language
from bot.notifications.service import Notification, NotificationService


def add(notifications: NotificationService, label: str, kinds: Collection[str]) -> None:
    """Gives notices of these kinds a button to their channel. ``label``: its key."""
    for kind in kinds:
        notifications.kinds[kind] = replace(notifications.kinds[kind], buttons=_to_channel(label))


def _to_channel(label: str) -> Callable[[Notification, Language], Awaitable[Sequence[Any]]]:
    async def buttons(notification: Notification, say: Language) -> Sequence[Any]:
        url = f"https://discord.com/channels/{notification.guild_id}/{notification.channel_id}"
        return [discord.ui.Button(label=say(label), url=url)]

    return buttons
