"""The mutable state of a game during a replay: everything that follows from the entries so far."""

from dataclasses import dataclass
from typing import Generic

from engine.core.clock import Away, Clock
from engine.core.errors import Refused
from engine.core.game import A, Game, Note, Options, Outcome, S, Seat
from engine.core.hours import Interval
from engine.core.log import Log
from engine.core.record import Entry, Header


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer of a seat, which the other may accept or decline; see ``Kind.OFFER``."""

    seat: Seat
    what: str


@dataclass(frozen=True, slots=True)
class Resuming:
    """A seat's request to end a pause, which ends at ``at`` in ms since the start, or when the other agrees."""

    seat: Seat
    at: int


@dataclass(frozen=True, slots=True)
class Played(Generic[S, A]):
    """A turn that was played, with the state before it."""

    before: S
    seat: Seat
    steps: tuple[A, ...]


@dataclass(slots=True)
class Progress(Generic[S, A]):
    """A game during a replay, changed in place. Callers see a ``Table``, which has the same fields."""

    game: Game[S, A]
    header: Header
    options: Options
    """All options, as ``Game.settle_options`` returns them."""
    state: S
    to_act: Seat | None
    entries: Log[Entry]
    history: Log[S]
    effective_entries: Log[Entry]
    notes: Log[tuple[Note, ...]] | None
    """None if the caller does not need them."""
    last_turn: Played[S, A] | None = None
    last_move: Played[S, A] | None = None
    outcome: Outcome | None = None
    offer: Offer | None = None
    clock: Clock | None = None
    paused: bool = False
    away: Away = ((), ())
    credits: tuple[Interval, ...] = ()
    overdue: Seat | None = None
    resuming: Resuming | None = None

    @property
    def vacations(self) -> Away:
        return self.away if self.clock is None else self.clock.away

    def end(self, outcome: Outcome) -> None:
        self.outcome, self.to_act, self.offer = outcome, None, None

    def require_running(self) -> None:
        """Raises Refused if the game is over."""
        if self.outcome is not None:
            raise Refused("table.over")


def start_progress(game: Game[S, A], header: Header, *, with_notes: bool = False) -> Progress[S, A]:
    """Starts a game at its first position, without its clock. Raises RuleError for bad options or a bad position."""
    options = game.settle_options(dict(header.options))
    state = game.decode(header.position, options) if header.position else game.start(options)
    notes: Log[tuple[Note, ...]] | None = Log() if with_notes else None
    return Progress(game, header, options, state, game.to_act(state), Log(), Log(), Log(), notes)
