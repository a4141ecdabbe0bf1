"""The page in a browser: seats, places, small screens."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
from harness.page import in_browser
from harness.stage import EPHEMERAL, SELECT, button, picture, row, said
from harness.thinning import one_of
from playwright.async_api import expect

from bot.sandbox.page import operations
from bot.sandbox.server import serve
from bot.sandbox.state.attachments import Upload

if TYPE_CHECKING:
    from harness.page import SandboxPage
    from harness.stage import Stage
    from playwright.async_api import FloatRect

pytestmark = in_browser(__name__)


async def test_seats_have_their_own_language_channel_and_counters(stage: Stage, page: SandboxPage) -> None:
    stage.world.add_channel("lobby")
    ana = await page.seat("Ana")
    await ana.visit("lobby")
    tab = page.page.get_by_test_id("seat-tab")
    stage.bot.post(stage.hall, {"content": f"<@{stage.ben}> your turn"})
    await expect(tab.filter(has_text="Ben")).to_contain_text("Mentions: 1")
    await expect(tab.filter(has_text="Ana")).to_contain_text("Unread: 1")
    await expect(ana.column.get_by_test_id("channel").filter(has_text="hall")).to_contain_text("Unread: 1")
    ben = await page.seat("Ben")
    assert await ben.place() == "hall"
    await expect(tab.filter(has_text="Ben")).not_to_contain_text("1")
    await expect(page.page.locator("html")).to_have_attribute("lang", "es-ES")
    await expect(ben.column.get_by_placeholder("Mensaje a #hall")).to_be_visible()
    assert await (await page.seat("Ana")).place() == "lobby"


async def test_a_private_message_just_after_a_seat_is_taken_is_shown(
    stage: Stage, page: SandboxPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = operations.OPS["history"]

    def post() -> None:
        body = {"content": "for Ben", "flags": EPHEMERAL}
        stage.world.messages.create(stage.hall, stage.world.bot_user, body, {}, kind="answer", owner=stage.ben)

    async def read(*args: Any) -> object:
        asyncio.get_running_loop().call_soon(post)  # after the answer
        return await history(*args)

    monkeypatch.setitem(operations.OPS, "history", read)
    await expect((await page.seat("Ben")).last()).to_contain_text("for Ben")


async def test_the_language_menu_changes_page_and_world(stage: Stage, page: SandboxPage) -> None:
    ana = await page.seat("Ana")
    await ana.column.get_by_label("Language").select_option(label="Español")
    await expect(ana.column.get_by_placeholder("Mensaje a #hall")).to_be_visible()
    assert stage.world.users[stage.ana]["locale"] == "es-ES"
    await ana.composer().fill("/inv")
    await expect(ana.column.get_by_test_id("command-list").get_by_role("option")).to_have_text(
        re.compile("/game invitarInvita a alguien")
    )


async def test_two_seats_side_by_side_are_remembered(page: SandboxPage) -> None:
    await page.beside()
    ana, ben = await page.seat("Ana"), await page.seat("Ben")
    await ana.say("hello @Ben")
    await expect(ben.last()).to_contain_text("hello @Ben")
    await expect(ben.last().locator(".mention.mine")).to_have_count(1)
    await page.page.reload()
    await expect(page.page.get_by_test_id("column")).to_have_count(2)


async def test_a_person_can_be_added(stage: Stage, page: SandboxPage) -> None:
    await page.page.get_by_role("button", name="Add a person").click()
    dialog = page.page.get_by_role("dialog", name="Add a person")
    await dialog.get_by_label("Name").fill("Zoe Quinn")
    await dialog.get_by_label("Language").select_option("es-ES")
    await dialog.get_by_role("button", name="Add").click()
    zoe = await page.seat("Zoe Quinn")
    await zoe.say("hola")
    await expect(zoe.last().get_by_role("heading")).to_contain_text("Zoe Quinn")
    assert [user["global_name"] for user in stage.world.users.values()] == ["Ana", "Ben", "Zoe Quinn"]


async def test_threads_come_fold_away_and_go(stage: Stage, page: SandboxPage) -> None:
    ana = await page.seat("Ana")
    thread = stage.world.add_thread(stage.hall, "Ana and Ben", stage.world.application_id)
    stage.world.announce_thread(thread)
    await expect(ana.last()).to_contain_text("Robot started a thread: Ana and Ben")
    await ana.press("Ana and Ben")
    assert await ana.place() == "Ana and Ben"
    await ana.say("in the thread")
    await expect(ana.last()).to_contain_text("in the thread")
    stage.world.archive(int(thread["id"]), locked=True)
    await expect(ana.column.get_by_text("This thread is locked.")).to_be_visible()
    await expect(ana.composer()).to_be_hidden()
    await ana.visit("hall")
    await ana.column.get_by_text("Archived (1)").click()
    await ana.column.get_by_test_id("channel").filter(has_text="Ana and Ben").click()
    assert await ana.place() == "Ana and Ben"
    stage.world.delete_channel(int(thread["id"]))
    await expect(ana.column.get_by_test_id("place")).to_have_text("hall")


async def test_a_persons_menu_offers_the_bots_commands(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers["Greet"] = lambda payload: said(f"hello <@{payload['data']['target_id']}>")
    ana = await page.seat("Ana")
    await ana.column.get_by_test_id("person").filter(has_text="Ben").click()
    await page.page.get_by_role("menuitem", name="Greet").click()
    await expect(ana.last()).to_contain_text("hello @Ben")
    await expect(ana.last().get_by_test_id("used")).to_have_text("Ana used Greet")


async def test_direct_messages_with_the_bot(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers["game panel"] = said("just us")
    ana = await page.seat("Ana")
    await ana.column.get_by_test_id("person").filter(has_text="Robot").click()
    await page.page.get_by_role("menuitem", name="Message").click()
    await expect(ana.column.get_by_test_id("place")).to_have_text("Robot")
    await ana.slash("game panel")
    await expect(ana.last()).to_contain_text("just us")
    ben = await page.seat("Ben")
    await expect(ben.column.get_by_test_id("channel")).to_have_text(["hall"])


async def test_the_page_comes_back_when_the_server_does(stage: Stage, page: SandboxPage) -> None:
    ana = await page.seat("Ana")
    await ana.say("before")
    await expect(ana.last()).to_contain_text("before")
    port = int(stage.server.url.rsplit(":", 1)[1])
    await stage.server.close()
    await expect(page.page.get_by_test_id("status")).to_have_text("Connection lost. Trying again…")
    stage.bot.post(stage.hall, {"content": "meanwhile"})
    await ana.say("into the void")
    await expect(ana.column.get_by_test_id("composer-error")).to_have_text("Something went wrong. Try again.")
    assert await ana.composer().input_value() == "into the void"
    stage.server = await serve(stage.world, port=port)
    await expect(page.page.get_by_test_id("status")).to_have_text("Connected again")
    await expect(ana.last()).to_contain_text("meanwhile")
    page.problems.clear()  # the browser itself reports the refused connections
    await ana.composer().press("Enter")
    await expect(ana.last()).to_contain_text("into the void")


async def test_the_theme_follows_the_system_and_then_the_choice(stage: Stage) -> None:
    page = await stage.open(dark=False)
    root = page.page.locator("html")
    await expect(root).to_have_css("color-scheme", "light")
    await page.page.get_by_test_id("theme").click()
    await expect(root).to_have_css("color-scheme", "dark")
    await page.page.reload()
    await expect(root).to_have_css("color-scheme", "dark")


# small screens


@one_of("width", [320, 360])
async def test_everything_is_in_reach_on_a_phone(stage: Stage, width: int) -> None:
    stage.bot.answers["stone"] = lambda payload: said(payload["data"]["values"][0])
    stage.world.add_channel("a-channel-with-quite-a-long-name-for-a-phone")
    buttons = row(*(button(f"Button {number}", f"b{number}") for number in range(5)))
    stage.bot.post(
        stage.hall,
        {
            "content": "long" * 200 + "\n```\n" + "wide " * 60 + "\n```",
            "attachments": [{"id": 0, "filename": "board.png", "description": "A board"}],
            "components": [buttons, row(SELECT)],
        },
        Upload("board.png", picture(size=(1600, 1200)), "image/png"),
    )
    page = await stage.open(width=width, height=640)
    ana = await page.seat("Ana")
    await expect(ana.last().locator("img")).to_have_js_property("naturalWidth", 1600)
    assert await page.overflow() <= 0
    box = await ana.composer().bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 640
    assert box["y"] > 540
    await ana.choose("6 → 3")
    await expect(ana.last()).to_contain_text("6/3")
    await ana.visit("a-channel-with-quite-a-long-name-for-a-phone")
    await ana.begin("game invite")
    await ana.fill("guest", "Ben")
    assert await page.overflow() <= 0
    assert page.problems == []


async def test_the_channels_of_a_phone_close_by_a_tap_beside_them_by_escape_and_by_a_choice(stage: Stage) -> None:
    stage.world.add_channel("lobby")
    stage.bot.post(
        stage.hall, {"content": "Choose", "components": [row(*(button(f"B{n}", f"b{n}") for n in range(5)))]}
    )
    page = await stage.open(width=390, height=700)
    ana = await page.seat("Ana")
    opener, side = ana.column.locator(".drawer-button"), ana.column.get_by_test_id("channels")
    for close in ("tap", "Escape", "choice"):
        await opener.click()
        await expect(side).to_be_visible()
        if close == "tap":
            await page.page.mouse.click(370, 400)
        elif close == "Escape":
            await page.page.keyboard.press("Escape")
        else:
            await side.get_by_text("lobby").click()
        await expect(side).to_be_hidden()
        await expect(opener).to_have_attribute("aria-expanded", "false")
    assert await ana.place() == "lobby"
    assert page.problems == []


def apart(one: FloatRect, other: FloatRect) -> bool:
    """Returns whether the left one ends before the right one begins."""
    return one["x"] + one["width"] <= other["x"] + 0.5


@one_of("more", [["Carla"], ["Carla", "Dieter", "Eva Maria Magdalena", "Fay"]], ids=["three", "six"])
async def test_the_seats_their_counters_and_the_plus_have_room_on_a_phone(stage: Stage, more: list[str]) -> None:
    world = stage.world
    world.set_owner(world.guild_id, stage.ana)
    people = [stage.ana, stage.ben, *(world.add_user(name, locale="en-US") for name in more)]
    world.add_channel("lobby")
    page = await stage.open(width=390, height=700)
    await (await page.seat("Ana")).visit("lobby")
    for _ in range(12):
        stage.bot.post(stage.hall, {"content": " ".join(f"<@{person}>" for person in people[1:])})
    seats, plus = page.page.get_by_test_id("seats"), page.page.get_by_role("button", name="Add a person")
    tabs = page.page.get_by_test_id("seat-tab")
    await expect(tabs.nth(1)).to_contain_text("Mentions: 12")
    await expect(tabs.first).to_contain_text("Unread: 12")
    room, button, theme = [await one.bounding_box() for one in (seats, plus, page.page.get_by_test_id("theme"))]
    assert room is not None
    assert button is not None
    assert theme is not None
    assert apart(room, button)
    assert apart(button, theme)
    assert theme["x"] + theme["width"] <= 390
    for tab in await tabs.all():
        await tab.scroll_into_view_if_needed()
        box, counter = await tab.bounding_box(), await tab.locator(".count, .dot").bounding_box()
        assert box is not None
        assert counter is not None
        assert room["y"] <= counter["y"] >= box["y"]
        assert counter["y"] + counter["height"] <= min(box["y"] + box["height"], room["y"] + room["height"])
        assert room["x"] <= counter["x"] >= box["x"]
        assert counter["x"] + counter["width"] <= min(box["x"] + box["width"], room["x"] + room["width"])
        name = await tab.locator(".tab-name").bounding_box()
        assert name is not None
        assert apart(counter, name)
    if len(more) == 1:  # then nothing has to be pushed aside to be seen
        assert await seats.evaluate("seats => seats.scrollWidth - seats.clientWidth") <= 0
    await plus.click()
    await expect(page.page.get_by_role("dialog", name="Add a person")).to_be_visible()
    assert await page.overflow() <= 0
    assert page.problems == []


@pytest.mark.parametrize("touch", [True, False], ids=["finger", "mouse"])
async def test_what_was_tapped_does_not_stay_lit(stage: Stage, touch: bool) -> None:
    stage.bot.post(stage.hall, {"content": "Choose", "components": [row(button("One", "one"), button("Two", "two"))]})
    stage.bot.answers["one"] = said("chosen")
    page = await stage.open(width=390, height=700, has_touch=touch, is_mobile=touch)
    ana = await page.seat("Ana")
    pressed = ana.messages().first.get_by_role("button", name="One")
    if touch:
        await pressed.tap()
        await expect(ana.last()).to_contain_text("chosen")
        await expect(pressed).to_have_css("filter", "none")
    else:
        await pressed.hover()
        await expect(pressed).to_have_css("filter", "brightness(1.12)")


LIT = """() => [...document.styleSheets].flatMap(sheet => [...sheet.cssRules])
    .filter(rule => rule.selectorText?.includes(":hover")).map(rule => rule.selectorText)"""


async def test_only_the_time_of_a_message_comes_by_a_tap(page: SandboxPage) -> None:
    """All else that lights up does so where there is something to hover with."""
    assert await page.page.evaluate(LIT) == [".message:hover .margin-time"]
