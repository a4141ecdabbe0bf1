"""The clock of a game: the time of each player, and its end.

Times are whole milliseconds since the game's start unless stated otherwise. Nothing here reads the current time.
"""

import re
from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import merge
from typing import Final, TypeAlias, TypeVar

from engine.core.errors import RuleError, Translated
from engine.core.game import Seat
from engine.core.hours import DAY, HOUR, MINUTE, Hours, Interval

T = TypeVar("T")
Away: TypeAlias = tuple[tuple[Interval, ...], tuple[Interval, ...]]
"""The vacations of each seat, in ascending order."""

SECOND: Final = 1_000
UNITS: Final = (("d", DAY), ("h", HOUR), ("m", MINUTE), ("s", SECOND))
DURATION: Final = re.compile(r"(?:(\d{1,7})d)?(?:(\d{1,7})h)?(?:(\d{1,7})m)?(?:(\d{1,7})s)?", re.ASCII)
PER_TURN: Final = "/move"
LAG: Final = 2 * SECOND
"""A move that arrives this late is still accepted, to allow for network delay."""
MOST: Final = {"bank": 90 * DAY, "per_turn": 30 * DAY, "increment": 30 * DAY}
LEAST_ALLOWANCE: Final = 5 * SECOND


def duration(milliseconds: int) -> str:
    """Writes a duration as ``1d12h``, ``10m`` or ``0s``. Parts of a second are dropped."""
    text = ""
    for unit, length in UNITS:
        count, milliseconds = divmod(milliseconds, length)
        text += f"{count}{unit}" if count else ""
    return text or "0s"


def read_duration(text: str) -> int:
    """Reads a text such as ``1d12h`` as milliseconds. Raises RuleError."""
    found = DURATION.fullmatch(text)
    if found is None or not text:
        raise RuleError("clock.text", text=text)
    return sum(int(count or 0) * length for count, (_, length) in zip(found.groups(), UNITS, strict=True))


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control, in ms. A turn first uses ``per_turn``, which is new each turn and lost if unused, then the bank.

    After each turn ``increment`` is added to the bank. Correspondence (days per move) has ``per_turn`` alone, Fischer
    ``bank`` and ``increment``, simple delay ``bank`` and ``per_turn``, sudden death ``bank`` alone. Raises RuleError
    for values out of range.
    """

    bank: int = 0
    per_turn: int = 0
    increment: int = 0

    def __post_init__(self) -> None:
        for part, most in MOST.items():
            value: int = getattr(self, part)
            if not 0 <= value <= most or value % SECOND:
                alone = part != "increment" and self.bank + self.per_turn == value
                raise _out_of_range(part, LEAST_ALLOWANCE if alone else 0, most)
        if self.bank + self.per_turn < LEAST_ALLOWANCE:
            part = "allowance" if bool(self.bank) == bool(self.per_turn) else "bank" if self.bank else "per_turn"
            raise _out_of_range(part, LEAST_ALLOWANCE, MOST.get(part, MOST["bank"] + MOST["per_turn"]))

    @property
    def live(self) -> bool:
        """Whether both players have to be present: a turn has less than a day. Then time off does not apply."""
        return self.bank + self.per_turn < DAY

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Reads ``[BANK][+INCREMENT][ PER_TURN/move]``, such as ``3d/move``, ``3d+12h``, ``10m 5s/move``.

        Case and extra spaces do not matter. Raises RuleError.
        """
        plain = re.sub(r"\s*([+/])\s*", r"\1", re.sub(r"(?<=\d)\s+(?=[dhms])", "", " ".join(text.lower().split())))
        per_turn = ""
        rest = plain
        if plain.endswith(PER_TURN):
            rest, _, per_turn = plain.removesuffix(PER_TURN).rpartition(" ")
        bank, plus, increment = rest.replace(" ", "").partition("+")
        try:
            return cls(
                bank=read_duration(bank) if bank else 0,
                per_turn=read_duration(per_turn) if per_turn or plain.endswith(PER_TURN) else 0,
                increment=read_duration(increment) if plus else 0,
            )
        except RuleError as error:
            if error.key == "clock.text" or not plain:
                raise RuleError("clock.text", text=text) from error
            if error.params["part"] == "allowance" and bool(bank) != bool(per_turn):  # a zero was written
                part = "bank" if bank else "per_turn"
                raise _out_of_range(part, LEAST_ALLOWANCE, MOST[part]) from error
            raise

    def __str__(self) -> str:
        bank = duration(self.bank) if self.bank else ""
        increment = f"+{duration(self.increment)}" if self.increment else ""
        per_turn = f"{duration(self.per_turn)}{PER_TURN}" if self.per_turn else ""
        return f"{bank}{increment} {per_turn}".strip()


