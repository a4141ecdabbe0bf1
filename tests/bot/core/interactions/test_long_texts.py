"""Whatever somebody types, an answer comes, and what it repeats is short and harmless."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import discord
import pytest
from harness import malformed
from harness.bot import told, told_all
from hypothesis import given
from hypothesis import strategies as st

from bot.core.interactions import discord_limits
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, picture_first, view_of
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import InvalidPress, Press
from bot.core.texts.quoting import QUOTE_LENGTH, escaped, quoted, storable
from bot.core.translations import CODES, language
from engine.core.errors import BadNotation, RuleError

if TYPE_CHECKING:
    from harness.bot import Room

EN = language("en")
PRESS = Press("games", "me", 0)
COMMANDS: list[tuple[str, dict[str, Any], str]] = [
    ("abak vacation", {"days": 3}, "from"),
    ("abak move play", {}, "notation"),
    ("abak move conditional", {}, "condition"),
    ("abak move conditional", {"condition": "e4"}, "reply"),
    ("abak move conditional", {"condition": "e4"}, "after"),
    ("abak challenge", {"game": "apb"}, "layout"),
    ("abak challenge", {"game": "apb"}, "time"),
    ("abak challenge", {"game": "apb"}, "rating"),
    ("abak rules", {"game": "apb"}, "topic"),
    ("abak replay", {}, "game"),
    ("abak explore", {"game": "apb"}, "position"),
    ("tournament adjudicate", {"result": "first"}, "game"),
    ("tournament organise correct", {"result": "1-0"}, "game"),
    ("tournament show", {}, "tournament"),
]
SIGNS = ("x", "`*", "9", "e4 ")


def options_of(room: Room, command: str) -> dict[str, Any]:
    """Returns the text options of a command as Discord has them."""
    first, *parts = command.split()
    [node] = [one for one in room.server.world.commands if one["name"] == first]
    for part in parts:
        [node] = [one for one in node["options"] if one["name"] == part]
    return {one["name"]: one for one in node.get("options", ()) if one["type"] == 3}


@pytest.mark.parametrize("length", [None, 2_500, 6_000], ids=["most", "2500", "6000"])
async def test_a_long_text_gets_an_answer(room: Room, length: int | None) -> None:
    """Even if Discord checked no length: the sandbox forgets the limits that the bot has registered.

    ``length``: None for the longest text that an option takes.
    """
    assert room.bot is not None
    live = await room.begin("apb")
    mover = room.to_move(live)
    tried = 0
    for command, given_too, option in COMMANDS:
        most = options_of(room, command)[option].pop("max_length")
        for sign in SIGNS:
            sent = await mover.slash(command, **given_too, **{option: (sign * 6_000)[: length or most]})
            assert sent.responded, (command, option, sign)
            await told_all(room.bot)
            assert (told(mover) == EN("error.command")) == (length is not None), (command, option, sign)
            tried += 1
    assert tried == len(COMMANDS) * len(SIGNS)


async def test_a_text_of_which_nothing_is_left_is_too_short(room: Room) -> None:
    assert options_of(room, "abak explore")["position"]["min_length"] == 1
    await room.ana.slash("abak explore", position="\0")
    assert told(room.ana) == EN("error.command")


async def test_what_is_quoted_does_not_ping_nor_format(room: Room) -> None:
    await room.begin("apb")
    await room.ana.slash("abak challenge", game="apb", rating="@everyone **x** <@1> \u202eabc\u200b")
    shown = told(room.ana)
    assert "\\*\\*x\\*\\*" in shown
    assert "@everyone" not in shown
    assert "<@1>" not in shown.replace("\\<@1\\>", "")
    assert "\u202e" not in shown


@pytest.mark.parametrize("code", CODES)
def test_every_parameter_of_an_error_is_quoted(code: str) -> None:
    """Not only the ones that are called text."""
    say = language(code)
    for error in (
        BadNotation("abalone.no_such_cell", cell="*" * 5_000),
        RuleError("game.unknown", game="`" * 5_000, games="apb"),
        BadNotation("vacation.date", text="_" * 5_000),
    ):
        assert len(say.error(error)) < 100 + 3 * QUOTE_LENGTH
        assert not any(sign * 2 in say.error(error) for sign in "*`_")


@given(st.text(max_size=400))
def test_a_quotation_is_short_seen_and_escaped(text: str) -> None:
    shown = quoted(text)
    assert len(shown.replace("\\", "")) <= QUOTE_LENGTH + shown.count("\u200b")
    shown.encode()
    for sign in "*_`~|<>[]()#":
        assert shown.replace(f"\\{sign}", "").count(sign) == 0
    assert not {"\u202e", "\u2066", "\u200f", "\n", "\0"} & set(shown)
    storable(text).encode()


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/a",
        "HTTP://example.org",
        "steam://run",
        "discord.gg/abc",
        "Discord.GG/abc",
        "discord.com/invite/abc",
        "discordapp.com/invite/abc",
    ],
)
def test_an_address_in_a_name_can_be_read_and_not_pressed(address: str) -> None:
    shown = escaped(f"Ana {address} Ben")
    assert shown.replace("\u200b", "") == f"Ana {address} Ben"
    assert address not in shown


# --- limits of answers ---------------------------------------------------------------------------------------------


async def test_every_part_of_an_answer_is_cut(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer with everything too long is sent: the stand-in refuses what Discord refuses."""
    assert room.bot is not None
    options = [discord.SelectOption(label="o" * 100, value=str(n)) for n in range(30)]

    async def too_much(answer: Answer, press: Press) -> None:
        menu = PressMenu(PRESS, "p" * 100, options[:25])
        menu._underlying.options = [*options]
        menu.options[0].label = "l" * 300
        menu.options[1].description = "d" * 300
        button = PressButton(PRESS, "b")
        button.label = "b" * 300
        view = view_of(menu, button)
        files = [discord.File(io.BytesIO(b"a"), filename="a.txt", description="a" * 3_000)]
        if press.rest == "form":
            await answer.form(form_of(PRESS, "t" * 90, [Field("k", "l" * 90, "v" * 90, "h" * 200)]))
        elif press.rest == "public":
            await answer.public("c" * 3_000, view, discord.AllowedMentions.none(), files=files)
        elif press.rest == "layout":
            await answer.private(None, files=files, view=picture_first(files, "c" * 5_000, view))
        else:
            await answer.private("```" + "c" * 3_000, files=files, view=view)
            await answer.private("again " + "c" * 3_000)

    monkeypatch.setitem(room.bot.context.handlers, "keep", too_much)
    await room.begin("apb")
    for rest in ("private", "public", "layout", "form"):
        await malformed.together([malformed.press(room.ana, room.board, f"b:keep:me:0:{rest}")], room.bot)
    assert told(room.ana).endswith("…")


