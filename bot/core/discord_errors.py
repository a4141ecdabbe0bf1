"""How a request to Discord fails, and the codes by which Discord says why.

Codes: Discord's documentation, "Opcodes and Status Codes", JSON error codes.
"""

from typing import Final

import aiohttp
import discord

REQUEST_ERRORS: Final = (OSError, TimeoutError, aiohttp.ClientError, discord.HTTPException, discord.RateLimited)
"""Discord could not be reached, or has refused. Unless it refused, nobody knows whether the request was carried out."""

NO_CHANNEL: Final = 10003
NO_MESSAGE: Final = 10008
UNKNOWN_INTERACTION: Final = 10062
"""The answer came too late."""
TOO_OLD: Final = 30046
"""A message older than an hour was changed too often."""
ALREADY_ANSWERED: Final = 40060
NO_ACCESS: Final = 50001
NO_PERMISSION: Final = 50013
ARCHIVED: Final = 50083
THREAD_EXISTS: Final = 160004
LOCKED_THREAD: Final = 160005

NOTHING_THERE: Final = frozenset({NO_CHANNEL, NO_MESSAGE})
"""The message is gone."""
SHUT: Final = frozenset({ARCHIVED, LOCKED_THREAD})
"""The thread takes no change. A message sent to it opens it again, unless it is locked."""
UNCHANGEABLE: Final = frozenset({NO_MESSAGE, ARCHIVED, LOCKED_THREAD, TOO_OLD})
"""A message cannot be changed, but a new one may be sent: that opens a thread that is not locked."""
UNANSWERABLE: Final = frozenset({UNKNOWN_INTERACTION, ALREADY_ANSWERED})
"""Nobody waits for an answer any more."""


def code_of(error: BaseException) -> int:
    """Discord's code of a refusal; 0 for one without, and where Discord was not reached."""
    return error.code if isinstance(error, discord.HTTPException) else 0


def is_final(error: BaseException) -> bool:
    """Whether the same request would be refused again."""
    return isinstance(error, discord.Forbidden | discord.NotFound) or code_of(error) in SHUT
