"""Driving the sandbox page in a real browser, so that tests read as what a person does.

async with browser() as chromium:
    page = await SandboxPage.open(chromium, server.url)
    ana = await page.seat("Ana")
    await ana.slash("abak challenge", opponent="Ben", game="Abalone")
    await (await page.seat("Ben")).press("Accept")
    assert "Ana" in await ana.last_text()
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from playwright.async_api import Locator, Page, async_playwright, expect

from harness.discord import PATIENT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

expect.set_options(timeout=1000 * PATIENT)
LOADING = re.compile("^(Loading|Cargando)…$")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def chromium_path() -> str | None:
    """Returns the path of Chromium: `ABAKBOT_CHROMIUM`, else the first found on the path.

    The headless shell comes first: it draws the same pages for half of the CPU time.
    """
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("ABAKBOT_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


NEEDS_CHROMIUM = pytest.mark.skipif(
    chromium_path() is None and not os.environ.get("CI"), reason="no Chromium is installed: see ABAKBOT_CHROMIUM"
)
BROWSERS = 2
"""How many processes of a run have one: all tests of pages in a row take nearly as long as all others beside them."""


def in_browser(module: str) -> list[pytest.MarkDecorator]:
    """Returns the marks of a module, given its `__name__`, whose tests take the fixture `chromium`."""
    number = crc32(module.rpartition(".")[2].encode()) % BROWSERS
    return [
        pytest.mark.asyncio(loop_scope="session"),
        pytest.mark.xdist_group(f"browser {number}"),
        pytest.mark.usefixtures("standing_time"),
        NEEDS_CHROMIUM,
    ]


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Runs Chromium in the test's own event loop."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        try:
            yield chromium
        finally:
            await chromium.close()


@dataclass
class SandboxPage:
    """The page in a browser window. `problems` collects script errors and requests that left the page's own server."""

    page: Page
    problems: list[str]

    @classmethod
    async def open(
        cls, chromium: Browser, url: str, *, width: int = 1200, height: int = 800, dark: bool = True, **more: Any
    ) -> SandboxPage:
        """Opens the page and waits until it is connected; `more` goes to the browser's context."""
        context = await chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", **more
        )
        if not dark:  # the page is dark until somebody chooses
            await context.add_init_script(
                "localStorage.getItem('sandbox-theme') ?? localStorage.setItem('sandbox-theme', '\"light\"')"
            )
        page = await context.new_page()
        opened = cls(page, [])
        page.on("pageerror", lambda error: opened.problems.append(f"script: {error}"))
        page.on("console", lambda line: opened._console(line.type, line.text))
        page.on("request", lambda request: opened._request(url, request.url))
        await page.goto(url)
        await expect(page.get_by_test_id("seat-tab").first).to_be_visible()
        return opened

    def _console(self, kind: str, text: str) -> None:
        if kind == "error":
            self.problems.append(f"console: {text}")

    def _request(self, home: str, url: str) -> None:
        if not url.startswith((home, home.replace("http", "ws", 1), "blob:", "data:")):
            self.problems.append(f"request: {url}")

    async def close(self) -> None:
        await self.page.context.close()

    async def seat(self, name: str) -> PageSeat:
        """Returns the person's column, and brings it to the front if it is not shown."""
        tab = self.page.get_by_test_id("seat-tab").filter(has_text=name)
        if await tab.get_attribute("aria-pressed") != "true":
            await tab.click()
        await expect(tab).to_have_attribute("aria-pressed", "true")
        identity = await tab.get_attribute("data-seat-tab")
        return PageSeat(self.page, self.page.locator(f'[data-testid="column"][data-seat="{identity}"]'))

    async def beside(self) -> None:
        """Puts two seats side by side."""
        await self.page.get_by_role("button", name="Two seats side by side").click()
        await expect(self.page.get_by_test_id("column")).to_have_count(2)

    async def overflow(self) -> int:
        """Pixels by which the page is wider than its window."""
        return int(await self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@dataclass
class PageSeat:
    """One person at the page: what they see in their column, and what they do there."""

    page: Page
    column: Locator

    # what is seen

    def messages(self) -> Locator:
        return self.column.get_by_test_id("message")

    def last(self) -> Locator:
        return self.messages().last

    async def last_text(self) -> str:
        """Returns the text of the last message, without its author and buttons."""
        return (await self.last().get_by_test_id("text").first.inner_text()).strip()

    async def last_alt(self) -> str | None:
        """Returns the alternative text of the last message's last picture."""
        return await self.last().locator("img").last.get_attribute("alt")

    async def is_private(self, message: Locator | None = None) -> bool:
        return await (message or self.last()).get_attribute("data-ephemeral") == "true"

    async def place(self) -> str:
        """Returns the name of the channel that this person sees."""
        return await self.column.get_by_test_id("place").inner_text()

    # what is done

    def composer(self) -> Locator:
        return self.column.get_by_test_id("composer")

    async def say(self, text: str) -> None:
        await self.composer().fill(text)
        await self.composer().press("Enter")

    async def begin(self, command: str) -> Locator:
        """Chooses a slash command by its name, as it is shown, and leaves its options to be filled in."""
        await self.composer().fill(f"/{command}")
        wanted = self.column.get_by_test_id("command-list").get_by_role("option")
        await wanted.filter(has=self.page.get_by_text(f"/{command}", exact=True)).click()
        bar = self.column.get_by_test_id("command-bar")
        await expect(bar).to_be_visible()
        return bar

    async def slash(self, command: str, **options: str) -> None:
        """Sends a slash command; options by their registered name, values as they are shown or typed."""
        bar = await self.begin(command)
        for name, value in options.items():
            await self.fill(name, value)
        await expect(bar).to_be_visible()
        await bar.get_by_test_id("more-options").press("Enter")
        await expect(bar).to_have_count(0)

    async def fill(self, name: str, value: str) -> None:
        """Fills one option of the command begun, from the list where the value stands there."""
        bar = self.column.get_by_test_id("command-bar")
        field = bar.locator(f'input[data-option="{name}"]')
        if not await field.count():
            await bar.get_by_test_id("more-options").fill(f"{name}:")
        await expect(field).to_be_visible()
        await field.fill(value)
        rows = self.column.get_by_test_id("option-list")
        await expect(rows.get_by_text(LOADING)).to_have_count(0)
        listed = rows.get_by_role("option").filter(has=self.page.get_by_text(value, exact=True))
        if await listed.count():
            await listed.first.click()

    async def press(self, label: str, message: Locator | None = None) -> None:
        """Presses a button of a message, the last one that has it unless told otherwise."""
        place = message or self.messages()
        await place.get_by_role("button", name=label, exact=True).last.click()

    async def choose(self, *labels: str, message: Locator | None = None, menu: int = -1) -> None:
        """Chooses in the last message's last menu, or in another message's or menu."""
        await (message or self.messages()).locator(".select:enabled").nth(menu).click()
        rows = self.page.get_by_test_id("select-list")
        for label in labels:
            await rows.get_by_role("option").filter(has=self.page.get_by_text(label, exact=True)).click()
        if await rows.count() and await rows.get_attribute("aria-multiselectable") == "true":
            await self.page.get_by_test_id("floating").get_by_role("button").click()

    async def submit(self, **fields: str) -> None:
        """Fills in the form that is open, fields by custom id, and sends it."""
        modal = self.page.get_by_test_id("modal")
        for name, value in fields.items():
            field = modal.locator(f'[data-custom-id="{name}"]')
            if await field.evaluate("field => field.tagName") == "SELECT":
                await field.select_option(label=value)
            else:
                await field.fill(value)
        await modal.locator("button[type=submit]").click()
        await expect(modal).to_have_count(0)

    async def visit(self, channel: str) -> None:
        """Goes to a channel, thread or direct message by its name."""
        entry = self.column.get_by_test_id("channel").filter(has_text=channel)
        drawer = self.column.locator(".drawer-button")
        await expect(self.column).to_be_visible()
        if await drawer.is_visible() and await drawer.get_attribute("aria-expanded") == "false":
            await drawer.click()
        await entry.first.click()
        await expect(self.column.get_by_test_id("place")).to_have_text(channel)