def _out_of_range(part: str, least: int, most: int) -> RuleError:
    """Returns the refusal of a part, with its allowed range given the other parts.

    A time after ``~`` is shown in words.
    """
    return RuleError(
        "clock.range", part=part, least=Translated(f"~{duration(least)}"), most=Translated(f"~{duration(most)}")
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's turn by the clock: its start, the bank and hours at its start, and the moment at which the clock
    stopped.
    """

    seat: Seat
    since: int
    bank: int
    hours: Hours
    pauses: tuple[Interval, ...] = ()
    stopped: int | None = None
    """The moment at which the clock stopped; None while it runs."""

    def until(self, at: int) -> "Turn":
        """Returns the turn with its clock stopped at ``at``."""
        return Turn(self.seat, self.since, self.bank, self.hours, self.pauses, at)


@dataclass(frozen=True, slots=True)
class Clock:
    """Both players' time. A turn costs its length minus the union of all time off within it."""

    spec: TimeControl
    started: int
    """The game's start, in ms since 1970."""
    banks: tuple[int, int]
    """Each seat's bank at the end of its last turn."""
    hours: tuple[Hours, Hours] = (Hours(), Hours())
    """Each seat's hours from its next turn on. New hours do not change the running turn."""
    away: Away = ((), ())
    """Each seat's vacations, in ascending order."""
    credits: tuple[Interval, ...] = ()
    """The times in which the bot was unable to take moves, in ascending order."""
    turn: Turn | None = None
    ended: tuple[Turn | None, Turn | None] = (None, None)
    """Each seat's last turn, as a credit may be recorded after it."""

    @classmethod
    def of(cls, spec: TimeControl, started: int) -> "Clock":
        """Makes the clock before the first turn."""
        return cls(spec, started, (spec.bank, spec.bank))

    # --- reading it ----------------------------------------------------------------------------------------------

    @property
    def running(self) -> Seat | None:
        """The seat whose clock runs; None before the first turn and while the clock is stopped."""
        return self.turn.seat if self.turn is not None and self.turn.stopped is None else None

    def left(self, seat: Seat, at: int) -> int:
        """Returns the seat's time left at ``at``, at least 0: of its turn, or of its next one if the other
        is to move.
        """
        allowance = self.spec.per_turn + self.banks[seat]
        if self.turn is None or self.turn.seat != seat:
            return allowance
        return max(0, allowance - self.charged(self.turn, at))

    @property
    def deadline(self) -> int | None:
        """The first moment at which the running seat has no time left; None while the clock is stopped."""
        turn = self.turn
        if turn is None or turn.stopped is not None:
            return None
        reached, left = turn.since, self.spec.per_turn + self.banks[turn.seat]
        if not left:
            return reached
        for begin, end in self._off(turn):
            if begin > reached:
                if begin - reached >= left:
                    break
                left -= begin - reached
            reached = max(reached, end)
        return reached + left

    def expired(self, at: int) -> bool:
        """Returns whether the running seat's time is up, LAG included."""
        turn = self.turn
        if turn is None or at < turn.since + self.spec.per_turn + self.banks[turn.seat] + LAG:
            return False  # time off can only make the deadline later
        deadline = self.deadline
        return deadline is not None and at >= deadline + LAG

    def charged(self, turn: Turn, at: int) -> int:
        """Computes the cost of a turn up to ``at``, without time off. Overlapping time off counts once."""
        until = at if turn.stopped is None else min(at, turn.stopped)
        if not (self.credits or turn.pauses or self.away[turn.seat] or turn.hours):
            return max(0, until - turn.since)
        return spent(turn.since, until, self._off(turn))

    def _off(self, turn: Turn) -> Iterator[Interval]:
        """Yields all time off that may matter to a turn, ordered by its start; it may overlap.

        In a live game only outages of the bot and agreed pauses count, not the players' own time off.
        """
        live = self.spec.live
        given = (() if live else self.away[turn.seat], self.credits, turn.pauses)
        if live or not turn.hours:
            return iter(merge(*given)) if any(given) else iter(())
        recurring = turn.hours.intervals(self.started + turn.since)
        own = ((begin - self.started, end - self.started) for begin, end in recurring)
        return iter(merge(own, *given)) if any(given) else own

    # --- changing it ---------------------------------------------------------------------------------------------

    def start_turn(self, seat: Seat, at: int) -> "Clock":
        """Starts the turn of ``seat``, or continues it if it is already its turn."""
        turn = self.turn
        if turn is None or turn.seat != seat:
            return self.next_turn(seat, at)
        if turn.stopped is None:
            return self
        pauses = (*turn.pauses, (turn.stopped, at)) if turn.stopped < at else turn.pauses
        return replace(self, turn=replace(turn, pauses=pauses, stopped=None))

    def stop(self, at: int) -> "Clock":
        """Stops the clock at ``at``, until the next ``start_turn``."""
        if self.turn is None or self.turn.stopped is not None:
            return self
        return self._with(self.banks, self.turn.until(at), self.ended)

    def next_turn(self, seat: Seat, at: int, *, finished: bool = True) -> "Clock":
        """Ends the current turn, with its increment if ``finished``, and starts one of ``seat``."""
        banks, ended = self.banks, self.ended
        if self.turn is not None:
            ending = self.turn.seat
            bank = self.bank_after(self.turn, at) + (self.spec.increment if finished else 0)
            turn = replace(self.turn, bank=banks[ending]) if self.turn.bank != banks[ending] else self.turn
            ended = _with(ended, ending, turn if turn.stopped is not None else turn.until(at))
            banks = _with(banks, ending, bank)
        return self._with(banks, Turn(seat, at, banks[seat], self.hours[seat]), ended)

    def banks_at(self, at: int, *, finished: bool) -> tuple[int, int]:
        """Returns each seat's bank if the game ends at ``at``. ``finished``: the current turn ends with the game."""
        return self.banks if self.turn is None else self.next_turn(self.turn.seat, at, finished=finished).banks

    def reset(self, spec: TimeControl, at: int) -> "Clock":
        """Switches to another time control with new banks from ``at`` on. The current turn starts again."""
        clock = replace(self, spec=spec, banks=(spec.bank, spec.bank), turn=None, ended=(None, None))
        return clock if self.turn is None else clock.next_turn(self.turn.seat, at)

    def set_rest_hours(self, seat: Seat, hours: Hours, at: int) -> "Clock":
        """Sets the seat's hours from its next turn on, or for its current turn if that starts exactly at ``at``."""
        turn = self.turn
        if turn is not None and turn.seat == seat and turn.since == at:
            turn = replace(turn, hours=hours)
        return replace(self, hours=_with(self.hours, seat, hours), turn=turn)

    def add_vacation(self, seat: Seat, away: Interval) -> "Clock":
        """Adds a vacation of the seat. It replaces one with the same start; an empty interval only removes that one."""
        return replace(self, away=with_vacation(self.away, seat, away))

    def give(self, seat: Seat, time: int) -> "Clock":
        """Adds ``time`` to the seat's bank, also in its running turn."""
        turn = self.turn
        if turn is not None and turn.seat == seat:
            turn = replace(turn, bank=turn.bank + time)
        return replace(self, banks=_with(self.banks, seat, self.banks[seat] + time), turn=turn)

    def credit(self, interval: Interval) -> "Clock":
        """Credits an outage of the bot, and each seat's last turn with its part of it."""
        clock = replace(self, credits=tuple(sorted((*self.credits, interval))))
        for seat, turn in enumerate(self.ended):
            if turn is not None and turn.stopped is not None:
                before, after = (one.bank_after(turn, turn.stopped) for one in (self, clock))
                clock = replace(clock, banks=_with(clock.banks, seat, clock.banks[seat] + after - before))
        return clock

    def bank_after(self, turn: Turn, at: int) -> int:
        """Computes the seat's bank after a turn that ends at ``at``, before the increment."""
        if at - turn.since <= self.spec.per_turn:
            return turn.bank
        return max(0, turn.bank - max(0, self.charged(turn, at) - self.spec.per_turn))

    def _with(self, banks: tuple[int, int], turn: Turn | None, ended: tuple[Turn | None, Turn | None]) -> "Clock":
        """Copies the clock with other banks and turns.

        ``replace`` is several times slower, and every entry needs a copy.
        """
        return Clock(self.spec, self.started, banks, self.hours, self.away, self.credits, turn, ended)


def spent(since: int, until: int, off: Iterable[Interval]) -> int:
    """Computes the time from ``since`` to ``until`` outside of ``off``, whose intervals are ordered and may overlap."""
    reached, total = since, 0
    for begin, end in off:
        if begin >= until:
            break
        if begin > reached:
            total += begin - reached
        reached = max(reached, end)
    return total + max(0, until - reached)


def with_vacation(away: Away, seat: Seat, interval: Interval) -> Away:
    """Adds a vacation. It replaces one with the same start; if it is empty, it only removes that one."""
    kept = [known for known in away[seat] if known[0] != interval[0]]
    if interval[0] < interval[1]:
        insort(kept, interval)
    return _with(away, seat, tuple(kept))


def _with(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)
