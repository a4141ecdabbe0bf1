"""A start that fails, for whatever reason outside of the bot: one sentence, and a status that says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import aiohttp
import discord
import pytest
from click.testing import CliRunner
from discord.http import Route
from harness.bot import TOKEN

from bot import app
from bot.__main__ import main
from bot.command_line.settings import BAD_SETTINGS, UNREACHED, reaching
from bot.core.storage.faults.start_errors import NO_FOLDER
from bot.sandbox.faults import RESET
from bot.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from bot.sandbox.server import Server

WHAT = "Discord"


def ended(printed: pytest.CaptureFixture[str], ending: pytest.ExceptionInfo[SystemExit]) -> tuple[object, str]:
    """Returns the exit status and the one sentence."""
    (sentence,) = printed.readouterr().err.splitlines()
    return ending.value.code, sentence


@pytest.mark.parametrize("route", ["GET /users/@me", "GET /gateway/bot"])
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"status": 503}, "Discord does not let the bot in for now: it answers with status 503."),
        (
            {"status": 404},
            "Discord does not let the bot in for now: it answers with status 404. Check DISCORD_API_BASE.",
        ),
        ({"status": 403}, "Discord does not let the bot in for now: it answers with status 403."),
        ({"status": 429, "times": 5}, "Discord does not let the bot in for now: it answers with status 429."),
        ({"status": RESET, "times": 2}, f"{WHAT} cannot be reached: "),
    ],
    ids=str,
)
async def test_discord_fails_at_the_start(
    stand_in: Server, sqlite_url: str, capsys: pytest.CaptureFixture[str], route: str, fault: dict[str, Any], said: str
) -> None:
    stand_in.world.faults.fail_next(route, **fault)
    settings = Settings.load(
        discord_token=TOKEN,
        discord_api_base=stand_in.api_base,
        discord_gateway_url=stand_in.gateway_url,
        database_url=sqlite_url,
    )
    with pytest.raises(SystemExit) as ending, reaching(WHAT):
        await app.run(settings)
    status, sentence = ended(capsys, ending)
    assert status == UNREACHED
    assert sentence.startswith(said)


def test_only_what_is_set_is_to_be_checked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", "https://discord.com/api/v10")
    with pytest.raises(SystemExit) as ending, reaching(WHAT):
        raise discord.NotFound(Mock(status=404), "")
    said = "Discord does not let the bot in for now: it answers with status 404."
    assert ended(capsys, ending) == (UNREACHED, said)


def closed(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(Mock(close_code=code), shard_id=0, code=code)


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (TimeoutError(), UNREACHED, f"{WHAT} cannot be reached: no answer in time"),
        (aiohttp.ServerDisconnectedError(), UNREACHED, f"{WHAT} cannot be reached: Server disconnected"),
        (discord.RateLimited(61.2), UNREACHED, "Discord does not let the bot in for now: it asks to wait 61 seconds."),
        (discord.PrivilegedIntentsRequired(0), UNREACHED, "Discord does not allow the bot its intents."),
        (closed(4010), UNREACHED, "Discord has ended the connection for good, with its code 4010."),
        (closed(4004), BAD_SETTINGS, "DISCORD_TOKEN: Discord does not accept this token"),
        (discord.LoginFailure("no"), BAD_SETTINGS, "DISCORD_TOKEN: Discord does not accept this token"),
    ],
    ids=repr,
)
def test_errors_that_the_stand_in_does_not_cause(
    capsys: pytest.CaptureFixture[str], error: Exception, status: int, said: str
) -> None:
    with pytest.raises(SystemExit) as ending, reaching(WHAT):
        raise error
    code, sentence = ended(capsys, ending)
    assert code == status
    assert sentence.startswith(said)


def test_a_fault_of_ours_keeps_its_traceback() -> None:
    with pytest.raises(discord.ClientException), reaching(WHAT):
        raise discord.ClientException("a fault of ours")


@pytest.mark.parametrize("deeper", ["", "folder/"])
def test_a_file_where_the_folder_of_the_database_should_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deeper: str
) -> None:
    (tmp_path / "data").touch()
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/data/{deeper}games.sqlite3")
    run = CliRunner().invoke(main, ["db", "upgrade"])
    assert (run.exit_code, run.output.strip()) == (UNREACHED, NO_FOLDER)
