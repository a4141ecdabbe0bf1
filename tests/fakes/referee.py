"""Recomputes the time of a game from the text of its record alone, by its own means: no code of the engine's.

Rest and days off are looked up minute by minute; everything else is plain intervals, in ms since the game's start.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

SECOND, MINUTE, DAY = 1_000, 60_000, 86_400_000
GRACE = 2 * SECOND
UNITS = {"d": DAY, "h": 3_600_000, "m": MINUTE, "s": SECOND}
TURNS = {"play", "forced", "automatic", "conditional"}
THURSDAY = 3
Span = tuple[int, int]


def length(text: str) -> int:
    return sum(int(count) * UNITS[unit] for count, unit in re.findall(r"(\d+)([dhms])", text))


@dataclass
class Spec:
    """A time control as it is written."""

    text: str

    def __post_init__(self) -> None:
        words = self.text.split()
        self.fresh = length(words.pop()) if words and words[-1].endswith("/move") else 0
        bank, _, added = (words[0] if words else "").partition("+")
        self.bank, self.added = length(bank), length(added)
        self.live = self.bank + self.fresh < DAY


class Calendar:
    """The time off of a player, read from the text of their hours."""

    def __init__(self, text: str) -> None:
        self.none = text == "-"
        if self.none:
            return
        rest, days, *offsets = text.split()
        self.rest = None if rest == "-" else tuple(map(int, rest.split("-")))
        self.days = set() if days == "-" else set(map(int, days.split(",")))
        changes = [offset.split(":") for offset in offsets[1:]]
        self.since = [int(at) // MINUTE for at, _ in changes]
        self.offset = [int(offsets[0]), *(int(minutes) for _, minutes in changes)]
        self._known: dict[int, bool] = {}

    def off(self, minute: int) -> bool:
        """`minute` counts from 1970, in UTC."""
        found = self._known.get(minute)
        if found is None:
            local = minute + self.offset[bisect_right(self.since, minute)]
            day, clock = divmod(local, 24 * 60)
            found = (day + THURSDAY) % 7 in self.days
            if self.rest is not None and not found:
                begin, end = self.rest
                found = begin <= clock < end if begin < end else clock >= begin or clock < end
            self._known[minute] = found
        return found


@dataclass
class Turn:
    """A seat's turn; `until` when it ended, None while it runs."""

    seat: int
    since: int
    bank: int
    calendar: Calendar
    live: bool
    until: int | None = None
    pauses: list[Span] = field(default_factory=list)
    paused: int | None = None


@dataclass
class Finding:
    """A fault in a record."""

    line: str
    problem: str


