"""The command line: what each command says, and with which status it ends."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest
from click.testing import CliRunner
from harness.bot import TOKEN
from harness.process import BotProcess

from bot.__main__ import HELD, TAKEN, main
from bot.core.translations import language
from bot.settings import Settings

if TYPE_CHECKING:
    from harness.process import Forks

    from bot.sandbox.server import Server

ROOT = Path(__file__).parents[2]
EN = language("en")
NOWHERE = "postgresql://a:b@127.0.0.1:9/games"


async def started(*arguments: str, **environment: str) -> asyncio.subprocess.Process:
    """Starts the command line in a process of its own."""
    pipe = asyncio.subprocess.PIPE
    clean = {name: value for name, value in os.environ.items() if not name.startswith("DISCORD_")}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments, env=clean | environment, cwd=ROOT, stdout=pipe, stderr=pipe
    )


async def ready(process: asyncio.subprocess.Process) -> bytes:
    """Waits until the bot logs that it is ready; returns what it has logged until then."""
    assert process.stderr is not None
    logged = b""
    async with asyncio.timeout(60):
        while b"] ready " not in (line := await process.stderr.readline()):
            assert line, logged.decode()
            logged += line
    return logged


def connecting(server: Server, database_url: str) -> dict[str, str]:
    """Returns the settings with which `run` connects to a stand-in."""
    return {
        "DISCORD_TOKEN": TOKEN,
        "DISCORD_API_BASE": server.api_base,
        "DISCORD_GATEWAY_URL": server.gateway_url,
        "DATABASE_URL": database_url,
    }


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGINT])
async def test_run_ends_in_good_order_when_it_is_told_to(stand_in: Server, sqlite_url: str, order: int) -> None:
    process = await started(
        "run",
        **connecting(stand_in, sqlite_url),
    )
    errors = await ready(process)
    process.send_signal(order)
    _, more = await asyncio.wait_for(process.communicate(), 60)
    errors += more
    assert process.returncode == 0, errors.decode()
    assert b"Traceback" not in errors


async def test_run_with_a_token_that_discord_refuses_says_so(stand_in: Server, sqlite_url: str) -> None:
    stand_in.world.token = "another"
    process = await started(
        "run",
        **connecting(stand_in, sqlite_url) | {"DISCORD_TOKEN": "the-wrong-one"},
    )
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    assert b"DISCORD_TOKEN: Discord does not accept this token" in errors
    assert b"Traceback" not in errors
    assert b"the-wrong-one" not in errors


async def test_run_says_that_the_port_of_the_health_pages_is_taken(stand_in: Server, sqlite_url: str) -> None:
    port = stand_in.api_base.split(":")[2].split("/")[0]
    process = await started(
        "run",
        **connecting(stand_in, sqlite_url),
        HEALTH_PORT=port,
    )
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1, "the unit tries again"
    assert errors.decode() == f"HEALTH_PORT: {port} is taken; another program serves there, or another bot\n"
    assert not stand_in.world.log, "Discord was not asked"


async def test_run_says_that_the_health_pages_cannot_be_served_on_an_address(stand_in: Server, sqlite_url: str) -> None:
    process = await started("run", **connecting(stand_in, sqlite_url), HEALTH_PORT="8081", HEALTH_HOST="192.0.2.1")
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert errors.decode().startswith("HEALTH_PORT: 8081 cannot be served on HEALTH_HOST, 192.0.2.1: ")
    assert errors.count(b"\n") == 1


@pytest.mark.xdist_group("kill")
async def test_a_second_process_on_an_sqlite_file_is_refused(stand_in: Server, sqlite_url: str, forks: Forks) -> None:
    async with BotProcess(stand_in, sqlite_url, forks) as process:
        await process.start()
        await process.ready()
        asked = len(stand_in.world.log)
        second = await started("run", **connecting(stand_in, sqlite_url))
        _, errors = await asyncio.wait_for(second.communicate(), 60)
        assert second.returncode == 1
        file = sqlite_url.removeprefix("sqlite:///")
        assert errors.decode().startswith(f"The bot runs already on {file}. Stop that process first")
        assert errors.count(b"\n") == 1
        assert len(stand_in.world.log) == asked, "Discord was not asked"
        await process.kill()
        await process.start()
        await process.ready()


@pytest.mark.parametrize(
    ("command", "database", "what"),
    [
        ("run", "", b"Discord"),
        pytest.param("run", NOWHERE, b"The database", marks=pytest.mark.thorough),
        pytest.param("db upgrade", NOWHERE, b"The database", marks=pytest.mark.thorough),
        pytest.param("db rebuild", NOWHERE, b"The database", marks=pytest.mark.thorough),
    ],
)
async def test_what_cannot_be_reached_is_said_in_a_sentence(
    command: str, database: str, what: bytes, sqlite_url: str
) -> None:
    process = await started(
        *command.split(" "),
        DISCORD_TOKEN=TOKEN,
        DISCORD_API_BASE="http://127.0.0.1:9/api/v10",
        DISCORD_GATEWAY_URL="ws://127.0.0.1:9",
        DATABASE_URL=database or sqlite_url,
    )
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert errors.splitlines()[-1].startswith(what + b" cannot be reached: Connection refused")
    assert b"Traceback" not in errors


def test_every_mistake_in_the_settings_is_named_at_once(tmp_path: Path) -> None:
    wrong = tmp_path / "abakbot.env"
    wrong.write_text("LOG_LEVEL = LOUD\nCHALENGE_EXPIRY = 3600\nDATABASE_URL = mysql://x\n", encoding="utf-8")
    for command in ("run", "settings", "db upgrade", "db rebuild", "db check", "backup copy", "restore copy"):
        refused = CliRunner().invoke(main, [*command.split(" "), "--config", str(wrong)])
        assert refused.exit_code == 2
        assert len(refused.output.splitlines()) == 3
        assert "did you mean CHALLENGE_EXPIRY?" in refused.output


def test_settings_lists_all_and_hides_what_is_secret(tmp_path: Path) -> None:
    given = tmp_path / "abakbot.env"
    given.write_text("DISCORD_TOKEN = abc.def\nDATABASE_URL = postgresql://me:sesame@host/games\n", encoding="utf-8")
    shown = CliRunner().invoke(main, ["settings", "--config", str(given)])
    assert shown.exit_code == 0
    assert all(f"{field.name.upper()} = " in shown.output for field in fields(Settings))
    assert "SHARDS = auto\n" in shown.output
    assert "abc.def" not in shown.output
    assert "sesame" not in shown.output


def test_an_upgrade_makes_the_database_and_may_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "folder" / "games.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    for _ in range(2):
        assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (0,)
    connection.close()


def test_a_new_database_is_named_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The place in whole, as a file may be named from the folder where the command is given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///games.sqlite3")
    made = f"A new database was made: {tmp_path / 'games.sqlite3'}.\n"
    for said in (made, ""):
        done = CliRunner().invoke(main, ["db", "upgrade"])
        assert (done.exit_code, done.output) == (0, f"{said}The database is up to date.\n")


@pytest.mark.parametrize(
    "words", ["--config FILE settings", "settings --config FILE", "--config no.env settings --config FILE"]
)
def test_the_file_of_settings_is_named_before_or_after_the_command(words: str, tmp_path: Path) -> None:
    """What stands nearer to it counts."""
    given = tmp_path / "abakbot.env"
    given.write_text("SHARDS = 7\n", encoding="utf-8")
    shown = CliRunner().invoke(main, words.replace("FILE", str(given)).split(" "))
    assert (shown.exit_code, "SHARDS = 7\n" in shown.output) == (0, True), shown.output


@pytest.mark.parametrize("words", ["--config FILE db upgrade", "db --config FILE upgrade", "db upgrade --config FILE"])
def test_so_it_is_with_the_commands_about_the_database(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    given = tmp_path / "abakbot.env"
    given.write_text(f"DATABASE_URL = sqlite:///{tmp_path / 'mine.sqlite3'}\n", encoding="utf-8")
    done = CliRunner().invoke(main, words.replace("FILE", str(given)).split(" "))
    assert done.exit_code == 0, done.output
    assert (tmp_path / "mine.sqlite3").exists()


async def opened(data: Path) -> tuple[asyncio.subprocess.Process, str]:
    """Opens a sandbox in a process of its own; returns its address, too."""
    process = await started("sandbox", "--port", "0", "--data", str(data))
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, line
    return process, found[0]


async def test_a_sandbox_opens_and_closes_and_a_second_one_says_what_it_needs(tmp_path: Path) -> None:
    first, address = await opened(tmp_path / "data")
    async with aiohttp.ClientSession() as session, session.get(address) as page:
        assert page.status == 200
        assert "<html" in (await page.text()).casefold()
    port = address.rpartition(":")[2]
    for data, said in (("data", HELD.format(data=tmp_path / "data")), ("other", TAKEN.format(port=port))):
        second = await started("sandbox", "--port", port, "--data", str(tmp_path / data))
        _, errors = await asyncio.wait_for(second.communicate(), 60)
        assert (second.returncode, errors.decode().strip()) == (2, said)
    first.kill()  # whatever becomes of the first, its folder is free then
    await first.communicate()
    again, _ = await opened(tmp_path / "data")
    again.send_signal(signal.SIGTERM)
    _, errors = await asyncio.wait_for(again.communicate(), 30)
    assert again.returncode == 0, errors.decode()
    assert (tmp_path / "data" / "games.sqlite3").is_file()


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["--host", "0.0.0.0"], {}, "loopback"),  # noqa: S104  refused is what it is to be
        ([], {"LOG_FORMAT": "xml"}, "LOG_FORMAT"),
    ],
)
def test_the_sandbox_says_in_words_why_it_does_not_open(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    environment: dict[str, str],
    said: str,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    refused = CliRunner().invoke(main, ["sandbox", "--port", "0", "--data", str(tmp_path), *arguments])
    assert refused.exit_code == 2
    assert said in refused.output
