"""Time in words: durations, time controls, the two clocks of a board, time off."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.players.mentions import mention
from engine.core.clock import SECOND, Clock, TimeControl
from engine.core.game import Seat
from engine.core.hours import DAY, HOUR, MINUTE, Hours, Interval
from engine.core.record import Entry
from engine.core.timekeeping import interval

SHORT: Final = (("d", DAY), ("h", HOUR), ("min", MINUTE))
MOST_VACATIONS: Final = 3
"""The most vacations of a player that a message names."""
UTC: Final = "UTC"
"""The text after the hours of a user who has chosen no time zone."""

# --- durations and time controls -------------------------------------------------------------------------------------


def length(milliseconds: int, say: Language, *, parts: int = 2) -> str:
    """Formats a duration: ``3 days``, ``1 hour and 30 minutes``. Only the largest ``parts`` units are named."""
    return say.length(milliseconds, parts=parts)


def short(milliseconds: int, say: Language) -> str:
    """Formats a duration for a board's frame: ``2 d 4 h``, ``4 h 10 min``, ``9:59``.

    From an hour on, it is rounded up to the smaller unit shown: just after a turn of 3 days begins, it still says ``3
    d``. Below an hour, it has minutes and seconds, rounded down.
    """
    if milliseconds < HOUR:
        minutes, seconds = divmod(max(milliseconds, 0) // SECOND, 60)
        return f"{minutes}:{seconds:02}"
    milliseconds = -(-milliseconds // MINUTE) * MINUTE
    if milliseconds >= DAY:
        milliseconds = -(-milliseconds // HOUR) * HOUR
    counts = []
    for unit, size in SHORT:
        count, milliseconds = divmod(milliseconds, size)
        counts.append((count, say(f"length.short.{unit}")))
    while len(counts) > 1 and not counts[0][0]:
        counts.pop(0)
    return " ".join(f"{count} {unit}" for count, unit in counts[:2] if count)


def control(text: str, say: Language) -> str:
    """Describes a time control: ``3 days for each move``, ``10 minutes each, +5 seconds a move``; "" is no clock."""
    if not text:
        return say("control.none")
    spec = TimeControl.parse(text)
    given = {name: getattr(spec, name) for name in ("bank", "per_turn", "increment") if getattr(spec, name)}
    parts = {name: length(value, say, parts=4) for name, value in given.items()}
    return say(f"control.{'_'.join(parts)}", **parts)


# --- moments ---------------------------------------------------------------------------------------------------------


def stamp(milliseconds: int, style: str) -> str:
    """Writes a Discord timestamp of a moment (ms since 1970), which each reader sees in their own time zone.

    Styles (Discord's documentation): ``R`` relative, ``f`` date and time, ``t`` time, ``D`` date.
    """
    return f"<t:{milliseconds // 1000}:{style}>"


def present(live: LiveGame) -> int:
    """Returns the time of the last entry, in ms since the game's start."""
    entries = live.entries
    return entries[-1].at if entries else 0


def due(live: LiveGame) -> int | None:
    """Returns the moment at which the time of the player to act ends, in ms since 1970; None while no clock runs."""
    deadline = live.table.deadline
    return None if deadline is None else live.started + deadline


def is_stopped(clock: Clock, at: int) -> bool:
    """Returns whether time off stops the clock of the player to act at ``at``: rest hours, a day off, a vacation."""
    seat = clock.running
    return seat is not None and 0 < clock.left(seat, at) == clock.left(seat, at + SECOND)


def lines(live: LiveGame, say: Language, now: int = 0) -> list[str]:
    """Returns the lines about a board's clocks: the deadline of the player to act, and the opponent's time if it
    varies.

    ``now`` is in ms since 1970; without it, the time of the last entry counts. Vacations that are over by then are left
    out.
    """
    table, clock = live.table, live.clock
    since = max(present(live), now - live.started)
    if table.outcome is not None:
        return []
    if table.overdue is not None:
        late, waiting = _player(live, table.overdue, say), _player(live, 1 - table.overdue, say)
        if clock is None:
            return [say("time.absent", other=waiting)]
        return [say("time.overdue", player=late, other=waiting)]
    if clock is None:
        return list(_vacations(live, table.vacations, since, say))
    at, started = present(live), table.record.header.started
    if table.paused:
        return _paused(live, clock, at, say)
    running, deadline = clock.running, clock.deadline
    if running is None or deadline is None:
        return []
    moment, other = started + deadline, 1 - running
    awaited = running if table.offer is None else 1 - table.offer.seat
    key = "time.until" if awaited == running else "time.theirs"
    shown = [say(key, player=_player(live, running, say), relative=stamp(moment, "R"), date=stamp(moment, "f"))]
    if off := time_off(clock):
        shown[0] = say("time.included", line=shown[0], off=say.listed(say(f"time.off.{kind}") for kind in off))
    known = control(str(clock.spec), say)
    if clock.spec.bank or clock.spec.increment or any(clock.banks):  # otherwise both have the same for each turn
        left = _left(clock, other, at, say)
        shown.append(say("time.control_then", control=known, player=_player(live, other, say), left=left))
    else:
        shown.append(say("time.control", control=known))
    return [*shown, *([] if clock.spec.live else _vacations(live, clock.away, since, say))]


def _paused(live: LiveGame, clock: Clock, at: int, say: Language) -> list[str]:
    """Returns the lines of a paused game: the time left of both players, and the request to go on."""
    both = [say("time.has", player=_player(live, seat, say), left=_left(clock, seat, at, say)) for seat in (0, 1)]
    shown = [say("time.paused", first=both[0], second=both[1])]
    if live.resuming is not None:
        begins = stamp(live.started + live.resuming.at, "R")
        shown.append(say("time.resuming", player=_player(live, live.resuming.seat, say), relative=begins))
    return [*shown, say("time.control", control=control(str(clock.spec), say))]


def _vacations(live: LiveGame, vacations: Sequence[Sequence[Interval]], at: int, say: Language) -> Iterator[str]:
    """Yields the lines of each player's next ``vacations`` that are not over ``at`` ms after the start, MOST_VACATIONS
    each.
    """
    started = live.started
    for seat, away in enumerate(vacations):
        coming = [(begin, end) for begin, end in away if at < end]
        for begin, end in coming[:MOST_VACATIONS]:
            yield _vacation(_player(live, seat, say), (started + begin, started + end), say)


def vacation_line(live: LiveGame, entry: Entry, say: Language) -> str:
    """Returns the line of ``lines`` that shows the vacation of this entry, while it is not over."""
    begin, end = (live.started + moment for moment in interval(entry.body))
    return _vacation(_player(live, entry.seat, say), (begin, end), say)


def time_off(clock: Clock) -> list[str]:
    """Returns the kinds of time off that move the deadline of the present turn: ``rest``, ``days``, ``vacation``."""
    turn, deadline = clock.turn, clock.deadline
    if turn is None or deadline is None or clock.spec.live:
        return []
    hours, began, ends = turn.hours, clock.started + turn.since, clock.started + deadline
    kinds = {"rest": Hours(hours.rest, (), hours.offsets), "days": Hours(None, hours.weekend, hours.offsets)}
    found = [kind for kind, off in kinds.items() if _within(off.intervals(began), began, ends)]
    return found + (["vacation"] if _within(clock.away[turn.seat], turn.since, deadline) else [])


def _within(intervals: Iterable[Interval], begin: int, end: int) -> bool:
    """Returns whether any of these sorted intervals overlaps the time from ``begin`` to ``end``."""
    return next((since < end for since, until in intervals if until > begin), False)


class Frame(NamedTuple):
    """Both clocks in the frame of a picture, by seat."""

    left: tuple[str, str] = ("", "")
    stopped: tuple[bool, bool] = (False, False)
    """The seats whose clock is marked as stopped: the player to act by time off, or both by a pause."""


def frame(live: LiveGame, say: Language, at: int | None = None) -> Frame:
    """Returns the time that each seat has left, for the picture's frame. Empty without a clock, and after the end."""
    clock = live.clock
    if clock is None or live.is_over:
        return Frame()
    moment = present(live) if at is None else max(at, present(live))
    first, second = (short(clock.left(seat, moment), say) for seat in (0, 1))
    paused, still = live.paused, is_stopped(clock, moment)
    return Frame((first, second), (paused or (still and clock.running == 0), paused or (still and clock.running == 1)))


def _left(clock: Clock, seat: Seat, at: int, say: Language) -> str:
    left = clock.left(seat, at)
    return short(left, say) if left < HOUR else length(left, say)


def _player(live: LiveGame, seat: Seat, say: Language) -> str:
    return mention(live.players[seat], say)


# --- time off --------------------------------------------------------------------------------------------------------


def rest_hours_line(rest: str, weekend: str, zone: str, say: Language) -> str:
    """Describes the reader's own time off, by the preferences ``rest``, ``weekend`` and ``zone``."""
    if not rest and weekend == "none":
        return say("off.never")
    begin, _, end = rest.partition("-")
    end = end if zone else f"{end} {UTC}"
    if weekend == "none":
        return say("off.rest", begin=begin, end=end)
    days = say(f"off.days.{weekend}")
    return say("off.both", begin=begin, end=end, days=days) if rest else say("off.weekend", days=days)


def next_rest(hours: Hours, now: int) -> Interval | None:
    """Returns the next rest hours that begin after ``now``, in ms since 1970; None without rest hours."""
    if hours.rest is None:
        return None
    begin = end = 0
    for opens, closes in Hours(hours.rest, (), hours.offsets).intervals(now):
        if opens == end:  # continues past midnight
            end = closes
        elif begin > now:
            break
        else:
            begin, end = opens, closes
    return begin, end


def off_lines(
    player: str, hours: Hours, weekend: str, vacations: Sequence[Interval], now: int, say: Language
) -> list[str]:
    """Describes a player's time off, in the reader's own time zone, for a prospective opponent."""
    shown, rest = [], next_rest(hours, now)
    days = say(f"off.days.{weekend}") if hours.weekend else ""
    if rest is not None:
        begin, end = (stamp(moment, "t") for moment in rest)
        key = "off.their_both" if days else "off.their_rest"
        shown.append(say(key, player=player, begin=begin, end=end, days=days))
    elif days:
        shown.append(say("off.their_days", player=player, days=days))
    shown += [_vacation(player, interval, say) for interval in vacations[:MOST_VACATIONS]]
    return shown


def _vacation(player: str, vacation: Interval, say: Language) -> str:
    since, until = vacation
    return say("off.their_vacation", player=player, since=stamp(since, "D"), until=stamp(until, "D"))


def least(moments: Iterable[int | None]) -> int | None:
    return min((moment for moment in moments if moment is not None), default=None)
