"""What each entry of a game's own course does to the table: turns and luck, offers and answers, the end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Generic

from engine.core.clock import TimeControl
from engine.core.errors import IllegalMove, Refused
from engine.core.game import CHANCE, DRAW_POINTS, A, Note, Outcome, S, Seat, win
from engine.core.record import CHOSEN, TURNS, Entry, Kind, Record
from engine.core.search import forced_turn
from engine.core.timekeeping import adjourned, pausing

if TYPE_CHECKING:
    from engine.core.table import Table

DRAW: Final = "draw"
TAKEBACK: Final = "takeback"
RESIGN: Final = "resign"
PAUSE: Final = "pause"
ADJOURN: Final = "adjourn"


@dataclass(frozen=True, slots=True)
class Offer:
    """What a seat has offered, for the other to accept or decline; see ``Kind.OFFER``."""

    seat: Seat
    what: str


@dataclass(frozen=True, slots=True)
class Played(Generic[S, A]):
    """A turn as it was made, with the state before it."""

    before: S
    seat: Seat
    steps: tuple[A, ...]


def chance(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    if table.to_act != CHANCE:
        raise Refused("table.no_roll_now")
    game, state = table.game, table.state
    (step,) = game.parse(state, entry.body.split(" ")[0])
    told = (*table.told[:-1], game.notes(state, step))
    return settled(replace(table, state=game.apply(state, step), told=told, line=(*table.line, entry)), played=False)


def turn(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    if table.to_act != entry.seat:
        raise Refused("table.not_your_turn")
    game, before = table.game, table.state
    steps = game.parse(before, entry.body)
    if entry.kind is Kind.AUTOMATIC and steps != (game.automatic_action(before),):
        raise Refused("table.bad_entry", body=entry.body)
    if entry.kind is Kind.FORCED and forced_turn(game, before) is None:
        raise Refused("table.bad_entry", body=entry.body)
    state = before
    notes: list[Note] = []
    for step in steps:
        notes += game.notes(state, step)
        state = game.apply(state, step)
    if game.to_act(state) == entry.seat:
        raise IllegalMove("table.unfinished", played=entry.body)
    offer = table.offer if table.offer and table.offer.seat == entry.seat else None
    made = Played(before, entry.seat, steps)
    moved = made if game.changes_board(before, steps[0]) else table.moved
    table = replace(table, state=state, last=made, moved=moved, offer=offer, paused=False)
    table = replace(table, told=(*table.told[:-1], tuple(notes)), line=(*table.line, entry))
    return settled(table, played=True)


def offer(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    what, _, rest = entry.body.partition(" ")
    if what == PAUSE:
        pausing(table)
    elif what == ADJOURN:
        adjourned(table, TimeControl.parse(rest), entry.at)
    return replace(table, offer=Offer(entry.seat, entry.body))


def offered(what: str) -> str:
    """An offer in canonical words. Raises RuleError for an unreadable clock."""
    name, _, rest = what.partition(" ")
    return f"{name} {TimeControl.parse(rest)}" if name == ADJOURN else what


def decline(table: "Table[S, A]", _: Entry) -> "Table[S, A]":
    return replace(table, offer=None)


def withdraw(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    if table.offer != Offer(entry.seat, entry.body):
        raise Refused("table.no_offer")
    return replace(table, offer=None)


def accept(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    if table.offer is None or table.offer.seat == entry.seat:
        raise Refused("table.no_offer")
    what, _, rest = table.offer.what.partition(" ")
    if what == TAKEBACK:
        return _take_back(table, table.offer.seat, entry.at)
    table = replace(table, offer=None)
    if what == PAUSE:
        return pausing(table)
    if what == ADJOURN:
        return adjourned(table, TimeControl.parse(rest), entry.at)
    if what == DRAW:
        return replace(table, outcome=Outcome(DRAW_POINTS, "end.agreed_draw"))
    return replace(table, outcome=win(entry.seat, int(rest), "end.resigned"))


def standing(table: "Table[S, A]", seat: Seat) -> int | None:
    """How many of the entries in ``line`` stand if ``seat`` takes back its last turn; None if it cannot."""
    return _standing(table.line, seat)


def takeable(table: "Table[S, A]", seat: Seat) -> int:
    """As ``standing``. Raises Refused: the seat has made no turn, or dice have fallen since."""
    count = standing(table, seat)
    if count is None:
        played = any(entry.kind in CHOSEN and entry.seat == seat for entry in table.line)
        raise Refused("table.dice_fell" if played else "table.nothing_to_take_back")
    return count


def undone(entries: Iterable[Entry], seat: Seat) -> tuple[Entry, ...]:
    """What goes if, after these entries, ``seat`` takes back its last turn: that turn first, then the answers to it."""
    line = line_of(entries)
    count = _standing(line, seat)
    return () if count is None else line[count:]


def line_of(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The turns and rolls that stand after these entries of a record, as ``Table.line`` has them."""
    line: list[Entry] = []
    for entry in entries:
        if entry.kind is Kind.CHANCE or entry.kind in TURNS:
            line.append(entry)
        elif entry.kind is Kind.ACCEPT and entry.body == TAKEBACK:
            del line[_standing(line, 1 - entry.seat) :]
    return tuple(line)


def _standing(line: Sequence[Entry], seat: Seat) -> int | None:
    for index in range(len(line) - 1, -1, -1):
        entry = line[index]
        if entry.kind is Kind.CHANCE:
            return None
        if entry.kind in CHOSEN and entry.seat == seat:
            return index
    return None


def _take_back(table: "Table[S, A]", seat: Seat, at: int) -> "Table[S, A]":
    """The position before the seat's last turn; the record keeps what was played and that it was taken back.

    The time spent stays spent: the seat's turn begins afresh, without an increment for the turn that breaks off.
    """
    count = takeable(table, seat)
    untimed = replace(table.record.header, clock="", timeout="")
    earlier = type(table).replay(table.game, Record(untimed, table.line[:count]))
    clock = table.clock and table.clock.begin(seat, at, finished=False)
    noted = replace(earlier, away=table.away, credits=table.credits)
    return replace(noted, record=table.record, told=table.told, clock=clock, paused=table.paused)


def resign(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    return replace(table, outcome=win(1 - entry.seat, int(entry.body), "end.resigned"), offer=None)


def settled(table: "Table[S, A]", *, played: bool) -> "Table[S, A]":
    """Notes a turn that begins, and the end that the position or the course of the game brings."""
    game, state = table.game, table.state
    actor = game.to_act(state)
    turns = table.turns if actor in {None, CHANCE} else (*table.turns, game.encode(state))
    outcome = game.outcome(state)
    if outcome is None and played:
        outcome = game.outcome_by_history(turns, table.options)
    return replace(table, turns=turns, outcome=outcome, offer=None if outcome else table.offer)
