"""Runs the image's command, with its environment and in its order, without a container around it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest
from harness.bot import TOKEN
from harness.discord import until
from harness.health import held_port
from harness.scrapes import read, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.sandbox.server import Server

ROOT = Path(__file__).parents[3]
IMAGE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")


def instruction(word: str) -> str:
    """Returns the last line of the file with that instruction."""
    found: str = re.findall(rf"^{word} (.+)$", IMAGE, re.MULTILINE)[-1]
    return found


def called(line: str) -> list[str]:
    """Returns a command of the image, run by this Python."""
    abakbot, *rest = json.loads(line[line.index("[") :])
    assert abakbot == "abakbot"
    return [sys.executable, "-m", "bot", *rest]


@pytest.fixture
def port() -> Iterator[int]:
    with held_port() as found:
        yield found


async def test_the_image_starts_is_healthy_tells_its_metrics_and_stops(
    stand_in: Server, tmp_path: Path, port: int
) -> None:
    """The token comes from a file, as systemd gives it; nothing but the folder of the data is written to."""
    given = dict(pair.split("=", 1) for pair in shlex.split(instruction("ENV")))
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "discord_token").write_text(f"{TOKEN}\n", encoding="utf-8")
    data = tmp_path / "data"
    data.mkdir()
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("DISCORD_", "DATABASE_"))}
    environment |= {name: text.replace("/data", str(data)) for name, text in given.items() if name != "PATH"}
    environment |= {
        "HEALTH_PORT": str(port),
        "DISCORD_API_BASE": stand_in.api_base,
        "DISCORD_GATEWAY_URL": stand_in.gateway_url,
        "CREDENTIALS_DIRECTORY": str(credentials),
        "PYTHONPATH": str(ROOT),
    }
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *called(instruction("CMD")), env=environment, cwd=data, stdout=pipe, stderr=pipe
    )
    try:
        await until(lambda: stand_in.gateway.sessions, "the bot is connected", seconds=90)
        for _ in range(10):  # the pages are served a moment after the bot has connected
            asked = await asyncio.create_subprocess_exec(
                *called(instruction("HEALTHCHECK")), env=environment, cwd=data, stdout=pipe, stderr=pipe
            )
            await asked.communicate()
            if asked.returncode == 0:
                break
        assert asked.returncode == 0
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                page = await answer.text()
            async with session.get(f"http://127.0.0.1:{port}/readyz") as answer:
                assert (await answer.json())["discord"]
    finally:
        process.send_signal(signal.SIGTERM)
        _, log = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, log.decode()
    samples = read(page)
    assert value(samples, "abakbot_database_up") == 1
    assert value(samples, "abakbot_shard_up", shard="0") == 1
    assert value(samples, "process_resident_memory_bytes") > 10**7
    assert TOKEN not in {text for _, labels in samples for _, text in labels}
    lines = [json.loads(line) for line in log.decode().splitlines()]
    assert "ready" in {line["message"] for line in lines}
    assert {path.name for path in data.iterdir()} <= {
        f"abakbot.sqlite3{end}" for end in ("", "-wal", "-shm", ".lock", ".run")
    }
