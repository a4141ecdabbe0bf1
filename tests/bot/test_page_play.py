"""Whole games in the browser: the real bot, its stand-in, and the page on which two people play."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.luck import ScriptedLuck
from harness.bot import SPANISH, Room, bot_running, matched, single, worded_path
from harness.discord import Seat, until
from harness.page import PageSeat, SandboxPage, in_browser
from playwright.async_api import expect

from bot.actions.game_actions import resign_label
from bot.board.message import counts_points, status
from bot.core.translations import language_for_locale
from bot.games.notation import in_language
from bot.moves.draft import follow, opening
from bot.sandbox.server import serve
from engine.core.record import Kind
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Locator

    from bot.core.randomness import Luck
    from bot.core.translations import Language
    from bot.games.live import LiveGame
    from bot.sandbox.world import World

pytestmark = in_browser(__name__)

BELGIAN_DAISY: Final = """
    i9h8 i5h5 a1b2 a5b5 a2b3 b6c6 c2c3* h4g4 c3c4*x d6d5* c4c5*x h5g5 h8g7* a4b4 c7c6* i6h6 c6c5* g4g5* c5c4*x g5g6*x
    c4c3*x g7g8*x b1c2 b4b5c4 c1c2* f4f5* c2c3* g9g8 c3c4*x h6g6 c4c5*x
"""
"""Abalone: Black pushes six marbles out, White two."""
DICE: Final = """
    65 31 11 66 32 31 54 42 64 33 65 42 53 65 55 65 61 21 64 53 42 32 63 53 65 62 65 53 61 54 41 65 42 62 65 54 31 63
    55 32 21 52 21 65 52 52 43 54 64 42 43 53
"""
ABAK: Final = """
    13/8 13/7; 8/5 6/5; 7/6/5/4/3; 13/7 13/7 24/18 24/18; 8/5/3; 8/5 8/7; 13/8 13/9; 18/14 18/16^; 23/17/13;
    13/10 13/10/7 10/7; 13/7 8/3; 5/3 7/3; 7/4 8/3; 23/18/12; 6/1 6/1 6/1 6/1; 12/6 23/18; 4/3 8/2; 6/5 7/5;
    18/13 6/3; 13/10 7/5; 16/11/8; 15/10 9/3; 14/8 5/3; 10/5 6/3; 6/2* 7/2; bar:O/21 4/3; 7/2 8/2; 8/2/off; 16/13 3/2;
    3/off 5/off; 3/1 3/off; 5/off 5/3; 2/off 3/off
