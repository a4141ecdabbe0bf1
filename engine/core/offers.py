"""Offers and their answers: a draw, a takeback, a pause, another clock, a resignation for less."""

from typing import Final

from engine.core.clock import TimeControl
from engine.core.errors import Refused
from engine.core.game import DRAW_POINTS, A, Outcome, S, win
from engine.core.progress import Offer, Progress
from engine.core.record import Entry, read_number
from engine.core.takeback import TAKEBACK, apply_takeback
from engine.core.timekeeping import adjourn, pause, require_another_clock, require_pause

DRAW: Final = "draw"
RESIGN: Final = "resign"
PAUSE: Final = "pause"
ADJOURN: Final = "adjourn"
MATCH: Final = "match"
"""After the points of a resignation: the whole match is resigned."""


def canonical(what: str) -> str:
    """Writes an offer in canonical notation. Raises RuleError for an unreadable clock."""
    name, _, rest = what.partition(" ")
    return f"{name} {TimeControl.parse(rest)}" if name == ADJOURN else what


def offer(progress: Progress[S, A], entry: Entry) -> None:
    what, _, rest = entry.body.partition(" ")
    if what == PAUSE:
        require_pause(progress)
    elif what == ADJOURN:
        require_another_clock(progress, TimeControl.parse(rest))
    elif what == RESIGN:
        if _points(rest) not in progress.game.resign_values(progress.state, entry.seat)[:-1]:
            raise Refused("table.bad_entry", body=entry.body)
    elif what not in {DRAW, TAKEBACK}:
        raise Refused("table.bad_entry", body=entry.body)
    progress.offer = Offer(entry.seat, entry.body)


def decline(progress: Progress[S, A], _: Entry) -> None:
    progress.offer = None


def withdraw(progress: Progress[S, A], entry: Entry) -> None:
    if progress.offer != Offer(entry.seat, entry.body):
        raise Refused("table.no_offer")
    progress.offer = None


def accept(progress: Progress[S, A], entry: Entry) -> None:
    accepted = progress.offer
    if accepted is None or accepted.seat == entry.seat:
        raise Refused("table.no_offer")
    what, _, rest = accepted.what.partition(" ")
    progress.offer = None
    if what == TAKEBACK:
        apply_takeback(progress, accepted.seat, entry.at)
    elif what == PAUSE:
        pause(progress)
    elif what == ADJOURN:
        adjourn(progress, TimeControl.parse(rest), entry.at)
    elif what == DRAW:
        progress.end(Outcome(DRAW_POINTS, "end.agreed_draw"))
    else:
        progress.end(win(entry.seat, _points(rest), "end.resigned"))


def resign(progress: Progress[S, A], entry: Entry) -> None:
    given, _, whole = entry.body.partition(" ")
    points = _points(given)
    if whole and (whole != MATCH or not progress.header.match):
        raise Refused("table.bad_entry", body=entry.body)
    if points != progress.game.resign_values(progress.state, entry.seat)[-1]:  # for less, the other has to agree
        raise Refused("table.bad_entry", body=entry.body)
    progress.end(win(1 - entry.seat, points, "end.resigned"))


def _points(text: str) -> int:
    """Reads the points of a resignation. Raises Refused."""
    try:
        points = read_number(text)
    except ValueError:
        points = 0
    if points <= 0:
        raise Refused("table.bad_entry", body=text)
    return points
