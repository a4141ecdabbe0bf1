"""The page in a browser: what a message shows."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from harness.page import in_browser
from harness.stage import V2, animation, button, png, row, said
from playwright.async_api import expect

from bot.sandbox.server import serve
from bot.sandbox.state.attachments import Upload

if TYPE_CHECKING:
    from harness.page import SandboxPage
    from harness.stage import Stage

pytestmark = in_browser(__name__)


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


async def test_what_is_being_read_stays_in_view_when_the_connection_is_back(stage: Stage, page: SandboxPage) -> None:
    lines = [stage.bot.post(stage.hall, {"content": f"line {number}"}) for number in range(60)]
    await page.page.reload()
    ana = await page.seat("Ana")
    await expect(ana.last()).to_be_in_viewport()
    scroller = ana.column.locator(".scroller")
    await scroller.evaluate("box => box.scrollTop = box.scrollHeight / 2")
    read = ana.messages().filter(has_text="line 40")
    await expect(read).to_be_in_viewport()
    before = await read.bounding_box()
    port = int(stage.server.url.rsplit(":", 1)[1])
    await stage.server.close()
    await expect(page.page.get_by_test_id("status")).to_have_text("Connection lost. Trying again…")
    stage.world.delete_message(int(lines[20]["id"]))
    stage.bot.edit(lines[25], {"content": "now\nof\nmany\nlines"})
    stage.bot.post(stage.hall, {"content": "meanwhile"})
    stage.server = await serve(stage.world, port=port)
    await expect(page.page.get_by_test_id("status")).to_have_text("Connected again")
    await expect(ana.last()).to_contain_text("meanwhile")
    page.problems.clear()  # the browser itself reports the refused connections
    await expect(page.page.get_by_test_id("status")).to_have_text("")
    after = await read.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 2
    assert await scroller.evaluate("box => box.scrollTop") > 0


async def test_what_is_being_read_stays_in_view_beside_another_seat(stage: Stage, page: SandboxPage) -> None:
    for number in range(60):
        stage.world.say(stage.ben, stage.hall, f"line {number}")
    await page.page.reload()
    ana = await page.seat("Ana")
    await expect(ana.last()).to_be_in_viewport()
    await ana.column.locator(".scroller").evaluate("box => box.scrollTop = box.scrollHeight / 2")
    await expect(ana.messages().filter(has_text="line 40")).to_be_in_viewport()
    await page.beside()
    await expect(ana.messages().filter(has_text="line 40")).to_be_in_viewport()
    await expect((await page.seat("Ben")).last()).to_be_in_viewport()