"""
"""The plays of the two with those dice, White first: traps, a hit, a wounded on the bar, and all of Black's borne off.
The bot plays turns without a choice.
"""
PHONE: Final = {"width": 360, "height": 740, "has_touch": True}


@dataclass
class Table:
    """A channel with Ana, who reads English, and Bruno, who reads Spanish; the bot in it, and the page before them."""

    room: Room
    page: SandboxPage
    sockets: list[str]

    async def seat(self, who: Seat) -> PageSeat:
        """Returns their column: in a narrow window it comes to the front."""
        return await self.page.seat(self.name(who.user_id))

    def name(self, user_id: int) -> str:
        return str(self.room.server.world.users[user_id]["global_name"])

    def language(self, who: Seat) -> Language:
        return language_for_locale(self.room.server.world.users[who.user_id]["locale"])

    async def begin(self, challenger: Seat, game: str, layout: str = "") -> LiveGame:
        """Challenges by the command bar; the other accepts with the button."""
        say, other = self.language(challenger), self.room.ben if challenger is self.room.ana else self.room.ana
        seat = await self.seat(challenger)
        options = {"opponent": self.name(other.user_id), "game": GAMES[game].name} | (
            {"layout": layout} if layout else {}
        )
        options |= {key: str(value) for key, value in single(game, {}).items()}
        await seat.slash(f"{say('command.abak')} {say('command.challenge')}", **options)
        await expect(seat.last()).to_contain_text(GAMES[game].name)
        answering = await self.seat(other)
        await answering.press(self.room.say("button.accept_challenge"))
        await expect(self.boards(answering)).to_have_count(1)
        return await self.room.shown()

    # a turn

    async def turn(self, live: LiveGame, text: str, *, typed: bool = False) -> LiveGame:
        """Plays it, and looks at the board that it brings."""
        before = str(live.message_id)
        seat = await self.seat(self.room.to_move(live))
        boards = self.boards(seat)
        await self.board(live, seat)  # the places that are shown anew have been read
        count = await boards.count()
        await (self.type(live, text) if typed else self.pick(live, text))
        await expect(boards).to_have_count(count + 1)
        after = await self.room.shown()
        entry = after.table.record.entries[live.seq]
        assert (entry.kind, entry.seat, entry.body) == (Kind.PLAY, live.table.to_act, text)
        await self.check_board(after)
        old = (await self.seat(self.room.ana)).column.locator(f'[data-id="{before}"]')
        await expect(old.get_by_test_id("action-row")).to_have_count(0)
        return after

    async def type(self, live: LiveGame, text: str) -> None:
        """Types the turn by the command, from the bot's suggestions."""
        who = self.room.to_move(live)
        say, seat = self.language(who), await self.seat(who)
        bar = await seat.begin(f"{say('command.abak')} {say('command.move')} {say('command.move.play')}")
        field = bar.locator('input[data-option="notation"]')
        await field.fill(text[:-1])
        wanted = re.compile(rf"^{re.escape(in_language(text, say))}(,|$)")
        row = seat.column.get_by_test_id("option-list").get_by_role("option").filter(has_text=wanted)
        await row.first.click()
        await expect(field).to_have_value(wanted)
        await bar.get_by_test_id("more-options").press("Enter")
        await expect(bar).to_have_count(0)

    async def pick(self, live: LiveGame, text: str) -> None:
        """Chooses the turn by the Move button, the picker and, if it is asked for, Confirm. Nobody else sees the
        picker.
        """
        who, game, state = self.room.to_move(live), live.table.game, live.table.state
        say, seat = self.language(who), await self.seat(who)
        before = await self.private(seat).count()
        await seat.press(self.room.say("button.move"), await self.board(live, seat))
        await expect(self.private(seat)).to_have_count(before + 1)
        identity = await self.private(seat).last.get_attribute("data-id")
        picker = seat.column.locator(f'[data-id="{identity}"]')
        await expect(picker.get_by_test_id("only-you")).to_be_visible()
        await expect(picker.locator("img")).to_be_visible()
        for column in await self.page.page.get_by_test_id("column").all():
            mine = await column.get_attribute("data-seat") == str(who.user_id)
            await expect(column.locator(f'[data-id="{identity}"]')).to_have_count(int(mine))
        begun = len(follow(game, state, opening(game, state)).steps)
        for number, step in enumerate(game.parse(state, text)):
            words = worded_path(game, state, step, say) if number >= begun else []
            while words:
                words = words[await choose(seat, picker, words) :]
            state = game.apply(state, step)
        if await picker.get_by_role("button", name=say("button.confirm"), exact=True).count():
            await seat.press(say("button.confirm"), picker)
        await expect(picker).to_have_count(0)  # the board says what was played

    # what is seen

    @staticmethod
    def boards(seat: PageSeat) -> Locator:
        """Returns the public messages with a board or a card; a challenge has only a small picture of the start."""
        board = seat.page.locator('.picture img:not([src$="start.png"])')
        return seat.column.locator('[data-ephemeral="false"]').filter(has=board)

    @staticmethod
    def private(seat: PageSeat) -> Locator:
        """Returns the messages that this person alone sees."""
        return seat.column.locator('[data-ephemeral="true"]')

    @staticmethod
    async def board(live: LiveGame, seat: PageSeat) -> Locator:
        """Returns the game's newest board, as this person sees it."""
        board = seat.column.locator(f'[data-id="{live.message_id}"]')
        await expect(board).to_be_visible()
        return board

    async def check_board(self, live: LiveGame) -> None:
        """Checks that everybody who is shown sees the board: the picture, its description, and the words."""
        [attachment] = self.room.board["attachments"]
        for column in await self.page.page.get_by_test_id("column").all():
            board = await self.board(live, PageSeat(self.page.page, column))
            assert await board.get_attribute("data-ephemeral") == "false"
            picture = board.locator("img")
            await expect(picture).to_have_attribute("alt", attachment["description"])
            await expect(picture).to_be_in_viewport()
            assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
            await expect(board.get_by_test_id("alt-badge")).to_be_visible()

    async def check_end(self, live: LiveGame) -> None:
        """Checks that everybody reads who won and why, and that only the board's other side is left to press."""
        outcome, say = live.table.outcome, self.room.say
        assert outcome is not None
        assert outcome.winner is not None
        result = status(live, say)
        for player in live.players:
            result = result.replace(f"<@{player}>", f"@{self.name(player)}")
        for who in (self.room.ana, self.room.ben):
            board = await self.board(live, await self.seat(who))
            await expect(board.get_by_test_id("text")).to_contain_text(result)
            buttons = board.get_by_test_id("action-row").get_by_role("button")
            await expect(buttons).to_have_text([say(f"button.{verb}") for verb in ("rematch", "replay", "flip")])