@given(st.text(alphabet="`a\n", max_size=60), st.integers(10, 60))
def test_a_cut_text_fits_and_its_code_is_closed(text: str, most: int) -> None:
    shown = discord_limits.cut(text, most)
    assert len(shown) <= most
    if len(text) <= most:
        assert shown == text


@pytest.mark.parametrize("form", ["content", "alt"])
def test_a_block_of_code_stays_closed(form: str) -> None:
    most = discord_limits.CONTENT if form == "content" else discord_limits.ALT
    shown = discord_limits.cut("```\n" + "a" * 3_000 + "\n```", most)
    assert shown.count("```") == 2


def test_a_form_has_no_press_that_discord_would_not_take() -> None:
    """A forged value of a menu may be repeated in it."""
    with pytest.raises(InvalidPress):
        form_of(Press("organise_reason", "t1", 0, "adjudicate|1|" + "9" * 90), "Reason", [])


def test_what_is_too_long_is_cut_after_a_word() -> None:
    label = "the principal stops on e8, and the white secondary on f7 falls off the board for good"
    assert (
        discord_limits.cut(label, 80) == "the principal stops on e8, and the white secondary on f7 falls off the board…"
    )
    assert discord_limits.cut("x" * 90, 80) == "x" * 79 + "…"
    assert PressButton(PRESS, label).label == discord_limits.cut(label, discord_limits.LABEL)
