"""Tests what the bot adds to a view before it is drawn."""

import pytest

from bot.board import pictures
from bot.core.translations import language
from engine.core.record import Header
from engine.core.table import Table
from engine.registry import GAMES
from render import registry
from render.view import View

EN, ES = language("en"), language("es")


@pytest.mark.parametrize(("say", "sides"), [(EN, ("White", "Black")), (ES, ("Blancas", "Negras"))], ids=["en", "es"])
def test_a_name_that_cannot_be_drawn_gives_way_to_the_side_in_the_readers_language(
    say: object, sides: tuple[str, str]
) -> None:
    view = pictures.with_sides(GAMES["backgammon"], View(names=("Ana", "山田太郎")), say)
    assert view == View(names=("Ana", "山田太郎"), sides=sides)
    start, _ = registry.BOARDS["backgammon"].samples()["start"]
    assert registry.fresh("backgammon", start, view) == registry.fresh(
        "backgammon", start, View(names=("Ana", sides[1]))
    )
    assert pictures.with_sides(GAMES["abalone"], view, say).sides == sides[::-1]


@pytest.mark.parametrize("names", [("", ""), ("Ana", "Bé 🎲 日本"), ("...", "Bea")])
def test_other_views_are_the_same_in_every_language(names: tuple[str, str]) -> None:
    view = View(names=names)
    assert pictures.with_sides(GAMES["apb"], view, EN) is view


def test_the_dice_of_a_pass_are_shown_until_the_next_turn() -> None:
    shut_out = "XGID=-----BD-D---aD---a-cbbbbbA:0:0:1:00:0:0:0:0:10"
    table = Table.open(GAMES["backgammon"], Header("backgammon", 1, "g1", 0, position=shut_out))
    rolls = iter(("53", "64"))
    table = table.settle(0, lambda _: next(rolls))
    assert table.to_act == 1
    assert pictures.passed(table) == (0, (5, 3))
    [(_, turn), *_] = table.game.written_turns(table.state)
    table = table.play(1, turn, 0)
    assert pictures.passed(table) is None
