"""The rolls of a match: the rolls of each game, and the promises that link the games.

The commitment of a game is the one that the last roll of the game before published. So the chain of secrets goes on,
and the opening roll of a game is promised before it, although no play lies between the two games.
"""

from typing import Any

from engine.core.errors import CorruptRecord
from engine.core.game import Game
from engine.core.record import Kind, entry_lines, unsealed
from engine.core.rolls import Promise, Verification
from engine.match.record import DIVIDER, BrokenMatch, MatchRecord, load_match, replay_match


def verify_match(game: Game[Any, Any], text: str) -> tuple[MatchRecord, int]:
    """Repeats every draw of a match's text. Returns the match and the number of rolls checked.

    Raises CorruptRecord, with the line that does not hold.
    """
    record = load_match(text)
    text, _ = unsealed(text)
    promise: Promise | None = None
    rolls, since = 0, 1
    bounds: list[tuple[int, int]] = []
    for played, found in zip(record.games, DIVIDER.finditer(text), strict=True):
        top = text.count("\n", 0, found.end()) + 1
        promised = played.header.commitment
        part = text[found.end() :]
        lines = entry_lines(part, top)[: len(played.entries)]
        bounds.append((since, top))
        if promise is not None and promised and promise.commitment != promised:
            line = next(top + n for n, one in enumerate(part.splitlines()) if one.startswith("commitment: "))
            message = f"line {line}: the commitment is not the one that the game before promised on line {promise.line}"
            raise CorruptRecord(message)
        checked = Verification(game, played, promise if promised else None, lines, top)
        rolls += sum(1 for _ in checked.rolls())
        promise = checked.promise if promised else None
        if promise is not None:
            promise.entry = -1  # its entry is in another game
        drawn = [line for line, entry in zip(lines, played.entries, strict=True) if entry.kind is Kind.CHANCE]
        since = drawn[-1] + 1 if drawn else since
    try:
        replay_match(game, record)
    except BrokenMatch as error:
        raise _placed(error, text, *bounds[error.game - 1]) from error
    return record, rolls


def _placed(error: BrokenMatch, text: str, since: int, top: int) -> CorruptRecord:
    """Adds lines to the error: the line of the last entry before the game, and the lines that may be altered.

    These are the lines from the last roll of the game before to the end of the header of the game, which begins on the
    line ``top``. No roll proves them.
    """
    lines = text.splitlines()
    end = next((number for number in range(top, len(lines) + 1) if not lines[number - 1]), len(lines))
    line = next((number for number in range(top - 2, 0, -1) if lines[number - 1]), top)
    return CorruptRecord(f"line {line}: {error}; what was altered is probably in lines {since} to {end - 1}")
