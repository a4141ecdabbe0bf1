"""The engine's command line, so that another program can question it (docs/rules/README.md): answers in lines.

Pure standard library but for `pair`, quick to start; a position at a time, so memory does not grow with the input.
"""

import argparse
import io
import json
import math
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn

from engine import exchange
from engine.ai.levels import DEFAULT, LEVELS
from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import CHANCE, Game
from engine.core.record import check_seal, entry_lines, load
from engine.core.rolls import Verification
from engine.core.search import perft
from engine.match.proof import verify_match
from engine.match.record import is_match, load_match
from engine.rating.glicko import TAU, Rating
from engine.rating.periods import START, read_games, read_ratings, read_start, written
from engine.rating.periods import rate as rate_games
from engine.registry import GAMES, find
from engine.tournament import trf
from engine.tournament.formats.pairer import DutchPairer
from engine.tournament.formats.swiss import initial_color, next_round
from engine.tournament.model import USUAL_TIE_BREAKS, Format, NoPairing, Result, Stage, TieBreak
from engine.tournament.standings import standings as standings_of
from engine.tournament.tie_breaks import rules_on

NO_PAIRING: Final = 1
BAD_INPUT: Final = 2
LONGEST: Final = 300
"""The most characters of an error's line: it may repeat what was given."""
LONGEST_WORD: Final = 100
"""The most characters of a word in it. A SHA-256 and most paths are shorter, what was typed by mistake may not be."""
WORD: Final = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+")
TOO_LONG: Final = re.compile(
    r"Exceeds the limit \(\d+ digits\) for integer string conversion(: value has \d+ digits)?"
    r"; use sys\.set_int_max_str_digits\(\) to increase the limit"
)
"""What Python says of a number of thousands of digits: advice for whoever writes programs."""


def games(_: argparse.Namespace) -> int:
    """A line per game: key, name, layouts."""
    for game in GAMES.values():
        layouts = next((option.choices for option in game.options if option.key == "layout"), ("standard",))
        print(game.key, game.name, ",".join(layouts), sep="\t")
    return 0


def start(asked: argparse.Namespace) -> int:
    """The start position's text."""
    game = find(asked.game)
    given = {"layout": asked.layout} if asked.layout and asked.layout != "standard" else {}
    print(game.encode(game.start(game.settle_options(given))))
    return 0


def legal(asked: argparse.Namespace) -> int:
    """For each position text on standard input one JSON line of all that can be played."""
    game = find(asked.game)
    return _answered(lambda text: describe(game, text))


