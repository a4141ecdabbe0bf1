"""Discord's permission bits, and the effect of a channel's overwrites (documentation, "Permissions")."""

from collections.abc import Iterable, Mapping
from typing import Any

ADMINISTRATOR = 1 << 3
MANAGE_CHANNELS = 1 << 4
MANAGE_GUILD = 1 << 5
ADD_REACTIONS = 1 << 6
VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
MANAGE_MESSAGES = 1 << 13
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
READ_MESSAGE_HISTORY = 1 << 16
MENTION_EVERYONE = 1 << 17
USE_EXTERNAL_EMOJIS = 1 << 18
MANAGE_ROLES = 1 << 28
USE_APPLICATION_COMMANDS = 1 << 31
MANAGE_THREADS = 1 << 34
CREATE_PUBLIC_THREADS = 1 << 35
CREATE_PRIVATE_THREADS = 1 << 36
SEND_MESSAGES_IN_THREADS = 1 << 38

MEMBER = (
    ADD_REACTIONS
    | VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | USE_EXTERNAL_EMOJIS
    | USE_APPLICATION_COMMANDS
    | CREATE_PUBLIC_THREADS
    | SEND_MESSAGES_IN_THREADS
)
"""The permissions of everybody in a new server."""

MANAGER = MEMBER | MANAGE_GUILD | MANAGE_CHANNELS | MANAGE_MESSAGES | MANAGE_THREADS | MENTION_EVERYONE
"""The permissions of a person who runs a server."""

BOT = MEMBER | MANAGE_THREADS | CREATE_PRIVATE_THREADS
"""The permissions that this world's bot is granted when it is added."""

DIRECT = MEMBER | MENTION_EVERYONE
"""The permissions of anybody in a direct message, where there are no roles."""

REPORTED_BETWEEN = ATTACH_FILES | EMBED_LINKS | MENTION_EVERYONE
REPORTED_DIRECT = REPORTED_BETWEEN | USE_EXTERNAL_EMOJIS
"""The app's permissions that an interaction reports in direct messages with it, or between others. It may do more
(documentation, "Interaction Structure").
"""

ALL = (1 << 53) - 1


def apply_overwrites(base: int, overwrites: Iterable[Mapping[str, Any]], ids: Iterable[int]) -> int:
    """Applies a channel's overwrites to `base`, for the ids of a member and its roles, in Discord's order.

    The first id is the guild's own (everyone), the last the member's. Those between are roles, which count as one.
    """
    if base & ADMINISTRATOR:
        return ALL
    everyone, *roles, member = (str(i) for i in ids)
    by_id = {o["id"]: (int(o["allow"]), int(o["deny"])) for o in overwrites}
    for group in ([everyone], roles, [member]):
        allow = deny = 0
        for key in group:
            more, less = by_id.get(key, (0, 0))
            allow, deny = allow | more, deny | less
        base = base & ~deny | allow
    return base if base & VIEW_CHANNEL else 0
