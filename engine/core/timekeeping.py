"""The table's clock: what follows when time is up, pauses and other clocks, and what the bot notes about absence."""

from dataclasses import replace
from heapq import merge
from itertools import groupby
from typing import TYPE_CHECKING, Final

from engine.core.clock import Away, Clock, TimeControl, left_for, spent
from engine.core.errors import Refused, RuleError
from engine.core.game import CHANCE, DRAW_POINTS, A, Outcome, S, Seat, win
from engine.core.hours import DAY, Hours, Interval
from engine.core.record import TURNS, Entry, Header, Kind

if TYPE_CHECKING:
    from engine.core.table import Table

LOSS: Final = "loss"
CLAIM: Final = "claim"
TIMEOUTS: Final = (LOSS, CLAIM)
WIN: Final = "win"
DRAW: Final = "draw"
UNCOUNTED: Final = "uncounted"
ABORT_TURNS: Final = 4
"""A game that time ends before so many turns is aborted, not decided."""
ABANDONED: Final = 30 * DAY
"""Without a clock, a game in which a player has not moved for so long is theirs no more."""
NOTED: Final = frozenset({Kind.HOURS, Kind.AWAY, Kind.CREDIT, Kind.TIMEOUT})
"""The kinds that are no act of a player, and so are taken when time is up."""
ACTS: Final = TURNS | {Kind.CHANCE, Kind.ACCEPT}
"""The kinds that show a game to be played on."""


def clock_of(header: Header) -> Clock | None:
    """The clock before the first turn; None for a game without. Raises RuleError."""
    if header.timeout and header.timeout not in TIMEOUTS:
        raise RuleError("table.timeout", timeout=header.timeout, choices=", ".join(TIMEOUTS))
    return Clock.of(TimeControl.parse(header.clock), header.started) if header.clock else None


def kept(table: "Table[S, A]", at: int) -> "Table[S, A]":
    """The table with its clock as it must run after an entry at ``at``: for whoever is to act."""
    clock, actor = table.clock, table.to_act
    if clock is None:
        return table
    if table.overdue is not None and actor in {None, 1 - table.overdue}:
        table = replace(table, overdue=None)  # the late turn is over: not yet where its player has but rolled
    stands = table.paused or actor is None or actor == CHANCE
    return replace(table, clock=clock.stop(at) if stands or actor is None else clock.start_turn(actor, at))


# --- when time is up -------------------------------------------------------------------------------------------------


def may_claim(table: "Table[S, A]", seat: Seat, at: int) -> bool:
    """Whether ``seat`` may end the game because the other's time is up, or, without a clock, they stay away.

    Their vacations and the times when the bot could take no moves count for nobody's staying away.
    """
    if table.outcome is not None or table.paused or table.to_act != 1 - seat:
        return False
    if table.clock is not None:
        return table.overdue == 1 - seat
    return spent(last_act(table), at, merge(table.away[1 - seat], table.credits)) >= ABANDONED


def last_act(table: "Table[S, A]") -> int:
    """When the game was last played on, in ms since its start."""
    return next((entry.at for entry in reversed(table.record.entries) if entry.kind in ACTS), 0)


def counts(table: "Table[S, A]") -> bool:
    """Whether the result counts for ratings: not if the game was aborted, or time ended it ``uncounted``."""
    entries = table.record.entries
    if table.outcome is None or not entries or entries[-1].kind not in {Kind.TIMEOUT, Kind.CLAIM}:
        return True
    if table.outcome.reason == "end.aborted" or UNCOUNTED in entries[-1].body.split():
        return False
    late = next((entry for entry in reversed(entries) if entry.kind is Kind.TIMEOUT), None)
    return late is None or late.body != UNCOUNTED


def lost_on_time(table: "Table[S, A]") -> Seat | None:
    """The seat that has lost by time, so that it counts; the last entry is the moment."""
    outcome = table.outcome
    if outcome is None or outcome.reason != "end.time" or outcome.winner is None or not counts(table):
        return None
    return 1 - outcome.winner


def uncounted(entry: Entry) -> Entry:
    """The same end by time, not to count for ratings."""
    return replace(entry, body=f"{entry.body} {UNCOUNTED}".lstrip())