def _answered(answer: Callable[[str], dict[str, Any]]) -> int:
    """Writes one JSON line for each position text on standard input; ``answer`` may raise RuleError."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what is no text gets an error like any other line
    status = 0
    for line in sys.stdin:
        text = line.strip()
        if not text:
            continue
        try:
            told = answer(text)
        except RuleError as error:
            told = {"position": text, "error": {"key": error.key, "message": _shortened(str(error))}}
            status = 1
        print(json.dumps(told, ensure_ascii=False), flush=True)
    return status


def describe(game: Game[Any, Any], text: str) -> dict[str, Any]:
    """The answer to one position. Raises RuleError."""
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
    """The answer to a position in which no seat is to act; None if one is."""
    outcome = game.outcome(state)
    if outcome is not None:
        over = {"points": list(outcome.points), "reason": outcome.reason}
        return {"position": text, "over": over, "moves": []}
    if game.to_act(state) == CHANCE:
        return {"position": text, "over": None, "moves": [], "to_roll": True}
    return None


def think(asked: argparse.Namespace) -> int:
    """For each position text on standard input one JSON line of what a machine would play.

    A line has the move, its value for the side to act (points in games with dice, elsewhere -1 to 1), and the best
    moves with theirs. Before a roll it says whether to double, after a double whether to take and to beaver. It says
    for how many points to resign, if at all, and whether a draw would be accepted. Level and seed decide alone what is
    played, as long as there is time. Without GAME each line is JSON that names the game, too: docs/machine.md.
    """
    from engine.ai.answers import answer
    from engine.ai.questions import Question, complete, read

    def reader() -> Callable[[str], Question]:
        if asked.game is None:
            defaults = {"level": asked.level, "seed": asked.seed, "options": dict(asked.option)}
            return lambda line: read(line, defaults)
        game = find(asked.game)
        options = complete(game, dict(asked.option))
        return lambda text: Question(game, options, text, asked.level, asked.seed)

    question_of = reader()

    def told(text: str) -> dict[str, Any]:
        end = time.monotonic() + asked.seconds
        question = question_of(text)
        game, position = question.game, question.position
        idle = _idle(game, game.decode(position, question.options), position)
        return answer(question, asked.top, lambda: time.monotonic() >= end) if idle is None else idle

    return _answered(told)


def play(asked: argparse.Namespace) -> int:
    """The position after the moves; the error, and status 2, if one is refused."""
    game = find(asked.game)
    state = game.decode(asked.position)
    for move in asked.moves:
        for step in game.parse(state, move):
            state = game.apply(state, step)
    print(game.encode(state))
    return 0


def count(asked: argparse.Namespace) -> int:
    """A line per depth: depth, leaves, seconds."""
    game = find(asked.game)
    text = asked.position or game.encode(game.start(game.settle_options({})))
    state = game.decode(text)
    for depth in range(1, asked.depth + 1):
        began = time.perf_counter()
        leaves = perft(game, state, depth)
        print(depth, leaves, f"{time.perf_counter() - began:.3f}", flush=True)
    return 0


def check(asked: argparse.Namespace) -> int:
    """Replays the record of a game or a match, and repeats every draw of its luck."""
    text = _text(Path(asked.record).read_bytes()).replace("\r\n", "\n")
    check_seal(text)
    if is_match(text):
        header = load_match(text).header
        match, rolls = verify_match(find(header.game, header.version), text)
        count = sum(len(game.entries) for game in match.games)
        print(f"{len(match.games)} games, {count} entries replayed, {rolls} rolls verified")
        return 0
    record = load(text)
    checked = Verification(find(record.header.game, record.header.version), record, lines=entry_lines(text))
    rolls = sum(1 for _ in checked.rolls())
    print(f"{len(record.entries)} entries replayed, {rolls} rolls verified")
    return 0


def rate(asked: argparse.Namespace) -> int:
    """Reads period,player,opponent,score and prints each player's Glicko-2 rating after the last period.

    A line is one game and counts for both players, so a game is listed once; the score, 1, 0.5 or 0, is that of the
    first player named. # starts a comment. All games of a period count at once, in any order. Players without a game
    in a period only grow in deviation. Prints "player rating deviation volatility games", the highest rating first.
    """
    initial = {}
    try:
        if asked.initial:
            initial = read_ratings(Path(asked.initial).read_text(encoding="utf-8").splitlines())
    except ValueError as error:
        _complain(f"{asked.initial}: {error}")
        return BAD_INPUT
    try:
        rated = rate_games(read_games(sys.stdin), initial, asked.start, asked.tau)
    except (ValueError, ArithmeticError) as error:  # start values can be beyond all computing
        _complain(error)
        return BAD_INPUT
    for line in written(rated):
        print(line)
    return 0


def convert(asked: argparse.Namespace) -> int:
    """A game, match or positions in another format; the error, and status 2, for what it cannot say."""
    text = _text(Path(asked.file).read_bytes())
    content = exchange.read(text, asked.source)
    sys.stdout.write(exchange.write(content, asked.to, seal=exchange.has_seal(text)))
    return 0


def pair(asked: argparse.Namespace) -> int:
    """Reads a FIDE report (TRF16) and prints the next Swiss round by the Dutch system.

    Prints the number of pairs, then "white black" a line by starting rank, 0 for the bye. XXR in the report says how
    many rounds the tournament has, XXZ who does not play the next one, XXC who begins with which colour. Ends with
    status 1 where no pairing is possible.
    """
    report = trf.read(_text(_report(asked)))
    if report.not_followed:
        raise trf.BadReport(f"The report asks for {' and '.join(report.not_followed)}, which is not supported.")
    if report.rounds is None:
        raise trf.BadReport("The report does not say how many rounds there are: add a line XXR with their number.")
    number = report.paired + 1
    if number > report.rounds:
        print(f"All {report.rounds} rounds have been paired.", file=sys.stderr)
        return NO_PAIRING
    entrants, pairings = trf.tournament(report)
    if waiting := sorted({pairing.round for pairing in pairings if pairing.result is None}):
        raise trf.BadReport(f"Round {waiting[0]} has a pairing without a result.")
    stage = Stage(Format.SWISS, rounds=report.rounds)
    pairer = DutchPairer(report.initial_color or initial_color(entrants, pairings) or "white")
    try:
        made = next_round(1, stage, entrants, pairings, number, section=1, pairer=pairer)
    except NoPairing as error:
        _complain(error)
        return NO_PAIRING
    found = [pairing for pairing in made if pairing.second is not None or pairing.result is Result.PAIRING_BYE]
    if not found:
        print("Nobody is there to play the round.", file=sys.stderr)
        return NO_PAIRING
    print(len(found))
    for pairing in found:
        print(pairing.first, pairing.second or 0)
    return 0


def standings(asked: argparse.Namespace) -> int:
    """Reads a FIDE report (TRF16) and prints a JSON line a player in final order.

    A line has the rank, the starting rank as "id", the points and the asked tie-breaks. DE is the place among those
    who are tied, 1 the best, and 0 where it decides nothing. The starting rank decides at last. Unplayed rounds count
    by the rules in force on the first day (line 042).
    """
    report = trf.read(_text(_report(asked)))
    entrants, pairings = trf.tournament(report)
    kind = Format.ROUND_ROBIN if report.is_round_robin else Format.SWISS
    stages = (Stage(kind, tie_breaks=asked.by),)
    for standing in standings_of(stages, 1, entrants, pairings, rules_on(report.first_day)):
        line: dict[str, Any] = {"rank": standing.rank, "id": standing.entrant, "points": standing.points}
        print(json.dumps(line | dict(standing.tie_breaks)))
    return 0


def _report(asked: argparse.Namespace) -> bytes:
    return sys.stdin.buffer.read() if asked.report == "-" else Path(asked.report).read_bytes()


def _text(data: bytes) -> str:
    """The text of a file: in UTF-8, or in the code page that older programs for Windows wrote."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


