"""The page in a browser: commands typed as a whole line, and text that stands in no option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from harness.page import PageSeat, SandboxPage, in_browser
from harness.stage import GAME, Stage, said, staged
from harness.thinning import one_of
from playwright.async_api import expect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Locator

Json = dict[str, Any]
pytestmark = in_browser(__name__)


@pytest_asyncio.fixture(loop_scope="session")
async def stage(chromium: Browser) -> AsyncIterator[Stage]:
    async with staged(chromium) as made:
        made.bot.answers["game panel"] = said("a panel")
        yield made


@pytest_asyncio.fixture(loop_scope="session")
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


@one_of("line", ["/game panel", "/pan"])
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


# text that stands in no option


def sent(stage: Stage) -> Json:
    """Returns the options of the last command that reached the bot, by name."""
    return {option["name"]: option["value"] for option in stage.bot.seen[-1]["data"]["options"][0].get("options", [])}


def rest(seat: PageSeat) -> Locator:
    return seat.column.get_by_test_id("more-options")


def rows(seat: PageSeat) -> Locator:
    return seat.column.get_by_test_id("option-list").locator(".row-name")


INVITE: Json = {
    "name": "meet",
    "description": "Meetings",
    "options": [
        {
            "type": 1,
            "name": "ask",
            "description": "Ask somebody, or anyone",
            "options": [
                {"type": 6, "name": "guest", "description": "Whom to ask, Zed or another"},
                {"type": 6, "name": "judge", "description": "Who decides"},
                {"type": 4, "name": "points", "description": "First to 7", "max_value": 25},
                {"type": 3, "name": "note", "description": "What to say"},
                {"type": 3, "name": "kind", "description": "Which", "choices": [{"name": "Mill", "value": "mill"}]},
            ],
        }
    ],
}


@pytest_asyncio.fixture(loop_scope="session")
async def asking(stage: Stage, ana: PageSeat) -> PageSeat:
    """Ana at a command whose options may all be left out."""
    stage.bot.register(GAME, INVITE)
    stage.bot.answers["meet ask"] = said("asked")
    await ana.composer().press_sequentially("/meet ask ")
    await expect(rest(ana)).to_be_focused()
    return ana


async def test_a_command_that_comes_while_its_name_is_typed_is_found(stage: Stage, ana: PageSeat) -> None:
    await ana.composer().press_sequentially("/meet ask ")
    await expect(ana.column.get_by_text("No command of that name")).to_be_visible()
    stage.bot.register(GAME, INVITE)
    await expect(rest(ana)).to_be_focused()
    await expect(bar(ana)).to_have_attribute("data-command", "meet ask")


@one_of(("typed", "row"), [("Mill", "kind: Mill"), ("mi", "kind: Mill"), ("7", "points: 7")])
async def test_a_value_without_its_option_is_offered_as_one(
    stage: Stage, asking: PageSeat, typed: str, row: str
) -> None:
    await asking.page.keyboard.type(typed)
    await expect(rows(asking).first).to_have_text(row)
    await asking.page.keyboard.press("Enter")
    await expect(asking.column.get_by_test_id("pill")).to_have_count(1)
    await asking.page.keyboard.press("Enter")
    await expect(asking.last()).to_contain_text("asked")
    assert sent(stage) in ({"kind": "mill"}, {"points": 7})


async def test_a_person_is_offered_for_every_option_that_takes_one(stage: Stage, asking: PageSeat) -> None:
    await asking.page.keyboard.type("@ben")
    await expect(rows(asking)).to_have_text(["guest: Ben", "judge: Ben", "note: @ben"])
    await arrow(asking).click()  # which of them is meant nobody knows
    await expect(error(asking)).to_have_text(
        "“@ben” belongs to no option. Choose an option for it from the list, or delete it."
    )
    assert stage.bot.seen == []
    await asking.page.keyboard.press("ArrowDown")
    await asking.page.keyboard.press("Enter")
    await expect(error(asking)).to_have_text("")
    await arrow(asking).click()
    await expect(asking.last()).to_contain_text("asked")
    assert sent(stage) == {"judge": str(stage.ben)}


async def test_the_arrow_takes_a_value_that_is_of_one_option_alone(stage: Stage, asking: PageSeat) -> None:
    await asking.page.keyboard.type("mill")
    await arrow(asking).click()
    await expect(asking.last()).to_contain_text("asked")
    assert sent(stage) == {"kind": "mill"}


@pytest.mark.parametrize("way", ["Enter", "arrow"])
async def test_words_that_fit_no_option_are_kept_and_told(stage: Stage, asking: PageSeat, way: str) -> None:
    await asking.page.keyboard.type("Zed")
    await (rest(asking).press("Enter") if way == "Enter" else arrow(asking).click())
    await expect(error(asking)).to_have_text(
        "“Zed” belongs to no option. Choose an option for it from the list, or delete it."
    )
    assert await rest(asking).input_value() == "Zed"
    await expect(rest(asking)).to_be_focused()
    await expect(rest(asking)).to_have_attribute("aria-invalid", "true")
    await expect(rows(asking)).to_have_text(["note: Zed"])
    await rows(asking).click()
    await asking.page.keyboard.press("Enter")
    await expect(asking.last()).to_contain_text("asked")
    assert sent(stage) == {"note": "Zed"}


async def test_words_that_are_deleted_hinder_nobody(stage: Stage, asking: PageSeat) -> None:
    await asking.page.keyboard.type("Zed")
    await arrow(asking).click()
    await rest(asking).fill("")
    await expect(error(asking)).to_have_text("")
    await asking.page.keyboard.press("Enter")
    await expect(asking.last()).to_contain_text("asked")
    assert sent(stage) == {}


@pytest.mark.parametrize(
    ("name", "line", "complaint"),
    [
        ("Ana", "/game panel now", "The command has no option for “now”. Delete it to send the command."),
        ("Ben", "/game panel ya", "El comando no tiene ninguna opción para «ya». Bórralo para enviar el comando."),
        ("Ana", "/game invite guest:Ben points:3 points:4", "points: Enter a number"),
    ],
)
async def test_a_pasted_line_loses_no_word(
    stage: Stage, page: SandboxPage, name: str, line: str, complaint: str
) -> None:
    seat = await page.seat(name)
    await seat.composer().fill(line)
    await expect(bar(seat)).to_be_visible()
    await seat.column.locator(".send").click()
    await expect(error(seat)).to_have_text(complaint)
    assert stage.bot.seen == []


async def test_a_pasted_word_for_a_file_is_kept(ana: PageSeat) -> None:
    await ana.composer().fill("/game load Mine")
    await expect(rest(ana)).to_have_value("Mine")
    await arrow(ana).click()
    await expect(error(ana)).to_contain_text("“Mine” belongs to no option.")
