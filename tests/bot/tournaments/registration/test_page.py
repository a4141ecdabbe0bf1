"""A tournament set up by taps on the sandbox page of a phone, announced and joined, in both languages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.bot import SPANISH, bot_running
from harness.discord import Seat
from harness.page import SandboxPage, in_browser
from harness.thinning import one_of
from playwright.async_api import expect

from bot.core.translations import language_for_locale
from bot.sandbox.server import serve
from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from bot.sandbox.world import World

pytestmark = in_browser(__name__)
BOSS = permissions.MEMBER | permissions.MANAGE_GUILD


@one_of("locale", ["en-US", SPANISH])
async def test_a_tournament_is_set_up_and_joined_on_a_phone(
    chromium: Browser, world: World, addresses: None, sqlite_url: str, locale: str
) -> None:
    """With ``PICTURES`` set to a folder, it leaves pictures there."""
    del addresses
    say = language_for_locale(locale)
    server = await serve(world, strict=True)
    world.guilds[world.guild_id]["preferred_locale"] = locale
    channel = world.add_channel("games")
    Seat(world, world.add_user("Max", locale=locale, permissions=BOSS), channel)
    Seat.join(world, "Ben", channel, locale=locale)
    folder, shots = os.environ.get("PICTURES"), 0
    try:
        async with bot_running(server, sqlite_url):
            page = await SandboxPage.open(chromium, server.url, width=390, height=844, reduced_motion="reduce")

            async def shot() -> None:
                nonlocal shots
                shots += 1
                assert await page.overflow() == 0
                if folder:
                    await page.page.screenshot(path=f"{folder}/tournament-{say.code}-{shots}.png")

            boss = await page.seat("Max")
            await boss.slash(f"{say('command.tournament')} {say('command.tournament_create')}")
            panel = boss.last()
            await expect(panel).to_contain_text(say("tournament.start_from.about"))
            await shot()
            await boss.choose(say("tournament.template.long_swiss"))
            await expect(panel).to_contain_text(say("tournament.template.long_swiss"))
            await shot()
            for title in ("format", "game", "dates"):
                await boss.press(say("button.plan_next"))
                await expect(panel).to_contain_text(say(f"tournament.page.{title}"))
                await shot()
            await boss.press(say("button.plan_ask.dates"))
            await boss.submit(name="Winter Cup", starts="soon", registration_closes="in 2h")
            await expect(panel).to_contain_text(say("moment.unread", text="soon").replace("`", ""))
            await expect(panel).to_contain_text("Winter Cup")
            await shot()
            await boss.press(say("button.plan_ask.dates"))
            await shot()
            await boss.submit(starts="in 3 days")
            await expect(panel).not_to_contain_text(say("moment.unread", text="soon").replace("`", ""))
            for title in ("players", "rounds", "tie_breaks", "extras"):
                await boss.press(say("button.plan_next"))
                await expect(panel).to_contain_text(say(f"tournament.page.{title}"))
                await shot()
            await boss.press(say("button.plan_preview"))
            await expect(panel).to_contain_text(say("tournament.calendar").replace("*", ""))
            await shot()
            await boss.press(say("button.plan_announce"))
            join = page.page.get_by_role("button", name=say("button.tournament_join"), exact=True)
            await expect(join).to_be_visible()
            await shot()
            ben = await page.seat("Ben")
            await ben.press(say("button.tournament_join"))
            joined = say("tournament.joined", name="Winter Cup", start="").replace("*", "").strip()
            await expect(ben.last()).to_contain_text(joined)
            await shot()
            await ben.slash(f"{say('command.tournament')} {say('command.tournament_show')}")
            await expect(ben.last()).to_contain_text(say("tournament.own.in"))
            await shot()
            await ben.slash(f"{say('command.tournament')} {say('command.tournament_list')}")
            await expect(ben.last()).to_contain_text(say("tournament.list.all").replace("*", ""))
            await shot()
            await ben.slash(f"{say('command.tournament')} {say('command.tournament_help')}")
            await expect(ben.last()).to_contain_text(f"/{say('command.tournament')} {say('command.tournament_help')}")
            await shot()
            assert page.problems == []
            await page.close()
        assert not server.validator.violations
    finally:
        await server.close()
