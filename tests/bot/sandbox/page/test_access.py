"""The page in a browser: what people need who do not see it, do not use a mouse, or see little contrast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio
from harness.page import SandboxPage, in_browser
from harness.stage import EPHEMERAL, Stage, button, png, row, said, staged
from harness.thinning import one_of
from playwright.async_api import expect

from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

pytestmark = in_browser(__name__)

RULES = """() => {
  const faults = [];
  const fault = (rule, element) => faults.push(`${rule}: ${element.outerHTML.slice(0, 140)}`);
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids) if (ids.filter((other) => other === id).length > 1) faults.push(`id twice: ${id}`);
  for (const [selector, count] of [["main", 1], ["h1", 1], ["body > #app > header", 1]]) {
    if (document.querySelectorAll(selector).length !== count) faults.push(`not ${count}: ${selector}`);
  }
  const hidden = (element) => !element.checkVisibility({ visibilityProperty: true });
  const text = (element) => [...element.childNodes].map((node) =>
    node.nodeType === 3 ? node.data : node.nodeType !== 1 || node.getAttribute("aria-hidden") === "true" ? ""
      : node.alt ?? text(node)).join("");
  const named = (element) => element.getAttribute("aria-label") || element.labels?.length
    || element.getAttribute("aria-labelledby") || text(element).trim();
  for (const element of document.querySelectorAll("button, a, input, select, textarea, summary, [role=option]")) {
    if (!hidden(element) && !named(element)) fault("no name", element);
  }
  for (const element of document.querySelectorAll("section, nav, dialog, [role=log], [role=listbox], [role=group]")) {
    if (!hidden(element) && !named(element)) fault("no name", element);
  }
  for (const image of document.querySelectorAll("img")) if (!image.alt) fault("no alt", image);
  for (const item of document.querySelectorAll("li")) {
    if (!["UL", "OL"].includes(item.parentElement.tagName)) fault("item without list", item);
  }
  for (const list of document.querySelectorAll("ul, ol")) {
    for (const child of list.children) if (child.tagName !== "LI") fault("list with other things", child);
  }
  for (const name of ["aria-controls", "aria-activedescendant", "aria-labelledby", "aria-describedby", "for"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const there = document.getElementById(element.getAttribute(name));
      if (!hidden(element) && !there) fault(`${name} leads nowhere`, element);
    }
  }
  return faults;
}"""
"""Checks of the usual checkers (names, landmarks, lists, references), as far as the page's own marks go."""

CONTRAST = """() => {
  const parse = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
    return color.startsWith("color(srgb") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const ground = (element) => {
    if (!element) return [255, 255, 255, 1];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, ground(element.parentElement));
  };
  const light = (channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const faults = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest(":disabled, .hidden, .spoiler, .picture")) continue;
    const style = getComputedStyle(element);
    const back = ground(element);
    const [a, b] = [luminance(over(parse(style.color), back)), luminance(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faults.add(`${ratio.toFixed(2)} ${element.className} ${node.data.slice(0, 40)}`);
  }
  return [...faults];
}"""
"""Contrast of every visible text with its ground: at least 4.5, or 3 when large (WCAG 2.2, 1.4.3)."""


@pytest_asyncio.fixture(loop_scope="session")
async def stage(chromium: Browser) -> AsyncIterator[Stage]:
    """A channel with a bit of everything."""
    async with staged(chromium) as made:
        world, bot, hall = made.world, made.bot, made.hall
        bot.answers["game panel"] = said("for you", flags=EPHEMERAL)
        thread = world.add_thread(hall, "A thread", world.application_id)
        world.announce_thread(thread)
        old = world.add_thread(hall, "An old one", world.application_id)
        world.archive(int(old["id"]), locked=True)
        world.direct_channel(made.ana)
        world.set_owner(world.guild_id, made.ben)
        world.deny(hall, permissions.ATTACH_FILES)
        world.say(made.ben, hall, f"hello <@{made.ana}> and <@{made.ben}>, ||hidden|| https://example.org <t:1:R>")
        first = bot.post(hall, {"content": "# Head\n- list\n  - deeper\n-# small\n> quote `code`\n```\nblock\n```"})
        bot.edit(first, {"content": "# Head\n- list\n  - deeper\n-# small\n> quote `code`\n```\nblock\n```"})
        embed = {"title": "T", "description": "D", "fields": [{"name": "F", "value": "V"}], "footer": {"text": "foot"}}
        bot.post(hall, {"embeds": [embed]}, reply=first)
        files = [{"id": 0, "filename": "board.png", "description": "A board"}]
        options = [{"label": "One", "value": "1", "description": "the first"}]
        parts = [
            row(*(button(f"Style {style}", f"b{style}", style) for style in (1, 2, 3, 4))),
            row({"type": 3, "custom_id": "menu", "placeholder": "Choose", "options": options}),
        ]
        bot.post(hall, {"content": "a board", "attachments": files, "components": parts}, png())
        yield made


