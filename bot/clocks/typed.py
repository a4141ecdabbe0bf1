"""Time controls as people write them: what a text may mean, and what is offered while they type."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from bot.clocks import limits as time_limits
from bot.clocks.words import control
from bot.core.translations import CODES, Language, language, plain
from engine.core.clock import MOST, TimeControl
from engine.core.errors import RuleError
from engine.core.hours import HOUR

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
OPTION_LENGTH: Final = 100
TYPED_LENGTH: Final = 16
"""So much of what was typed is repeated in a line of at most OPTION_LENGTH."""


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
    return TimeControl.parse(time.replace(" ", "")).bank


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
        spec = TimeControl.parse(_signed(text))
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
            found.append(str(TimeControl.parse(written)))
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
    spec = TimeControl.parse(text)
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
        time_limits.allowed(server, readings(text)[0])
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
