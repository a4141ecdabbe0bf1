"""Which permissions the bot needs in a channel to play there."""

from typing import Final

import discord

from bot.core.interactions.answer import Answer
from engine.core.errors import Refused

NEEDED: Final = ("view_channel", "send_messages", "attach_files")
"""What the bot needs in a channel to play there; in a thread ``send_messages_in_threads`` in place of the second."""


def needed(*, in_thread: bool) -> tuple[str, ...]:
    """What the bot needs to show boards, by Discord's names of the permissions."""
    return tuple("send_messages_in_threads" if in_thread and name == "send_messages" else name for name in NEEDED)


def lacking(rights: discord.Permissions, *, in_thread: bool) -> str:
    """The first permission that is missing; "" if none is."""
    return next((name for name in needed(in_thread=in_thread) if not getattr(rights, name)), "")


def check_place(answer: Answer) -> None:
    """Raises Refused, naming the first permission that the bot lacks here."""
    in_thread = isinstance(answer.interaction.channel, discord.Thread)
    missing = lacking(answer.interaction.app_permissions, in_thread=in_thread)
    if missing:
        raise Refused("place.permission", permission=f"@permission.{missing}")
