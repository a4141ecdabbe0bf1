"""Tests the words for the end of a game: about whom, the score in the game's units, and points only if they matter."""

from __future__ import annotations

from typing import Any

import pytest

from bot.board.buttons import board_buttons
from bot.board.message import counts_points, result, status
from bot.core.translations import CODES, language
from bot.games.live import LiveGame
from bot.games.stored import Place
from engine.core.record import Header
from engine.core.table import Table
from engine.registry import GAMES

NAMES = ("Ana", "Ben")


def ended(key: str, position: str = "", **options: Any) -> LiveGame:
    """Returns a game in which seat 0 has resigned."""
    game = GAMES[key]
    header = Header(key, game.version, "g1", 0, tuple(game.settle_options(options).items()), position=position)
    table = Table.open(game, header)
    table = table.resign(0, table.game.resign_values(table.state, 0)[-1], 1)
    return LiveGame("g1", table, (11, 12), Place(3, 4), "en", 0, None, "", "")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("key", GAMES)
def test_who_resigned_is_named_and_no_points_are_told_without_a_use(key: str, code: str) -> None:
    say, live = language(code), ended(key)
    card, told = result(live, say, NAMES), status(live, say)
    assert not counts_points(live)
    assert card.winner == 1
    assert "Ana" in card.how
    assert "<@11>" in told
    assert "<@12>" in told
    for shown in (told, card.result, *card.facts):
        assert say("card.points", n=1) not in shown


def test_the_score_is_in_the_games_own_units() -> None:
    say = language("en")
    live = ended("abalone", position="wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 2 3")
    assert result(live, say, NAMES).result == "Marbles 3\N{EN DASH}2"
    assert status(live, say) == "<@12> wins: <@11> resigned. Marbles 3\N{EN DASH}2."
    off = ended("backgammon", position="XGID=-C----------------------b-:0:0:1:00:0:0:0:0:10")
    assert result(off, say, NAMES).result == "Borne off 13\N{EN DASH}12"


def test_points_are_told_with_the_cube_and_the_score_beside_them() -> None:
    say = language("en")
    live = ended("backgammon", cube="on", position="XGID=-C----------------------b-:1:-1:1:00:0:0:0:0:10")
    card = result(live, say, NAMES)
    assert card.result == "2 points"
    assert "Borne off 13\N{EN DASH}12" in card.facts
    assert status(live, say).startswith("<@12> wins 2 points: <@11> resigned.")


def test_a_card_of_a_match_has_no_board_to_flip() -> None:
    live, say = ended("abalone"), language("en")
    verbs = [[item.press.verb for item in board_buttons(live, say, flips=flips)] for flips in (True, False)]
    assert verbs == [["rematch", "replay", "flip"], ["rematch", "replay"]]
