"""Files that users upload with a command."""

from typing import Final

import aiohttp
import discord

CHUNK: Final = 64 * 1024
PATIENCE: Final = aiohttp.ClientTimeout(total=15)


class TooLarge(Exception):
    """The file has more bytes than the limit."""


async def bytes_of(file: discord.Attachment, most: int) -> bytes:
    """Reads the file's content up to the limit, as its stated ``size`` may be wrong.

    discord.py's own method reads everything. Raises TooLarge; aiohttp.ClientError or TimeoutError if the file cannot be
    read.
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
