"""Tests that run at once take no port from each other."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from harness import health
from harness.discord import until

from bot.health import serve_health

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.sandbox.server import Server


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The next free port is taken by somebody else before it is used; those that were tried."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        free_port, tried = health.free_port, list[int]()

        def found() -> int:
            tried.append(free_port() if tried else other.getsockname()[1])
            return tried[-1]

        monkeypatch.setattr(health, "free_port", found)
        yield tried


async def test_a_bot_whose_port_was_taken_serves_on_another(
    taken: list[int], stand_in: Server, sqlite_url: str
) -> None:
    async with health.serving(stand_in, sqlite_url) as served:
        assert len(taken) == 2
        assert served.port == taken[-1]
        assert (await served.ready())[0] == 200


async def test_a_bot_that_never_reaches_the_gateway_says_so(stand_in: Server, sqlite_url: str) -> None:
    """In its log, and on its pages, which are there from the start."""
    async with health.serving(stand_in, sqlite_url, gateway="ws://127.0.0.1:9/") as served:
        await until(lambda: served.lines("gateway_not_reached"), "it names what it tries")
        status, said = await served.ready()
        assert (status, said["discord"], said["shards"]) == (503, False, {"0": "connecting"})
        async with served.session.get(f"http://127.0.0.1:{served.port}/metrics") as page:
            assert 'abakbot_shard_up{shard="0"} 0.0' in await page.text()
    line = served.lines("gateway_not_reached")[0]
    assert (line["gateway"], line["attempts"], line["cause"]) == ("ws://127.0.0.1:9", 3, "Connection refused")
    assert line["next"].startswith("The bot tries again")


async def test_somebody_who_takes_every_port_is_an_error(taken: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    first = health.free_port()
    monkeypatch.setattr(health, "free_port", lambda: first)
    with pytest.raises(OSError, match="address already in use"):
        async with health.on_free_port(serve_health, {}):
            pass
    assert taken == [first]


async def test_a_held_port_is_for_the_server_that_is_told_it() -> None:
    with health.held_port() as port:
        with socket.socket() as other, pytest.raises(OSError, match="Address already in use"):
            other.bind(("127.0.0.1", port))
        async with serve_health(port, {}) as served:
            assert served == port
