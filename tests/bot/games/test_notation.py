"""The words of a notation in every language: typed, shown, suggested."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from harness.positions import placed
from harness.walks import walk

from bot.core.translations import CODES, language
from bot.games.notation import in_language, to_notation
from bot.moves.suggestions import suggestions
from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

ES = language("es")
ENTERS = "XGID=-b----E-C---eE---c-e----AA:0:0:1:31:0:0:0:0:10"


@pytest.mark.parametrize(
    ("game", "typed", "meant"),
    [
        ("backgammon", "barra/20 6/fuera", "bar/20 6/off"),
        ("backgammon", "Barra/20 6/FUERA", "bar/20 6/off"),
        ("backgammon", "bar/20 6/off", "bar/20 6/off"),
        ("backgammon", "pasar", "pass"),
        ("backgammon", "tirar", "roll"),
        ("backgammon", "doblar", "double"),
        ("backgammon", "aceptar", "take"),
        ("backgammon", "tomar", "take"),
        ("backgammon", "rechazar", "pass"),
        ("abak", "barra:G/21 24/23", "bar:G/21 24/23"),
        ("abak", "barra (guardia)/21", "bar:G/21"),
        ("abak", "bar (even wounded)/21", "bar:E/21"),
        ("apb", "e4-d5 Pasar", "e4-d5 pass"),
        ("abalone", "c3c5d3", "c3c5d3"),
    ],
)
def test_the_words_of_every_language_are_read(game: str, typed: str, meant: str) -> None:
    assert to_notation(game, typed) == meant


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("key", GAMES)
def test_what_is_shown_is_read_as_what_it_stands_for(key: str, code: str) -> None:
    game, say, rng = GAMES[key], language(code), random.Random(4)
    for state in walk(game, rng, turns=60):
        step = rng.choice(game.legal(state))
        text = game.format(state, (step,))
        assert game.parse(state, to_notation(key, in_language(text, say))) == game.parse(state, text)


def test_suggestions_answer_in_the_language_of_the_player() -> None:
    game = GAMES["backgammon"]
    state = game.decode(ENTERS)
    for typed in ("barra", "barra/2", "bar", ""):
        found = suggestions(game, state, typed, ES)
        assert found
        assert all(shown.startswith("barra/") and text.startswith("bar/") for shown, text in found)


@pytest.mark.parametrize("typed", ["barra/22", "bar/22"])
@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_a_turn_is_typed_in_any_language(room: Room, locale: str, typed: str) -> None:
    room.speak(locale)
    live = await placed(room, "backgammon", ENTERS)
    await room.type(live, f"{typed} 24/23")
    assert "bar/22 24/23" in [entry.body for entry in (await room.shown()).table.record.entries]
