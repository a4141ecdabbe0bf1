"""The rules of a game's clock: the end of time, pauses, other time controls, and the recorded time off."""

from collections.abc import Iterator
from dataclasses import replace
from heapq import merge
from itertools import groupby
from typing import Final

from engine.core import adjudication
from engine.core.clock import MOST, SECOND, Clock, TimeControl, duration, read_duration, spent, with_vacation
from engine.core.errors import Refused, RuleError
from engine.core.game import CHANCE, DRAW_POINTS, A, Outcome, S, Seat, win
from engine.core.hours import DAY, HOUR, MINUTE, Hours, Interval
from engine.core.progress import Progress, Resuming
from engine.core.record import TURN_KINDS, Entries, Entry, Header, Kind

LOSS: Final = "loss"
CLAIM: Final = "claim"
TIMEOUTS: Final = (LOSS, CLAIM)
WIN: Final = "win"
DRAW: Final = "draw"
UNCOUNTED: Final = "uncounted"
ABORT_TURNS: Final = 4
"""A game that ends on time, or because a player leaves, with fewer turns than this is aborted."""
ABANDONED: Final = 30 * DAY
"""Without a clock, a player may claim the game when the opponent has not moved for this long."""
NOTED: Final = ABANDONED - 11 * DAY
"""Without a clock, outages of the bot are recorded once nobody has moved for this long: a day before the
first warning.
"""
RESUMED_AFTER: Final = DAY
"""A pause ends this long after a player asks to end it."""
GIFTS: Final = ((DAY, DAY), (HOUR, 10 * MINUTE), (0, 15 * SECOND))
"""The time that a player can give the opponent at once, by the least time of a turn, bank included; in ms."""
BOT_KINDS: Final = frozenset({Kind.HOURS, Kind.AWAY, Kind.CREDIT, Kind.TIMEOUT})
"""The kinds of entries that the bot records by itself. They are valid even when time is up."""
SYSTEM_KINDS: Final = BOT_KINDS | {Kind.ASK_RESUME, Kind.GIVE}
"""The kinds of entries that are about time alone: they change neither the position, nor an offer, nor whose turn it is.
"""
ACTIVITY_KINDS: Final = TURN_KINDS | {Kind.CHANCE, Kind.ACCEPT}
"""The kinds of entries that show that the players still play."""


def clock_of(header: Header) -> Clock | None:
    """Makes the clock before the first turn, or None for a game without a clock. Raises RuleError."""
    if header.timeout_policy and header.timeout_policy not in TIMEOUTS:
        raise RuleError("table.timeout_policy", policy=header.timeout_policy, choices=", ".join(TIMEOUTS))
    if not header.clock:
        return None
    clock = Clock.of(TimeControl.parse(header.clock), header.started)
    return clock if header.banks is None else replace(clock, banks=header.banks)


def run_clock(progress: Progress[S, A], at: int) -> None:
    """Starts the clock for the seat to act after an entry at ``at``, or stops it if no seat is."""
    clock, actor = progress.clock, progress.to_act
    if clock is None:
        if progress.overdue is not None and progress.entries[-1].kind in ACTIVITY_KINDS:
            progress.overdue = None
        return
    if progress.overdue is not None and actor in {None, 1 - progress.overdue}:
        progress.overdue = None  # ends the late turn; a roll of the late player does not
    if actor is None or actor == CHANCE:
        progress.clock = clock.stop(at)
    elif progress.paused:  # in a pause, a turn ends and the next one begins with the clock stopped
        began = clock.turn is None or clock.turn.seat == actor
        progress.clock = clock.stop(at) if began else clock.next_turn(actor, at).stop(at)
    else:
        progress.clock = clock.start_turn(actor, at)


def require_time(progress: Progress[S, A], at: int) -> None:
    """Raises Refused if the game is over, or lost on time at ``at``."""
    progress.require_running()
    if progress.clock is not None and timeout_policy(progress.header) == LOSS and progress.clock.expired(at):
        raise Refused("table.time_up")


def timeout_policy(header: Header) -> str:
    """Returns the header's policy when time runs out: ``loss`` or ``claim``."""
    return header.timeout_policy or LOSS


# --- when time is up -------------------------------------------------------------------------------------------------


def may_claim(progress: Progress[S, A], seat: Seat, at: int) -> bool:
    """Returns whether ``seat`` may end the game: the other is out of time or, without a clock, stays away.

    The other's vacations and the bot's outages do not count as staying away.
    """
    if progress.outcome is not None or progress.paused or progress.to_act != 1 - seat:
        return False
    if progress.clock is not None:
        return progress.overdue == 1 - seat
    return absent_for(progress, at) >= ABANDONED


