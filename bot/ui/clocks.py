"""Time in words: durations, time controls, a board's two clocks, time off; and time controls as people write them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from bot.i18n import CODES, Language, language, plain
from bot.services import time_controls
from bot.services.seated import Seated
from engine.core.clock import MOST, SECOND, Clock, ClockSpec
from engine.core.errors import RuleError
from engine.core.game import Seat
from engine.core.hours import DAY, HOUR, MINUTE, Hours, Interval

SHORT: Final = (("d", DAY), ("h", HOUR), ("min", MINUTE))
NO_CLOCK: Final = "none"
"""How the lack of a clock is written as an option's value."""
PRESETS: Final = ("", "1d/move", "3d/move", "7d/move", "3d+12h", "10m", "15m", "10m+5s", "10m 5s/move")
LONG: Final = 12 * HOUR
"""A time so long that stands alone is meant for each move, if nothing else is said."""
MOST_MINUTES: Final = 180
MOST_DAYS: Final = 30
"""Bare numbers up to these may be minutes each, or days a move."""

WEEK: Final = "w"
"""Stands for seven days where a time is read, and nowhere else."""
MOST_WEEKS: Final = 99
"""So many are read, that it can be said why they are too many."""

UTC: Final = "UTC"
"""Stands behind the hours of who has chosen no time zone."""
OPTION_LENGTH: Final = 100
TYPED_LENGTH: Final = 16
"""So much of what was typed is repeated in a line of at most OPTION_LENGTH."""

# --- durations and time controls -------------------------------------------------------------------------------------


def length(milliseconds: int, say: Language, *, parts: int = 2) -> str:
    """``3 days``, ``1 hour and 30 minutes``: its largest units, at most ``parts`` of them."""
    return say.length(milliseconds, parts=parts)


