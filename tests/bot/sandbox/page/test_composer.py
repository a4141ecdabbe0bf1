"""The page in a browser: writing, and slash commands by mouse and by keys."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from harness.discord import answered_within, until
from harness.page import PageSeat, SandboxPage, in_browser
from harness.stage import EPHEMERAL, Stage, said, staged, suggested
from playwright.async_api import expect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Locator

Json = dict[str, Any]
pytestmark = in_browser(__name__)


@pytest_asyncio.fixture(loop_scope="session")
async def stage(chromium: Browser) -> AsyncIterator[Stage]:
    async with staged(chromium) as made:
        made.bot.answers["game invite"] = said("invited")
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def ana(page: SandboxPage) -> PageSeat:
    seat = await page.seat("Ana")
    await expect(seat.column.get_by_text("Nothing here yet")).to_be_visible()
    return seat


def sent(stage: Stage) -> Json:
    """Returns the options of the last command that reached the bot, by name."""
    options = stage.bot.seen[-1]["data"]["options"]
    while options and options[0]["type"] in {1, 2}:
        options = options[0]["options"]
    return {option["name"]: option["value"] for option in options}


def pill(seat: PageSeat, name: str) -> Locator:
    return seat.column.locator(f'[data-testid="pill"][data-option="{name}"] input')


async def keys(seat: PageSeat, *names: str) -> None:
    for name in names:
        await seat.page.keyboard.press(name)


async def test_plain_text_is_said(stage: Stage, ana: PageSeat) -> None:
    await ana.composer().fill("two")
    await keys(ana, "Shift+Enter")
    await ana.page.keyboard.type("lines")
    await keys(ana, "Enter")
    await expect(ana.last()).to_contain_text("two\nlines", use_inner_text=True)
    assert stage.world.visible_messages(stage.ana, stage.hall)[-1]["content"] == "two\nlines"
    await ana.composer().fill("   ")
    await keys(ana, "Enter")
    assert len(stage.world.visible_messages(stage.ana, stage.hall)) == 1


async def test_people_are_completed_in_plain_text(stage: Stage, ana: PageSeat) -> None:
    await ana.composer().press_sequentially("hi @be")
    await keys(ana, "Enter")
    await ana.page.keyboard.type("!")
    await keys(ana, "Enter")
    await expect(ana.last()).to_contain_text("hi @Ben !")
    assert stage.world.visible_messages(stage.ana, stage.hall)[-1]["content"] == f"hi <@{stage.ben}> !"


async def test_a_slash_lists_the_commands_and_filters_them(ana: PageSeat) -> None:
    await ana.composer().press_sequentially("/")
    rows = ana.column.get_by_test_id("command-list").get_by_role("option")
    names = [
        "/game invite",
        "/game move play",
        "/game silent",
        "/game panel",
        "/game later",
        "/game form",
        "/game load",
    ]
    await expect(rows.locator(".row-name")).to_have_text(names)  # and not /manage: that is for managers
    await ana.composer().press_sequentially("pla")
    await expect(rows.locator(".row-name")).to_have_text(["/game move play"])
    await ana.composer().fill("/nothing")
    await expect(ana.column.get_by_text("No command of that name")).to_be_visible()
    await keys(ana, "Enter")
    await expect(ana.column.get_by_test_id("composer-error")).to_have_text("No command of that name")
    await keys(ana, "Escape")


async def test_managers_see_their_commands(stage: Stage, page: SandboxPage) -> None:
    stage.world.add_user("Max", permissions=0x20 | 0x400 | 0x800)
    await page.page.reload()
    max_ = await page.seat("Max")
    await max_.composer().press_sequentially("/man")
    await expect(max_.column.get_by_test_id("command-list").get_by_role("option")).to_have_count(1)


async def test_a_command_by_keys_alone(stage: Stage, ana: PageSeat) -> None:
    await ana.composer().press_sequentially("/inv")
    await keys(ana, "Tab")
    await expect(pill(ana, "guest")).to_be_focused()
    rows = ana.column.get_by_test_id("option-list").get_by_role("option")
    await expect(rows).to_have_text(["Ana", "Ben", "Robot"])
    await keys(ana, "ArrowDown", "Enter")
    more = ana.column.get_by_test_id("more-options")
    await expect(more).to_be_focused()
    assert await more.get_attribute("placeholder") == "+3 more"
    await ana.page.keyboard.type("kin")
    await keys(ana, "Tab")
    await expect(pill(ana, "kind")).to_be_focused()
    await ana.page.keyboard.type("mi")
    await keys(ana, "Enter")
    await ana.page.keyboard.type("points:7")
    await keys(ana, "Enter")
    await expect(ana.last()).to_contain_text("invited")
    assert sent(stage) == {"guest": str(stage.ben), "kind": "mill", "points": 7}
    await expect(ana.last().get_by_test_id("used")).to_have_text("Ana used /game invite")
    await expect(ana.composer()).to_be_focused()


async def test_the_lit_row_is_told_to_screen_readers(ana: PageSeat) -> None:
    await ana.composer().press_sequentially("/")
    await keys(ana, "ArrowDown")
    active = await ana.composer().get_attribute("aria-activedescendant")
    await expect(ana.column.locator(f"#{active}")).to_contain_text("/game move play")
    await expect(ana.composer()).to_have_attribute("aria-activedescendant", re.compile("list"))
    await keys(ana, "Escape")
    await expect(ana.composer()).not_to_have_attribute("aria-activedescendant", re.compile("."))
    assert await ana.composer().get_attribute("aria-activedescendant") is None


async def test_a_command_by_mouse(stage: Stage, ana: PageSeat) -> None:
    await ana.slash("game invite", guest="Ben", kind="Checkers", rated="False")
    await expect(ana.last()).to_contain_text("invited")
    assert sent(stage) == {"guest": str(stage.ben), "kind": "checkers", "rated": False}


async def test_a_whole_line_is_understood(stage: Stage, ana: PageSeat) -> None:
    await ana.composer().fill("/game invite guest:@Ben points:3 kind:Mill")
    await keys(ana, "Enter")
    await expect(ana.last()).to_contain_text("invited")
    assert sent(stage) == {"guest": str(stage.ben), "points": 3, "kind": "mill"}


async def test_names_are_of_the_seats_language(stage: Stage, page: SandboxPage) -> None:
    ben = await page.seat("Ben")
    await ben.composer().fill("/game invitar rival:Ana kind:damas")
    await keys(ben, "Enter")
    await expect(ben.last()).to_contain_text("invited")
    assert sent(stage) == {"guest": str(stage.ana), "kind": "checkers"}
    assert stage.bot.seen[-1]["locale"] == "es-ES"
    await ben.begin("game invitar")
    await keys(ben, "Escape", "Enter")
    await expect(ben.column.get_by_test_id("composer-error")).to_have_text("rival: Esta opción es obligatoria")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("/game invite ", "guest: This option is required"),
        ("/game invite guest:Nobody", "guest: Choose one from the list"),
        ("/game invite guest:Ben kind:chess", "kind: Choose one from the list"),
        ("/game invite guest:Ben points:many", "points: Enter a number"),
        ("/game invite guest:Ben points:2.5", "points: Enter a whole number"),
        ("/game invite guest:Ben points:26", "points: From 1 to 25"),
        ("/game move play ", "step: This option is required"),
    ],
)
async def test_what_is_missing_or_wrong_is_named_and_not_sent(
    stage: Stage, ana: PageSeat, line: str, complaint: str
) -> None:
    stage.bot.answers["game move play"] = suggested()
    await ana.composer().fill(line)
    await expect(ana.column.get_by_test_id("command-bar")).to_be_visible()
    await keys(ana, "Escape", "Enter")
    await expect(ana.column.get_by_test_id("composer-error")).to_have_text(complaint)
    name = complaint.split(":", maxsplit=1)[0]
    await expect(pill(ana, name)).to_have_attribute("aria-invalid", "true")
    await expect(pill(ana, name)).to_be_focused()
    assert [seen for seen in stage.bot.seen if seen["type"] == 2] == []
    await ana.page.keyboard.type("1")
    await expect(ana.column.get_by_test_id("composer-error")).to_have_text("")


async def test_the_bot_suggests_while_one_types(stage: Stage, ana: PageSeat) -> None:
    def suggest(payload: Json) -> Json | None:
        if payload["type"] == 2:
            return said("played")
        typed = payload["data"]["options"][0]["options"][0]["options"][0]["value"]
        return suggested(*(name for name in ("a1 b2", "a1 c3", "d4") if typed in name))

    stage.bot.answers["game move play"] = suggest
    await ana.begin("game move play")
    rows = ana.column.get_by_test_id("option-list").get_by_role("option")
    await expect(rows).to_have_text(["a1 b2", "a1 c3", "d4"])
    await ana.page.keyboard.type("a1 c", delay=10)
    await expect(rows).to_have_text(["a1 c3"])
    assert len(stage.bot.seen) <= 3  # one for the empty field; the letters came too fast for one each
    await keys(ana, "Enter", "Enter")
    await expect(ana.last()).to_contain_text("played")
    assert sent(stage) == {"step": "A1 C3"}


async def test_what_is_typed_may_be_sent_without_a_suggestion(stage: Stage, ana: PageSeat) -> None:
    stage.bot.answers["game move play"] = lambda payload: suggested() if payload["type"] == 4 else said("played")
    await ana.begin("game move play")
    await ana.page.keyboard.type("8/5 6/5")
    await expect(ana.column.get_by_text("No options match your search")).to_be_visible()
    await keys(ana, "Enter")
    await expect(ana.last()).to_contain_text("played")
    assert sent(stage) == {"step": "8/5 6/5"}


async def test_late_suggestions_do_not_replace_newer_ones(stage: Stage, ana: PageSeat) -> None:
    stage.bot.answers["game move play"] = None
    await ana.begin("game move play")
    rows = ana.column.get_by_test_id("option-list").get_by_role("option")
    await until(lambda: len(stage.bot.seen) == 1, "it is asked for the empty field")
    await ana.page.keyboard.type("x")
    await until(lambda: len(stage.bot.seen) == 2, "it is asked for the letter")
    stage.bot.answer(stage.bot.seen[1], suggested("new"))
    await expect(rows).to_have_text(["new"])
    stage.bot.answer(stage.bot.seen[0], suggested("old"))
    await asyncio.sleep(0.2)
    await expect(rows).to_have_text(["new"])


async def test_suggestions_that_fail_are_told_and_hinder_nobody(stage: Stage, ana: PageSeat) -> None:
    stage.bot.answers["game move play"] = lambda payload: said("played") if payload["type"] == 2 else None
    await ana.begin("game move play")
    with answered_within(stage.world, 0.1):
        await ana.page.keyboard.type("a1")
        await expect(ana.column.get_by_text("Something went wrong. Try again.")).to_be_visible()
    await keys(ana, "Enter")
    await expect(ana.last()).to_contain_text("played")


async def test_backspace_takes_options_away_and_then_the_command(ana: PageSeat) -> None:
    await ana.composer().fill("/game invite guest:Ben points:3")
    await expect(pill(ana, "points")).to_be_visible()
    await pill(ana, "points").focus()
    await keys(ana, "End", "Backspace", "Backspace")
    await expect(pill(ana, "points")).to_have_count(0)
    await expect(pill(ana, "guest")).to_be_focused()
    await keys(ana, "End", "Backspace", "Backspace", "Backspace")
    assert await pill(ana, "guest").input_value() == ""
    await keys(ana, "Backspace")
    assert await ana.composer().input_value() == "/game invite"
    await expect(ana.composer()).to_be_focused()


async def test_arrows_walk_from_option_to_option(ana: PageSeat) -> None:
    await ana.composer().fill("/game invite guest:Ben points:3")
    await pill(ana, "points").focus()
    await keys(ana, "Home", "ArrowLeft")
    await expect(pill(ana, "guest")).to_be_focused()
    await keys(ana, "End", "ArrowRight")
    await expect(pill(ana, "points")).to_be_focused()


async def test_escape_and_the_cross_leave_the_command(ana: PageSeat) -> None:
    bar = await ana.begin("game invite")
    await keys(ana, "Escape")  # the list
    await expect(bar).to_be_visible()
    await keys(ana, "Escape")  # the command
    await expect(bar).to_have_count(0)
    await ana.begin("game invite")
    await bar.get_by_role("button", name="Leave the command").click()
    await expect(ana.composer()).to_be_focused()


async def test_arrow_up_calls_the_last_command_back(stage: Stage, ana: PageSeat) -> None:
    await ana.slash("game invite", guest="Ben", points="5")
    await expect(ana.last()).to_contain_text("invited")
    first = sent(stage)
    await keys(ana, "ArrowUp")
    assert await pill(ana, "guest").input_value() == "Ben"
    await keys(ana, "Enter")
    await expect(ana.messages()).to_have_count(2)
    assert sent(stage) == first


async def test_a_file_is_sent_with_a_command(stage: Stage, ana: PageSeat) -> None:
    stage.bot.answers["game load"] = said("loaded")
    await ana.begin("game load")
    assert await pill(ana, "file").get_attribute("type") == "file"
    await keys(ana, "Enter")
    await expect(ana.column.get_by_test_id("composer-error")).to_contain_text("file: ")
    content = "1) 31: 8/5 6/5 ñ\n".encode() * 10_000
    await pill(ana, "file").set_input_files({"name": "game.mat", "mimeType": "text/plain", "buffer": content})
    await expect(ana.column.get_by_test_id("composer-error")).to_have_text("")
    await ana.fill("title", "Mine")
    await keys(ana, "Enter")
    await expect(ana.last()).to_contain_text("loaded")
    assert sent(stage)["title"] == "Mine"
    identity = sent(stage)["file"]
    described = stage.bot.seen[-1]["data"]["resolved"]["attachments"][identity]
    assert (described["filename"], described["size"]) == ("game.mat", len(content))
    assert stage.world.attachment(int(identity))[0] == content
    await keys(ana, "ArrowUp", "Enter")  # the command is called back with its file
    await expect(ana.messages()).to_have_count(2)
    assert stage.world.attachment(int(sent(stage)["file"]))[0] == content
    await ana.begin("game load")
    await keys(ana, "Backspace")  # a required option stays, the command goes
    await expect(ana.column.get_by_test_id("command-bar")).to_have_count(0)


async def test_a_command_under_way_says_so_and_one_without_answer_too(stage: Stage, ana: PageSeat) -> None:
    stage.world.answer_limit = 0.5
    await ana.slash("game silent")
    await expect(ana.last()).to_contain_text("Sending command…")
    await expect(ana.last()).to_contain_text("The application did not respond")
    await expect(ana.last().get_by_test_id("used")).to_have_text("Ana used /game silent")
    await ana.press("Dismiss message")
    await expect(ana.messages()).to_have_count(0)


async def test_a_refusal_of_the_world_is_told(stage: Stage, ana: PageSeat) -> None:
    await ana.begin("game panel")
    stage.world.registered.replace([])
    await expect(ana.column.get_by_test_id("command-bar")).to_be_visible()
    await keys(ana, "Enter")
    await expect(ana.last()).to_contain_text("Not accepted: no command 'game'")
    await ana.composer().fill("/")
    await expect(ana.column.get_by_text("The bot has not registered its commands yet.")).to_be_visible()


async def test_a_deferred_answer_thinks_first(stage: Stage, ana: PageSeat) -> None:
    stage.bot.answers["game later"] = {"type": 5, "data": {"flags": EPHEMERAL}}
    await ana.slash("game later")
    await expect(ana.last().get_by_test_id("thinking")).to_have_text("Robot is thinking…")
    stage.bot.follow(stage.bot.seen[-1], {"content": "here it is"})
    await expect(ana.last()).to_contain_text("here it is")
    await expect(ana.last()).not_to_contain_text("edited")
    await expect(ana.messages()).to_have_count(1)
    assert await ana.is_private()


async def test_what_can_be_chosen_grows_with_the_people(stage: Stage, page: SandboxPage, ana: PageSeat) -> None:
    await page.page.get_by_role("button", name="Add a person").click()
    dialog = page.page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill("Ánima")
    await dialog.get_by_role("button", name="Add").click()
    await expect(page.page.get_by_role("button", name="Ánima", pressed=True)).to_be_visible()
    ana = await page.seat("Ana")
    await ana.begin("game invite")
    await ana.page.keyboard.type("anim")
    await keys(ana, "Enter", "Enter")
    await expect(ana.last()).to_contain_text("invited")
    newest = max(stage.world.users)
    assert stage.world.users[newest]["global_name"] == "Ánima"
    assert sent(stage)["guest"] == str(newest)


async def test_two_columns_have_two_composers(page: SandboxPage) -> None:
    await page.beside()
    ana, ben = await page.seat("Ana"), await page.seat("Ben")
    await ana.begin("game invite")
    await ben.say("hola")
    await expect(ben.last()).to_contain_text("hola")
    await expect(ana.last()).to_contain_text("hola")
    await expect(ana.column.get_by_test_id("command-bar")).to_be_visible()
    await expect(ana.column).to_have_attribute("aria-label", "Seat: Ana")
    await expect(ben.column).to_have_class(re.compile("focused"))
