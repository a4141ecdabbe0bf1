"""An uploaded file is read no further than its limit, whatever is said of its size."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from aiohttp import web

from bot.core.interactions import uploads

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MOST = 100_000
CHUNK = b"x" * 50_000


class Files:
    """Serves a file of any number of chunks, and counts what it has sent."""

    def __init__(self) -> None:
        self.url = ""
        self.sent = 0
        self.status = 200

    async def handle(self, request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(status=self.status)
        await answer.prepare(request)
        for _ in range(int(request.match_info["chunks"])):
            await answer.write(CHUNK)
            self.sent += len(CHUNK)
        return answer

    def file(self, chunks: int, size: int = 10) -> Any:
        return SimpleNamespace(size=size, url=f"{self.url}/{chunks}")


@pytest.fixture
async def files() -> AsyncIterator[Files]:
    files, app = Files(), web.Application()
    app.router.add_get("/{chunks}", files.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    files.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield files
    await runner.cleanup()


async def test_a_file_up_to_its_limit_is_read(files: Files) -> None:
    assert await uploads.bytes_of(files.file(2), MOST) == CHUNK * 2


async def test_a_file_that_is_longer_than_was_said_is_read_no_further(files: Files) -> None:
    with pytest.raises(uploads.TooLarge):
        await uploads.bytes_of(files.file(4000), MOST)
    assert files.sent < len(CHUNK) * 4000


async def test_a_file_that_is_said_to_be_too_large_is_not_asked_for(files: Files) -> None:
    with pytest.raises(uploads.TooLarge):
        await uploads.bytes_of(files.file(1, size=MOST + 1), MOST)
    assert files.sent == 0


async def test_a_file_that_cannot_be_had_says_so(files: Files) -> None:
    files.status = 404
    with pytest.raises(aiohttp.ClientError):
        await uploads.bytes_of(files.file(1), MOST)
