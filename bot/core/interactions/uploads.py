"""Files that users upload with a command."""

from typing import Final

import aiohttp
import discord

CHUNK: Final = 64 * 1024
PATIENCE: Final = aiohttp.ClientTimeout(total=15)


class TooLarge(Exception):
    """Raised when a file has more bytes than the limit."""


async def bytes_of(file: discord.Attachment, most: int) -> bytes:
    """Reads the file's content up to the limit, because ``size`` is only claimed. Raises TooLarge; aiohttp.ClientError
    or TimeoutError if it cannot be read.

    discord.py's own method reads everything.
    """
    if file.size > most:
        raise TooLarge
    found = bytearray()
    async with aiohttp.ClientSession(timeout=PATIENCE, raise_for_status=True) as session, session.get(file.url) as sent:
        async for chunk in sent.content.iter_chunked(CHUNK):
            found += chunk
            if len(found) > most:
                raise TooLarge
    return bytes(found)
