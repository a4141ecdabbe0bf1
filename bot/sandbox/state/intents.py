"""Gateway intents: the events that a session asks for (documentation, "Gateway Intents")."""

from typing import Final

GUILDS: Final = 1 << 0
GUILD_MEMBERS: Final = 1 << 1
GUILD_PRESENCES: Final = 1 << 8
GUILD_MESSAGES: Final = 1 << 9
DIRECT_MESSAGES: Final = 1 << 12
MESSAGE_CONTENT: Final = 1 << 15

PRIVILEGED: Final = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT
"""The intents that a bot must be granted before it may ask for them."""

ALL: Final = (1 << 26) - 1
