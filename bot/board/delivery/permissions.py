"""The permissions that the bot needs in a channel."""

from typing import Final

import discord

from bot.core.interactions.answer import Answer
from engine.core.errors import Refused, Translated

NEEDED: Final = ("view_channel", "send_messages", "attach_files")
"""The permissions that the bot needs in a channel. In a thread, ``send_messages_in_threads`` replaces
``send_messages``.
"""


def needed(*, in_thread: bool) -> tuple[str, ...]:
    """Returns the permissions that the bot needs to post boards, by Discord's names."""
    return tuple("send_messages_in_threads" if in_thread and name == "send_messages" else name for name in NEEDED)


def missing_permission(rights: discord.Permissions, *, in_thread: bool) -> str:
    """Returns the first permission that is missing; "" if none is."""
    return next((name for name in needed(in_thread=in_thread) if not getattr(rights, name)), "")


def own_permissions(answer: Answer) -> discord.Permissions:
    """Returns the bot's permissions in the channel of an interaction. Of those in direct messages, Discord reports only
    some.
    """
    channel = answer.interaction.channel
    if isinstance(channel, discord.DMChannel):
        return channel.permissions_for()
    return answer.interaction.app_permissions


def missing_here(answer: Answer) -> str:
    """Returns the first permission that the bot needs and lacks in the channel of an interaction; "" if none is
    missing.
    """
    in_thread = isinstance(answer.interaction.channel, discord.Thread)
    return missing_permission(own_permissions(answer), in_thread=in_thread)


def check_place(answer: Answer) -> None:
    """Raises Refused, with the first missing permission, if the bot cannot play in this channel."""
    check_rights(own_permissions(answer), in_thread=isinstance(answer.interaction.channel, discord.Thread))


def check_rights(rights: discord.Permissions, *, in_thread: bool) -> None:
    """Raises Refused, with the first missing permission, if these permissions are not enough to play."""
    if missing := missing_permission(rights, in_thread=in_thread):
        raise Refused("place.permission", permission=Translated(f"@permission.{missing}"))
