"""The form of a challenge in the browser: opened by a person's menu, chosen in, posted, accepted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.bot import SPANISH, Room, bot_running
from harness.page import SandboxPage, in_browser
from harness.thinning import one_of
from playwright.async_api import expect

from bot.clocks import words as clock_words
from bot.sandbox.server import serve

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from bot.sandbox.world import World

pytestmark = in_browser(__name__)


@one_of(("locale", "width"), [("en-US", 1000), (SPANISH, 390)])
async def test_a_person_is_challenged_by_their_menu(
    chromium: Browser, world: World, addresses: None, sqlite_url: str, locale: str, width: int
) -> None:
    del addresses
    server = await serve(world, strict=True)
    room = Room.of(server, locale=locale)
    say = room.say
    try:
        async with bot_running(server, sqlite_url) as room.bot:
            room.ben.say("Hola")
            page = await SandboxPage.open(chromium, server.url, width=width, reduced_motion="reduce")
            seat = await page.seat("Ana")
            await seat.visit("games")
            # the menu stands at the name
            await seat.last().get_by_role("button", name="Ben").first.click()
            menu = page.page.get_by_test_id("person-menu")
            await menu.get_by_role("menuitem", name=say("menu.challenge"), exact=True).click()
            form = seat.last()
            await expect(form.get_by_role("button", name=say("button.form_post"))).to_be_visible()
            menus = form.locator(".select")
            await expect(menus).to_have_count(4)
            await expect(menus.nth(3)).to_have_text("Ben")
            assert await page.overflow() == 0
            if folder := os.environ.get("PICTURES"):
                await page.page.screenshot(path=f"{folder}/form-{width}-0.png")

            async def choose(number: int, label: str) -> None:
                await menus.nth(number).click()
                rows = page.page.get_by_test_id("select-list").get_by_role("option")
                await rows.filter(has=page.page.get_by_text(label, exact=True)).click()

            await choose(0, "Backgammon")
            await expect(menus.nth(1)).to_have_text(say("challenge.single"))  # Ana has never played
            await choose(1, say("challenge.match_cube", n=5))
            await choose(2, clock_words.control("10m+5s", say))
            await expect(form).to_contain_text(say("challenge.bank.game"))
            # who is chosen is chosen again: nobody is
            await choose(3, "Ben")
            await expect(menus.nth(3)).to_have_text(say("challenge_form.opponent"))
            await seat.press(say("button.form_ratings"))
            if folder:
                await page.page.screenshot(path=f"{folder}/form-{width}-1.png")
            await seat.submit(ratings="1400-1600")
            await expect(form).to_contain_text(say("challenge.wanted", low=1400, high=1600))
            await seat.press(say("button.form_rated"))
            await expect(form).to_contain_text(say("challenge.rated"))
            if folder:
                await page.page.screenshot(path=f"{folder}/form-{width}-2.png")
            await seat.press(say("button.form_post"))
            await expect(seat.last()).to_contain_text(say("challenge.match_cube", n=5))
            # not the form's menu, which says that anyone may accept
            accept = seat.last().get_by_role("button", name=say("button.accept_challenge"), exact=True)
            await expect(accept).to_be_visible()
            assert await page.overflow() == 0
            if folder:
                await page.page.screenshot(path=f"{folder}/form-{width}-3.png")
            assert page.problems == []
            await page.close()
    finally:
        await server.close()