def absent_for(progress: Progress[S, A], at: int) -> int:
    """Computes how long the seat to act has stayed away from a game without a clock, in ms, without time off."""
    return spent(last_act(progress.entries), at, _absence_off(progress))


def absent_at(progress: Progress[S, A], length: int) -> int:
    """Computes the moment, in ms since the start, at which the seat to act has stayed away for ``length`` ms."""
    reached = last_act(progress.entries)
    for begin, end in _absence_off(progress):
        if begin > reached:
            if begin - reached >= length:
                break
            length -= begin - reached
        reached = max(reached, end)
    return reached + length


def _absence_off(progress: Progress[S, A]) -> Iterator[Interval]:
    seat = progress.to_act
    return merge(() if seat is None or seat == CHANCE else progress.away[seat], progress.credits)


def last_act(entries: Entries) -> int:
    """Returns the moment of the last turn, roll or accepted offer, in ms since the start; 0 before the first."""
    return next((entry.at for entry in reversed(entries) if entry.kind in ACTIVITY_KINDS), 0)


def counts(outcome: Outcome | None, entries: Entries, played: Entries) -> bool:
    """Returns whether the result counts for ratings.

    It does not if the game was aborted, if time ended it ``uncounted``, or if it was adjudicated before both seats had
    made a turn. ``played``: the turns and rolls that were not taken back.
    """
    if outcome is not None and entries and entries[-1].kind is Kind.ADJUDICATE:
        return adjudication.counts(entries[-1], played)
    if outcome is None or not entries or entries[-1].kind not in {Kind.TIMEOUT, Kind.CLAIM, Kind.LEAVE}:
        return True
    if outcome.reason == "end.aborted" or UNCOUNTED in entries[-1].body.split():
        return False
    if entries[-1].kind is Kind.LEAVE:
        return True
    late = next((entry for entry in reversed(entries) if entry.kind is Kind.TIMEOUT), None)
    return late is None or late.body != UNCOUNTED


def uncounted(entry: Entry) -> Entry:
    """Marks the entry of a time-out or claim not to count for ratings."""
    return replace(entry, body=f"{entry.body} {UNCOUNTED}".lstrip())


def timeout(progress: Progress[S, A], entry: Entry) -> None:
    clock = progress.clock
    if clock is None:
        _absent(progress, entry)
        return
    if clock.running != entry.seat or progress.overdue is not None or not clock.expired(entry.at):
        raise Refused("table.time_left")
    if entry.body not in {"", UNCOUNTED}:
        raise Refused("table.bad_entry", body=entry.body)
    if timeout_policy(progress.header) == CLAIM:
        progress.overdue = entry.seat
    else:
        _decide(progress, 1 - entry.seat, "end.time")


def _absent(progress: Progress[S, A], entry: Entry) -> None:
    """Times out the seat to act in a game without a clock: the other may claim the game."""
    if entry.seat not in {0, 1} or progress.to_act != entry.seat:
        raise Refused("table.time_left")
    if progress.overdue is not None or absent_for(progress, entry.at) < ABANDONED:
        raise Refused("table.time_left")
    if entry.body:
        raise Refused("table.bad_entry", body=entry.body)
    progress.overdue = entry.seat


def claim(progress: Progress[S, A], entry: Entry) -> None:
    if not may_claim(progress, entry.seat, entry.at):
        raise Refused("table.no_claim")
    if entry.body not in {WIN, DRAW, f"{WIN} {UNCOUNTED}"}:
        raise Refused("table.bad_entry", body=entry.body)
    reason = "end.abandoned" if progress.clock is None else "end.time"
    if entry.body == DRAW:
        _decide(progress, None, f"{reason}_draw")
    else:
        _decide(progress, entry.seat, reason)


def leave(progress: Progress[S, A], entry: Entry) -> None:
    _of_seat(entry, {0, 1})
    if entry.body:
        raise Refused("table.bad_entry", body=entry.body)
    _decide(progress, 1 - entry.seat, "end.left")


def _decide(progress: Progress[S, A], winner: Seat | None, reason: str) -> None:
    seats = [entry.seat for entry in progress.effective_entries if entry.kind in TURN_KINDS]
    if sum(1 for _ in groupby(seats)) < ABORT_TURNS:  # roll and play are one turn
        outcome = Outcome(DRAW_POINTS, "end.aborted")
    elif winner is None:
        outcome = Outcome(DRAW_POINTS, reason)
    else:
        outcome = win(winner, progress.game.resign_values(progress.state, 1 - winner)[0], reason)
    progress.end(outcome)
    progress.overdue = None


