"""The bot stops in good order: whoever waits is answered, and what was played is shown."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from harness.books import Books
from harness.bot import Room, bot_running, told, told_all, wired
from harness.discord import until

from bot.board import pictures
from bot.core import client
from bot.core.translations import language

EN = language("en")

if TYPE_CHECKING:
    import pytest

    from bot.core.interactions.answer import Answer
    from bot.sandbox.server import Server


async def test_what_is_under_way_comes_to_its_end(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = pictures.registry.picture

    def slowly(*given: Any) -> bytes:
        time.sleep(0.3)
        return draw(*given)

    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        monkeypatch.setattr(pictures.registry, "picture", slowly)
        monkeypatch.setattr(pictures.registry, "cached", lambda *_, **__: None)
        await room.play(live, "e4-e5 e3-e4")
        assert len(room.boards) == 1
        await told_all(bot)  # else it is Ana's answer that is under way below, and Ben's may come after the end
        looking = asyncio.create_task(room.ben.slash("abak board"))
        await until(lambda: bot.context.under_way, "the answer is under way")
        await bot.close()
        assert (await looking).message is not None
    async with Books(sqlite_url) as books:
        stored = await books.stored(live.id)
    assert stored.shown_seq == len(stored.record.entries) == 1
    assert str(stored.message_id) == room.board["id"]
    assert [wired(board) != [] for board in room.boards] == [False, True]


async def test_an_idle_bot_stops_at_once_and_can_be_stopped_twice(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        await bot.close()
        assert bot.closed.is_set()
        await bot.close()


async def test_what_comes_until_the_shards_are_disconnected_is_answered(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord delivers until it has heard of the end, which takes a while. Afterwards nothing is taken any more."""
    connected, stopping = asyncio.Event(), asyncio.Event()
    async with bot_running(stand_in, sqlite_url) as bot:
        room, stop = Room.of(stand_in, bot), bot.runner.stop
        taken: list[str] = []

        async def slowly() -> None:
            stopping.set()
            await connected.wait()
            await stop()

        async def note(answer: Answer) -> None:
            taken.append(answer.say.code)

        monkeypatch.setattr(bot.runner, "stop", slowly)
        bot.context.before_answer.insert(0, note)
        closing = asyncio.create_task(bot.close())
        await stopping.wait()
        seen = len(bot.admission._pressed)
        late = asyncio.create_task(room.ana.slash("abak games"))
        await until(lambda: len(bot.admission._pressed) > seen, "it is delivered")
        assert not bot.admission.closed
        connected.set()
        await closing
        assert (await late).state == "answered"
        assert taken == ["en"]
        assert bot.admission.closed


async def test_an_answer_that_never_ends_is_given_up(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As without a database. The user is told, and nothing more is sent over the closed connection to Discord."""
    monkeypatch.setattr(client, "GRACE", 0.2)
    dark = asyncio.Event()
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)

        async def nothing(_: Answer) -> None:
            await dark.wait()

        bot.context.before_answer.append(nothing)
        waiting = asyncio.create_task(room.ana.slash("abak games"))
        await until(lambda: bot.context.under_way, "the answer is under way")
        await bot.close()
        assert told(room.ana) == EN("error.unknown")
        dark.set()
        await until(lambda: not bot.context.under_way, "the answer has ended")
        await waiting
