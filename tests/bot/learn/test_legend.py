"""The legend of the signs of pieces, below the board."""

from __future__ import annotations

import pytest
from harness.bot import SPANISH, Room, private, verbs
from harness.discord import alt, text

from bot.core.translations import language
from engine.games.abak.board import CLASSES
from render import registry
from render.canvas.legend import ABOUT, NAME, ROOM
from render.canvas.text import BOLD, width


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_legend_of_abak_is_one_tap_from_its_board(room: Room, locale: str) -> None:
    room.speak(locale)
    await room.begin("abak")
    await room.ana.press(room.say("abak.legend.title"), room.board)
    shown = private(room.ana)
    assert room.say("abak.legend.title") in text(shown)
    assert alt(shown)[0].splitlines() == [room.say(f"abak.legend.{key}") for key in (*CLASSES, "prisoner")]


@pytest.mark.parametrize("game", ["abalone", "apb", "backgammon"])
async def test_pieces_without_signs_have_no_legend(room: Room, game: str) -> None:
    await room.begin(game)
    assert "legend" not in verbs(room.board)


@pytest.mark.parametrize("code", ["en", "es"])
def test_no_line_of_a_legend_is_cut(code: str) -> None:
    for key in registry.legend_keys("abak"):
        name, colon, about = language(code)(f"abak.legend.{key}").partition(": ")
        assert colon
        assert width(name, NAME, BOLD) <= ROOM
        assert width(about, ABOUT) <= ROOM
