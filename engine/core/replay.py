"""The replay of a record: applies its entries in order, and refuses an entry that does not follow."""

from collections.abc import Callable
from typing import Any, Final

from engine.core import adjudication, offers, timekeeping, turns
from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import A, Game, S
from engine.core.progress import Progress, start_progress
from engine.core.record import Entry, Header, Kind, Record
from engine.core.timekeeping import BOT_KINDS


def start(game: Game[S, A], header: Header, *, with_notes: bool = False) -> Progress[S, A]:
    """Starts a game before its first entry. Raises RuleError for bad options, a bad position or a bad clock."""
    progress = start_progress(game, header, with_notes=with_notes)
    progress.clock = timekeeping.clock_of(header)
    turns.update_outcome(progress, played=True)
    timekeeping.run_clock(progress, 0)
    return progress


def follow(progress: Progress[S, A], entry: Entry) -> None:
    """Applies an entry; nothing else changes a game.

    Raises RuleError if the entry does not follow; ``progress`` must not be used after that.
    """
    if entry.kind in BOT_KINDS:
        progress.require_running()
    else:
        timekeeping.require_time(progress, entry.at)
    progress.entries = progress.entries.add(entry)
    EFFECTS[entry.kind](progress, entry)
    if progress.notes is not None and len(progress.notes) < len(progress.entries):
        progress.notes = progress.notes.add(())
    timekeeping.run_clock(progress, entry.at)


def replay(game: Game[S, A], record: Record, *, with_notes: bool = False) -> Progress[S, A]:
    """Replays a game from all entries of its record. Raises CorruptRecord if they do not follow from one another."""
    try:
        progress = start(game, record.header, with_notes=with_notes)
    except RuleError as error:
        raise does_not_replay(record.header, error) from error
    return go_on(progress, record)


def go_on(progress: Progress[S, A], record: Record) -> Progress[S, A]:
    """Applies those entries of the record that the game does not have yet. Raises CorruptRecord."""
    try:
        for entry in record.entries[len(progress.entries) :]:
            follow(progress, entry)
    except RuleError as error:
        raise does_not_replay(record.header, error) from error
    return progress


def does_not_replay(header: Header, error: RuleError) -> CorruptRecord:
    return CorruptRecord(f"game {header.id} does not replay: {error}")


EFFECTS: Final[dict[Kind, Callable[[Progress[Any, Any], Entry], None]]] = {
    Kind.CHANCE: turns.chance,
    Kind.PLAY: turns.turn,
    Kind.FORCED: turns.turn,
    Kind.AUTOMATIC: turns.turn,
    Kind.CONDITIONAL: turns.turn,
    Kind.OFFER: offers.offer,
    Kind.ACCEPT: offers.accept,
    Kind.DECLINE: offers.decline,
    Kind.WITHDRAW: offers.withdraw,
    Kind.RESIGN: offers.resign,
    Kind.ASK_RESUME: timekeeping.ask_resume,
    Kind.RESUME: timekeeping.resume,
    Kind.GIVE: timekeeping.give,
    Kind.TIMEOUT: timekeeping.timeout,
    Kind.CLAIM: timekeeping.claim,
    Kind.LEAVE: timekeeping.leave,
    Kind.ADJUDICATE: adjudication.adjudicate,
    Kind.HOURS: timekeeping.hours,
    Kind.AWAY: timekeeping.away,
    Kind.CREDIT: timekeeping.credit,
}
"""The function that applies each kind of entry."""