async def choose(seat: PageSeat, picker: Locator, words: list[str]) -> int:
    """Presses or chooses what the picker labels with the beginning of `words`; how many of them it was."""
    before = await picker.get_by_test_id("text").inner_text()
    menu, buttons = picker.locator(".select"), picker.get_by_test_id("action-row").get_by_role("button")

    async def has_changed() -> bool:
        return await picker.get_by_test_id("text").all_inner_texts() != [before]

    for offered in (buttons, seat.page.get_by_test_id("select-list").get_by_role("option")):
        if offered is not buttons and await menu.count():
            await menu.click()
        for index, label in enumerate(await offered.all_inner_texts()):
            if said := matched(label.strip(), words):
                await offered.nth(index).click()
                await until(has_changed, "the picker changes, or goes once the turn is played")
                return said
    raise AssertionError(f"nothing of {words} is offered")


async def check_beside(table: Table) -> None:
    """Checks that both seats are shown whole, next to each other."""
    columns = await table.page.page.get_by_test_id("column").all()
    assert [await one.get_attribute("data-seat") for one in columns] == [
        str(table.room.ana.user_id),
        str(table.room.ben.user_id),
    ]
    left, right = [await one.bounding_box() for one in columns]
    assert left is not None
    assert right is not None
    assert (left["y"], left["width"], left["height"]) == (right["y"], right["width"], right["height"])
    assert left["x"] + left["width"] <= right["x"]
    assert right["x"] + right["width"] <= 1200
    assert await columns[1].get_attribute("lang") == SPANISH


@asynccontextmanager
async def seated_at(
    chromium: Browser, world: World, url: str, luck: Luck | None = None, *, public: str = "en-US", **window: Any
) -> AsyncIterator[Table]:
    """Sets the table. At the end nothing was refused, nothing failed on the page, and nothing left the machine."""
    server = await serve(world, strict=True)
    try:
        world.guilds[world.guild_id]["preferred_locale"] = public
        channel = world.add_channel("games")
        ana = Seat.join(world, "Ana", channel)
        bruno = Seat.join(world, "Bruno", channel, locale=SPANISH)
        async with bot_running(server, url, luck=luck) as bot:
            page = await SandboxPage.open(chromium, server.url, reduced_motion="reduce", **window)
            table = Table(Room(server, ana, bruno, bot), page, [])
            page.page.on("websocket", lambda socket: table.sockets.append(socket.url))
            await page.page.reload()  # so that its socket is heard of, too
            await expect(page.page.get_by_test_id("seat-tab")).to_have_count(2)
            yield table
            assert page.problems == []
            assert table.sockets == [f"{server.url.replace('http', 'ws', 1)}/page/ws"]
            await page.close()
        assert not server.validator.violations
    finally:
        await server.close()


