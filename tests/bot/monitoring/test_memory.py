"""The bot gives memory back while it runs."""

from __future__ import annotations

import discord
import pytest

from bot.monitoring import worker


async def test_each_run_gives_back_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[None] = []
    monkeypatch.setattr(worker, "give_back", lambda: calls.append(None))
    assert await worker.MemoryWorker(discord.Client(intents=discord.Intents.none())).run_once() == worker.PERIOD
    assert calls == [None]


async def test_each_run_forgets_limits_of_discord_that_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    client = discord.Client(intents=discord.Intents.none())
    asked: list[object] = []
    monkeypatch.setattr(worker, "forget_limits", lambda http, _: asked.append(http))
    await worker.MemoryWorker(client).run_once()
    assert asked == [client.http]
