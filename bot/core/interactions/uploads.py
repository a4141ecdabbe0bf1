"""Files that users upload with a command."""

from typing import Final

import aiohttp
import discord

CHUNK: Final = 64 * 1024
PATIENCE: Final = aiohttp.ClientTimeout(total=15)


class TooLarge(Exception):
    """The file has more bytes than were asked for."""


async def bytes_of(file: discord.Attachment, most: int) -> bytes:
    """The file's content, read no further than its limit: ``size`` is only what was said of it. Raises TooLarge;
    aiohttp.ClientError, TimeoutError if it cannot be read.

    discord.py's own way reads whatever comes.
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