async def states(page: SandboxPage) -> AsyncIterator[str]:
    """Brings the page into one state after another: at rest, with lists, menus and forms open."""
    ana = await page.seat("Ana")
    await expect(ana.last()).to_contain_text("a board")
    yield "at rest"
    await ana.slash("game panel")
    await expect(ana.last()).to_contain_text("for you")
    yield "private answer"
    await ana.composer().fill("/")
    yield "commands"
    bar = await ana.begin("game invite")
    yield "option"
    await page.page.keyboard.press("Escape")
    await page.page.keyboard.press("Enter")
    yield "complaint"
    await page.page.keyboard.press("Escape")
    await expect(bar).to_have_count(0)
    await ana.column.get_by_role("button", name="Choose").click()
    yield "select"
    await page.page.keyboard.press("Escape")
    await ana.messages().nth(1).get_by_role("button", name="Ben", exact=True).click()
    yield "person"
    await page.page.keyboard.press("Escape")
    await ana.column.get_by_test_id("place-more").click()
    yield "channel"
    await page.page.get_by_role("menuitem", name="Delete the channel").click()
    yield "question"
    await page.page.keyboard.press("Escape")
    await page.page.get_by_role("button", name="Add a person").click()
    yield "dialog"
    await page.page.keyboard.press("Escape")
    if await page.page.get_by_role("button", name="Two seats side by side").is_visible():
        await page.beside()
        yield "side by side"


@one_of("width", [1200, 360])
async def test_everything_has_a_name_and_a_place(stage: Stage, width: int) -> None:
    page = await stage.open(width=width)
    async for state in states(page):
        assert await page.page.evaluate(RULES) == [], state


@one_of("dark", [True, False])
async def test_every_text_stands_out_from_its_ground(stage: Stage, dark: bool) -> None:
    page = await stage.open(dark=dark)
    async for state in states(page):
        assert await page.page.evaluate(CONTRAST) == [], state


async def test_the_checks_see_faults(stage: Stage) -> None:
    page = await stage.open()
    await page.page.evaluate(
        """() => {
            const main = document.querySelector("main");
            main.append(document.createElement("button"), document.createElement("img"), document.createElement("li"));
            const faint = document.createElement("p");
            faint.style.color = "#333";
            faint.textContent = "faint";
            main.append(faint);
        }"""
    )
    assert len(await page.page.evaluate(RULES)) == 3
    assert len(await page.page.evaluate(CONTRAST)) == 1


async def test_new_messages_are_told_once_in_words(stage: Stage) -> None:
    page = await stage.open()
    ana = await page.seat("Ana")
    news = ana.column.get_by_test_id("news")
    await expect(ana.last()).to_contain_text("a board")
    assert await news.inner_text() == ""  # history is no news
    files = [{"id": 0, "filename": "board.png", "description": "White to move"}]
    stage.bot.post(stage.hall, {"content": "**Your** turn", "attachments": files}, png())
    await expect(news).to_have_text("Robot: Your turn. White to move")
    await ana.say("mine")
    await expect(ana.last()).to_contain_text("mine")
    await expect(news).to_have_text("Robot: Your turn. White to move")


async def test_every_control_is_reached_by_tab_and_shows_it(stage: Stage) -> None:
    page = await stage.open()
    ana = await page.seat("Ana")
    await expect(ana.last()).to_contain_text("a board")
    await page.page.evaluate("document.activeElement.blur()")
    reached: list[str] = []
    for _ in range(80):
        await page.page.keyboard.press("Tab")
        outlined = await page.page.evaluate(
            """() => {
                const element = document.activeElement;
                const bar = element.closest(".composer-bar");
                const style = getComputedStyle(element);
                if (element === document.body) return ["", true]; // once around
                const shown = style.outlineStyle !== "none" || (bar && getComputedStyle(bar).boxShadow !== "none");
                return [element.textContent || element.getAttribute("aria-label") || "", Boolean(shown)];
            }"""
        )
        assert outlined[1], outlined
        reached.append(outlined[0])
    for wanted in ("Ben", "hall", "A thread", "Style 1", "Style 4", "ALT", "Choose"):
        assert any(wanted in name for name in reached), wanted
