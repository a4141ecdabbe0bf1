"""The page in a browser: messages, components, seats and places."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from harness.page import SandboxPage, browser, chromium_path
from harness.stage import EPHEMERAL, V2, Stage, animation, button, picture, png, row, said, staged
from playwright.async_api import expect

from bot.sandbox.attachments import Upload
from bot.sandbox.server import serve

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        chromium_path() is None and not os.environ.get("CI"), reason="no Chromium is installed: see ABAKBOT_CHROMIUM"
    ),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with browser() as started:
        yield started


@pytest_asyncio.fixture(loop_scope="module")
async def stage(chromium: Browser) -> AsyncIterator[Stage]:
    async with staged(chromium) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def page(stage: Stage) -> AsyncIterator[SandboxPage]:
    opened = await stage.open()
    yield opened
    assert opened.problems == []
    await opened.close()


# what a message shows


async def test_markdown(stage: Stage, page: SandboxPage) -> None:
    stage.bot.post(
        stage.hall,
        {
            "content": "# Top\n## Middle\n### Low\n**bold** *italic* _also_ __under__ ~~gone~~ `a*b*` \\*plain\\*\n"
            "- one\n  - deeper\n- two\n3. third\n> quoted\n> still\n-# fine print\n"
            "```py\nx = 1 < 2\n```\nsnake_case_name"
        },
    )
    ana = await page.seat("Ana")
    text = ana.last().get_by_test_id("text")
    for level, words in ((4, "Top"), (5, "Middle"), (6, "Low")):
        await expect(text.get_by_role("heading", level=level)).to_have_text(words)
    for tag, words in (("strong", "bold"), ("u", "under"), ("s", "gone"), ("small", "fine print")):
        await expect(text.locator(tag)).to_have_text(words)
    assert await text.locator("em").all_inner_texts() == ["italic", "also"]
    assert await text.locator("p code").inner_text() == "a*b*"
    assert await text.locator("pre code").inner_text() == "x = 1 < 2"
    assert await text.locator("blockquote").inner_text() == "quoted\nstill"
    await expect(text.locator("ul ul li")).to_have_text("deeper")
    await expect(text.locator("ol")).to_have_attribute("start", "3")
    await expect(text).to_contain_text("*plain*")
    await expect(text).to_contain_text("snake_case_name")


async def test_markdown_leaves_what_is_not_closed_and_never_becomes_html(stage: Stage, page: SandboxPage) -> None:
    odd = '<img src=x onerror="alert(1)"> **open `tick 2 * 3 * 4 <b>no</b> [a](javascript:alert(1)) ||'
    stage.bot.post(stage.hall, {"content": odd})
    ana = await page.seat("Ana")
    assert await ana.last_text() == odd
    assert await ana.last().locator("img, b, [href^=javascript]").count() == 0


async def test_hostile_markdown_is_read_in_no_time_worth_naming(stage: Stage, page: SandboxPage) -> None:
    for hostile in ("*" * 1900, "**a" * 600, "||`" * 600, "[" * 1900, "> " * 900, "- " * 900, "_a" * 900):
        stage.bot.post(stage.hall, {"content": hostile})
    stage.bot.post(stage.hall, {"content": "the end"})
    ana = await page.seat("Ana")
    await expect(ana.last()).to_contain_text("the end")


async def test_spoilers_hide_until_pressed(stage: Stage, page: SandboxPage) -> None:
    stage.bot.post(stage.hall, {"content": "it is ||the **butler**||"})
    ana = await page.seat("Ana")
    assert "butler" not in await ana.last_text()
    await ana.press("Spoiler, show it")
    assert "the butler" in await ana.last_text()


async def test_mentions_are_names_and_stand_out_for_who_is_meant(stage: Stage, page: SandboxPage) -> None:
    lobby = stage.world.add_channel("lobby")
    stage.bot.post(stage.hall, {"content": f"<@{stage.ana}> and <@{stage.ben}> in <#{lobby}>, </game panel:5>"})
    ana = await page.seat("Ana")
    assert await ana.last_text() == "@Ana and @Ben in #lobby, /game panel"
    await expect(ana.last().locator(".mention.mine")).to_have_text("@Ana")
    await expect(ana.last()).to_have_class(re.compile("mentioned"))
    await ana.press("/game panel")
    await expect(ana.column.get_by_test_id("command-bar")).to_have_attribute("data-command", "game panel")
    await ana.press("#lobby")
    assert await ana.place() == "lobby"


async def test_times_are_told_in_the_readers_language(stage: Stage, page: SandboxPage) -> None:
    noon = 1_700_049_600  # 15 November 2023, 12:00 UTC
    content = f"<t:{noon}:D> <t:{int(time.time()) + 7260}:R>"
    stage.bot.post(stage.hall, {"content": content})
    assert await (await page.seat("Ana")).last_text() == "November 15, 2023 in 2 hours"
    assert await (await page.seat("Ben")).last_text() == "15 de noviembre de 2023 dentro de 2 horas"


async def test_relative_times_stay_true(stage: Stage, page: SandboxPage) -> None:
    await page.page.clock.install()
    await page.page.reload()
    stage.bot.post(stage.hall, {"content": f"<t:{int(time.time()) + 3 * 3600 + 60}:R>"})
    ana = await page.seat("Ana")
    await expect(ana.last()).to_contain_text("in 3 hours")
    await page.page.clock.run_for(3600_000)
    await expect(ana.last()).to_contain_text("in 2 hours")


async def test_pictures_have_their_description_as_alt_and_behind_a_badge(stage: Stage, page: SandboxPage) -> None:
    alt = "White to move. White: five stones on 13."
    stage.bot.post(stage.hall, {"attachments": [{"id": 0, "filename": "board.png", "description": alt}]}, png())
    ana = await page.seat("Ana")
    image = ana.last().get_by_role("img", name=alt)
    await expect(image).to_have_js_property("naturalWidth", 320)
    assert await ana.last_alt() == alt
    await ana.last().get_by_test_id("alt-badge").click()
    await expect(page.page.get_by_test_id("alt-text")).to_have_text(alt)
    await page.page.keyboard.press("Escape")
    await expect(page.page.get_by_test_id("alt-text")).to_have_count(0)
    await image.click()
    await expect(page.page.get_by_role("dialog")).to_contain_text(alt)


async def test_other_files_are_cards_to_download(stage: Stage, page: SandboxPage) -> None:
    record = Upload("game.json", b"{}" * 1000, "application/json")
    stage.bot.post(stage.hall, {"attachments": [{"id": 0, "filename": "game.json"}]}, record)
    ana = await page.seat("Ana")
    card = ana.last().get_by_test_id("file")
    await expect(card).to_contain_text("2 kB")
    async with page.page.expect_download() as download:
        await card.click()
    assert (await (await download.value).path()).read_bytes() == record.content


async def test_embeds(stage: Stage, page: SandboxPage) -> None:
    embed = {
        "title": "Game 12",
        "description": "to **five**",
        "color": 0x2B7048,
        "fields": [{"name": "Pips", "value": "143", "inline": True}],
        "image": {"url": "attachment://board.png"},
        "footer": {"text": "seq 41"},
    }
    files = [{"id": 0, "filename": "board.png", "description": "A board"}]
    stage.bot.post(stage.hall, {"embeds": [embed], "attachments": files}, png())
    ana = await page.seat("Ana")
    drawn = ana.last().get_by_test_id("embed")
    await expect(drawn).to_contain_text(re.compile(r"Game 12.*to five.*Pips.*143.*seq 41", re.DOTALL))
    await expect(drawn).to_have_css("border-left-color", "rgb(43, 112, 72)")
    await expect(drawn.locator("img")).to_have_js_property("naturalWidth", 320)
    assert await ana.last().locator("img").count() == 1  # shown in the embed, so not beside it


async def test_the_newer_layout(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers["join"] = said("joined")
    parts = [
        {
            "type": 17,
            "accent_color": 0xFF0000,
            "components": [
                {"type": 10, "content": "## Standings"},
                {"type": 14},
                {
                    "type": 9,
                    "components": [{"type": 10, "content": "Round 3"}],
                    "accessory": button("Join", "join"),
                },
                {
                    "type": 12,
                    "items": [{"media": {"url": "attachment://board.png"}, "description": "A board"}],
                },
                {"type": 13, "file": {"url": "attachment://note.txt"}},
            ],
        }
    ]
    files = [{"id": 0, "filename": "board.png"}, {"id": 1, "filename": "note.txt"}]
    stage.bot.post(
        stage.hall,
        {"flags": V2, "components": parts, "attachments": files},
        png(),
        Upload("note.txt", b"note", "text/plain"),
    )
    ana = await page.seat("Ana")
    await expect(ana.last().get_by_role("heading", name="Standings")).to_be_visible()
    await expect(ana.last().locator("img[alt='A board']")).to_have_js_property("naturalWidth", 320)
    await expect(ana.last().get_by_test_id("file")).to_contain_text("note.txt")
    assert await ana.last().locator(".unsupported").count() == 0
    await ana.press("Join")
    await expect(ana.last()).to_contain_text("joined")


async def test_animations_play_and_stand_still_for_who_wants_less_motion(stage: Stage) -> None:
    moving = Upload("turn.gif", animation(), "image/gif")
    stage.bot.post(stage.hall, {"attachments": [{"id": 0, "filename": "turn.gif", "description": "The turn"}]}, moving)
    plain = await (await stage.open()).seat("Ana")
    await expect(plain.last().locator("img")).to_have_js_property("naturalWidth", 240)
    calm = await (await stage.open(reduced_motion="reduce")).seat("Ana")
    await expect(calm.last().get_by_role("img", name="The turn")).to_be_visible()
    assert await calm.last().locator("img").count() == 0
    await expect(calm.last().locator("canvas")).to_have_js_property("width", 240)
    first = await calm.last().locator("canvas").evaluate("c => [...c.getContext('2d').getImageData(5, 5, 1, 1).data]")
    assert first == [255, 0, 0, 255]
    await calm.press("Play the animation")
    await expect(calm.last().locator("img")).to_be_visible()


async def test_edits_and_deletions_arrive(stage: Stage, page: SandboxPage) -> None:
    ana = await page.seat("Ana")
    message = stage.bot.post(stage.hall, {"content": "first"})
    await expect(ana.last()).to_contain_text("first")
    await expect(ana.last()).not_to_contain_text("edited")
    stage.bot.edit(message, {"content": "second"})
    await expect(ana.last()).to_contain_text("second(edited)")
    stage.world.delete_message(int(message["id"]))
    await expect(ana.messages()).to_have_count(0)
    await expect(ana.column.get_by_text("Nothing here yet")).to_be_visible()


async def test_a_reply_leads_to_its_original(stage: Stage, page: SandboxPage) -> None:
    first = stage.bot.post(stage.hall, {"content": "the **start**"})
    stage.bot.post(stage.hall, {"content": "an answer"}, reply=first)
    ana = await page.seat("Ana")
    await expect(ana.last().get_by_test_id("reply")).to_have_text("Robot the start")
    await ana.last().get_by_test_id("reply").get_by_role("button").click()
    await expect(ana.messages().first).to_be_focused()


async def test_a_link_to_a_message_leads_there_through_older_pages(stage: Stage, page: SandboxPage) -> None:
    lobby = stage.world.add_channel("lobby")
    first = stage.world.say(stage.ben, stage.hall, "long ago")
    for number in range(70):
        stage.world.say(stage.ben, stage.hall, f"line {number}")
    url = f"https://discord.com/channels/1/{stage.hall}/{first['id']}"
    opener = {"type": 2, "style": 5, "label": "Open", "url": url}
    stage.bot.post(lobby, {"content": f"{url} [there]({url})", "components": [row(opener)]})
    ana = await page.seat("Ana")
    await ana.visit("lobby")
    await ana.press("#hall \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}")
    await expect(ana.messages().filter(has_text="long ago")).to_be_focused()
    assert await ana.place() == "hall"
    for other in ("there", "Open"):
        await ana.visit("lobby")
        await ana.press(other)
        await expect(ana.messages().filter(has_text="long ago")).to_be_focused()


async def test_reading_old_messages_is_not_disturbed_by_new_ones(stage: Stage, page: SandboxPage) -> None:
    for number in range(60):
        stage.world.say(stage.ben, stage.hall, f"line {number}")
    await page.page.reload()
    ana = await page.seat("Ana")
    await expect(ana.last()).to_be_in_viewport()
    scroller = ana.column.locator(".scroller")
    await scroller.evaluate("box => box.scrollTop = 0")
    await expect(ana.column.get_by_role("button", name="Show older messages")).to_be_visible()
    stage.world.say(stage.ben, stage.hall, "news")
    await expect(ana.last()).to_contain_text("news")
    await expect(ana.last()).not_to_be_in_viewport()
    await ana.column.get_by_role("button", name="New messages").click()
    await expect(ana.last()).to_be_in_viewport()


# components


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


SELECT = {
    "type": 3,
    "custom_id": "stone",
    "placeholder": "Choose the stone",
    "options": [
        {"label": "8 → 5", "value": "8/5", "description": "hits"},
        {"label": "6 → 3", "value": "6/3"},
        {"label": "24 → 21", "value": "24/21"},
    ],
}


async def test_a_menu_is_chosen_from_by_mouse_and_by_keys(stage: Stage, page: SandboxPage) -> None:
    stage.bot.answers["stone"] = lambda payload: said("/".join(payload["data"]["values"]))
    stage.bot.post(stage.hall, {"content": "Move", "components": [row(SELECT)]})
    ana = await page.seat("Ana")
    await ana.column.get_by_role("button", name="Choose the stone").click()
    rows = page.page.get_by_test_id("select-list").get_by_role("option")
    assert await rows.all_inner_texts() == ["8 → 5\nhits", "6 → 3", "24 → 21"]
    await rows.nth(0).click()
    await expect(ana.last()).to_contain_text("8/5")
    await ana.column.get_by_role("button", name="Choose the stone").focus()
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


# seats and places


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


@pytest.mark.parametrize("width", [320, 360])
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
    await page.close()
