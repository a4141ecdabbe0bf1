"""Measures the CPU time of suggestions for a keystroke, by command and option, for the worst texts.

``python -m benchmarks.keystrokes``. The positions come from random games with a fixed seed; for each, the texts are
those below and the position's own steps, cut to the length that the bot reads. Each figure is the least of three runs,
without caches.
"""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from bot.clocks import typed as typed_time
from bot.conditional.logic.tree import position_if_legal
from bot.core.interactions.command_texts import CHOICES
from bot.core.interactions.options import TYPED_LENGTH
from bot.core.translations import Language, language, plain
from bot.games.notation import to_notation
from bot.moves import suggestions as moves
from bot.players.preferences import DEFAULTS, OF_SERVER
from engine.core.game import Game
from engine.games.abak import turns
from engine.games.abalone.judge import legal_plays
from engine.games.backgammon.moves import legal_moves
from engine.registry import GAMES

TEXTS = tuple(
    text[:TYPED_LENGTH]
    for text in (
        *("", "x", "e4 " * 100, "a " * 150, "1 " * 150, "9" * 300, "a" * 300, "*" * 300, ", " * 150, "3/" * 150),
        *("a1-a2 " * 50, "24/18 " * 50, "8/5(4) " * 50, "(2)" * 100, "e4-e5-" * 50, "+ " * 150, "2 :weeks" * 40),
        *("1d 2h " * 50, "half a " * 50, "ñ" * 300, "\U0001f600" * 300, "\u202e" * 300, "|| " * 100),
    )
)
OF_A_POSITION = (moves.turns_with_texts, turns.tree, turns.steps, legal_plays, legal_moves)
"""The caches of positions that somebody has asked for before."""
GAMES_PLAYED = 4
TURNS = 150
SAMPLE = 40
"""The number of positions to try: those with the most turns, and some of the others."""


def main() -> None:
    say = language("en")
    print(f"{'command':34} {'worst':>8}  text")
    for name, worst, text in rows(say):
        print(f"{name:34} {worst:5.1f} ms  {text[:24]!r}")


def rows(say: Language) -> Iterator[tuple[str, float, str]]:
    for game in GAMES.values():
        found = positions(game)
        cases = [(state, text) for state in found for text in texts(game, state)]
        yield f"move play, {game.key}", *worst(cases, lambda case, of=game: play(of, *case, say))
        yield f"move conditional, {game.key}", *worst(cases, lambda case, of=game: reply(of, *case))
    yield "challenge time", *worst([("", text) for text in TEXTS], lambda case: control(case[1], say))
    yield "names (layout, topic, tournament)", *worst([("", text) for text in TEXTS], lambda case: plain(case[1]))


def play(game: Game[Any, Any], state: Any, text: str, say: Language) -> None:
    for cached in OF_A_POSITION:
        cached.cache_clear()
    moves.suggestions(game, state, text, say, CHOICES)


def reply(game: Game[Any, Any], state: Any, text: str) -> None:
    """Does the work of the option ``reply`` after the text of the option ``condition``."""
    position_if_legal(game, state, to_notation(game.key, text))


def control(text: str, say: Language) -> None:
    typed_time.suggested(text, "3d/move", say)
    typed_time.explain_unfit(text, DEFAULTS[OF_SERVER], say)


def worst(cases: list[tuple[Any, str]], work: Callable[[tuple[Any, str]], None]) -> tuple[float, str]:
    """Finds the case that takes the most ms. Returns the time and its text."""
    work(cases[0])
    once = sorted(((cost(work, case), case) for case in cases), key=lambda one: -one[0])[:5]
    return max((min(cost(work, case) for _ in range(3)), case[1]) for _, case in once)


def cost(work: Callable[[Any], None], case: Any) -> float:
    began = time.process_time()
    work(case)
    return (time.process_time() - began) * 1000


def texts(game: Game[Any, Any], state: Any) -> Iterator[str]:
    yield from TEXTS
    steps = [game.format(state, (step,)) for step in list(game.legal(state))[:40]]
    yield " ".join(steps)[:TYPED_LENGTH]
    yield " ".join(steps[:1] * 100)[:TYPED_LENGTH]


def positions(game: Game[Any, Any]) -> list[Any]:
    """Lists positions in which a player is to act."""
    found = []
    for seed in range(GAMES_PLAYED):
        luck, state = random.Random(seed), game.start(game.settle_options({}))
        for _ in range(TURNS):
            if game.to_act(state) is None:
                break
            if game.to_act(state) in {0, 1}:
                found.append(state)
            state = game.apply(state, luck.choice(list(game.legal(state))))
    count = (lambda state: len(game.turns(state))) if game.enumerates_turns else (lambda state: len(game.legal(state)))
    found.sort(key=count, reverse=True)
    return found[: SAMPLE // 2] + found[SAMPLE // 2 :: max(1, len(found) * 2 // SAMPLE)]


if __name__ == "__main__":
    main()
