"""A snapshot of a game: the state after its first entries, so that only the later ones are replayed.

The record stays the truth. A snapshot is a text of two lines: a seal, and JSON. The seal is the SHA-256 of the header,
of the entries before the snapshot, and of the JSON: a snapshot of other entries, or one that was changed, does not fit.
A snapshot is made only if it can be read again exactly.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

from engine.core.clock import Clock, TimeControl, Turn
from engine.core.errors import RuleError
from engine.core.game import A, Game, Outcome, S
from engine.core.hours import Hours
from engine.core.log import Log
from engine.core.progress import Offer, Played, Progress, Resuming
from engine.core.record import Record, dump
from engine.core.takeback import effective_entries_of

T = TypeVar("T")

FORMAT: Final = 1
"""The version of the format. Increase it with each change of the data that follow from a record, or of their text."""
UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, RuleError, TypeError, ValueError)
"""The errors that the reading of a bad text can raise."""


class UnfitSnapshot(Exception):
    """The snapshot is not of this record, not of this version, or damaged. The record has to be replayed."""


def take(progress: Progress[S, A]) -> str | None:
    """Makes a snapshot of a game after its present entries; None if it could not be read again exactly."""
    record = Record(progress.header, progress.entries)
    try:
        body = json.dumps(_written(progress), separators=(",", ":"))
        text = f"{_seal(record, body)}\n{body}"
        same = restore(progress.game, record, text) == replace(progress, notes=None)
    except (UnfitSnapshot, *UNREADABLE):
        return None
    return text if same else None


def restore(game: Game[S, A], record: Record, text: str) -> Progress[S, A]:
    """Restores the game after the entries before the snapshot. Raises UnfitSnapshot."""
    seal, _, body = text.partition("\n")
    try:
        found = json.loads(body)
        before = Record(record.header, record.entries[: _length(found, record)])
        if seal != _seal(before, body):
            raise UnfitSnapshot("the seal is not that of the record")
        return _read(game, before, found)
    except (RecursionError, *UNREADABLE) as error:
        raise UnfitSnapshot(str(error)) from error


def _length(found: Any, record: Record) -> int:
    """Returns the number of entries before the snapshot. Raises UnfitSnapshot, or one of UNREADABLE."""
    length = found["seq"]
    if found["format"] != FORMAT or type(length) is not int or not 0 <= length <= len(record.entries):
        raise UnfitSnapshot("another format, or more entries than the record has")
    return length


def _seal(record: Record, body: str) -> str:
    return hashlib.sha256(f"{dump(record)}\n{body}".encode()).hexdigest()


def _written(progress: Progress[S, A]) -> dict[str, Any]:
    game, outcome, offer, resuming = progress.game, progress.outcome, progress.offer, progress.resuming
    turn, move = progress.last_turn, progress.last_move
    return {
        "format": FORMAT,
        "seq": len(progress.entries),
        "state": game.encode(progress.state),
        "history": list(progress.history),
        "last_turn": _written_turn(game, turn),
        "last_move": 0 if move == turn else _written_turn(game, move),
        "outcome": outcome and (outcome.points, outcome.reason),
        "offer": offer and (offer.seat, offer.what),
        "clock": progress.clock and _written_clock(progress.clock),
        "paused": progress.paused,
        "away": progress.away,
        "credits": progress.credits,
        "overdue": progress.overdue,
        "resuming": resuming and (resuming.seat, resuming.at),
    }


def _read(game: Game[S, A], record: Record, found: Any) -> Progress[S, A]:
    options = game.settle_options(dict(record.header.options))
    state = game.decode(found["state"], options)
    outcome = _maybe(lambda said: Outcome(_pair(said[0]), said[1]), found["outcome"])
    make: Any = getattr(type(state), "_make", None)
    last_turn = _read_turn(game, options, found["last_turn"])
    return Progress(
        game,
        record.header,
        options,
        state,
        game.to_act(state) if outcome is None else None,
        Log(record.entries),
        Log([make([tuple(part) if type(part) is list else part for part in row]) for row in found["history"]]),
        Log(effective_entries_of(record.entries)),
        None,
        last_turn,
        last_turn if found["last_move"] == 0 else _read_turn(game, options, found["last_move"]),
        outcome,
        _maybe(lambda said: Offer(*said), found["offer"]),
        _maybe(_read_clock, found["clock"]),
        found["paused"],
        _pair(map(_intervals, found["away"])),
        _intervals(found["credits"]),
        found["overdue"],
        _maybe(lambda said: Resuming(*said), found["resuming"]),
    )


def _written_turn(game: Game[S, A], turn: Played[S, A] | None) -> Any:
    return turn and (game.encode(turn.before), turn.seat, game.format(turn.before, turn.steps))


def _read_turn(game: Game[S, A], options: Any, found: Any) -> Played[S, A] | None:
    if found is None:
        return None
    text, seat, played = found
    before = game.decode(text, options)
    return Played(before, seat, game.replay_turn(before, played)[0])


def _written_clock(clock: Clock) -> Any:
    return {
        "spec": str(clock.spec),
        "started": clock.started,
        "banks": clock.banks,
        "hours": [str(hours) for hours in clock.hours],
        "away": clock.away,
        "credits": clock.credits,
        "turn": _written_clock_turn(clock.turn),
        "ended": [_written_clock_turn(turn) for turn in clock.ended],
    }


def _read_clock(found: Any) -> Clock:
    return Clock(
        TimeControl.parse(found["spec"]),
        found["started"],
        _pair(found["banks"]),
        _pair(map(Hours.parse, found["hours"])),
        _pair(map(_intervals, found["away"])),
        _intervals(found["credits"]),
        _maybe(_read_clock_turn, found["turn"]),
        _pair(_maybe(_read_clock_turn, turn) for turn in found["ended"]),
    )


def _written_clock_turn(turn: Turn | None) -> Any:
    return turn and (turn.seat, turn.since, turn.bank, str(turn.hours), turn.pauses, turn.stopped)


def _read_clock_turn(found: Any) -> Turn:
    seat, since, bank, hours, pauses, stopped = found
    return Turn(seat, since, bank, Hours.parse(hours), _intervals(pauses), stopped)


def _maybe(read: Callable[[Any], T], found: Any) -> T | None:
    return None if found is None else read(found)


def _intervals(found: Any) -> Any:
    return tuple(_pair(interval) for interval in found)


def _pair(found: Any) -> Any:
    first, second = found
    return first, second
