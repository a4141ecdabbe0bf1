"""What a phone shows at once: the board and all buttons of a tour's newest step, and of a picker."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, Room, bot_running, choose_words, private, worded_path
from harness.discord import Seat, components
from harness.page import PageSeat, SandboxPage, in_browser
from harness.thinning import one_of
from playwright.async_api import expect

from bot.sandbox.server import serve
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

    from bot.sandbox.world import World

Json = dict[str, Any]
pytestmark = in_browser(__name__)

CELLS = 0.9
"""The part of a picture that has the cells of the board; above and below them are names and counts."""


@asynccontextmanager
async def phone(chromium: Browser, world: World, url: str, locale: str) -> AsyncIterator[tuple[Room, PageSeat]]:
    server = await serve(world, strict=True)
    try:
        world.guilds[world.guild_id]["preferred_locale"] = locale
        channel = world.add_channel("games")
        ana, ben = [Seat.join(world, name, channel, locale=locale) for name in ("Ana", "Ben")]
        async with bot_running(server, url) as bot:
            page = await SandboxPage.open(chromium, server.url, width=390, height=760, reduced_motion="reduce")
            yield Room(server, ana, ben, bot), await page.seat("Ana")
            await page.close()
    finally:
        await server.close()


async def check_in_view(seat: PageSeat, message: Json, text: str = "") -> None:
    """Checks that the page shows the message as it is now: its board, its buttons, and its text if it begins so."""
    shown = seat.column.locator(f'[data-id="{message["id"]}"]')
    (picture,) = message["attachments"]
    # the page draws a message anew when it hears of a change
    await expect(shown.locator(f'.picture img[src*="/{picture["id"]}/"]')).to_be_in_viewport(ratio=CELLS)
    await expect(shown).to_contain_text(text)
    for part in components(message):
        if "custom_id" in part:
            await expect(shown.locator(f'[data-custom-id="{part["custom_id"]}"]')).to_be_in_viewport(ratio=1)
    if text:
        await expect(shown.locator(".text").first).to_be_in_viewport(ratio=1)


@one_of("locale", ["en-US", SPANISH])
@pytest.mark.parametrize("key", ["abak", "apb"])
async def test_the_first_lessons_are_in_view_whole(
    chromium: Browser, world: World, addresses: None, sqlite_url: str, key: str, locale: str
) -> None:
    del addresses
    async with phone(chromium, world, sqlite_url, locale) as (room, seat):
        game, who, say = GAMES[key], room.ana, room.say
        await who.slash("abak learn", game=key)
        tour = private(who)
        for number, lesson in enumerate(game.lessons[:2]):
            about = f"{number + 1}/{len(game.lessons)}"
            await check_in_view(seat, who.fresh(tour), about)
            state = game.decode(lesson.position)
            for step in game.parse(state, lesson.turns[0])[: 1 if key == "apb" else None]:
                words = worded_path(game, state, step, say)
                while words:
                    words = words[await choose_words(who, who.fresh(tour), words, of=("lesson_pick",)) :]
                    await check_in_view(seat, who.fresh(tour), about)
                state = game.apply(state, step)
            await who.press("b:lesson:", tour)


@pytest.mark.parametrize("key", ["abak", "apb"])
async def test_a_picker_leaves_the_board_in_view(
    chromium: Browser, world: World, addresses: None, sqlite_url: str, key: str
) -> None:
    del addresses
    async with phone(chromium, world, sqlite_url, "en-US") as (room, seat):
        live = await room.begin(key)
        who = room.ana
        assert who is room.to_move(live)
        await who.press("b:move:", room.board)
        await check_in_view(seat, private(who))
        await who.press("b:pick:", private(who))
        await check_in_view(seat, private(who))
