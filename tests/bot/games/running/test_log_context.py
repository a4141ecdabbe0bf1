"""Every line about a game says which, and after how many entries; every line of an answer, to which interaction."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from harness.bot import TOKEN, Room, told_all
from harness.discord import until

from bot import app, logs
from bot.board.delivery.posting import BoardPosts
from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.service import tick
from bot.core.services import Sources
from bot.games.running.log_context import about_game
from bot.games.service import GameService
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

SECRET = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz-_0123456789"


@pytest.fixture
async def stream() -> AsyncIterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    target = io.StringIO()
    structlog.reset_defaults()
    logs.configure(Settings.load(log_format="json", discord_token=TOKEN), target)
    structlog.configure(**structlog.get_config() | {"cache_logger_on_first_use": False})  # else it lasts for ever
    yield target
    root.handlers, root.level = handlers, level
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


@pytest.fixture
async def bot(stand_in: Server, sqlite_url: str, stream: io.StringIO) -> AsyncIterator[AbakBot]:
    """A bot whose log is a stream of JSON."""
    from fakes.luck import SeededLuck
    from harness.bot import milliseconds

    settings = Settings.load(
        discord_token=TOKEN,
        discord_api_base=stand_in.api_base,
        discord_gateway_url=stand_in.gateway_url,
        database_url=sqlite_url,
    )
    async with app.running(settings, Sources(SeededLuck(1), lambda: 0, milliseconds)) as client:
        await until(client.is_ready, "the bot is ready")
        stream.truncate(0)
        yield client
        await client.service(BoardPublisher).idle()


def lines(stream: io.StringIO, message: str) -> list[dict[str, Any]]:
    logged = [json.loads(line) for line in stream.getvalue().replace("\0", "").splitlines()]
    return [line for line in logged if line["message"] == message]


async def fails(*_: Any, **__: Any) -> None:
    raise ZeroDivisionError(SECRET)


async def test_a_failing_answer_names_the_interaction_and_the_game(
    stand_in: Server, bot: AbakBot, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room.of(stand_in, bot)
    live = await room.begin("apb")
    await room.type(live, "e4-e5 e3-e4")
    live = await room.shown()

    async def breaks(answer: Any, press: Any) -> None:
        await answer.service(GameService).get(press.subject)
        raise ZeroDivisionError(SECRET)

    monkeypatch.setitem(bot.context.handlers, "move", breaks)
    await room.to_move(live).press("b:move:", room.board)
    await told_all(bot)
    (line,) = lines(stream, "answer_failed")
    assert line.items() >= {"game": live.id, "seq": live.seq, "kind": "component", "name": "move"}.items()
    assert int(line["interaction"]) > 10**15
    assert SECRET not in stream.getvalue()


async def test_a_failing_command_names_the_game_that_it_has_read(
    stand_in: Server, bot: AbakBot, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room.of(stand_in, bot)
    live = await room.begin("apb")
    monkeypatch.setattr("bot.games.running.commit.GameCommit.append", fails)
    await room.type(live, "e4-e5 e3-e4")
    await told_all(bot)
    (line,) = lines(stream, "answer_failed")
    assert line.items() >= {"game": live.id, "seq": 0, "kind": "command", "name": "abak move play"}.items()


async def test_a_failing_board_names_the_game_after_the_move(
    stand_in: Server, bot: AbakBot, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room.of(stand_in, bot)
    live = await room.begin("apb")
    with monkeypatch.context() as patch:
        patch.setattr(BoardPosts, "_put", fails)
        await room.type(live, "e4-e5 e3-e4")
        await bot.service(BoardPublisher).idle()
    (line,) = lines(stream, "board_failed")
    assert line.items() >= {"game": live.id, "seq": 1}.items()


async def test_a_failing_tick_names_its_game_and_the_next_line_of_the_loop_does_not(
    stand_in: Server, bot: AbakBot, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room.of(stand_in, bot)
    live = await room.begin("apb")
    monkeypatch.setattr("bot.games.running.elapsed_time.ElapsedTime.up_to", fails)
    await tick(bot.service(GameService), live.id)
    structlog.get_logger("bot.test").info("afterwards")
    (line,) = lines(stream, "tick_failed")
    assert line.items() >= {"game": live.id, "seq": 0}.items()
    (after,) = lines(stream, "afterwards")
    assert not after.keys() & {"game", "seq", "interaction"}


async def test_lines_of_libraries_name_the_game_too(stream: io.StringIO) -> None:
    async def deliver() -> None:
        logging.getLogger("discord.http").warning("We are being rate limited.")

    with about_game("g1", 7):
        task = asyncio.create_task(deliver())
    await task
    (line,) = lines(stream, "We are being rate limited.")
    assert line.items() >= {"game": "g1", "seq": 7}.items()
