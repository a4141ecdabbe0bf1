"""The exceptions of a failed request to Discord, and Discord's error codes.

Codes: Discord's documentation, "Opcodes and Status Codes", JSON error codes.
"""

from http import HTTPStatus
from typing import Final

import aiohttp
import discord

REQUEST_ERRORS: Final = (OSError, TimeoutError, aiohttp.ClientError, discord.HTTPException, discord.RateLimited)
"""Discord refused the request, or could not be reached. In the second case it may still have carried out
the request.
"""

NO_CHANNEL: Final = 10003
NO_MESSAGE: Final = 10008
UNKNOWN_INTERACTION: Final = 10062
"""The answer came too late."""
TOO_OLD: Final = 30046
"""A message older than an hour was edited too often."""
ALREADY_ANSWERED: Final = 40060
NO_ACCESS: Final = 50001
NO_PERMISSION: Final = 50013
NOT_TO_USER: Final = frozenset({50007, 50278})
"""The user has blocked the bot, takes no direct messages from servers, or shares no server with the bot."""
ARCHIVED: Final = 50083
THREAD_EXISTS: Final = 160004
LOCKED_THREAD: Final = 160005

NOTHING_THERE: Final = frozenset({NO_CHANNEL, NO_MESSAGE})
"""The message or its channel no longer exists."""
SHUT: Final = frozenset({ARCHIVED, LOCKED_THREAD})
"""The thread accepts no edits. A new message reopens it, unless it is locked."""
UNCHANGEABLE: Final = frozenset({NO_MESSAGE, ARCHIVED, LOCKED_THREAD, TOO_OLD})
"""The message cannot be edited. A new one may be sent; it reopens an archived thread that is not locked."""
UNANSWERABLE: Final = frozenset({UNKNOWN_INTERACTION, ALREADY_ANSWERED})
"""The interaction can no longer be answered."""


def code_of(error: BaseException) -> int:
    """Returns Discord's error code; 0 if there is none, or if Discord was not reached."""
    return error.code if isinstance(error, discord.HTTPException) else 0


def is_final(error: BaseException) -> bool:
    """Returns whether Discord would refuse the same request again."""
    return isinstance(error, discord.Forbidden | discord.NotFound) or code_of(error) in SHUT


def is_refusal(error: BaseException) -> bool:
    """Returns whether Discord has refused the request, and so has not carried it out."""
    return (
        isinstance(error, discord.HTTPException)
        and HTTPStatus.BAD_REQUEST <= error.status < HTTPStatus.INTERNAL_SERVER_ERROR
    )


def is_lost(error: BaseException) -> bool:
    """Returns whether Discord was not reached, or failed. The request may or may not have been carried out."""
    return isinstance(error, aiohttp.ClientError | ConnectionError | discord.DiscordServerError)
