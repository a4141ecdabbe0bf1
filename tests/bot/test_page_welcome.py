"""A new sandbox in the browser: its welcome card, the way to a first game, and whether everybody can use it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.async_playwright import Axe
from harness.bot import SPANISH, bot_running
from harness.discord import ANSWER_LIMIT
from harness.page import PageSeat, SandboxPage, in_browser
from harness.thinning import one_of
from playwright.async_api import expect

from bot.__main__ import _new_world, _welcome
from bot.core.translations import language_for_locale
from bot.players.machines import USUAL, machine_name
from bot.sandbox.server import serve
from engine.registry import GAMES
from render.registry import THUMBNAIL_WIDTH

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Locator, Page

    from bot.core.translations import Language

pytestmark = in_browser(__name__)

PHONE = {"width": 390, "height": 844, "has_touch": True}
MOST_TAPS = 6
LONGEST_WAY = 80
"""How often Tab is pressed before something counts as out of reach."""


@asynccontextmanager
async def opened(
    chromium: Browser, url: str, locale: str = "en-US", *, width: int = 1280, height: int = 900, **more: Any
) -> AsyncIterator[SandboxPage]:
    page = await SandboxPage.open(
        chromium, url, width=width, height=height, locale=locale, reduced_motion="reduce", **more
    )
    yield page
    assert page.problems == []
    await page.close()


@asynccontextmanager
async def sandbox(sqlite_url: str, *, machine: bool = True) -> AsyncIterator[str]:
    """Starts a new sandbox with its bot, and yields its address."""
    world = _new_world()
    world.answer_limit = ANSWER_LIMIT
    server = await serve(world, welcome=_welcome(machine=machine), strict=True)
    try:
        async with bot_running(server, sqlite_url, machine_workers=int(machine)):
            yield server.url
    finally:
        await server.close()
    assert not server.validator.violations


async def first_seat(page: SandboxPage) -> PageSeat:
    seat = await page.seat("Ana")
    await expect(seat.column.get_by_test_id("welcome")).to_be_visible()
    return seat


@one_of("locale", ["en-US", SPANISH])
async def test_a_new_sandbox_says_what_to_do(chromium: Browser, addresses: None, sqlite_url: str, locale: str) -> None:
    """The card, the commands in the order of use, the seats' languages, and the bot's greeting of the server."""
    del addresses
    say = language_for_locale(locale)
    further = {"en-US": "Diego (español)", SPANISH: "Emma (English)"}[locale]
    async with sandbox(sqlite_url) as url, opened(chromium, url, locale) as page:
        assert await page.page.evaluate("document.documentElement.dataset.theme") == "dark"
        ana = await first_seat(page)
        card = ana.column.get_by_test_id("welcome")
        await expect(card.locator("img")).to_have_count(len(GAMES))
        for image in await card.locator("img").all():
            await expect(image).to_have_js_property("naturalWidth", THUMBNAIL_WIDTH)
        await expect(page.page.get_by_test_id("seat-tab").last).to_contain_text(further)
        await expect(ana.column.locator("select.language")).to_have_value(locale)
        await ana.composer().fill("/")
        shown = await ana.column.get_by_test_id("command-list").locator(".row-name").all_inner_texts()
        first = ("challenge", "next", "games", "help", "learn")
        assert shown[:5] == [f"/abak {say(f'command.{name}')}" for name in first]
        await ana.composer().fill("")
        # a button asks which game to learn
        await card.get_by_role("button", name={"en-US": "Learn", SPANISH: "Aprender"}[locale]).click()
        await expect(ana.last()).to_contain_text(say("learn.which"))
        # a button begins a challenge to the next person
        await card.get_by_role("button", name="Bruno").first.click()
        await ana.last().get_by_role("button", name=say("button.form_post")).click()
        await expect(ana.last().get_by_role("button", name=say("button.accept_challenge"))).to_be_visible()
        # both sides: the two seats beside each other
        await ana.column.locator(".scroller").evaluate("box => box.scrollTop = 0")
        await card.get_by_role("button").last.click()
        await expect(page.page.get_by_test_id("column")).to_have_count(2)
        await ana.visit("lounge")
        games = say.listed(game.name for game in GAMES.values())
        assert await ana.last_text() == say("welcome", games=games).replace("**", "")
        # the direct messages with the bot offer what makes sense there
        await ana.visit("Abakbot")
        await ana.composer().fill("/")
        rows = ana.column.get_by_test_id("command-list").locator(".row-name")
        await expect(rows.first).to_be_visible()
        assert {name.split()[0] for name in await rows.all_inner_texts()} == {"/abak"}
        await ana.composer().fill("")
        await ana.slash(f"abak {say('command.games')}")
        await expect(ana.last()).to_contain_text(say("games.none").split("`")[0].strip())


@pytest.mark.parametrize("machine", [True, False])
async def test_a_picture_begins_its_game(chromium: Browser, addresses: None, sqlite_url: str, *, machine: bool) -> None:
    """Against the machine; where there is none, it opens a challenge with the game chosen."""
    del addresses
    say = language_for_locale(SPANISH)
    async with sandbox(sqlite_url, machine=machine) as url, opened(chromium, url, SPANISH, **PHONE) as page:
        ana = await first_seat(page)
        card = ana.column.get_by_test_id("welcome")
        assert (f"máquina de nivel {USUAL}" in await card.inner_text()) is machine
        await card.get_by_role("button", name="Abalone").tap()
        if machine:
            await expect(ana.messages().filter(has_text=machine_name(USUAL, say))).not_to_have_count(0)
            await expect(ana.last().get_by_role("button", name=say("button.move"), exact=True)).to_be_visible()
        else:
            await expect(ana.last().get_by_role("button", name=say("button.form_post"))).to_be_visible()
            assert "Abalone" in await ana.last_text()
        assert await page.overflow() == 0


async def test_a_first_game_takes_six_taps_at_most(chromium: Browser, addresses: None, sqlite_url: str) -> None:
    """From "/" to the board against a chosen person, with what is usual; both sides counted."""
    del addresses
    say = language_for_locale(SPANISH)
    async with sandbox(sqlite_url) as url, opened(chromium, url, SPANISH, **PHONE) as page:
        ana = await first_seat(page)
        taps = 0

        async def tap(what: Locator) -> None:
            nonlocal taps
            await what.tap()
            taps += 1

        await ana.composer().fill("/")
        rows = ana.column.get_by_test_id("command-list").get_by_role("option")
        await tap(rows.first)
        options = ana.column.get_by_test_id("option-list").get_by_role("option")
        await tap(options.filter(has_text=say("option.opponent.about")))
        await tap(options.filter(has_text="Bruno"))
        await tap(ana.column.locator(".send"))
        await tap(ana.last().get_by_role("button", name=say("button.form_post")))
        await expect(ana.last().get_by_role("button", name=say("button.accept_challenge"))).to_be_visible()
        bruno = await page.seat("Bruno")  # on Discord, another person with a phone of their own
        await tap(bruno.last().get_by_role("button", name=say("button.accept_challenge"), exact=True))
        board = bruno.messages().filter(has=page.page.get_by_role("button", name=say("button.move"), exact=True))
        await expect(board).to_have_count(1)
        assert taps <= MOST_TAPS
        await bruno.column.get_by_text(say("button.to_board")).tap()
        await expect(board).to_be_focused()
        assert await page.overflow() == 0


async def test_the_servers_language_is_that_of_both_seats(chromium: Browser, addresses: None, sqlite_url: str) -> None:
    del addresses
    spanish = language_for_locale(SPANISH)
    async with sandbox(sqlite_url) as url, opened(chromium, url) as page:
        for name in ("Bruno", "Ana"):
            seat = await page.seat(name)
            await seat.column.locator("select.language").select_option(SPANISH)
            await expect(seat.column).to_have_attribute("lang", SPANISH)
        await seat.slash("abak retar", opponent="Bruno", game="Abalone")
        await expect(seat.last().get_by_role("button", name=spanish("button.cancel_challenge"))).to_be_visible()
        assert "reta a" in await seat.last_text()
        await expect(seat.last().get_by_test_id("used")).to_have_text("Ana ha usado /abak retar")


async def test_private_messages_are_gone_after_a_reload(chromium: Browser, addresses: None, sqlite_url: str) -> None:
    del addresses
    async with sandbox(sqlite_url) as url, opened(chromium, url) as page:
        ana = await first_seat(page)
        await ana.slash("abak challenge", opponent="Bruno", game="Abalone")
        await expect(ana.last().get_by_role("button", name="Accept")).to_be_visible()  # else it may stand below help
        await ana.slash("abak help")
        await expect(ana.messages()).to_have_count(2)
        await expect(ana.last()).to_have_attribute("data-ephemeral", "true")
        await page.page.reload()
        ana = await first_seat(page)
        await expect(ana.messages()).to_have_count(1)
        assert not await ana.is_private()


# --- everybody can use it --------------------------------------------------------------------------------------------


async def check(page: Page, where: str, wrong: list[str]) -> None:
    """Adds what axe finds wrong on the page as it is."""
    found = (await Axe().run(page)).response["violations"]
    wrong += [f"{where}: {one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


@one_of(("locale", "width", "dark"), [("en-US", 1280, True), (SPANISH, 390, False)])
async def test_axe_finds_nothing_wrong(
    chromium: Browser, addresses: None, sqlite_url: str, locale: str, width: int, *, dark: bool
) -> None:
    del addresses
    say = language_for_locale(locale)
    async with sandbox(sqlite_url) as url, opened(chromium, url, locale, width=width, dark=dark) as opened_page:
        page, ana = opened_page.page, await first_seat(opened_page)
        wrong: list[str] = []
        await check(page, "the welcome card", wrong)
        await ana.composer().fill("/")
        await check(page, "the commands", wrong)
        await ana.column.get_by_test_id("command-list").get_by_role("option").first.click()
        await check(page, "a command", wrong)
        await ana.fill("opponent", "Bruno")
        await check(page, "its options", wrong)
        await ana.fill("game", "Backgammon")
        await ana.column.locator(".send").click()
        await expect(ana.last().get_by_role("button", name=say("button.accept_challenge"))).to_be_visible()
        await check(page, "a challenge", wrong)
        bruno = await opened_page.seat("Bruno")
        await bruno.press(say("button.accept_challenge"))
        await expect(bruno.last().get_by_role("button", name=say("button.move"), exact=True)).to_be_visible()
        await check(page, "a board", wrong)
        await bruno.last().get_by_test_id("alt-badge").click()
        await check(page, "a description", wrong)
        await page.keyboard.press("Escape")
        await (await opened_page.seat("Ana")).press(say("button.move"))
        await expect(ana.last().get_by_test_id("only-you")).to_be_visible()
        await check(page, "the picker", wrong)
        await ana.slash(f"abak {say('command.settings')}")
        await expect(ana.last().locator(".select").first).to_be_visible()
        await check(page, "the settings", wrong)
        await ana.last().locator(".select").first.click()
        await check(page, "a menu", wrong)
        await page.keyboard.press("Escape")
        if width < 700:  # no room for the channels beside the messages
            await ana.column.locator(".drawer-button").click()
            await expect(ana.column.get_by_test_id("channel").first).to_be_in_viewport()
        await ana.column.get_by_test_id("person").nth(1).click()
        await check(page, "the menu of a person", wrong)
        await page.keyboard.press("Escape")
        await page.locator(".adder button").click()
        await check(page, "a form", wrong)
        assert not wrong, "\n".join(wrong)


async def test_a_game_is_begun_and_played_by_the_keyboard_alone(
    chromium: Browser, addresses: None, sqlite_url: str
) -> None:
    del addresses
    say: Language = language_for_locale("en-US")
    async with sandbox(sqlite_url) as url, opened(chromium, url) as opened_page:
        page = opened_page.page
        await first_seat(opened_page)

        async def reach(what: Locator, key: str = "Tab") -> None:
            """Goes there by Tab; what has the focus is always to be seen."""
            for _ in range(LONGEST_WAY):
                if await what.evaluate("one => one === document.activeElement"):
                    await expect(what).to_be_in_viewport()
                    return
                await page.keyboard.press(key)
            raise AssertionError(f"{what} is not reached by {key}")

        async def press(what: Locator) -> None:
            await reach(what)
            await page.keyboard.press("Enter")

        await press(page.get_by_role("button", name="Challenge Bruno"))
        await page.keyboard.press("Enter")
        post = page.get_by_role("button", name=say("button.form_post"), exact=True)
        await expect(post).to_be_visible()
        await reach(post, "Shift+Tab")
        await page.keyboard.press("Enter")
        accept = page.get_by_role("button", name=say("button.accept_challenge"), exact=True)
        await expect(accept).to_be_visible()
        await reach(page.get_by_test_id("seat-tab").filter(has_text="Bruno"), "Shift+Tab")
        await page.keyboard.press("Enter")
        await reach(accept, "Shift+Tab")
        await page.keyboard.press("Enter")
        move = page.get_by_role("button", name=say("button.move"), exact=True)
        await expect(move).to_be_visible()
        black = page.get_by_test_id("seat-tab").filter(has_text="Ana")
        await reach(black, "Shift+Tab")
        await page.keyboard.press("Enter")
        await reach(move, "Shift+Tab")
        await page.keyboard.press("Enter")
        private = page.locator("[data-ephemeral=true]")
        await expect(private).to_have_count(1)
