"""The page in a browser: commands typed as a whole line, and text that stands in no option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from harness.page import IN_BROWSER, PageSeat, SandboxPage
from harness.stage import Stage, said, staged
from playwright.async_api import expect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Locator

Json = dict[str, Any]
pytestmark = IN_BROWSER


@pytest_asyncio.fixture(loop_scope="module")
async def stage(chromium: Browser) -> AsyncIterator[Stage]:
    async with staged(chromium) as made:
        made.bot.answers["game panel"] = said("a panel")
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def ana(page: SandboxPage) -> PageSeat:
    seat = await page.seat("Ana")
    await expect(seat.column.get_by_text("Nothing here yet")).to_be_visible()
    return seat


def arrow(seat: PageSeat) -> Locator:
    return seat.column.get_by_role("button", name="Send")


def bar(seat: PageSeat) -> Locator:
    return seat.column.get_by_test_id("command-bar")


def error(seat: PageSeat) -> Locator:
    return seat.column.get_by_test_id("composer-error")


@pytest.mark.parametrize("line", ["/game panel", "/pan"])
async def test_the_arrow_takes_the_command_that_is_lit_as_enter_does(ana: PageSeat, line: str) -> None:
    await ana.composer().press_sequentially(line)
    await arrow(ana).click()
    await expect(bar(ana)).to_have_attribute("data-command", "game panel")
    await expect(error(ana)).to_have_text("")
    await arrow(ana).click()
    await expect(ana.last()).to_contain_text("a panel")


async def test_a_whole_name_is_enough_while_the_list_is_closed(ana: PageSeat) -> None:
    await ana.composer().press_sequentially("/game panel")
    await ana.page.keyboard.press("Escape")
    await ana.page.keyboard.press("Enter")
    await expect(bar(ana)).to_have_attribute("data-command", "game panel")


async def test_the_arrow_sends_no_command_that_there_is_not(stage: Stage, ana: PageSeat) -> None:
    await ana.composer().press_sequentially("/nothing")
    await arrow(ana).click()
    await expect(error(ana)).to_have_text("No command of that name")
    assert await ana.composer().input_value() == "/nothing"
    assert stage.bot.seen == []