def timeout(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    clock = table.clock
    if clock is None:
        raise Refused("table.no_clock")
    if clock.running != entry.seat or table.overdue is not None or not clock.expired(entry.at):
        raise Refused("table.time_left")
    if entry.body not in {"", UNCOUNTED}:
        raise Refused("table.bad_entry", body=entry.body)
    if table.policy == CLAIM:
        return replace(table, overdue=entry.seat)
    return _decided(table, 1 - entry.seat, "end.time")


def claim(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    if not may_claim(table, entry.seat, entry.at):
        raise Refused("table.no_claim")
    if entry.body not in {WIN, DRAW, f"{WIN} {UNCOUNTED}"}:
        raise Refused("table.bad_entry", body=entry.body)
    reason = "end.abandoned" if table.clock is None else "end.time"
    if entry.body != DRAW:
        return _decided(table, entry.seat, reason)
    return _decided(table, None, f"{reason}_draw")


def _decided(table: "Table[S, A]", winner: Seat | None, reason: str) -> "Table[S, A]":
    seats = [entry.seat for entry in table.line if entry.kind in TURNS]
    if sum(1 for _ in groupby(seats)) < ABORT_TURNS:  # roll and play are one turn
        outcome = Outcome(DRAW_POINTS, "end.aborted")
    elif winner is None:
        outcome = Outcome(DRAW_POINTS, reason)
    else:
        outcome = win(winner, table.game.resign_values(table.state, 1 - winner)[0], reason)
    return replace(table, outcome=outcome, offer=None, overdue=None)


# --- by agreement ----------------------------------------------------------------------------------------------------


def pausing(table: "Table[S, A]") -> "Table[S, A]":
    """The clock stands until a seat resumes or plays. Raises Refused."""
    if table.clock is None:
        raise Refused("table.no_clock")
    if table.paused:
        raise Refused("table.paused")
    return replace(table, paused=True)


def resume(table: "Table[S, A]", _: Entry) -> "Table[S, A]":
    if not table.paused:
        raise Refused("table.not_paused")
    return replace(table, paused=False)


def adjourned(table: "Table[S, A]", spec: TimeControl, at: int) -> "Table[S, A]":
    """Goes on with another clock, both banks new. Raises Refused."""
    clock = table.clock
    if clock is not None and clock.spec == spec:
        raise Refused("table.same_clock", clock=str(spec))
    if clock is None:
        clock = replace(Clock.of(spec, table.record.header.started), away=table.away, credits=table.credits)
    else:
        clock = clock.reset(spec, at)
    return replace(table, clock=clock, overdue=None, paused=False)


# --- absence ---------------------------------------------------------------------------------------------------------


def hours(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    clock = table.clock
    if clock is None:
        raise Refused("table.no_clock")
    _of_seat(entry, {0, 1})
    return replace(table, clock=clock.set_rest_hours(entry.seat, Hours.parse(entry.body), entry.at))


def away(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    _of_seat(entry, {0, 1})
    begin, end = interval(entry.body)
    replaces = any(begin == known for known, _ in vacations(table)[entry.seat])
    if end < begin or (end == begin and not replaces):
        raise Refused("table.bad_entry", body=entry.body)
    if table.clock is None:
        return replace(table, away=left_for(table.away, entry.seat, (begin, end)))
    return replace(table, clock=table.clock.add_vacation(entry.seat, (begin, end)))


def credit(table: "Table[S, A]", entry: Entry) -> "Table[S, A]":
    _of_seat(entry, {CHANCE})
    begin, end = interval(entry.body)
    if not begin < end <= entry.at:
        raise Refused("table.bad_entry", body=entry.body)
    if table.clock is None:
        return replace(table, credits=tuple(sorted((*table.credits, (begin, end)))))
    return replace(table, clock=table.clock.credit((begin, end)))


def vacations(table: "Table[S, A]") -> Away:
    """Each seat's vacations that are known."""
    return table.away if table.clock is None else table.clock.away


def interval(body: str) -> Interval:
    """From and to, as the body of AWAY and CREDIT says them. Raises Refused."""
    try:
        begin, end = map(int, body.split(" "))
    except ValueError as error:
        raise Refused("table.bad_entry", body=body) from error
    return begin, end


def _of_seat(entry: Entry, seats: set[int]) -> None:
    if entry.seat not in seats:
        raise Refused("table.bad_entry", body=str(entry))