class _Parser(argparse.ArgumentParser):
    """Shortens what was given, too."""

    def error(self, message: str) -> NoReturn:
        super().error(_shortened(message))


def parser() -> argparse.ArgumentParser:
    root = _Parser(prog="python -m engine", description="Questions to the rules.")
    calls = root.add_subparsers(required=True, metavar="CALL")

    def call(name: str, run: Callable[[argparse.Namespace], int], *arguments: str) -> argparse.ArgumentParser:
        text = (run.__doc__ or "").strip()
        added = calls.add_parser(name, help=text.partition("\n")[0], description=text)
        added.set_defaults(run=run)
        for argument in arguments:
            added.add_argument(argument)
        return added

    call("games", games)
    call("start", start, "game").add_argument("--layout")
    call("legal", legal, "game")
    asked = call("think", think)
    asked.add_argument("game", nargs="?", help="if not given, each line is JSON that names it")
    asked.add_argument("--level", type=int, choices=LEVELS, default=DEFAULT, help="%(default)s if not given")
    asked.add_argument("--seed", default="0", help="any text; another one may choose other moves below the top level")
    asked.add_argument("--top", type=_count, default=5, metavar="K", help="how many of the best moves; %(default)s")
    asked.add_argument("--seconds", type=_positive, default=1.0, metavar="T", help="at most for each; %(default)s")
    asked.add_argument("--option", type=_option, action="append", default=[], metavar="KEY=VALUE", help="of the game")
    call("play", play, "game", "position").add_argument("moves", nargs="*")
    counted = call("perft", count, "game")
    counted.add_argument("depth", type=_depth)
    counted.add_argument("--position")
    call("verify", check, "record")
    rated = call("rate", rate)
    rated.add_argument("--tau", type=_positive, default=TAU, help="how much volatilities may change; %(default)s")
    rated.add_argument("--start", type=_start, default=START, metavar="R/D/V", help="of a new player; 1500/350/0.06")
    rated.add_argument("--initial", metavar="FILE", help="ratings before: player,rating,deviation,volatility a line")
    converted = call("convert", convert, "file")
    converted.add_argument("--to", required=True, metavar="FORMAT", help=", ".join(exchange.FORMATS))
    converted.add_argument("--from", dest="source", metavar="FORMAT", help="where the file does not show it")
    paired = call("pair", pair)
    ranked = call("standings", standings)
    for reading in (paired, ranked):
        reading.add_argument("report", nargs="?", default="-", help="a file; standard input if none is named")
    usual = USUAL_TIE_BREAKS[Format.SWISS]
    ranked.add_argument(
        "--by", type=_tie_breaks, default=usual, metavar="LIST", help=f"tie-breaks in order, of {','.join(TieBreak)}"
    )
    return root


def _tie_breaks(text: str) -> tuple[TieBreak, ...]:
    names = [name.strip().upper() for name in text.split(",")]
    if unknown := [name for name in names if name not in set(TieBreak)]:
        raise argparse.ArgumentTypeError(f"there is no tie-break {unknown[0]!r}; there are {', '.join(TieBreak)}")
    return tuple(TieBreak(name) for name in dict.fromkeys(names))


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"not a positive number: {text!r}")
    return value


def _start(text: str) -> Rating:
    try:
        return read_start(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise argparse.ArgumentTypeError(f"not a depth: {text!r}")
    return int(text)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5 and int(text)):
        raise argparse.ArgumentTypeError(f"not a number above 0: {text!r}")
    return int(text)


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"not KEY=VALUE: {text!r}")
    return key, value


def main() -> int:
    asked = parser().parse_args()
    try:
        status: int = asked.run(asked)
    except BrokenPipeError:  # the reader has seen enough
        sys.stderr.close()
        return 0
    except (RuleError, CorruptRecord, trf.BadReport, OSError) as error:
        _complain(error)
        return BAD_INPUT
    return status


def _complain(about: object) -> None:
    print(_shortened(str(about)), file=sys.stderr)


def _shortened(text: str) -> str:
    """The text of an error without the length of what was given, and without advice that helps nobody here."""
    text = WORD.sub(r"\1…", TOO_LONG.sub("a number has too many digits", text))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


if __name__ == "__main__":
    sys.exit(main())
