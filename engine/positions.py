"""The commands about positions: the legal plays, and the play of a machine.

They read a position at a time, so that memory does not grow with the input.
"""

import argparse
import io
import json
import re
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from engine.core.errors import RuleError
from engine.core.game import CHANCE, Game
from engine.core.search import perft
from engine.registry import find

LONGEST: Final = 300
"""The most characters of an error's line, which may repeat the input."""
LONGEST_WORD: Final = 100
"""The most characters of a word in it. A SHA-256 and most paths are shorter; mistyped input may be longer."""
WORD: Final = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")
TOO_LONG: Final = re.compile(
    r"Exceeds the limit \(\d+ digits\) for integer string conversion(: value has \d+ digits)?"
    r"; use sys\.set_int_max_str_digits\(\) to increase the limit"
)
"""The beginning of Python's message about a number of thousands of digits, which gives advice for programmers."""


def start(arguments: argparse.Namespace) -> int:
    """Prints the start position's text."""
    game = find(arguments.game)
    given = {"layout": arguments.layout} if arguments.layout and arguments.layout != "standard" else {}
    print(game.encode(game.start(game.settle_options(given))))
    return 0


def legal(arguments: argparse.Namespace) -> int:
    """Prints one JSON line of all legal plays for each position text on standard input."""
    game = find(arguments.game)
    return _answered(lambda text: describe(game, text))


def _answered(answer: Callable[[str], dict[str, Any]]) -> int:
    """Writes one JSON line for each position text on standard input; ``answer`` may raise RuleError."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # bytes that are no text get an error like any other line
    status = 0
    for line in sys.stdin:
        text = line.strip()
        if not text:
            continue
        try:
            told = answer(text)
        except RuleError as error:
            told = {"position": text, "error": {"key": error.key, "message": shortened(str(error))}}
            status = 1
        print(json.dumps(told, ensure_ascii=False), flush=True)
    return status


def describe(game: Game[Any, Any], text: str) -> dict[str, Any]:
    """Returns the answer to one position. Raises RuleError."""
    state = game.decode(text)
    answer = _idle(game, state, text)
    if answer is not None:
        return answer
    answer = {"position": text, "over": None, "moves": []}
    if game.enumerates_turns:
        found = ((game.format(state, steps), after) for steps, after in game.turns(state))
        answer["moves"] = [{"move": move, "result": game.encode(after)} for move, after in found]
    else:
        found = ((game.format(state, (step,)), game.apply(state, step)) for step in game.legal(state))
        answer["moves"] = [{"move": move, "result": game.encode(after)} for move, after in found]
    return answer


def _idle(game: Game[Any, Any], state: Any, text: str) -> dict[str, Any] | None:
    """Returns the answer to a position in which no seat is to act; None if one is."""
    outcome = game.outcome(state)
    if outcome is not None:
        over = {"points": list(outcome.points), "reason": outcome.reason}
        return {"position": text, "over": over, "moves": []}
    if game.to_act(state) == CHANCE:
        return {"position": text, "over": None, "moves": [], "to_roll": True}
    return None


def think(arguments: argparse.Namespace) -> int:
    """Prints one JSON line of a machine's play for each position text on standard input.

    A line has the move, its value for the side to act (points in games with dice, elsewhere -1 to 1), and the best
    moves with theirs. Before a roll it says whether to double, after a double whether to take and to beaver. It says
    for how many points to resign, if at all, and whether a draw would be accepted. Level and seed alone decide the
    play, as long as there is time. Without GAME each line is JSON that names the game, too: docs/machine.md.
    """
    from engine.ai.answers import answer
    from engine.ai.questions import Question, complete, read

    def reader() -> Callable[[str], Question]:
        if arguments.game is None:
            defaults = {"level": arguments.level, "seed": arguments.seed, "options": dict(arguments.option)}
            return lambda line: read(line, defaults)
        game = find(arguments.game)
        options = complete(game, dict(arguments.option))
        return lambda text: Question(game, options, text, arguments.level, arguments.seed)

    question_of = reader()

    def told(text: str) -> dict[str, Any]:
        end = time.monotonic() + arguments.seconds
        question = question_of(text)
        game, position = question.game, question.position
        idle = _idle(game, game.decode(position, question.options), position)
        return answer(question, arguments.top, lambda: time.monotonic() >= end) if idle is None else idle

    return _answered(told)


def play(arguments: argparse.Namespace) -> int:
    """Prints the position after the moves; ends with an error and status 2 if one is refused."""
    game = find(arguments.game)
    state = game.decode(arguments.position)
    for move in arguments.moves:
        for step in game.parse(state, move):
            state = game.apply(state, step)
    print(game.encode(state))
    return 0


def count(arguments: argparse.Namespace) -> int:
    """Prints a line per depth: depth, leaves, seconds."""
    game = find(arguments.game)
    text = arguments.position or game.encode(game.start(game.settle_options({})))
    state = game.decode(text)
    for depth in range(1, arguments.depth + 1):
        began = time.perf_counter()
        leaves = perft(game, state, depth)
        print(depth, leaves, f"{time.perf_counter() - began:.3f}", flush=True)
    return 0


def shortened(text: str) -> str:
    """Shortens the text of an error: long input, and advice that helps nobody here."""
    text = WORD.sub(r"\1…", TOO_LONG.sub("a number has too many digits", text))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