@pytest.mark.thorough
async def test_a_whole_game_of_abak_side_by_side(
    chromium: Browser, world: World, addresses: None, sqlite_url: str
) -> None:
    del addresses
    with ScriptedLuck(DICE.split()) as luck:
        async with seated_at(chromium, world, sqlite_url, luck) as table:
            await table.page.beside()
            await check_beside(table)
            live = await table.begin(table.room.ana, "abak")
            for number, text in enumerate(map(str.strip, ABAK.split(";"))):
                live = await table.turn(live, text, typed=number % 4 > 1)
            await table.check_end(live)


async def test_a_whole_game_of_abalone_in_a_spanish_channel(
    chromium: Browser, world: World, addresses: None, sqlite_url: str
) -> None:
    del addresses
    async with seated_at(chromium, world, sqlite_url, public=SPANISH) as table:
        await table.page.beside()
        await check_beside(table)
        live = await table.begin(table.room.ben, "abalone", layout="Margarita belga")
        for number, text in enumerate(BELGIAN_DAISY.split()):
            live = await table.turn(live, text, typed=number % 4 > 1)
        await table.check_end(live)


async def test_some_turns_and_giving_up_on_a_phone(
    chromium: Browser, world: World, addresses: None, sqlite_url: str
) -> None:
    del addresses
    luck = ScriptedLuck(["31", "42", "65", "11", "64"])
    async with seated_at(chromium, world, sqlite_url, luck, **PHONE) as table:
        live = await table.begin(table.room.ana, "backgammon")
        for number, text in enumerate(("8/5 6/5", "8/4 6/4", "24/13", "8/7(2) 6/5(2)")):
            before = table.room.to_move(live)
            live = await table.turn(live, text, typed=number > 1)
            await check_phone(table)
            if number < 2:  # the picker was for the other's eyes, and is gone
                assert before != table.room.to_move(live)
                await expect(table.private(await table.seat(table.room.to_move(live)))).to_have_count(0)
        await read_description(table, live)
        await give_up(table, live)
        await table.check_end(await table.room.shown())


async def check_phone(table: Table) -> None:
    """Checks that nothing is wider than the window, and that the line to write in and the buttons fit a phone."""
    assert await table.page.overflow() == 0
    [column] = await table.page.page.get_by_test_id("column").all()
    await expect(column.get_by_test_id("channel")).to_have_text(["games"])  # nothing is unread before one's eyes
    await expect(column.get_by_test_id("composer")).to_be_in_viewport(ratio=1)
    for button in await column.get_by_test_id("action-row").get_by_role("button").all():
        box = await button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["height"] >= 24


async def read_description(table: Table, live: LiveGame) -> None:
    """Reads the picture's words, behind its badge."""
    seat = await table.seat(table.room.to_move(live))
    await (await table.board(live, seat)).get_by_test_id("alt-badge").tap()
    words = table.page.page.get_by_test_id("alt-text")
    await expect(words).to_have_text(table.room.board["attachments"][0]["description"])
    assert await table.page.overflow() == 0
    await table.page.page.keyboard.press("Escape")
    await expect(words).to_have_count(0)


async def give_up(table: Table, live: LiveGame) -> None:
    """Gives up by the Resign button, and the question that only the one who gives up is asked."""
    who = table.room.to_move(live)
    seat, say = await table.seat(who), table.language(who)
    allowed = live.table.game.resign_values(live.table.state, 0)
    await seat.press(table.room.say("button.more"), await table.board(live, seat))
    await seat.press(say("button.resign"), table.private(seat).last)
    asked = table.private(seat).last
    await expect(asked).to_contain_text(say("resign.sure"))
    await seat.press(resign_label(allowed, allowed[-1], say, counts=counts_points(live)), asked)
    await expect(asked.get_by_text(say("resign.sure"))).to_have_count(0)
