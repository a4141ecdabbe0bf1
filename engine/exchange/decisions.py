"""The decisions of a game: each turn that stands, with the position before it."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.core.errors import CorruptRecord
from engine.core.game import Game
from engine.core.progress import start_progress
from engine.core.record import Entry, Kind, Record
from engine.core.table import Table
from engine.exchange.content import game_of, unreadable


class Decision(NamedTuple):
    """A turn or a cube action."""

    entry: Entry
    before: Any
    steps: tuple[Any, ...]
    roll: str
    """The dice of the turn, the higher first; empty for a cube action and in a game without dice."""


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game from beginning to end, without the turns that were taken back."""

    game: Game[Any, Any]
    table: Table[Any, Any]
    decisions: tuple[Decision, ...]
    roll: str
    """The dice that are rolled and not played at the end of the game, or as it stands now; else empty."""


def replayed_game(record: Record) -> ReplayedGame:
    """Replays a recorded game. Raises RuleError if the record does not replay."""
    game = game_of(record)
    try:
        table = Table.replay(game, record)
    except CorruptRecord as error:
        raise unreadable(error) from error
    state = start_progress(game, record.header).state
    decisions: list[Decision] = []
    roll = ""
    for entry in table.effective_entries:
        rolled = entry.kind is Kind.CHANCE
        body = entry.body.partition(" ")[0] if rolled else entry.body
        steps, after = game.replay_turn(state, body)
        if rolled:
            roll = "" if game.to_act(after) is None or after == state else "".join(sorted(body, reverse=True))
        else:
            decisions.append(Decision(entry, state, steps, roll))
            roll = ""
        state = after
    return ReplayedGame(game, table, tuple(decisions), roll)
