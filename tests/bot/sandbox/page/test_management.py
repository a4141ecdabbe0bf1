"""The page in a browser: what an owner settles in a server, and the trouble a bot has with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.page import in_browser
from harness.stage import said
from harness.thinning import one_of
from playwright.async_api import expect

from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from harness.page import PageSeat, SandboxPage
    from harness.stage import Stage
    from playwright.async_api import Locator

pytestmark = in_browser(__name__)


async def person_menu(page: SandboxPage, seat: PageSeat, name: str) -> Locator:
    await seat.column.get_by_test_id("person").filter(has_text=name).click()
    return page.page.get_by_test_id("person-menu")


async def place_menu(page: SandboxPage, seat: PageSeat) -> Locator:
    await seat.column.get_by_test_id("place-more").click()
    return page.page.get_by_test_id("place-menu")


async def turn(menu: Locator, name: str, *, on: bool) -> None:
    switch = menu.get_by_role("menuitemcheckbox", name=name, exact=True)
    await expect(switch).to_have_attribute("aria-checked", str(not on).lower())
    await switch.click()
    await expect(switch).to_have_attribute("aria-checked", str(on).lower())


async def test_the_owner_is_named_and_manages_for_good(stage: Stage, page: SandboxPage) -> None:
    stage.world.set_owner(stage.world.guild_id, stage.ana)
    stage.world.publish({"type": "users"})
    await expect(page.page.get_by_test_id("seat-tab").filter(has_text="Ana")).to_contain_text("Owns the server")
    ana = await page.seat("Ana")
    menu = await person_menu(page, ana, "Ana")
    await expect(menu).to_contain_text("Owns the server")
    await expect(menu.get_by_role("menuitemcheckbox")).to_have_text(["Takes direct messages"])
    await page.page.keyboard.press("Escape")
    await ana.begin("manage")


async def test_a_person_becomes_a_manager_and_is_one_no_more(stage: Stage, page: SandboxPage) -> None:
    ben = await page.seat("Ben")
    listed = ben.column.get_by_test_id("command-list").get_by_text("/manage", exact=True)
    await ben.composer().fill("/")
    await expect(ben.column.get_by_test_id("command-list")).to_be_visible()
    await expect(listed).to_have_count(0)
    await ben.composer().fill("")
    menu = await person_menu(page, ben, "Ben")
    await turn(menu, "Gestiona el servidor", on=True)
    assert stage.world.permissions.in_guild(stage.world.guild_id, stage.ben) == permissions.MANAGER
    await expect(ben.column.get_by_test_id("person").filter(has_text="Ben")).to_contain_text("Gestiona el servidor")
    await page.page.keyboard.press("Escape")
    await expect(ben.column.get_by_test_id("person").filter(has_text="Ben")).to_be_focused()
    await ben.composer().fill("/")
    await expect(listed).to_have_count(1)
    await ben.composer().fill("")
    await turn(await person_menu(page, ben, "Ben"), "Gestiona el servidor", on=False)
    assert stage.world.permissions.in_guild(stage.world.guild_id, stage.ben) == permissions.MEMBER


async def test_a_person_takes_no_direct_messages(stage: Stage, page: SandboxPage) -> None:
    ana = await page.seat("Ana")
    menu = await person_menu(page, ana, "Ben")
    await turn(menu, "Takes direct messages", on=False)
    assert stage.world.dms_closed == {stage.ben}
    await turn(menu, "Takes direct messages", on=True)
    assert stage.world.dms_closed == set()


async def test_what_the_bot_writes_to_a_person_alone_is_there_to_be_read(stage: Stage, page: SandboxPage) -> None:
    ana, tabs = await page.seat("Ana"), page.page.get_by_test_id("seat-tab")
    stage.bot.post(stage.world.direct_channel(stage.ben), {"content": "Te toca."})
    await expect(tabs.filter(has_text="Ben")).to_contain_text("Unread: 1")
    await expect(ana.column.get_by_test_id("channel")).to_have_text(["hall"])
    ben = await page.seat("Ben")
    await ben.visit("Robot")
    await expect(ben.last()).to_contain_text("Te toca.")
    await expect(ben.column.get_by_test_id("place-more")).to_be_hidden()


@pytest.mark.parametrize(
    ("label", "bit"),
    [
        ("View Channel", permissions.VIEW_CHANNEL),
        ("Send Messages", permissions.SEND_MESSAGES),
        ("Attach Files", permissions.ATTACH_FILES),
        ("Create Public Threads", permissions.CREATE_PUBLIC_THREADS),
        ("Send Messages in Threads", permissions.SEND_MESSAGES_IN_THREADS),
    ],
)
async def test_the_bot_is_denied_a_permission_and_gets_it_back(
    stage: Stage, page: SandboxPage, label: str, bit: int
) -> None:
    def rights() -> int:
        return stage.world.permissions.in_channel(stage.world.application_id, stage.hall)

    ana, before = await page.seat("Ana"), rights()
    await turn(await place_menu(page, ana), label, on=False)
    assert rights() == (0 if bit == permissions.VIEW_CHANNEL else before & ~bit)
    await expect(ana.column.get_by_text(f"The bot lacks here: {label}", exact=True)).to_be_visible()
    await page.page.keyboard.press("Escape")
    await expect(ana.column.get_by_test_id("place-more")).to_be_focused()
    stage.bot.answers["game panel"] = said("still here")
    await ana.slash("game panel")
    await expect(ana.last()).to_contain_text("still here")
    assert stage.bot.seen[-1]["app_permissions"] == str(rights())
    await turn(await place_menu(page, ana), label, on=True)
    assert rights() == before
    await expect(ana.column.get_by_text("The bot lacks here")).to_have_count(0)


async def test_channels_come_are_renamed_and_go(stage: Stage, page: SandboxPage) -> None:
    ana = await page.seat("Ana")
    await ana.column.get_by_test_id("add-channel").click()
    form = page.page.get_by_role("dialog", name="Add a channel")
    await form.get_by_label("Name").fill("  Big  Games ")
    await page.page.keyboard.press("Enter")
    await expect(ana.column.get_by_test_id("place")).to_have_text("big-games")
    await (await place_menu(page, ana)).get_by_role("menuitem", name="Rename").click()
    form = page.page.get_by_role("dialog", name="Rename")
    await expect(form.get_by_label("Name")).to_have_value("big-games")
    await form.get_by_label("Name").fill("Arena")
    await form.get_by_role("button", name="Save").click()
    await expect(ana.column.get_by_test_id("place")).to_have_text("arena")
    await (await place_menu(page, ana)).get_by_role("menuitem", name="Delete the channel").click()
    form = page.page.get_by_role("dialog", name="Delete the channel")
    await form.get_by_role("button", name="Cancel").click()
    assert [c["name"] for c in stage.world.channels.values()] == ["hall", "arena"]
    await (await place_menu(page, ana)).get_by_role("menuitem", name="Delete the channel").click()
    await form.get_by_role("button", name="Delete", exact=True).click()
    await expect(ana.column.get_by_test_id("place")).to_have_text("hall")
    assert [c["name"] for c in stage.world.channels.values()] == ["hall"]


async def test_the_last_channel_goes_and_a_new_one_is_made(stage: Stage, page: SandboxPage) -> None:
    ana = await page.seat("Ana")
    stage.world.delete_channel(stage.hall)
    await expect(ana.column.get_by_text("This channel no longer exists.")).to_be_visible()
    await expect(ana.column.get_by_test_id("place-more")).to_be_hidden()
    await ana.column.get_by_test_id("add-channel").click()
    await page.page.get_by_role("dialog", name="Add a channel").get_by_label("Name").fill("new")
    await page.page.keyboard.press("Enter")
    await expect(ana.column.get_by_test_id("place")).to_have_text("new")
    await ana.say("first")
    await expect(ana.last()).to_contain_text("first")


async def test_a_thread_is_locked_opened_and_deleted(stage: Stage, page: SandboxPage) -> None:
    thread = int(stage.world.add_thread(stage.hall, "A game", stage.world.application_id)["id"])
    ana = await page.seat("Ana")
    await ana.column.get_by_test_id("channel").filter(has_text="A game").click(button="right")
    menu = page.page.get_by_test_id("place-menu")
    await turn(menu, "Locked", on=True)
    metadata = stage.world.channels[thread]["thread_metadata"]
    assert (metadata["locked"], metadata["archived"]) == (True, True)
    await page.page.keyboard.press("Escape")
    await ana.column.get_by_text("Archived (1)").click()
    await ana.visit("A game")
    await expect(ana.column.get_by_text("This thread is locked.")).to_be_visible()
    menu = await place_menu(page, ana)
    await turn(menu, "Locked", on=False)
    await expect(ana.composer()).to_be_visible()
    await menu.get_by_role("menuitem", name="Delete the thread").click()
    await page.page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    await expect(ana.column.get_by_test_id("place")).to_have_text("hall")
    assert thread not in stage.world.channels


async def test_a_refused_switch_stays_and_says_why(stage: Stage, page: SandboxPage) -> None:
    ana = await page.seat("Ana")
    menu = await person_menu(page, ana, "Ben")
    stage.world.members[stage.world.guild_id].pop(stage.ben)  # gone meanwhile
    switch = menu.get_by_role("menuitemcheckbox", name="Manages the server")
    await switch.click()
    await expect(menu.get_by_role("alert")).to_contain_text("Not accepted")
    await expect(switch).to_have_attribute("aria-checked", "false")


@one_of("width", [390, 1000])
async def test_the_menus_fit_and_are_large_enough_to_touch(stage: Stage, width: int) -> None:
    page = await stage.open(width=width, height=640)
    ana = await page.seat("Ana")
    menu = await place_menu(page, ana)
    for item in await menu.get_by_role("menuitem").or_(menu.get_by_role("menuitemcheckbox")).all():
        box = await item.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 640
    assert await page.overflow() <= 0
    assert page.problems == []