class Referee:
    """Reads a record's text once, from its first line to its last. What is wrong stands in `findings`."""

    def __init__(self, text: str) -> None:
        head, _, body = text.partition("\n\n")
        header = dict(line.split(": ", 1) for line in head.splitlines())
        self.started = int(header["started"])
        self.timed = "clock" in header
        self.claimed = header.get("timeout_policy") == "claim"
        self.lines = body.splitlines()
        self.entries = [(int(at), kind, seat, rest) for at, kind, seat, rest in map(_split, self.lines)]
        self.findings: list[Finding] = []
        self.timeouts = 0
        self.turns: list[Turn] = []
        self.credits: list[Span] = []
        if self.timed:
            self._read(Spec(header["clock"]))
        elif not any("adjourn" in line for line in self.lines):
            self._abandoned()

    def _abandoned(self) -> None:
        """Checks a claim without a clock: it comes after thirty days, without the opponent's vacations and the bot's
        absence.
        """
        last, away = 0, ({}, {})
        for number, (at, kind, seat, rest) in enumerate(self.entries):
            if kind in TURNS | {"chance", "accept"}:
                last = at
            elif kind == "away":
                begin, end = map(int, rest.split())
                away[int(seat)][begin] = end
            elif kind == "credit":
                self.credits.append(tuple(map(int, rest.split())))
            elif kind in {"claim", "timeout"}:
                self.timeouts += kind == "timeout"
                late = int(seat) if kind == "timeout" else 1 - int(seat)
                waited = Turn(late, last, 0, Calendar("-"), live=False)
                self.away = away
                if self.charged(waited, at) < 30 * DAY:
                    self._complain(number, "nobody has stayed away so long")
                if kind == "timeout" and at > self.entries[number - 1][0] and self.charged(waited, at - 1) >= 30 * DAY:
                    self._complain(number, "it was told too late")

    def _read(self, spec: Spec) -> None:
        self.spec, self.banks = spec, [spec.bank, spec.bank]
        self.away: list[dict[int, int]] = [{}, {}]
        self.calendars = [Calendar("-"), Calendar("-")]
        self.last: list[Turn | None] = [None, None]
        self.turn: Turn | None = None
        self.overdue = False
        self.paused, self.asked = False, None
        last = 0
        for number, (at, kind, seat, rest) in enumerate(self.entries):
            if at < last:
                self._complain(number, "goes back in time")
            # whose turn it is shows in who plays, or is late, next
            self._begin(number)
            handle = getattr(self, f"_{kind}", None)
            if handle is not None:
                handle(number, at, seat, rest)
            last = max(last, at)

    def _begin(self, number: int) -> None:
        """Begins a turn if the seat to act is another one than before."""
        ahead = (entry for entry in self.entries[number:] if entry[1] in TURNS | {"timeout"})
        following = next(ahead, None)
        if following is None:
            return
        # luck falls in no time, so that a turn begins when the one before ended
        seat = int(following[2])
        if self.turn is None or (self.turn.until is not None and self.turn.seat != seat):
            since = 0 if self.turn is None or self.turn.until is None else self.turn.until
            self.turn = Turn(seat, since, self.banks[seat], self.calendars[seat], self.spec.live)
            self.turn.paused = since if self.paused else None
            self.turns.append(self.turn)
            self.overdue = False
        elif self.turn.until is not None:  # the same seat again: its turn goes on
            if self.paused:
                self.turn.paused = self.turn.until
            self.turn.until = None

    # --- entries -------------------------------------------------------------------------------------------------

    def _play(self, number: int, at: int, seat: str, rest: str) -> None:
        del rest
        turn = self.turn
        assert turn is not None
        if turn.seat != int(seat):
            self._complain(number, "it was the other's turn")
        asked = at - GRACE  # who begins a turn without any time left has the grace all the same
        if asked >= turn.since and self.charged(turn, asked) >= self._allowance(turn) and not self.overdue:
            self._complain(number, "time was up")
        following = next((entry for entry in self.entries[number + 1 :] if entry[1] in TURNS | {"timeout"}), None)
        if turn.paused is not None:
            turn.pauses.append((turn.paused, at))
            turn.paused = at if self.paused else None
        if following is not None and int(following[2]) == turn.seat:
            return
        turn.until, turn.paused = at, None
        self.banks[turn.seat] = self._left(turn, at) + self.spec.added
        self.last[turn.seat] = turn

    _forced = _automatic = _conditional = _play

    def _timeout(self, number: int, at: int, seat: str, rest: str) -> None:
        turn = self.turn
        assert turn is not None
        self.timeouts += 1
        if turn.seat != int(seat) or turn.paused is not None or self.overdue:
            self._complain(number, "that seat had no time that ran")
        expected = self.up(turn) + GRACE
        before = max((entry[0] for entry in self.entries[:number]), default=0)
        if at != max(expected, before):
            self._complain(number, f"time was up at {expected}, the entry before is of {before}")
        if rest not in {"", "uncounted"}:
            self._complain(number, "says something else")
        self.overdue = True

    def _accept(self, number: int, at: int, seat: str, rest: str) -> None:
        del number, seat
        what, _, spec = rest.partition(" ")
        turn = self.turn
        if what == "pause":
            self.paused, self.asked = True, None
            if turn is not None:
                turn.paused = at
        if what == "adjourn":
            self.spec = Spec(spec)
            self.banks = [self.spec.bank, self.spec.bank]
            self.last = [None, None]
            if turn is not None:
                self.turn = Turn(turn.seat, at, self.spec.bank, self.calendars[turn.seat], self.spec.live)
                turn.until = at
                self.turns.append(self.turn)
            self.overdue = self.paused = False

    def _ask_resume(self, number: int, at: int, seat: str, rest: str) -> None:
        del rest
        if not self.paused or self.asked is not None:
            self._complain(number, "there was nothing to ask")
        self.asked = (seat, at)

    def _give(self, number: int, at: int, seat: str, rest: str) -> None:
        del number, at
        self.banks[1 - int(seat)] += length(rest)

    def _resume(self, number: int, at: int, seat: str, rest: str) -> None:
        del rest
        asked, self.paused, self.asked = self.asked, False, None
        if asked is None or seat == asked[0] or (seat == "*" and at < asked[1] + DAY):
            self._complain(number, "nobody has asked, or the day has not passed")
        if self.turn is None or self.turn.paused is None:
            return
        self.turn.pauses.append((self.turn.paused, at))
        self.turn.paused = None

    def _hours(self, number: int, at: int, seat: str, rest: str) -> None:
        del number
        self.calendars[int(seat)] = Calendar(rest)
        if self.turn is not None and self.turn.seat == int(seat) and self.turn.since == at:
            self.turn.calendar = self.calendars[int(seat)]

    def _away(self, number: int, at: int, seat: str, rest: str) -> None:
        del number, at
        begin, end = map(int, rest.split())
        self.away[int(seat)][begin] = end

    def _credit(self, number: int, at: int, seat: str, rest: str) -> None:
        begin, end = map(int, rest.split())
        if seat != "*" or not begin < end <= at:
            self._complain(number, "no time that has passed")
        before = [None if turn is None else self._left(turn, turn.until or 0) for turn in self.last]
        self.credits.append((begin, end))
        for turn, had in zip(self.last, before, strict=True):
            if turn is not None and had is not None:
                self.banks[turn.seat] += self._left(turn, turn.until or 0) - had

    def _complain(self, number: int, problem: str) -> None:
        self.findings.append(Finding(self.lines[number], problem))

    # --- arithmetic ----------------------------------------------------------------------------------------------

    def _allowance(self, turn: Turn) -> int:
        return self.spec.fresh + (self.banks[turn.seat] if turn.until is None else turn.bank)

    def _left(self, turn: Turn, at: int) -> int:
        """Returns the bank that is left if a turn ends at that time, in ms."""
        had = self.banks[turn.seat] if turn.until is None else turn.bank
        turn.bank = had
        return max(0, had - max(0, self.charged(turn, at) - self.spec.fresh))

    def off(self, turn: Turn, until: int) -> list[Span]:
        """Returns all time off within a turn, sorted; it may overlap."""
        spans = [*self.credits, *turn.pauses]
        if not turn.live:
            spans += self.away[turn.seat].items()
        if turn.paused is not None:
            spans.append((turn.paused, until))
        if not turn.calendar.none and not turn.live:
            first, last = (self.started + turn.since) // MINUTE, (self.started + until) // MINUTE
            off = turn.calendar.off
            spans += [
                (minute * MINUTE - self.started, (minute + 1) * MINUTE - self.started)
                for minute in range(first, last + 1)
                if off(minute)
            ]
        clipped = ((max(begin, turn.since), min(end, until)) for begin, end in spans)
        return sorted((begin, end) for begin, end in clipped if begin < end)

    def charged(self, turn: Turn, until: int) -> int:
        """Returns the time of a turn up to `until`, without time off, in ms."""
        if until <= turn.since:
            return 0
        total, reached = until - turn.since, turn.since
        for begin, end in self.off(turn, until):
            total -= max(0, end - max(begin, reached))
            reached = max(reached, end)
        return total

    def up(self, turn: Turn) -> int:
        """Returns the first moment at which a turn has used all its time: never overshot, as no time runs faster than
        time.
        """
        allowance = self._allowance(turn)
        at = turn.since
        while (missing := allowance - self.charged(turn, at)) > 0:
            at += missing
        return at

    def uncovered(self, window: Span) -> list[Span]:
        """Returns the parts of turns within a window that were charged to somebody."""
        found = []
        end_of_game = self.entries[-1][0] if self.entries else 0
        for turn in self.turns:
            until = end_of_game if turn.until is None else turn.until
            begin, end = max(window[0], turn.since), min(window[1], until)
            reached = begin
            for off, on in [*self.off(turn, end), (end, end)] if begin < end else ():
                if off > reached:
                    found.append((reached, off))
                reached = max(reached, on)
        return found


def _split(line: str) -> tuple[str, str, str, str]:
    at, kind, seat, *rest = line.split(" ", 3)
    return at, kind, seat, "".join(rest)
