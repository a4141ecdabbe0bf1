"""The contents of a file: a match, games, or positions; and the errors that all formats share."""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import Game
from engine.core.record import Record
from engine.match.record import MatchRecord
from engine.registry import find

SHOWN: Final = 100
"""The most characters of a bad line that its error repeats."""


class BadLine(RuleError):
    """A line of a file that cannot be read; ``cause`` is its fault."""

    def __init__(self, line: int, text: str, cause: RuleError) -> None:
        text = text.strip()
        super().__init__("exchange.line", line=line, text=text if len(text) <= SHOWN else f"{text[:SHOWN]}…")
        self.line = line
        self.cause = cause

    def __str__(self) -> str:
        return f"{super().__str__()}: {self.cause}"


@dataclass(frozen=True, slots=True)
class Games:
    """Games between the same two players that are not a whole match: a single one, or unlimited play."""

    games: tuple[Record, ...]
    names: tuple[str, str] = ("", "")
    """The names of the first and the second seat; empty if they are not given."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of one game. ``texts`` are in the game's own form (``Game.encode``)."""

    game: str
    texts: tuple[str, ...]


Content: TypeAlias = Games | MatchRecord | Positions


def game_of(record: Record | MatchRecord) -> Game[Any, Any]:
    """Finds the rules for the replay of a record. Raises RuleError."""
    return find(record.header.game, record.header.version)


def key_of(content: Content) -> str:
    """Returns the key of the game. Raises RuleError for an empty list of games."""
    if isinstance(content, Positions):
        return content.game
    if isinstance(content, MatchRecord):
        return content.header.game
    if not content.games:
        raise RuleError("exchange.unknown")
    return content.games[0].header.game


def check_size(count: int, most: int) -> None:
    """Raises RuleError for more than ``most`` turns, rolls or positions, before any of them is followed."""
    if count > most:
        raise RuleError("exchange.too_many", most=most)


def unreadable(error: CorruptRecord) -> RuleError:
    return RuleError("exchange.record", problem=str(error))
