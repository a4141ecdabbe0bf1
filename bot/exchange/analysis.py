"""An analysis board: games or positions to step through, and a line of the owner's own, which can leave them anywhere.

Nobody waits in it: there is no clock, its owner plays both sides, and the dice may be chosen.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.texts.quoting import visible
from engine.core.errors import Refused
from engine.core.game import CHANCE
from engine.core.record import TURN_KINDS, Entry, Header, Kind, Record
from engine.core.table import Table
from engine.exchange import Content, Positions
from engine.registry import find

STEPS: Final = TURN_KINDS | {Kind.CHANCE}
"""The kinds of entries after which the board is shown."""
DICE: Final = re.compile(r"\s*[1-6][\s-]?[1-6]\s*")
NAME_LENGTH: Final = 32
"""The most characters of a name; files may hold longer ones."""
LINE: Final = -1
"""The number of the owner's own line, in place of a game's."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysis board as it is stored."""

    id: str
    user_id: int
    games: tuple[Record, ...]
    names: tuple[str, str]
    """The names of the two seats in the first game; empty if they are not known."""
    line: Record | None = None
    """The owner's line, if there is one."""

    def record(self, number: int) -> Record:
        """Returns the game of this number, or the line for LINE. For a number that does not exist, returns the nearest
        game.
        """
        if number == LINE and self.line is not None:
            return self.line
        return self.games[min(max(number, 0), len(self.games) - 1)]

    def names_in(self, number: int) -> tuple[str, str]:
        """Returns the names of the two seats in a game or in LINE. The players of a series exchange seats after each
        game.
        """
        first, header = self.games[0].header, self.record(self.origin[0] if number == LINE else number).header
        series = header.match and header.match == first.match and not dict(header.options).get("points")
        swapped = series and (header.match_game - first.match_game) % 2 == 1
        return (self.names[1], self.names[0]) if swapped else self.names

    @property
    def origin(self) -> tuple[int, int]:
        """The game and the moment at which the line begins; the first ones without a line."""
        if self.line is None:
            return 0, 0
        number, moment = self.line.header.id.split("-")
        return int(number), int(moment)


def names_of(content: Content) -> tuple[str, str]:
    """Returns the names of the two seats in the first game of a file; empty if they are not known."""
    if isinstance(content, Positions):
        return "", ""
    first, second = (visible(name)[:NAME_LENGTH] for name in content.names)
    return first, second


def games_of(content: Content) -> tuple[Record, ...]:
    """Returns the games of a file. A position is the start of a game, with the cube in play if the game has one.

    Raises RuleError for no games.
    """
    if not isinstance(content, Positions):
        if not content.games:
            raise Refused("analysis.empty")
        return content.games
    game = find(content.game)
    cube = {"cube": "on"} if any(option.key == "cube" for option in game.options) else {}
    options = tuple(game.settle_options(cube).items())
    return tuple(Record(Header(game.key, game.version, "position", 0, options, text)) for text in content.texts)


def table_of(record: Record) -> Table[Any, Any]:
    return Table.replay(find(record.header.game, record.header.version), record)


def moments(record: Record) -> list[int]:
    """Returns the numbers of entries after which the board is shown:
    at the start, after each roll and turn, and at the end.
    """
    found = [0, *(number for number, entry in enumerate(record.entries, 1) if entry.kind in STEPS)]
    return found if found[-1] == len(record.entries) else [*found, len(record.entries)]


def moment_of(record: Record, seq: int) -> int:
    """Returns the last moment that is shown after at most ``seq`` entries."""
    return max(bisect_right(moments(record), seq) - 1, 0)


def at(record: Record, moment: int) -> Table[Any, Any]:
    """Returns the table at a moment; the last one for a number beyond it."""
    shown = moments(record)
    return table_of(Record(record.header, record.entries[: shown[min(max(moment, 0), len(shown) - 1)]]))


def branch(table: Table[Any, Any], origin: str) -> Table[Any, Any]:
    """Returns the same position as the end of a line of the owner's own, with only its turns and rolls.

    Clocks and proofs are left out. ``origin`` is ``GAME-MOMENT``, which becomes the line's id.
    """
    header = replace(
        table.record.header,
        id=origin,
        commitment="",
        clock="",
        timeout_policy="",
        match="",
        match_game=0,
        rated=False,
        banks=None,
    )
    return table_of(Record(header, tuple(_plain(table))))


def _plain(table: Table[Any, Any]) -> Iterator[Entry]:
    for entry in table.effective_entries:
        if entry.kind is Kind.CHANCE:
            yield Entry(0, Kind.CHANCE, CHANCE, entry.body.split(" ")[0])
        elif entry.kind in TURN_KINDS:
            yield Entry(0, Kind.PLAY, entry.seat, entry.body)


def to_roll(table: Table[Any, Any]) -> Table[Any, Any] | None:
    """Returns the table at which the dice are rolled next, after the seat's decision to roll if one is due;
    else None.
    """
    if table.to_act is None or table.to_act == CHANCE:
        return table if table.to_act == CHANCE else None
    action = table.game.automatic_action(table.state)
    if action is None:
        return None
    rolled = table.play(table.to_act, table.game.format(table.state, (action,)), 0)
    return rolled if rolled.to_act == CHANCE else None


def undo(line: Record) -> Record:
    """Returns the line without its last step. The decision to roll is removed together with the dice."""
    shorter = replace(line, entries=line.entries[:-1])
    if not shorter.entries or line.entries[-1].kind is not Kind.CHANCE:
        return shorter
    before = replace(line, entries=line.entries[:-2])
    rolled = to_roll(table_of(before))
    return before if rolled is not None and tuple(rolled.record.entries) == tuple(shorter.entries) else shorter


def play(table: Table[Any, Any], text: str) -> Table[Any, Any]:
    """Returns the line after a typed turn of the seat to act, or after typed dice. Raises RuleError."""
    seat = table.to_act
    if seat is None:
        raise Refused("table.over")
    if seat != CHANCE:
        before_roll = to_roll(table)
        if before_roll is not None and DICE.fullmatch(text):
            return play(before_roll, text)
        return table.play(seat, text, 0)
    steps = table.game.parse(table.state, text)
    return table.append(Entry(0, Kind.CHANCE, CHANCE, table.game.format(table.state, steps)))
