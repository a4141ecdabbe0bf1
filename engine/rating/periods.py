"""Rates players by lists of games in rating periods, as text: the command ``python -m engine rate``.

A line is one game, ``period,player,opponent,score``, and counts for both players: the opponent's score is 1 less the
player's. So a game is listed once, from either side. Within a period all games count at once, against the ratings
before the period. Players are known from their first game on, or from the initial list; in a period without games only
their deviation grows. A period that no line names does not take place.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.rating.glicko import TAU, Rating, Result, update

COLUMNS: Final = ("period", "player", "opponent", "score")
INITIAL_COLUMNS: Final = ("player", "rating", "deviation", "volatility")
SCORES: Final = (0.0, 0.5, 1.0)
START: Final = Rating()


class BadLine(ValueError):
    """A line that cannot be read. Its text names the line, counted from 1."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(f"line {number}: {problem}")


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a list; ``score`` is the player's: 1, 0.5 or 0."""

    period: int
    player: str
    opponent: str
    score: float


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating, and the number of games that it comes from."""

    rating: Rating
    games: int = 0


def rate(
    games: Iterable[Game], initial: Mapping[str, Rated] | None = None, start: Rating = START, tau: float = TAU
) -> dict[str, Rated]:
    """Rates every player by all periods, in ascending order."""
    periods: defaultdict[int, list[Game]] = defaultdict(list)
    for game in games:
        periods[game.period].append(game)
    rated = dict(initial or {})
    for period in sorted(periods):
        rated = _after_period(rated, periods[period], start, tau)
    return rated


def read_games(lines: Iterable[str]) -> Iterator[Game]:
    """Reads the games of a list. Raises BadLine."""
    for number, fields in _rows(lines, COLUMNS):
        if len(fields) != len(COLUMNS):
            raise BadLine(number, f"{len(fields)} columns instead of {','.join(COLUMNS)}")
        period, player, opponent, score = fields
        if not (period.isascii() and period.isdecimal()):
            raise BadLine(number, f"the period is not a whole number: {period!r}")
        for name in (player, opponent):
            _check_name(number, name)
        if player == opponent:
            raise BadLine(number, f"{player} plays against themselves")
        value = _number(number, "score", score)
        if value not in SCORES:
            raise BadLine(number, f"the score is not 1, 0.5 or 0: {score!r}")
        yield Game(int(period), player, opponent, value)


def read_ratings(lines: Iterable[str]) -> dict[str, Rated]:
    """Reads the ratings of a list ``player rating deviation volatility``, with commas or spaces between.

    A fifth column is the number of games, so that the output of ``written`` can be read. Raises BadLine.
    """
    found: dict[str, Rated] = {}
    for number, fields in _rows(lines, INITIAL_COLUMNS):
        if len(fields) not in {len(INITIAL_COLUMNS), len(INITIAL_COLUMNS) + 1}:
            raise BadLine(number, f"{len(fields)} columns instead of {','.join(INITIAL_COLUMNS)}")
        name, *numbers = fields
        _check_name(number, name)
        if name in found:
            raise BadLine(number, f"{name} is listed twice")
        values = [_number(number, column, text) for column, text in zip(INITIAL_COLUMNS[1:], numbers, strict=False)]
        games = numbers[3] if len(numbers) > len(values) else "0"
        if not (games.isascii() and games.isdecimal()):
            raise BadLine(number, f"the number of games is not a whole number: {games!r}")
        try:
            found[name] = Rated(Rating(*values), int(games))
        except ValueError:
            raise BadLine(number, "the deviation and the volatility must be positive") from None
    return found


def read_start(text: str) -> Rating:
    """Reads a rating such as ``1500/350/0.06``. Missing parts at the end are those of START. Raises ValueError."""
    values = [float(part) for part in re.split(r"[/,\s]+", text.strip())]
    if len(values) > len(INITIAL_COLUMNS) - 1:
        raise ValueError(f"not rating/deviation/volatility: {text}")
    parts = dict(zip(INITIAL_COLUMNS[1:], values, strict=False))
    return replace(START, **parts)


def written(rated: Mapping[str, Rated]) -> Iterator[str]:
    """Yields a line ``player rating deviation volatility games`` for each player, the highest rating first."""
    for name, one in sorted(rated.items(), key=lambda pair: (-pair[1].rating.rating, pair[0])):
        now = one.rating
        yield f"{name} {now.rating:.6f} {now.deviation:.6f} {now.volatility:.8f} {one.games}"


def _after_period(rated: Mapping[str, Rated], games: Iterable[Game], start: Rating, tau: float) -> dict[str, Rated]:
    results: defaultdict[str, list[Result]] = defaultdict(list)

    def before(name: str) -> Rated:
        return rated.get(name) or Rated(start)

    for game in games:
        results[game.player].append(Result(before(game.opponent).rating, game.score))
        results[game.opponent].append(Result(before(game.player).rating, 1 - game.score))
    after = {}
    for name in (*rated, *(name for name in results if name not in rated)):
        known, own = before(name), results.get(name, [])
        after[name] = Rated(update(known.rating, own, tau), known.games + len(own))
    return after


def _rows(lines: Iterable[str], columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Yields the fields of each line with its number. Empty lines, comments and a heading are left out."""
    first = True
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].lstrip("\ufeff").strip()
        if not text:
            continue
        fields = [field.strip() for field in text.split(",")] if "," in text or columns is COLUMNS else text.split()
        heading = first and tuple(map(str.lower, fields[: len(columns)])) == columns
        first = False
        if not heading:
            yield number, fields


def _check_name(number: int, name: str) -> None:
    """Raises BadLine for a name that would fill more than one column of the answer."""
    if not name or len(name.split()) > 1:
        raise BadLine(number, f"a player's name must be one word: {name!r}")


def _number(number: int, what: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadLine(number, f"the {what} is not a number: {text!r}") from None
