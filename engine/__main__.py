"""The engine's command line, so that other programs can ask it (docs/rules/README.md). It answers in lines.

Pure standard library except for `pair`, and quick to start.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn

from engine import exchange
from engine.ai.levels import DEFAULT, LEVELS
from engine.core.errors import CorruptRecord, RuleError
from engine.core.record import check_seal, entry_lines, load
from engine.core.rolls import Verification
from engine.match.proof import verify_match
from engine.match.record import is_match, load_match
from engine.positions import count, legal, play, shortened, start, think
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


def games(_: argparse.Namespace) -> int:
    """Prints a line per game: key, name, layouts."""
    for game in GAMES.values():
        layouts = next((option.choices for option in game.options if option.key == "layout"), ("standard",))
        print(game.key, game.name, ",".join(layouts), sep="\t")
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Replays the record of a game or a match, and repeats every draw of its luck."""
    text = _text(Path(arguments.record).read_bytes()).replace("\r\n", "\n")
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


def rate(arguments: argparse.Namespace) -> int:
    """Reads period,player,opponent,score and prints each player's Glicko-2 rating after the last period.

    A line is one game and counts for both players, so a game is listed once; the score, 1, 0.5 or 0, is that of the
    first player named. # starts a comment. All games of a period count at once, in any order. Players without a game
    in a period only grow in deviation. Prints "player rating deviation volatility games", the highest rating first.
    """
    initial = {}
    try:
        if arguments.initial:
            initial = read_ratings(Path(arguments.initial).read_text(encoding="utf-8").splitlines())
    except ValueError as error:
        _complain(f"{arguments.initial}: {error}")
        return BAD_INPUT
    try:
        rated = rate_games(read_games(sys.stdin), initial, arguments.start, arguments.tau)
    except (ValueError, ArithmeticError) as error:  # start values may be too large to compute with
        _complain(error)
        return BAD_INPUT
    for line in written(rated):
        print(line)
    return 0


def convert(arguments: argparse.Namespace) -> int:
    """Prints a game, match or positions in another format.

    Ends with an error and status 2 if the format cannot hold it.
    """
    text = _text(Path(arguments.file).read_bytes())
    content = exchange.read(text, arguments.source)
    sys.stdout.write(exchange.write(content, arguments.to, seal=exchange.has_seal(text)))
    return 0


def pair(arguments: argparse.Namespace) -> int:
    """Reads a FIDE report (TRF16) and prints the next Swiss round by the Dutch system.

    Prints the number of pairs, then "white black" a line by starting rank, 0 for the bye. In the report, XXR is the
    number of rounds of the tournament, XXZ lists the players who miss the next one, and XXC gives the first colour.
    Ends with status 1 if no pairing is possible.
    """
    report = trf.read(_text(_report(arguments)))
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


def standings(arguments: argparse.Namespace) -> int:
    """Reads a FIDE report (TRF16) and prints a JSON line a player in final order.

    A line has the rank, the starting rank as "id", the points and the asked tie-breaks. DE is the place among the tied
    players, 1 the best, and 0 where it decides nothing. The starting rank decides last. Unplayed rounds count by the
    rules in force on the first day (line 042).
    """
    report = trf.read(_text(_report(arguments)))
    entrants, pairings = trf.tournament(report)
    kind = Format.ROUND_ROBIN if report.is_round_robin else Format.SWISS
    stages = (Stage(kind, tie_breaks=arguments.by),)
    for standing in standings_of(stages, 1, entrants, pairings, rules_on(report.first_day)):
        line: dict[str, Any] = {"rank": standing.rank, "id": standing.entrant, "points": standing.points}
        print(json.dumps(line | dict(standing.tie_breaks)))
    return 0


def _report(arguments: argparse.Namespace) -> bytes:
    return sys.stdin.buffer.read() if arguments.report == "-" else Path(arguments.report).read_bytes()


def _text(data: bytes) -> str:
    """Decodes a file: in UTF-8, or in the code page of older programs for Windows."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


class _Parser(argparse.ArgumentParser):
    """Shortens the arguments that its errors repeat, too."""

    def error(self, message: str) -> NoReturn:
        super().error(shortened(message))


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
    command = call("think", think)
    command.add_argument("game", nargs="?", help="if not given, each line is JSON that names it")
    command.add_argument("--level", type=int, choices=LEVELS, default=DEFAULT, help="%(default)s if not given")
    command.add_argument("--seed", default="0", help="any text; another one may choose other moves below the top level")
    command.add_argument("--top", type=_count, default=5, metavar="K", help="how many of the best moves; %(default)s")
    command.add_argument("--seconds", type=_positive, default=1.0, metavar="T", help="at most for each; %(default)s")
    command.add_argument("--option", type=_option, action="append", default=[], metavar="KEY=VALUE", help="of the game")
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
    arguments = parser().parse_args()
    try:
        status: int = arguments.run(arguments)
    except BrokenPipeError:  # the reader has closed the pipe
        sys.stderr.close()
        return 0
    except (RuleError, CorruptRecord, trf.BadReport, OSError) as error:
        _complain(error)
        return BAD_INPUT
    return status


def _complain(about: object) -> None:
    print(shortened(str(about)), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