# --- by agreement ----------------------------------------------------------------------------------------------------


def require_pause(progress: Progress[S, A]) -> None:
    """Raises Refused unless the game can be paused."""
    if progress.clock is None:
        raise Refused("table.no_clock")
    if progress.paused:
        raise Refused("table.paused")


def pause(progress: Progress[S, A]) -> None:
    """Stops the clock until both seats want to go on, or RESUMED_AFTER one asks for it. Raises Refused."""
    require_pause(progress)
    progress.paused, progress.resuming = True, None


def ask_resume(progress: Progress[S, A], entry: Entry) -> None:
    _of_seat(entry, {0, 1})
    if not progress.paused:
        raise Refused("table.not_paused")
    if progress.resuming is not None:
        raise Refused("table.resume_asked")
    progress.resuming = Resuming(entry.seat, entry.at + RESUMED_AFTER)


def resume(progress: Progress[S, A], entry: Entry) -> None:
    if not progress.paused:
        raise Refused("table.not_paused")
    asked = progress.resuming
    if asked is None or entry.seat == asked.seat or (entry.seat == CHANCE and entry.at < asked.at):
        raise Refused("table.resume_asked")
    progress.paused, progress.resuming = False, None


def require_another_clock(progress: Progress[S, A], spec: TimeControl) -> None:
    """Raises Refused if the game has this clock already."""
    if progress.clock is not None and progress.clock.spec == spec:
        raise Refused("table.same_clock", clock=str(spec))


def adjourn(progress: Progress[S, A], spec: TimeControl, at: int) -> None:
    """Switches to another time control with new banks. Raises Refused."""
    require_another_clock(progress, spec)
    clock = progress.clock
    if clock is None:
        started = Clock.of(spec, progress.header.started)
        progress.clock = replace(started, away=progress.away, credits=progress.credits)
    else:
        progress.clock = clock.reset(spec, at)
    progress.overdue, progress.paused, progress.resuming = None, False, None


def gift(spec: TimeControl) -> int:
    """Returns the time, in ms, that a player can give the opponent at once."""
    return next(given for least, given in GIFTS if spec.bank + spec.per_turn >= least)


def require_gift(progress: Progress[S, A], seat: Seat, given: int) -> None:
    """Raises Refused unless ``seat`` can give the other ``given`` ms."""
    clock = progress.clock
    if clock is None:
        raise Refused("table.no_clock")
    if progress.overdue is not None:
        raise Refused("table.time_up")
    if given <= 0 or clock.banks[1 - seat] + given > MOST["bank"]:
        raise Refused("table.enough_time")


def give(progress: Progress[S, A], entry: Entry) -> None:
    _of_seat(entry, {0, 1})
    given = read_duration(entry.body)
    require_gift(progress, entry.seat, given)
    if progress.clock is None or duration(given) != entry.body:
        raise Refused("table.bad_entry", body=entry.body)
    progress.clock = progress.clock.give(1 - entry.seat, given)


# --- time off --------------------------------------------------------------------------------------------------------


def hours(progress: Progress[S, A], entry: Entry) -> None:
    if progress.clock is None:
        raise Refused("table.no_clock")
    _of_seat(entry, {0, 1})
    progress.clock = progress.clock.set_rest_hours(entry.seat, Hours.parse(entry.body), entry.at)


def away(progress: Progress[S, A], entry: Entry) -> None:
    _of_seat(entry, {0, 1})
    begin, end = interval(entry.body)
    replaces = any(begin == known for known, _ in progress.vacations[entry.seat])
    if end < begin or (end == begin and not replaces):
        raise Refused("table.bad_entry", body=entry.body)
    if progress.clock is None:
        progress.away = with_vacation(progress.away, entry.seat, (begin, end))
    else:
        progress.clock = progress.clock.add_vacation(entry.seat, (begin, end))


def credit(progress: Progress[S, A], entry: Entry) -> None:
    _of_seat(entry, {CHANCE})
    begin, end = interval(entry.body)
    if not begin < end <= entry.at:
        raise Refused("table.bad_entry", body=entry.body)
    if progress.clock is None:
        progress.credits = tuple(sorted((*progress.credits, (begin, end))))
    else:
        progress.clock = progress.clock.credit((begin, end))


def interval(body: str) -> Interval:
    """Reads the from and to in the body of AWAY and CREDIT. Raises Refused."""
    try:
        begin, end = map(int, body.split(" "))
    except ValueError as error:
        raise Refused("table.bad_entry", body=body) from error
    return begin, end


def _of_seat(entry: Entry, seats: set[int]) -> None:
    if entry.seat not in seats:
        raise Refused("table.bad_entry", body=str(entry))
