"""Writes Jellyfish's ``.mat`` text as GNU Backgammon does: two columns, the first seat in the left one."""

import re
from typing import Any, Final

from engine.core.errors import RuleError
from engine.core.record import Record
from engine.exchange.content import Content, Positions
from engine.exchange.dates import date_text, time_text
from engine.exchange.decisions import ReplayedGame, replayed_game
from engine.games.backgammon.jellyfish import VARIATIONS, action_text
from engine.kits.cube import OFF, ON
from engine.match.match import Match
from engine.match.record import MatchRecord

PLAYED_NO_MORE: Final = "????"
"""The text after a roll that was not played."""
DECIDED_OTHERWISE: Final = frozenset(
    {"match.forfeited", "match.resigned", "match.adjudicated", "match.adjudicated_forfeit"}
)
"""The reasons of a match won without the points that it needs."""
NO_CUBE: Final = "1"
MOST_CUBE: Final = "1024"
_CELL: Final = 28
_SECOND: Final = 34
_LONGEST_NAME: Final = 24
_UNSAFE: Final = re.compile(r"[\s:;,\"\[\]]+")


def write(content: Content) -> str:
    """Writes a match or games of unlimited play. Raises RuleError for content that the format cannot hold."""
    if isinstance(content, Positions):
        raise RuleError("exchange.positions", format="mat")
    replayed_games = [replayed_game(record) for record in content.games]
    if isinstance(content, MatchRecord):
        _check_match(content, replayed_games)
        options, length = dict(content.header.options), content.header.terms.points
        id_, started = content.header.id, content.header.started
    else:
        first = content.games[0].header
        options, length = dict(replayed_games[0].table.options), int(replayed_games[0].table.options["points"])
        id_, started = first.id, first.started
        _check_games(replayed_games)
    layout = str(options.get("layout", "standard"))
    if layout not in VARIATIONS:
        raise RuleError("exchange.mat.layout", layout=layout)
    cube = options.get("cube", OFF) == ON
    names = (content.names[0] or "White", content.names[1] or "Black")
    tags = {
        "Site": "Abakbot",
        "Match ID": id_,
        "Player 1": names[0],
        "Player 2": names[1],
        "EventDate": date_text(started),
        "EventTime": time_text(started),
        "Variation": VARIATIONS[layout],
        "CubeLimit": MOST_CUBE if cube else NO_CUBE,
    }
    jacoby = cube and options.get("jacoby", ON) == ON
    tags |= {"Crawford": "On"} if length else {"Jacoby": "On" if jacoby else "Off"}
    tags |= {"Beaver": "On"} if cube and not length and options.get("beavers", OFF) == ON else {}
    lines = [f'; [{tag} "{_quoted(value)}"]' for tag, value in tags.items()]
    lines += ["", f" {length} point match"]
    score = [0, 0] if isinstance(content, MatchRecord) else _score(replayed_games[0])
    for number, replayed in enumerate(replayed_games, 1):
        lines += ["", f" Game {number}", _heading(_short(names), score), *_lines(replayed)]
        outcome = replayed.table.outcome
        if outcome is not None:
            if outcome.winner is None:
                raise RuleError("exchange.mat.draw", game=number)
            points = outcome.points[outcome.winner]
            score[outcome.winner] += points
            wins = f"Wins {points} point{'s' * (points > 1)}"
            wins += " and the match" * (0 < length <= score[outcome.winner])
            lines.append(f"{'':{_SECOND}}{wins}" if outcome.winner else f"      {wins:<{_CELL}}")
    return "\n".join([*lines, ""])


def _check_match(record: MatchRecord, replayed_games: list[ReplayedGame]) -> None:
    if not record.header.terms.points:
        raise RuleError("exchange.mat.series")
    match = Match(record.header)
    for game, replayed in zip(record.games, replayed_games, strict=True):
        _check_start(game)
        if replayed.table.outcome is not None:
            match = match.add(replayed.table)
    if match.result is not None and match.result.reason in DECIDED_OTHERWISE:
        raise RuleError("exchange.mat.forfeit")


def _check_games(replayed_games: list[ReplayedGame]) -> None:
    """Raises RuleError unless each game begins where the one before has ended."""
    shared = ("layout", "cube", "jacoby", "beavers", "points")
    first = replayed_games[0].table.options
    crawford_due = True
    for replayed in replayed_games:
        _check_start(replayed.table.record)
        options = replayed.table.options
        if any(options[name] != first[name] for name in shared):
            raise RuleError("exchange.mat.options")
        length = int(options["points"])
        one_away = length > 1 and sum(options[f"score{seat}"] == length - 1 for seat in (0, 1)) == 1
        if (options["crawford"] == ON) != (one_away and crawford_due):
            raise RuleError("exchange.mat.crawford")
        crawford_due &= not one_away


def _check_start(record: Record) -> None:
    if record.header.position:
        raise RuleError("exchange.mat.position")


def _score(replayed: ReplayedGame) -> list[int]:
    return [int(replayed.table.options[f"score{seat}"]) for seat in (0, 1)]


def _heading(names: tuple[str, str], score: list[int]) -> str:
    left, right = (f"{name} : {points}" for name, points in zip(names, score, strict=True))
    return f" {left:<{_CELL + 2}} {right}"


def _lines(replayed: ReplayedGame) -> list[str]:
    """Writes the numbered lines. Actions of the two sides alternate: a double and its answer take the place of a turn.

    The left cell is always filled up: after a short line, GNU Backgammon 1.07 reads the right cell of the line before
    once more.
    """
    cells: list[tuple[int, str]] = []
    for turn in replayed.decisions:
        text = action_text(turn.before, turn.steps, turn.roll)
        if text:
            cells.append((turn.entry.seat, text))
    if replayed.roll:
        state: Any = replayed.table.state
        cells.append((state.turn, f"{replayed.roll}: {PLAYED_NO_MORE}"))
    if cells and cells[0][0] == 1:
        cells.insert(0, (0, ""))
    texts = [text for _, text in cells]
    rows = zip(texts[::2], [*texts[1::2], ""] if len(texts) % 2 else texts[1::2], strict=True)
    return [f"{number:3}) {left:<{_CELL - 1}} {right or ' '}" for number, (left, right) in enumerate(rows, 1)]


def _short(names: tuple[str, str]) -> tuple[str, str]:
    """Shortens the names for the columns: without separators, and different."""
    first, second = (_UNSAFE.sub(" ", name).strip()[:_LONGEST_NAME].strip() or "?" for name in names)
    return first, f"{second} 2" if second == first else second


def _quoted(value: str) -> str:
    return " ".join(value.replace("\\", "\\\\").replace('"', '\\"').splitlines())  # a line's end would end the tag
