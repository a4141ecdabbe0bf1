"""Settings and time controls in the browser: pages, forms, a menu of channels, suggestions, the next game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bot import SPANISH, Room, bot_running
from harness.discord import Seat
from harness.page import SandboxPage, in_browser
from harness.thinning import one_of
from playwright.async_api import expect

from bot.clocks import words as clock_words
from bot.core.translations import language_for_locale
from bot.sandbox.server import serve
from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from bot.sandbox.world import World

pytestmark = in_browser(__name__)
BOSS = permissions.MEMBER | permissions.MANAGE_GUILD


@one_of(("locale", "width"), [("en-US", 1000), (SPANISH, 390)])
async def test_time_is_set_and_played_by_on_the_page(
    chromium: Browser, world: World, addresses: None, sqlite_url: str, locale: str, width: int
) -> None:
    del addresses
    say = language_for_locale(locale)
    server = await serve(world, strict=True)
    world.guilds[world.guild_id]["preferred_locale"] = locale
    channel = world.add_channel("games")
    ana = Seat(world, world.add_user("Ana", locale=locale, permissions=BOSS), channel)
    room = Room(server, ana, Seat.join(world, "Ben", channel, locale=locale))
    try:
        async with bot_running(server, sqlite_url) as room.bot:
            page = await SandboxPage.open(chromium, server.url, width=width, reduced_motion="reduce")
            seat = await page.seat("Ana")
            # what is written
            await seat.slash(f"{say('command.abak')} {say('command.settings')}")
            await seat.press(say("panel.user.time"))
            change = say("panel.change", what=f"{say('preference.user.zone')}, {say('preference.user.rest')}")
            await seat.press(change)
            await seat.submit(zone="Springfield", rest="23-7:30")
            await expect(seat.last()).to_contain_text(say("zone.unknown", text="Springfield"))
            await expect(seat.last()).to_contain_text(say("off.rest", begin="23:00", end="07:30 UTC"))
            await seat.press(change)
            await seat.submit(zone="madrid")
            await expect(seat.last()).to_contain_text("Europe/Madrid")
            await seat.choose(say("preference.user.weekend.fri_sat"))
            await expect(seat.last()).to_contain_text(say("off.days.fri_sat"))
            # what is chosen for the server
            await seat.slash(f"{say('command.abak')} {say('command.server')}")
            await expect(seat.last().get_by_role("button", name=say("preference.server.threads"))).to_be_visible()
            await seat.press(say("panel.server.notifications"))
            await expect(seat.last()).to_contain_text(say("panel.empty.notification_channel"))
            await seat.choose("#games", message=seat.last(), menu=0)
            await expect(seat.last().locator(".select").first).to_have_text("#games")
            await seat.press(say("panel.clear.notification_channel"))
            await expect(seat.last()).to_contain_text(say("panel.empty.notification_channel"))
            await seat.press(say("panel.server.machine"))
            await expect(seat.last()).to_contain_text(say("panel.empty.machine_channels"))
            await seat.choose("#games", message=seat.last(), menu=1)
            await expect(seat.last().locator(".select").nth(1)).to_have_text("#games")
            await expect(seat.last()).not_to_contain_text(say("panel.empty.machine_channels"))
            # a time control from the suggestions
            control = clock_words.control("3d/move", say)
            path = f"{say('command.abak')} {say('command.challenge')}"
            await seat.slash(path, opponent="Ben", game="Abalone", time=control)
            await expect(seat.last()).to_contain_text(control)
            other = await page.seat("Ben")
            await other.press(say("button.accept_challenge"))
            seat = await page.seat("Ana")
            await expect(seat.last().get_by_role("button", name=say("button.move"), exact=True)).to_be_visible()
            live = await room.shown()
            assert live.table.record.header.clock == "3d/move"
            assert await page.overflow() == 0
            # the next game
            await seat.slash(f"{say('command.abak')} {say('command.games')}")
            await seat.press(say("button.next_game", n=1))
            await expect(seat.last().locator("img")).to_be_visible()
            await expect(seat.last().get_by_role("button", name=say("button.move"), exact=True)).to_be_visible()
            assert page.problems == []
            assert await page.overflow() == 0
            await page.close()
        assert not server.validator.violations
    finally:
        await server.close()
