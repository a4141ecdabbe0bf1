"""The line of moves that leads to a position of the explorer, and its form in a message.

A custom_id has no room for it, so the second line of the message shows it, and a press reads it there. Only the bot
writes that message.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final

from bot.core.interactions.press import InvalidPress, read_number
from engine.core.errors import RuleError
from engine.core.game import Game, OptionValue
from engine.core.record import Kind, Record
from engine.core.takeback import effective_entries_of
from engine.registry import find

LONGEST: Final = 900
"""The most characters of the shown line. A longer line is replaced by the position at its end."""
SPAN: Final = re.compile(r"`([^`]+)`")
ROLL: Final = re.compile("[1-6]{2}")
SHOWN_ROLL: Final = re.compile("^([1-6])-([1-6])$")


class Origin(IntEnum):
    """The start of a line."""

    START = 0
    POSITION = 1
    """The text of a position that a game has reached."""
    TYPED = 2
    """A text that the user typed."""


@dataclass(frozen=True, slots=True)
class Line:
    """The moves and rolls from a first position on."""

    game: str
    options: Mapping[str, OptionValue]
    """All options, as ``Game.settle_options`` returns them."""
    origin: Origin = Origin.START
    position: str = ""
    """The text of the first position; empty for the start."""
    moves: tuple[str, ...] = ()

    @property
    def rules(self) -> Game[Any, Any]:
        return find(self.game)

    def state(self) -> Any:
        """Returns the position that the line reaches. Raises RuleError."""
        rules = self.rules
        state = rules.decode(self.position, self.options) if self.position else rules.start(self.options)
        for move in self.moves:
            _, state = rules.replay_turn(state, move)
        return state

    def shown(self) -> str:
        """Writes the line for the message: a code span for the first position and each move."""
        moves = tuple(map(shown_move, self.moves))
        return " ".join(f"`{part}`" for part in ((self.position,) if self.position else ()) + moves)

    def shortened(self) -> "Line":
        """Returns the same line, or only the position that it reaches if it is too long."""
        if len(self.shown()) <= LONGEST:
            return self
        origin = max(self.origin, Origin.POSITION)
        return replace(self, origin=origin, position=self.rules.encode(self.state()), moves=())

    def packed_options(self) -> str:
        """Writes the options in short, for a custom_id: the number of each among the choices, or its value."""
        numbers = [
            option.choices.index(str(self.options[option.key])) if option.choices else self.options[option.key]
            for option in self.rules.options
        ]
        return ".".join(map(str, numbers))


def shown_move(move: str) -> str:
    """Writes a roll as in sentences, ``5-1``; a move as it is."""
    return "-".join(move) if ROLL.fullmatch(move) else move


def start_of(game: str) -> Line:
    return Line(game, find(game).settle_options({}))


def line_of(record: Record) -> Line:
    """Returns the line of a game, up to its present position."""
    header = record.header
    moves = tuple(
        entry.body.partition(" ")[0] if entry.kind is Kind.CHANCE else entry.body
        for entry in effective_entries_of(record.entries)
    )
    options = find(header.game).settle_options(dict(header.options))
    origin = Origin.POSITION if header.position else Origin.START
    return Line(header.game, options, origin, header.position, moves)


def read_line(game: str, origin: int, packed_options: str, content: str) -> Line:
    """Reads the line in a message. Raises InvalidPress for a message of another release."""
    spans = SPAN.findall("".join(content.splitlines()[1:2]))
    try:
        rules = find(game)
        numbers = packed_options.split(".") if packed_options else []
        options = {
            option.key: option.choices[read_number(number)] if option.choices else read_number(number)
            for option, number in zip(rules.options, numbers, strict=True)
        }
        first = Origin(origin)
        position = "" if first is Origin.START else spans.pop(0)
        moves = tuple(SHOWN_ROLL.sub(r"\1\2", span) for span in spans)
        return Line(game, rules.settle_options(options), first, position, moves)
    except (RuleError, ValueError, IndexError) as error:
        raise InvalidPress from error
