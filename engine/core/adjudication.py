"""Decisions from outside that end a game: an organiser decides it, or a player forfeits it."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from engine.core.errors import Refused
from engine.core.game import CHANCE, DRAW_POINTS, A, Outcome, S, Seat, win
from engine.core.progress import Progress
from engine.core.record import TURN_KINDS, Entry

DECISION: Final = "decision"
FORFEIT: Final = "forfeit"
VOID: Final = "void"
DRAW: Final = "draw"
Result: TypeAlias = Literal["0", "1", "draw", "void"]
"""The seat that wins, a draw, or no result."""

RULINGS: Final[dict[str, tuple[Seat | None, str]]] = {
    "0 decision": (0, "end.adjudicated"),
    "1 decision": (1, "end.adjudicated"),
    "0 forfeit": (0, "end.forfeited"),
    "1 forfeit": (1, "end.forfeited"),
    "draw decision": (None, "end.adjudicated_draw"),
    VOID: (None, "end.voided"),
}
"""The winner (None if nobody wins) and the reason of the outcome, by the body of an ``adjudicate`` entry."""
REASONS: Final = frozenset(reason for _, reason in RULINGS.values())
"""The reasons of games that were adjudicated."""


def body_of(result: Result, why: str = DECISION) -> str:
    """Returns the body of an ``adjudicate`` entry. ``why``, for a win: ``decision`` or ``forfeit``. Raises Refused."""
    body = VOID if result == VOID else f"{result} {DECISION if result == DRAW else why}"
    if body not in RULINGS:
        raise Refused("table.bad_entry", body=body)
    return body


def adjudicate(progress: Progress[S, A], entry: Entry) -> None:
    """Ends the game by an ``adjudicate`` entry, however few turns it had. Raises Refused."""
    if entry.seat != CHANCE or entry.body not in RULINGS:
        raise Refused("table.bad_entry", body=str(entry))
    winner, reason = RULINGS[entry.body]
    if winner is None:
        progress.end(Outcome(DRAW_POINTS, reason))
    else:
        progress.end(win(winner, progress.game.resign_values(progress.state, 1 - winner)[0], reason))
    progress.overdue = None


def counts(entry: Entry, played: Iterable[Entry]) -> bool:
    """Returns whether an ``adjudicate`` entry counts for ratings.

    It counts if it gives a result and both seats have made a turn. ``played``: the turns and rolls that were not taken
    back.
    """
    return entry.body != VOID and {turn.seat for turn in played if turn.kind in TURN_KINDS} == {0, 1}
