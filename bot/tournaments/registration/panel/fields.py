"""The typed settings of the panel: names, dates, numbers, a time control, ratings."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.challenges.proposal import read_ratings, write_ratings
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.core.texts.quoting import storable, visible
from bot.tournaments.registration.panel.moments import read_length, read_moment, write_length, write_moment
from bot.tournaments.tournament import NAME_LENGTH, Plan, Tournament
from engine.core.errors import RuleError
from engine.core.hours import DAY
from engine.tournament.model import MOST_ENTRANTS

SHOWN: Final = 30
LONGEST_CHECK_IN: Final = 7 * DAY
MARKUP: Final = re.compile(r"[*_~`|<>\[\]\\]+")
"""Markup of Discord, which is removed from names."""
NO_BEGINNING: Final = "#@- "
"""Characters with which no name begins, as they mark headings, lists and mentions."""


@dataclass(frozen=True, slots=True)
class FormContext:
    """The context for reading a text."""

    now: int
    """The time in ms since 1970."""
    zone: str
    """The writer's time zone; empty for UTC."""
    server: Mapping[str, str]
    """The server's preferences."""


@dataclass(frozen=True, slots=True)
class TypedSetting:
    """One field. Its label is the message ``tournament.field.<key>.label``, with a ``hint``."""

    key: str
    page: str
    write: Callable[[Tournament, str], str]
    """Writes the present value as text, in a time zone."""
    read: Callable[[Tournament, str, FormContext], Tournament]
    """Writes the text's value into the tournament. Raises RuleError."""
    longest: int = 40


def _with(tournament: Tournament, **changes: object) -> Tournament:
    return replace(tournament, plan=replace(tournament.plan, **changes))  # type: ignore[arg-type]


def read_name(tournament: Tournament, text: str, _context: FormContext) -> Tournament:
    name = " ".join(MARKUP.sub(" ", visible(storable(text))).split()).lstrip(NO_BEGINNING)
    if not name or len(name) > NAME_LENGTH:
        raise RuleError("tournament.field.bad_name", most=NAME_LENGTH)
    return replace(tournament, name=name)


def _moment(key: str) -> TypedSetting:
    def value(plan: Plan) -> int | None:
        found: int | None = getattr(plan, key)
        return found

    return TypedSetting(
        key,
        "dates",
        lambda tournament, zone: write_moment(value(tournament.plan), zone),
        lambda tournament, text, context: _with(tournament, **{key: read_moment(text, context.now, context.zone)}),
    )


def _read_check_in(tournament: Tournament, text: str, _context: FormContext) -> Tournament:
    return _with(tournament, check_in=read_length(text, LONGEST_CHECK_IN))


def _number(key: str) -> TypedSetting:
    def read(tournament: Tournament, text: str, _context: FormContext) -> Tournament:
        typed = text.strip()
        if not (typed.isdecimal() and len(typed) < 6 and 2 <= int(typed) <= MOST_ENTRANTS):
            raise RuleError("tournament.field.number", text=typed[:SHOWN], least=2, most=MOST_ENTRANTS)
        return _with(tournament, **{key: int(typed)})

    return TypedSetting(key, "players", lambda tournament, _zone: str(getattr(tournament.plan, key)), read, 6)


def _read_clock(tournament: Tournament, text: str, context: FormContext) -> Tournament:
    clock = typed_time.readings(text)[0]
    time_limits.check_limit(context.server, clock)
    return _with(tournament, clock=clock)


def _read_range(tournament: Tournament, text: str, _context: FormContext) -> Tournament:
    low, high = read_ratings(text)
    return _with(tournament, eligibility=replace(tournament.plan.eligibility, lowest=low, highest=high))


def _write_range(tournament: Tournament, _zone: str) -> str:
    wanted = tournament.plan.eligibility
    return write_ratings((wanted.lowest, wanted.highest))


FIELDS: Final = (
    TypedSetting("time", "game", lambda one, _zone: typed_time.value(one.plan.clock), _read_clock),
    TypedSetting("name", "dates", lambda one, _zone: one.name, read_name, NAME_LENGTH),
    _moment("starts"),
    _moment("registration_opens"),
    _moment("registration_closes"),
    _number("capacity"),
    _number("least"),
    TypedSetting("range", "players", _write_range, _read_range, 20),
)


CHECK_IN: Final = TypedSetting(
    "check_in", "dates", lambda one, _zone: write_length(one.plan.check_in), _read_check_in, 20
)
"""The length of the check-in. In the draft's panel it is a menu."""


def fields_of(page: str) -> list[TypedSetting]:
    return [field for field in FIELDS if field.page == page]
