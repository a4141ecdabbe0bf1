"""Discord's events about servers reach all listeners while the database is away, and the log is silent about them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import structlog
from harness.bot import TOKEN, bot_running
from harness.discord import until
from sqlalchemy.engine import make_url

from bot.core.storage.faults.outages import DatabaseUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

ROOT = Path(__file__).parents[3]


def change_channel(server: Server, channel_id: int) -> None:
    server.world.deny(channel_id, 0)


def change_role(server: Server) -> None:
    world = server.world
    changed = {"guild_id": str(world.guild_id), "role": world.guilds[world.guild_id]["roles"][0]}
    world.events.dispatch("GUILD_ROLE_UPDATE", lambda: changed, guild_id=world.guild_id, intent=1)


@pytest.mark.long
async def test_an_outage_adds_nothing_to_the_log_for_what_happens_in_servers(
    stand_in: Server, sqlite_url: str, tmp_path: Path
) -> None:
    """In a process of its own, with the logs as they are there."""
    channel = stand_in.world.add_channel("games")
    path, told = Path(str(make_url(sqlite_url).database)), tmp_path / "told"
    environment = {
        "DISCORD_TOKEN": TOKEN,
        "DISCORD_API_BASE": stand_in.api_base,
        "DISCORD_GATEWAY_URL": stand_in.gateway_url,
        "DATABASE_URL": sqlite_url,
        "LOG_FORMAT": "json",
    }

    def lines() -> list[dict[str, object]]:
        whole = [line for line in told.read_text().splitlines(keepends=True) if line.endswith("}\n")]
        return [json.loads(line) for line in whole]

    def logged(message: str) -> Callable[[], bool]:
        return lambda: any(line["message"] == message for line in lines())

    with told.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=os.environ | environment, cwd=ROOT, stderr=errors
        )
    try:
        await until(logged("ready"), "the bot is ready", seconds=60)
        await asyncio.sleep(2)  # SQLite makes an empty file for a connection that a start opens during the move
        path.rename(path.with_suffix(".kept"))  # noqa: ASYNC240  it is done in no time
        for _ in range(2):
            change_channel(stand_in, channel)
            change_role(stand_in)
        stand_in.world.delete_channel(channel)
        await until(logged("database_unavailable"), "it is noticed")
        await asyncio.sleep(1)  # as long as the others would take to say something
        path.with_suffix(".kept").rename(path)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 30) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert "Traceback" not in told.read_text()
    errors = [line for line in lines() if line["level"] == "error"]
    assert {line["message"] for line in errors} == {"database_unavailable"}
    assert len({line["cause"] for line in errors}) == len(errors), errors  # each cause once


@pytest.mark.parametrize("error", [DatabaseUnavailable("made by the test"), RuntimeError("made by the test")], ids=repr)
async def test_who_comes_after_a_listener_that_fails_is_told_nevertheless(
    stand_in: Server, sqlite_url: str, error: Exception
) -> None:
    heard: list[object] = []
    events = ("server_changed", "channel_deleted", "server_back", "server_joined", "server_removed")

    async def fails(_: object) -> None:
        raise error

    def hears(name: str) -> object:
        async def note(_: object) -> None:
            heard.append(name)

        return note

    channel, server = stand_in.world.add_channel("games"), stand_in.world.guild_id
    async with bot_running(stand_in, sqlite_url) as bot:
        for name in events:
            getattr(bot, name)[:] = [fails, hears(name)]
        with structlog.testing.capture_logs() as logs:
            change_channel(stand_in, channel)
            change_role(stand_in)
            await until(lambda: len(heard) == 2, "both changes are heard")
            stand_in.world.delete_channel(channel)
            await until(lambda: len(heard) == 3, "and the end of the channel")
            guild = bot.get_guild(server)
            assert guild is not None
            await bot.on_guild_join(guild)
            await bot.on_guild_remove(guild)
    assert heard == [
        *("server_changed", "server_changed", "channel_deleted"),
        *("server_back", "server_changed", "server_joined", "server_removed"),
    ]
    about = {"server_changed": server, "channel_deleted": channel}
    assert [(line["event"], line["about"]) for line in logs if line["log_level"] == "error"] == [
        ("event_not_handled", about.get(str(name), server)) for name in heard
    ]


async def test_what_fails_in_a_handler_goes_through_our_own_log(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It drops what an outage makes fail; that of discord.py does not."""

    async def fails(_: AbakBot, number: int) -> None:
        raise DatabaseUnavailable(str(number))

    async with bot_running(stand_in, sqlite_url) as bot:
        monkeypatch.setattr(type(bot), "on_shard_resumed", fails)
        with structlog.testing.capture_logs() as logs:
            bot.dispatch("shard_resumed", 0)
            await until(lambda: logs, "it is logged")
    assert [(line["event"], line["handler"]) for line in logs] == [("event_failed", "on_shard_resumed")]
    assert isinstance(logs[0]["exc_info"], DatabaseUnavailable)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
