"""The calendar of a tournament: registration, rounds with their dates, the end."""

from collections.abc import Sequence
from datetime import tzinfo
from functools import partial
from typing import Final, NamedTuple

from bot.clocks.words import stamp
from bot.core.translations import Language
from bot.tournaments.results import round_names
from bot.tournaments.results.pages.page import Page, count_text
from bot.tournaments.results.standing import Progress, progress
from bot.tournaments.results.words import DASH, moment
from bot.tournaments.schedule import break_end
from bot.tournaments.tournament import Status, StoredRound, TournamentSnapshot
from engine.tournament.model import IN_ROUNDS, Format
from render.tournaments import pictures
from render.tournaments.views import CALENDAR_ROWS, CalendarRow, CalendarView, State

ROWS: Final = CALENDAR_ROWS


class Date(NamedTuple):
    """A line of the calendar. Times in ms since 1970; None if unknown."""

    key: str
    """``round``, ``registration``, ``check_in``, ``start``, ``arena``, ``ladder`` or ``end``."""
    state: State
    begins: int | None = None
    ends: int | None = None
    round: int = 0
    progress: Progress | None = None
    lasts: int = 0
    """How long it may last, where its dates are unknown; 0: that is unknown, too."""


def dates(snapshot: TournamentSnapshot, rounds: Sequence[StoredRound], now: int) -> tuple[Date, ...]:
    """Returns all lines, in order of time."""
    tournament, plan = snapshot.tournament, snapshot.tournament.plan
    found = []
    begins = tournament.started if tournament.started is not None else plan.starts
    has_begun = tournament.started is not None
    closes = plan.registration_closes or plan.starts
    if closes is not None or plan.registration_opens is not None:
        state = State.DONE if has_begun or (closes is not None and closes <= now) else State.RUNNING
        opens = plan.registration_opens
        if opens is not None and now < opens:
            state = State.PLANNED
        found.append(Date("registration", state, opens, closes))
    if plan.check_in and plan.starts is not None:
        state = State.DONE if has_begun else State.RUNNING if tournament.status is Status.CHECK_IN else State.PLANNED
        found.append(Date("check_in", state, plan.starts - plan.check_in, plan.starts))
    found.append(Date("start", State.DONE if has_begun else State.PLANNED, begins))
    found += _playing(snapshot, rounds, begins)
    if tournament.ended is not None:
        found.append(Date("end", State.DONE, tournament.ended))
    return tuple(found)


def _playing(snapshot: TournamentSnapshot, rounds: Sequence[StoredRound], begins: int | None) -> list[Date]:
    """Returns the rounds, or the single line of a format without rounds.

    The dates of future rounds assume that each one takes its whole time.
    """
    tournament, plan = snapshot.tournament, snapshot.tournament.plan
    if plan.format not in IN_ROUNDS:
        is_over = tournament.status is Status.OVER
        state = State.DONE if is_over else State.RUNNING if tournament.started is not None else State.PLANNED
        lasts = plan.arena if plan.format is Format.ARENA and begins is not None else None
        ends = tournament.ended if is_over else None if lasts is None or begins is None else begins + lasts
        length = plan.arena if plan.format is Format.ARENA and begins is None else 0
        return [Date(plan.format.value, state, begins, ends, 0, progress(snapshot, 0), length)]
    found = []
    last_end = begins
    for one in sorted(rounds, key=lambda one: one.number):
        done = progress(snapshot, one.number)
        is_done = one.number < tournament.round or done.done == done.total
        state = State.DONE if is_done else State.RUNNING
        ended = [stored.ended for stored in snapshot.pairings if stored.pairing.round == one.number and stored.ended]
        ends = max(ended) if is_done and ended else one.deadline
        found.append(Date("round", state, one.started, ends, one.number, done))
        last_end = ends
    if tournament.status in {Status.OVER, Status.CANCELLED}:
        return found
    for number in range(tournament.round + 1, round_names.last_round(snapshot) + 1):
        starts = last_end if plan.round_length else None
        if starts is not None and number > 1:
            starts += plan.round_break
        if number == tournament.round + 1:
            starts = break_end(snapshot) or starts
        ends = None if starts is None or not plan.round_length else starts + plan.round_length
        found.append(Date("round", State.PLANNED, starts, ends, number, lasts=0 if starts else plan.round_length))
        last_end = ends
    return found


def calendar_page(
    snapshot: TournamentSnapshot,
    shown: Sequence[Date],
    about: str,
    zone: tzinfo,
    say: Language,
    theme: str,
    page: tuple[int, int],
) -> Page:
    title = snapshot.tournament.name
    rows = tuple(
        CalendarRow(
            round_names.of_round(snapshot, date.round, say)
            if date.round
            else say(f"tournament.results.date.{date.key}"),
            _span(_written(date.begins, zone, say), _written(date.ends, zone, say), say),
            date.state,
            _detail(date, say),
            date.progress.done / date.progress.total
            if date.progress and date.progress.total and date.key == "round"
            else None,
        )
        for date in shown
    )
    named = str(zone).replace("_", " ")
    view = CalendarView(title, about, rows, say("tournament.results.empty"), count_text(*page), named, theme)
    words = tuple(_words(date, row, say) for date, row in zip(shown, rows, strict=True))
    alt = tuple(": ".join(filter(None, (row.name, ", ".join(filter(None, (row.dates, row.detail)))))) for row in rows)
    alt = (*alt, named)
    return Page(partial(pictures.calendar, view), "calendar", title, about, words, alt, alt)


def _written(at: int | None, zone: tzinfo, say: Language) -> str | None:
    return None if at is None else moment(at, zone, say)


def _span(begins: str | None, ends: str | None, say: Language) -> str:
    if begins and ends:
        return f"{begins} {DASH} {ends}"
    if ends:
        return say("tournament.results.until", date=ends)
    return begins or ""


def _detail(date: Date, say: Language) -> str:
    if date.progress is None or not date.progress.total:
        return say("tournament.results.lasts", length=say.length(date.lasts)) if date.lasts else ""
    return say("tournament.results.finished", done=date.progress.done, n=date.progress.total)


def _words(date: Date, row: CalendarRow, say: Language) -> str:
    """Returns the line for a message, in which Discord shows times in the reader's time zone."""
    begins, ends = (None if at is None else stamp(at, "f") for at in (date.begins, date.ends))
    state = say(f"tournament.results.state.{date.state}")
    parts = [f"**{row.name}**", _span(begins, ends, say), row.detail, state]
    return " · ".join(filter(None, parts))
