"""An unpatched discord.py client over a real socket, in strict mode: what it asks of Discord, it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.discord import Seat, alt, buttons, running
from harness.tiny import ALT, Tiny, picture

from bot.sandbox import permissions
from bot.sandbox.world import World

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
def ana(world: World) -> Seat:
    return Seat.join(world, "Ana", world.add_channel("games"))


@pytest.fixture
def ben(world: World, ana: Seat) -> Seat:
    return Seat.join(world, "Ben", ana.channel_id, locale="es-ES")


@pytest.fixture
async def client(stand_in: Server, ana: Seat) -> AsyncIterator[Tiny]:  # noqa: ARG001 - there must be a world to meet
    async with running(Tiny()) as tiny:
        assert isinstance(tiny, Tiny)
        yield tiny


async def test_a_client_meets_its_world(client: Tiny, world: World) -> None:
    assert client.user is not None
    assert client.user.id == client.application_id == world.application_id
    [guild] = client.guilds
    assert [c.name for c in guild.text_channels] == ["games"]
    assert guild.me.guild_permissions.value == permissions.BOT
    assert {c["name"] for c in world.commands} == {"show", "fruit", "later", "begin", "slow", "Greet"}


async def test_slash_with_picture_and_button(client: Tiny, ana: Seat, ben: Seat) -> None:
    sent = await ana.slash("show", who=ben, size=2)
    assert sent.message == ana.last == ben.last
    assert ana.last["content"] == f"{ben.mention}: 2"
    assert ana.last["interaction"]["name"] == "show"
    assert alt(ana.last) == [ALT]
    assert (ana.last["attachments"][0]["width"], ana.last["attachments"][0]["height"]) == (4, 2)
    await ben.press("Step 1")
    await ana.press("step:2")
    assert ana.last["content"] == "Step 2"
    assert list(buttons(ana.last)) == ["Step 3"]
    [attachment] = ana.last["attachments"]
    assert ana.world.attachment(int(attachment["id"])) == (picture(2), "image/png")
    assert client.errors == []
