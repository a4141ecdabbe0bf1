"""The rolls of a match: those of each game, and the link of promises from game to game.

The commitment of a game is the one that the last roll of the game before published. So the chain of secrets goes on,
and the opening roll of a game is promised before it, although no play lies between the two games.
"""

from typing import Any

from engine.core.errors import CorruptRecord
from engine.core.game import Game
from engine.core.record import entry_lines, unsealed
from engine.core.rolls import Promise, Verification
from engine.match.record import DIVIDER, MatchRecord, load_match, replay_match


def verify_match(game: Game[Any, Any], text: str) -> tuple[MatchRecord, int]:
    """Repeats every draw of a match's text; returns the match and the number of rolls checked. Raises CorruptRecord."""
    record = load_match(text)
    text, _ = unsealed(text)
    promise: Promise | None = None
    rolls = 0
    for played, found in zip(record.games, DIVIDER.finditer(text), strict=True):
        top = text.count("\n", 0, found.end()) + 1
        promised = played.header.commitment
        part = text[found.end() :]
        lines = entry_lines(part, top)[: len(played.entries)]
        if promise is not None and promised and promise.commitment != promised:
            line = next(top + n for n, one in enumerate(part.splitlines()) if one.startswith("commitment: "))
            message = f"line {line}: the commitment is not the one that the game before promised on line {promise.line}"
            raise CorruptRecord(message)
        checked = Verification(game, played, promise if promised else None, lines, top)
        rolls += sum(1 for _ in checked.rolls())
        promise = checked.promise if promised else None
        if promise is not None:
            promise.entry = -1  # its entry is in another game
    replay_match(game, record)
    return record, rolls