def short(milliseconds: int, say: Language) -> str:
    """``2 d 4 h``, ``4 h 10 min``, ``9 min``, ``< 1 min``: as it stands on a board's frame.

    Rounded up to the smaller unit that is shown: soon after a turn of 3 days began, there are still ``3 d``.
    """
    if milliseconds >= MINUTE:
        milliseconds = -(-milliseconds // MINUTE) * MINUTE
    if milliseconds >= DAY:
        milliseconds = -(-milliseconds // HOUR) * HOUR
    counts = []
    for unit, size in SHORT:
        count, milliseconds = divmod(milliseconds, size)
        counts.append((count, say(f"length.short.{unit}")))
    while len(counts) > 1 and not counts[0][0]:
        counts.pop(0)
    told = [f"{count} {unit}" for count, unit in counts[:2] if count]
    return " ".join(told) or f"< 1 {counts[-1][1]}"


def control(text: str, say: Language) -> str:
    """A time control in words: ``3 days for each move``, ``10 minutes each, +5 seconds a move``; "" is no clock."""
    if not text:
        return say("control.none")
    spec = ClockSpec.parse(text)
    given = {name: getattr(spec, name) for name in ("bank", "per_turn", "increment") if getattr(spec, name)}
    parts = {name: length(value, say, parts=4) for name, value in given.items()}
    return say(f"control.{'_'.join(parts)}", **parts)


# --- time controls as people write them ------------------------------------------------------------------------------


@cache
def _words() -> dict[str, str]:
    """What each word, in any language, means in a time control; "" where it only fills."""
    found: dict[str, str] = {}
    for sign, key in (
        (WEEK, "write.week"),
        ("d", "write.day"),
        ("h", "write.hour"),
        ("m", "write.minute"),
        ("s", "write.second"),
        ("/move", "write.move"),
        ("delay", "write.delay"),
        ("+", "write.plus"),
        ("1", "write.one"),
        ("", "write.filler"),
        (NO_CLOCK, "write.none"),
    ):
        for code in CODES:
            found |= dict.fromkeys((plain(word) for word in language(code)(key).split(", ")), sign)
    return found


def _tokens(text: str) -> str:
    """The text in durations, bare numbers, ``+``, ``/move`` and ``delay``, with a space between. Raises RuleError."""
    tokens: list[str] = []
    for piece in re.findall(r"\d+|[^\W\d_]+|\S", plain(text)):
        sign = piece if piece.isdecimal() else _words().get(piece)
        if sign is None:
            raise RuleError("clock.text", text=text)
        if len(sign) == 1 and sign in "wdhms":
            if not tokens or not tokens[-1].isdecimal():
                raise RuleError("clock.text", text=text)
            tokens[-1] += sign
        elif sign:
            tokens.append(sign)
    return re.sub(r"\b(\d+)w(?: (\d{1,2})d)?\b", _in_days, " ".join(tokens))


def _in_days(weeks: re.Match[str]) -> str:
    """``14d`` for ``2w``, ``10d`` for ``1w 3d``."""
    count = min(int(weeks[1][:3]), MOST_WEEKS)
    return f"{7 * count + int(weeks[2] or 0)}d"


def _signed(text: str) -> str:
    """The text with ``/move`` for what a move is called after a stroke, in any language."""
    return re.sub(r"/ *([^\W\d_]+)", lambda word: "/move" if _words().get(word[1]) == "/move" else word[0], plain(text))


def _offered(text: str) -> Iterator[tuple[str, ...]]:
    """The parts that a text of tokens may stand for: bank, per_turn, increment, the likeliest first."""
    time = r"\d+[dhms](?: \d+[dhms])*"
    if found := re.fullmatch(time, text):
        pieces = text.split()
        whole = ("", text, ""), (text, "", "")
        if _bank(text) > MOST["per_turn"]:  # no move may take so long: it can only be the whole game
            yield whole[1]
        else:
            yield from whole if _long(text) else whole[::-1]
        if len(pieces) > 1:
            yield " ".join(pieces[:-1]), pieces[-1], ""
    elif found := re.fullmatch(rf"({time}) /move", text):
        *first, last = found[1].split()
        yield "", found[1], ""
        if first:
            yield " ".join(first), last, ""
    elif found := re.fullmatch(rf"({time}) (?:\+ )?(\d+)([dhms]?) (?:delay|delay /move|/move delay)", text):
        yield found[1], found[2] + (found[3] or "s"), ""
    elif found := re.fullmatch(rf"({time}) \+ ({time})(?: /move)?", text):
        yield found[1], "", found[2]
        yield found[1], found[2], ""
    elif found := re.fullmatch(rf"({time}) \+ (\d+)(?: /move)?", text):
        unit = "h" if _long(found[1]) else "s"
        yield found[1], "", found[2] + unit
        yield found[1], found[2] + unit, ""
    elif found := re.fullmatch(r"(\d{1,3}) \+ (\d{1,4})(?: /move)?", text):
        yield f"{found[1]}m", "", f"{found[2]}s"
        yield f"{found[1]}m", f"{found[2]}s", ""
    elif found := re.fullmatch(r"(\d{1,3})( /move)?", text):
        if not found[2] and int(found[1]) <= MOST_MINUTES:
            yield f"{found[1]}m", "", ""
        if int(found[1]) <= MOST_DAYS:
            yield "", f"{found[1]}d", ""


def _long(time: str) -> bool:
    return _bank(time) >= LONG


def _bank(time: str) -> int:
    """The ms of a time that stands for a whole game. Raises RuleError."""
    return ClockSpec.parse(time.replace(" ", "")).bank


def readings(text: str) -> list[str]:
    """The time controls that a text may mean, canonical ("" for none), the likeliest first. Raises RuleError.

    A whole game in 3 days is rarely meant by ``3d``: that is 3 days a move first (see ``value``).
    """
    found: list[str] = []
    problem = RuleError("clock.text", text=text)
    tokens = _tokens(text)
    if set(tokens.split()) in ({NO_CLOCK}, {"0"}):
        return [""]
    try:
        spec = ClockSpec.parse(_signed(text))
    except RuleError as error:
        problem = error if error.key != problem.key else problem
    else:
        if spec.per_turn or "+" in text or spec.bank < LONG:
            found.append(str(spec))
    try:
        offered = list(_offered(tokens))
    except RuleError as error:
        offered, problem = [], error
    for parts in offered:
        bank, per_turn, increment = (part.replace(" ", "") for part in parts)
        written = f"{bank}{'+' if increment else ''}{increment}{f' {per_turn}/move' if per_turn else ''}"
        try:
            found.append(str(ClockSpec.parse(written)))
        except RuleError as error:
            problem = error if error.key != problem.key else problem
            if not found:  # what is most likely meant is not allowed: to take it for something else would mislead
                raise problem from error
    if not found:
        raise problem
    return list(dict.fromkeys(found))


def value(text: str) -> str:
    """A canonical time control as a text of which it is the first reading."""
    if not text:
        return NO_CLOCK
    spec = ClockSpec.parse(text)
    return f"{text}+0s" if spec.bank >= LONG and not (spec.per_turn or spec.increment) else text


def suggested(typed: str, usual: str, say: Language) -> list[tuple[str, str]]:
    """What the option of a time control offers: (in words, value). ``usual`` is what holds if nothing is said."""
    try:
        meant = readings(typed) if typed.strip() else [usual]
    except RuleError:
        meant = []
    rows = {text: control(text, say) for text in dict.fromkeys([*meant, *PRESETS])}
    if usual in rows:
        rows[usual] = say("control.usual", control=rows[usual])
    wanted = plain(typed)
    return [(name, value(text)) for text, name in rows.items() if text in meant or wanted in plain(name)]


def unfit(typed: str, server: Mapping[str, str], say: Language) -> list[tuple[str, str]]:
    """What the option offers where nothing fits: a line that says why, and stands for what was typed.

    ``server``: the preferences of the server, which may have a limit.
    """
    text = typed.strip()
    shown = text[:TYPED_LENGTH]
    if not text:
        return []
    try:
        time_controls.allowed(server, readings(text)[0])
    except RuleError as error:
        if error.key == "clock.text":
            told = say("option.time.unread", text=shown)
        elif error.key == "clock.range":
            told = say("option.time.range", text=shown, limit=say.error(error))
        elif error.key == "control.needed":
            told = say.error(error)
        else:
            told = say("option.time.too_long", text=shown, n=int(server["longest"]))
        return [(told, text[:OPTION_LENGTH])]
    return []


# --- moments ---------------------------------------------------------------------------------------------------------


def stamp(milliseconds: int, style: str) -> str:
    """A moment, in ms since 1970, that Discord shows in the reader's own time: ``R`` relative, ``f`` with its date."""
    return f"<t:{milliseconds // 1000}:{style}>"


def present(seated: Seated) -> int:
    """The time of the last entry, in ms since the game's start."""
    entries = seated.table.record.entries
    return entries[-1].at if entries else 0


def due(seated: Seated) -> int | None:
    """When the time of whoever is to act is used up, in ms since 1970; None while no time runs out."""
    deadline = seated.table.deadline
    return None if deadline is None else seated.table.record.header.started + deadline


def stands(clock: Clock, at: int) -> bool:
    """Whether the clock that runs stands at ``at`` because of time off: rest, a day off, a vacation."""
    seat = clock.running
    return seat is not None and 0 < clock.left(seat, at) == clock.left(seat, at + SECOND)


def lines(seated: Seated, say: Language) -> list[str]:
    """A board's two clocks: until when the one to act has time, and what the other has, where that is not always so."""
    table, clock = seated.table, seated.table.clock
    if clock is None or table.outcome is not None:
        return []
    at, started = present(seated), table.record.header.started
    if table.paused:
        both = [say("time.has", player=_player(seated, seat), left=_left(clock, seat, at, say)) for seat in (0, 1)]
        return [say("time.paused", first=both[0], second=both[1])]
    if table.overdue is not None:
        waiting = _player(seated, 1 - table.overdue)
        return [say("time.overdue", player=_player(seated, table.overdue), other=waiting)]
    running, deadline = clock.running, clock.deadline
    if running is None or deadline is None:
        return []
    moment, other = started + deadline, 1 - running
    asked = running if table.offer is None else 1 - table.offer.seat
    key = "time.until" if asked == running else "time.theirs"
    told = [say(key, player=_player(seated, running), relative=stamp(moment, "R"), date=stamp(moment, "f"))]
    if off := time_off(clock):
        told[0] = say("time.included", line=told[0], off=say.listed(say(f"time.off.{kind}") for kind in off))
    if clock.spec.bank or clock.spec.increment:  # else everybody has the same for each turn
        told.append(say("time.then", player=_player(seated, other), left=_left(clock, other, at, say)))
    return [*told, *_vacations(seated, clock, max(at, deadline), say)]


def _vacations(seated: Seated, clock: Clock, until: int, say: Language) -> Iterator[str]:
    """The vacations of both that are not over and begin before ``until``: a clock that stands says why."""
    started, at = clock.started, present(seated)
    for seat, away in enumerate(() if clock.spec.live else clock.away):
        for begin, end in away:
            if at < end and begin < until:
                yield _vacation(_player(seated, seat), (started + begin, started + end), say)


def time_off(clock: Clock) -> list[str]:
    """Which time off makes the deadline later than what the turn has left would: ``rest``, ``days``, ``vacation``."""
    turn, deadline = clock.turn, clock.deadline
    if turn is None or deadline is None or clock.spec.live:
        return []
    hours, began, ends = turn.hours, clock.started + turn.since, clock.started + deadline
    kinds = {"rest": Hours(hours.rest, (), hours.offsets), "days": Hours(None, hours.weekend, hours.offsets)}
    found = [kind for kind, off in kinds.items() if _within(off.intervals(began), began, ends)]
    return found + (["vacation"] if _within(clock.away[turn.seat], turn.since, deadline) else [])


def _within(intervals: Iterable[Interval], begin: int, end: int) -> bool:
    """Whether the first of these rising intervals that ends after ``begin`` begins before ``end``."""
    return next((since < end for since, until in intervals if until > begin), False)


class Frame(NamedTuple):
    """Both clocks as a picture's frame shows them, by seat."""

    left: tuple[str, str] = ("", "")
    stopped: tuple[bool, bool] = (False, False)
    """Whose clock is marked as standing: the one that would run does because of time off, or both in a pause."""


def frame(seated: Seated, say: Language, at: int | None = None) -> Frame:
    """What each seat has left, for the picture's frame; nothing without a clock or when the game is over."""
    clock = seated.table.clock
    if clock is None or seated.table.outcome is not None:
        return Frame()
    moment = present(seated) if at is None else max(at, present(seated))
    first, second = (short(clock.left(seat, moment), say) for seat in (0, 1))
    paused, still = seated.table.paused, stands(clock, moment)
    return Frame((first, second), (paused or (still and clock.running == 0), paused or (still and clock.running == 1)))


def _left(clock: Clock, seat: Seat, at: int, say: Language) -> str:
    return length(clock.left(seat, at), say)


def _player(seated: Seated, seat: Seat) -> str:
    return f"<@{seated.players[seat]}>"


# --- time off --------------------------------------------------------------------------------------------------------


def standing_hours(rest: str, weekend: str, zone: str, say: Language) -> str:
    """When the reader's own clocks stand, by the settings of that name."""
    if not rest and weekend == "none":
        return say("off.never")
    begin, _, end = rest.partition("-")
    end = end if zone else f"{end} {UTC}"
    if weekend == "none":
        return say("off.rest", begin=begin, end=end)
    days = say(f"off.days.{weekend}")
    return say("off.both", begin=begin, end=end, days=days) if rest else say("off.weekend", days=days)


def next_rest(hours: Hours, now: int) -> Interval | None:
    """The next daily rest that begins after ``now``, all in ms since 1970; None without one."""
    if hours.rest is None:
        return None
    begin = end = 0
    for opens, closes in Hours(hours.rest, (), hours.offsets).intervals(now):
        if opens == end:  # past midnight
            end = closes
        elif begin > now:
            break
        else:
            begin, end = opens, closes
    return begin, end


def off_lines(
    player: str, hours: Hours, weekend: str, vacations: Sequence[Interval], now: int, say: Language
) -> list[str]:
    """When somebody's clocks stand, in the reader's own time: for who is about to play them."""
    told, rest = [], next_rest(hours, now)
    days = say(f"off.days.{weekend}") if hours.weekend else ""
    if rest is not None:
        begin, end = (stamp(moment, "t") for moment in rest)
        key = "off.their_both" if days else "off.their_rest"
        told.append(say(key, player=player, begin=begin, end=end, days=days))
    elif days:
        told.append(say("off.their_days", player=player, days=days))
    told += [_vacation(player, interval, say) for interval in vacations]
    return told


def _vacation(player: str, vacation: Interval, say: Language) -> str:
    since, until = vacation
    return say("off.their_vacation", player=player, since=stamp(since, "D"), until=stamp(until, "D"))


def least(moments: Iterable[int | None]) -> int | None:
    """The earliest of these moments; None where there is none."""
    return min((moment for moment in moments if moment is not None), default=None)
