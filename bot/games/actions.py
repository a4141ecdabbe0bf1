"""The actions that a user may take in a game now. Buttons, menus and commands check them first."""

from enum import Enum, auto
from itertools import takewhile
from math import ceil
from typing import Any, Final

from bot.core.limits.rates import OFFERS_IN_GAME
from bot.games.live import LiveGame
from engine.core.clock import MOST, TimeControl
from engine.core.errors import Refused
from engine.core.game import Seat
from engine.core.hours import MINUTE
from engine.core.offers import ADJOURN, DRAW, PAUSE
from engine.core.record import TURN_KINDS, Kind
from engine.core.table import Table
from engine.core.takeback import TAKEBACK, require_takeback_index
from engine.core.timekeeping import gift


class Action(Enum):
    """An action in a game that is not a move on the board."""

    FLIP = auto()
    """See the running game's board from the other side. Spectators may, too."""
    RESIGN = auto()
    OFFER_DRAW = auto()
    TAKEBACK = auto()
    """Ask to take back one's last turn."""
    PAUSE = auto()
    """Offer a pause."""
    RESUME = auto()
    """Ask to end a pause, or agree to it."""
    GIVE_TIME = auto()
    """Give the opponent time."""
    CHANGE_CLOCK = auto()
    """Offer another time control."""
    CLAIM = auto()
    """End the game because the opponent's time is up or they are absent, according to the record."""


OFFERS: Final = {
    Action.OFFER_DRAW: DRAW,
    Action.TAKEBACK: TAKEBACK,
    Action.PAUSE: PAUSE,
    Action.CHANGE_CLOCK: ADJOURN,
}
"""The actions that the opponent must accept, with the bodies of their offers (``Kind.OFFER``)."""


def why_not(live: LiveGame, user_id: int, action: Action, now: int, detail: str = "") -> Refused | None:
    """Returns the refusal if the user may not take this action ``now`` (ms since 1970), else None.

    ``detail``: the time control to offer.
    """
    seats = live.seats_of(user_id)
    if not seats and action is not Action.FLIP:
        return Refused("table.not_a_player")
    if live.is_over:
        return Refused("table.over")
    if action is Action.RESUME and not live.paused:
        return Refused("table.not_paused")
    if action is Action.RESUME and live.resuming is not None and live.resuming.seat in seats:
        return Refused("table.resume_asked")
    if action is Action.GIVE_TIME:
        return _why_not_give(live, seats[0])
    if action is Action.CLAIM and not live.may_claim(user_id, now):
        return Refused("table.no_claim")
    if action in OFFERS:
        return _why_not_offer(live, seats[0], f"{OFFERS[action]} {detail}".strip())
    return None


def _why_not_offer(live: LiveGame, seat: Seat, what: str) -> Refused | None:
    if what == TAKEBACK:
        if refused := why_not_take_back(live):
            return refused
        try:
            require_takeback_index(live.table.effective_entries, seat)
        except Refused as error:
            return error
    if live.offer is not None:
        return Refused("table.offer_stands" if live.offer.seat == seat else "table.answer_first")
    name, _, control = what.partition(" ")
    if name in {PAUSE, ADJOURN} and live.clock is None:
        return Refused("table.no_clock")
    if name == PAUSE and live.paused:
        return Refused("table.paused")
    if control and live.clock is not None and live.clock.spec == TimeControl.parse(control):
        return Refused("table.same_clock", clock=control)
    return why_not_repeat(live.table, seat, what)


def why_not_take_back(live: LiveGame) -> Refused | None:
    """Returns the refusal of a takeback in a rated game against a machine; None for other games.

    A machine would accept every takeback, so a player could try again until they win.
    """
    return Refused("table.takeback_machine") if live.has_machine and live.record.header.rated else None


def _why_not_give(live: LiveGame, seat: Seat) -> Refused | None:
    if live.clock is None:
        return Refused("table.no_clock")
    if live.overdue is not None:
        return Refused("table.time_up")
    most = live.clock.banks[1 - seat] + gift(live.clock.spec) > MOST["bank"]
    return Refused("table.enough_time") if most else None


def why_not_repeat(table: Table[Any, Any], seat: Seat, what: str) -> Refused | None:
    """Returns the refusal if this offer was declined or withdrawn since the last turn of ``seat``, else None.

    Otherwise a player could ping the opponent again and again.
    """
    for entry in reversed(table.record.entries):
        if (entry.kind in TURN_KINDS and entry.seat == seat) or table.outcome is not None:
            break
        if (entry.kind, entry.seat, entry.body) == (Kind.DECLINE, 1 - seat, what):
            return Refused("table.declined")
        if (entry.kind, entry.seat, entry.body) == (Kind.WITHDRAW, seat, what):
            return Refused("table.withdrawn")
    return None


def table_for_offer(live: LiveGame, seat: Seat, what: str, at: int, *, limited: bool) -> Table[Any, Any]:
    """Returns the game's table if ``seat`` may make this offer at ``at``, in ms since the start. Raises Refused if not.

    ``limited``: the number of a player's offers is limited (OFFERS_IN_GAME). See ``why_not_repeat``.
    """
    if refused := why_not_repeat(live.table, seat, what):
        raise refused
    if what == TAKEBACK and (refused := why_not_take_back(live)):
        raise refused
    if limited:
        check_pace(live, seat, at)
    return live.table


def check_pace(live: LiveGame, seat: Seat, at: int) -> None:
    """Raises Refused if ``seat`` has made too many requests lately, as each of them pings a person."""
    if live.has_machine:
        return
    since = at - OFFERS_IN_GAME.period
    recent = list(takewhile(lambda entry: entry.at > since, reversed(live.entries)))
    asked = [entry.at for entry in recent if entry.kind in {Kind.OFFER, Kind.ASK_RESUME} and entry.seat == seat]
    if len(asked) >= OFFERS_IN_GAME.most:
        raise Refused("table.too_many_offers", n=ceil((min(asked) - since) / MINUTE))
