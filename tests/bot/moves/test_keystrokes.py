"""Whatever is typed, suggestions cost little: no text is read again and again, and no turn is made again and again."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.calls import KEYSTROKE, Calls

from bot.core.interactions.command_texts import CHOICES
from bot.core.interactions.options import TYPED_LENGTH
from bot.core.translations import language
from bot.moves.suggestions import MOST_WORDS, readable, suggestions, turns_with_texts
from engine.games.abak import turns
from engine.games.abalone.judge import legal_plays
from engine.games.backgammon.moves import legal_moves
from engine.registry import GAMES

if TYPE_CHECKING:
    from engine.core.game import Game

EN = language("en")
TYPED = [
    *("", "e4 " * 75, "a " * 150, "1 " * 150, "9" * 300, "a1-a2 " * 50, "ñ" * 300, "3/" * 150, "(2)" * 100),
    *("2 :weeks" * 38, "+ " * 150, "24/18 " * 50, "8/5(4) " * 50, "e4-e5-" * 50, ", " * 150, "*" * 300),
]
OF_A_POSITION: Final = (turns_with_texts, turns.tree, turns.steps, legal_plays, legal_moves)
"""The caches of positions, which the first keystroke after a move finds empty."""


def widest(game: Game[Any, Any]) -> Any:
    """Returns the position of some random games with the most turns."""
    found = []
    for seed in range(3):
        luck, state = random.Random(seed), game.start(game.settle_options({}))
        for _ in range(120):
            if game.to_act(state) is None:
                break
            if game.to_act(state) in {0, 1}:
                found.append(state)
            state = game.apply(state, luck.choice(list(game.legal(state))))
    return max(found, key=lambda one: len(game.turns(one) if game.enumerates_turns else game.legal(one)))


@pytest.mark.parametrize("key", GAMES)
def test_no_text_is_dear(key: str) -> None:
    game = GAMES[key]
    state = widest(game)
    steps = [game.format(state, (step,)) for step in game.legal(state)]

    def type_first(typed: str) -> None:
        for cached in OF_A_POSITION:
            cached.cache_clear()
        assert len(suggestions(game, state, typed, EN, CHOICES)) <= CHOICES

    suggestions(game, state, "x", EN)
    for typed in [*TYPED, " ".join(steps)[:TYPED_LENGTH], " ".join(steps[:1] * 100)[:TYPED_LENGTH]]:
        calls = Calls()
        with calls.counting():
            type_first(typed)
        assert calls.number <= KEYSTROKE, typed[:20]


def test_only_so_many_beginnings_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["apb"]
    parse, read = type(game).parse, []

    def counted(self: Game[Any, Any], state: Any, text: str) -> Any:
        read.append(text)
        return parse(self, state, text)

    monkeypatch.setattr(type(game), "parse", counted)
    assert readable(game, game.start(game.settle_options({})), "e4 " * 2000)[0] == ()
    assert len(read) <= MOST_WORDS


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.enumerates_turns])
def test_no_step_is_made_again_and_again(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[key]
    state = widest(game)
    turns = turns_with_texts(game, state)
    apply, made = type(game).apply, []

    def counted(self: Game[Any, Any], state: Any, step: Any) -> Any:
        made.append((state, step))
        return apply(self, state, step)

    monkeypatch.setattr(type(game), "apply", counted)
    assert len(suggestions(game, state, "", EN)) == len(turns)
    assert len(made) == len(set(made))
