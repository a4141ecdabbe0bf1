"""Time controls as users type them: the readings of a text, and suggestions while they type."""

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
"""The value of the option for a game without a clock."""
PRESETS: Final = ("", "1d/move", "3d/move", "7d/move", "3d+12h", "10m", "15m", "10m+5s", "10m 5s/move")
LONG: Final = 12 * HOUR
"""The shortest single duration that is first read as time per move. A shorter one is read as the whole game."""
MOST_MINUTES: Final = 180
MOST_DAYS: Final = 30
"""The highest bare number that can be days per move. Up to MOST_MINUTES it can be minutes for the game."""
WEEK: Final = "w"
"""The days of a week. Only this module reads weeks; canonical texts have none."""
HALF: Final = "half"
HALVES: Final = {WEEK: "84h", "d": "12h", "h": "30m", "m": "30s", "s": "0s"}
"""Half of each unit of time."""
BY_POST: Final = "correspondence"
CORRESPONDENCE: Final = ("3d/move", "1d/move", "7d/move")
"""The time controls that "correspondence" alone can mean, the most usual first."""
MOST_WEEKS: Final = 99
"""The most weeks that are read. More are read as this many, enough for the error that it is too long."""
OPTION_LENGTH: Final = 100
QUOTED: Final = 60
"""The most characters of a text that an error quotes."""


@cache
def _words() -> dict[str, str]:
    """Returns the token for each word, in any language; "" for a filler word."""
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
        (HALF, "write.half"),
        (NO_CLOCK, "write.none"),
        (BY_POST, "write.correspondence"),
    ):
        for code in CODES:
            found |= dict.fromkeys((plain(word) for word in language(code)(key).split(", ")), sign)
    return found


def _tokens(text: str) -> str:
    """Returns the tokens of a text, with spaces between: durations, numbers, ``+``, ``/move``, ``delay``. Raises
    RuleError.
    """
    tokens: list[str] = []
    half = False
    for piece in re.findall(r"\d+|[^\W\d_]+|\S", plain(text)):
        sign = piece if piece.isdecimal() else _words().get(piece)
        if sign is None:
            raise _unread(text)
        if half and sign in HALVES:  # "half a day"
            tokens.append(HALVES[sign])
            half = False
        elif len(sign) == 1 and sign in HALVES:
            if not tokens or not tokens[-1].isdecimal():
                raise _unread(text)
            tokens[-1] += sign
        elif sign == HALF:
            half = True
        elif sign and not (half and sign == "1"):  # "half an hour"
            tokens.append(sign)
    if half:  # "an hour and a half"
        unit = tokens[-1][-1] if tokens else ""
        if unit not in HALVES:
            raise _unread(text)
        tokens.append(HALVES[unit])
    return re.sub(r"\b(\d+)w(?: (\d{1,2})d)?\b", _in_days, " ".join(tokens))


def _unread(text: str) -> RuleError:
    shown = text.strip()
    return RuleError("clock.text", text=shown if len(shown) <= QUOTED else f"{shown[:QUOTED]}\u2026")


def _in_days(weeks: re.Match[str]) -> str:
    """Converts weeks to days: ``14d`` for ``2w``, ``10d`` for ``1w 3d``."""
    count = min(int(weeks[1][:3]), MOST_WEEKS)
    return f"{7 * count + int(weeks[2] or 0)}d"


def _with_move_token(text: str) -> str:
    """Replaces a slash and the word for a move, in any language, by ``/move``."""
    return re.sub(r"/ *([^\W\d_]+)", lambda word: "/move" if _words().get(word[1]) == "/move" else word[0], plain(text))


def _interpretations(text: str) -> Iterator[tuple[str, ...]]:
    """Yields the possible (bank, per_turn, increment) of a text of tokens, the most likely first."""
    time = r"\d+[dhms](?: \d+[dhms])*"
    if found := re.fullmatch(time, text):
        pieces = text.split()
        whole = ("", text, ""), (text, "", "")
        if _bank(text) > MOST["per_turn"]:  # too long for one move, so it is the time of the whole game
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
    """Returns a duration in ms. Raises RuleError."""
    return TimeControl.parse(time.replace(" ", "")).bank


def readings(text: str) -> list[str]:
    """Returns the possible time controls of a text, canonical ("" for none), the most likely first. Raises RuleError.

    ``3d`` seldom means a whole game in 3 days, so it is first read as 3 days per move (see ``value``).
    """
    found: list[str] = []
    problem = _unread(text)
    tokens = _tokens(text)
    if set(tokens.split()) in ({NO_CLOCK}, {"0"}):
        return [""]
    if tokens == BY_POST:
        return list(CORRESPONDENCE)
    try:
        spec = TimeControl.parse(_with_move_token(text))
    except RuleError as error:
        problem = error if error.key != problem.key else problem
    else:
        if spec.per_turn or "+" in text or spec.bank < LONG:
            found.append(str(spec))
    try:
        interpretations = list(_interpretations(tokens))
    except RuleError as error:
        interpretations, problem = [], error
    for parts in interpretations:
        bank, per_turn, increment = (part.replace(" ", "") for part in parts)
        written = f"{bank}{'+' if increment else ''}{increment}{f' {per_turn}/move' if per_turn else ''}"
        try:
            found.append(str(TimeControl.parse(written)))
        except RuleError as error:
            problem = error if error.key != problem.key else problem
            if not found:  # the most likely meaning is not allowed; a less likely one would mislead
                raise problem from error
    if not found:
        raise problem
    return list(dict.fromkeys(found))


def value(text: str) -> str:
    """Writes a text whose first reading is this canonical time control."""
    if not text:
        return NO_CLOCK
    spec = TimeControl.parse(text)
    return f"{text}+0s" if spec.bank >= LONG and not (spec.per_turn or spec.increment) else text


def suggested(typed: str, default: str, say: Language) -> list[tuple[str, str]]:
    """Returns the suggestions while a user types a time control, each in words and as its value. The ``default`` one is
    marked.
    """
    try:
        matches = readings(typed) if typed.strip() else [default]
    except RuleError:
        matches = []
    rows = {text: control(text, say) for text in dict.fromkeys([*matches, *PRESETS])}
    if default in rows:
        rows[default] = say("control.usual", control=rows[default])
    query = plain(typed)
    return [(name, value(text)) for text, name in rows.items() if text in matches or query in plain(name)]


def explain_unfit(typed: str, server: Mapping[str, str], say: Language) -> list[tuple[str, str]]:
    """Returns the only suggestion when nothing fits; [] if the text is fine. It says why, and its value is the typed
    text.

    ``server`` has the preferences of the server, which may have a limit.
    """
    text = typed.strip()
    if not text:
        return []
    try:
        time_limits.check_limit(server, readings(text)[0])
    except RuleError as error:
        if error.key == "clock.text":
            reason = say("option.time.unread")
        elif error.key == "clock.range":
            reason = say("option.time.range", limit=say.error(error))
        elif error.key == "control.needed":
            reason = say.error(error)
        else:
            reason = say("option.time.too_long", n=int(server["longest"]))
        return [(reason, text[:OPTION_LENGTH])]
    return []
