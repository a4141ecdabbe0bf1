"""The page in a browser: buttons, menus and forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.discord import until
from harness.page import in_browser
from harness.stage import EPHEMERAL, SELECT, button, row, said
from playwright.async_api import expect

if TYPE_CHECKING:
    from harness.page import SandboxPage
    from harness.stage import Stage

pytestmark = in_browser(__name__)


async def test_a_button_waits_visibly_and_its_private_answer_is_its_owners(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers["go"] = None
    stage.bot.post(
        stage.hall,
        {"content": "a board", "components": [row(button("Go", "go", 1), button("Off", "off", disabled=True))]},
    )
    await page.beside()
    ana, ben = await page.seat("Ana"), await page.seat("Ben")
    await expect(ana.column.get_by_role("button", name="Off")).to_be_disabled()
    await ana.press("Go")
    await expect(ana.last().get_by_role("button", name="Go")).to_have_attribute("aria-busy", "true")
    await expect(ben.last().get_by_role("button", name="Go")).not_to_have_attribute("aria-busy", "true")
    await until(lambda: stage.bot.seen, "the bot hears of it")
    payload = stage.bot.seen[-1]
    assert payload["member"]["user"]["id"] == str(stage.ana)
    stage.bot.answer(payload, said("choose a stone", flags=EPHEMERAL))
    await expect(ana.last()).to_contain_text("Only you can see this • Dismiss message")
    await expect(ana.messages().first.get_by_role("button", name="Go")).not_to_have_attribute("aria-busy", "true")
    assert await ana.is_private()
    await expect(ben.messages()).to_have_count(1)
    await ana.press("Dismiss message")
    await expect(ana.messages()).to_have_count(1)
    await page.page.reload()
    await expect((await page.seat("Ana")).messages()).to_have_count(1)


async def test_a_press_without_answer_fails_in_words(stage: Stage, page: SandboxPage) -> None:
    stage.world.answer_limit = 0.1
    stage.bot.post(stage.hall, {"content": "a board", "components": [row(button("Go", "go"))]})
    ana = await page.seat("Ana")
    await ana.press("Go")
    await expect(ana.last().get_by_test_id("failure")).to_have_text("This interaction failed")
    stage.bot.answers["go"] = {"type": 7, "data": {"content": "gone", "components": []}}
    await ana.press("Go")
    await expect(ana.last()).to_contain_text("gone")
    await expect(ana.last().get_by_test_id("failure")).to_have_count(0)


async def test_focus_stays_with_the_pressed_button_through_an_update(stage: Stage, page: SandboxPage) -> None:
    parts = [row(button("Go", "go"), button("More", "more"))]
    stage.bot.answers["more"] = {"type": 7, "data": {"content": "again", "components": parts}}
    stage.bot.post(stage.hall, {"content": "a board", "components": parts})
    ana = await page.seat("Ana")
    await ana.last().get_by_role("button", name="More").focus()
    await page.page.keyboard.press("Enter")
    await expect(ana.last()).to_contain_text("again")
    await expect(ana.last().get_by_role("button", name="More")).to_be_focused()


async def test_a_menu_is_chosen_from_by_mouse_and_by_keys(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers["stone"] = lambda payload: said("/".join(payload["data"]["values"]))
    stage.bot.post(stage.hall, {"content": "Move", "components": [row(SELECT)]})
    ana = await page.seat("Ana")
    opener = ana.column.get_by_role("button", name="Choose the stone")
    await opener.click()
    rows = page.page.get_by_test_id("select-list").get_by_role("option")
    await expect(rows).to_have_text(["8 → 5\nhits", "6 → 3", "24 → 21"], use_inner_text=True)
    await rows.nth(0).click()
    await expect(ana.last()).to_contain_text("8/5")
    await expect(opener).to_be_enabled()
    await opener.focus()
    for key in ("Enter", "ArrowDown", "ArrowUp", "2", "Enter"):
        await page.page.keyboard.press(key)
    await expect(ana.last()).to_contain_text("24/21")
    await ana.choose("6 → 3")
    await expect(ana.last()).to_contain_text("6/3")


async def test_escape_leaves_a_menu_as_it_was(stage: Stage, page: SandboxPage) -> None:
    stage.bot.post(stage.hall, {"content": "Move", "components": [row(SELECT)]})
    ana = await page.seat("Ana")
    opener = ana.column.get_by_role("button", name="Choose the stone")
    await opener.click()
    await page.page.keyboard.press("Escape")
    await expect(page.page.get_by_test_id("select-list")).to_have_count(0)
    await expect(opener).to_be_focused()
    assert stage.bot.seen == []


async def test_several_can_be_chosen_within_the_bounds(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers["stone"] = lambda payload: said(" ".join(payload["data"]["values"]))
    stage.bot.post(stage.hall, {"content": "Move", "components": [row({**SELECT, "min_values": 1, "max_values": 2})]})
    ana = await page.seat("Ana")
    await ana.choose("24 → 21", "8 → 5", "6 → 3")  # the third is one too many
    await expect(ana.last()).to_contain_text("8/5 24/21")


FORM = {
    "type": 9,
    "data": {
        "custom_id": "details",
        "title": "Details",
        "components": [
            {
                "type": 18,
                "label": "Zone",
                "description": "Such as Europe/Madrid",
                "component": {"type": 4, "custom_id": "zone", "style": 1, "min_length": 3, "max_length": 20},
            },
            {
                "type": 1,
                "components": [
                    {"type": 4, "custom_id": "note", "label": "Note", "style": 2, "required": False, "value": "none"}
                ],
            },
        ],
    },
}


async def test_a_form_is_filled_in_and_sent(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers |= {"game form": FORM, "details": said("thanks", flags=EPHEMERAL)}
    ana = await page.seat("Ana")
    await ana.slash("game form")
    modal = page.page.get_by_role("dialog", name="Details")
    await expect(modal.get_by_label("Zone")).to_be_focused()
    assert await modal.get_by_label("Zone").get_attribute("maxlength") == "20"
    assert await modal.get_by_label("Note").input_value() == "none"
    await modal.get_by_role("button", name="Submit").click()
    await expect(modal).to_be_visible()  # the zone is required
    await ana.submit(zone="Europe/Madrid", note="two\nlines")
    await expect(ana.last()).to_contain_text("thanks")
    fields = stage.bot.seen[-1]["data"]["components"]
    assert fields[0]["component"]["value"] == "Europe/Madrid"
    assert fields[1]["components"][0]["value"] == "two\nlines"


async def test_a_form_may_ask_to_choose(stage: Stage, page: SandboxPage) -> None:
    parts = [
        {"type": 10, "content": "Who and **which**?"},
        {"type": 18, "label": "Stone", "component": SELECT},
        {"type": 18, "label": "Rival", "component": {"type": 5, "custom_id": "rival", "required": False}},
        {"type": 18, "label": "Friend", "component": {"type": 5, "custom_id": "friend", "required": False}},
    ]
    form = {"type": 9, "data": {"custom_id": "details", "title": "Details", "components": parts}}
    stage.bot.answers |= {"game form": form, "details": said("thanks")}
    ana = await page.seat("Ana")
    await ana.slash("game form")
    await expect(page.page.get_by_role("dialog")).to_contain_text("Who and which?")
    await page.page.get_by_role("button", name="Submit").click()
    await expect(page.page.get_by_role("dialog")).to_be_visible()  # a stone must be chosen
    await ana.submit(stone="6 \N{RIGHTWARDS ARROW} 3", rival="Ben")
    await expect(ana.last()).to_contain_text("thanks")
    answers = [part["component"]["values"] for part in stage.bot.seen[-1]["data"]["components"][1:]]
    assert answers == [["6/3"], [str(stage.ben)], []]


async def test_a_form_stays_when_it_could_not_be_sent(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers["game form"] = FORM
    ana = await page.seat("Ana")
    await ana.slash("game form")
    stage.world.answer_limit = 0.1
    modal = page.page.get_by_role("dialog", name="Details")
    await modal.get_by_label("Zone").fill("Europe/Madrid")
    await modal.get_by_role("button", name="Submit").click()
    await expect(modal.get_by_role("alert")).to_have_text("Something went wrong. Try again.")
    assert await modal.get_by_label("Zone").input_value() == "Europe/Madrid"
    await modal.get_by_role("button", name="Cancel").click()
    await expect(modal).to_have_count(0)
