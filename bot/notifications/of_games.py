"""Notifications about games: the notifications that each entry causes, and how long they have a reason."""

from typing import Any, Final

from bot.games.live import LiveGame
from bot.notifications.model import (
    ADJUDICATED,
    GONE,
    LEFT,
    PAUSED,
    PING,
    REMINDER,
    RESUMED,
    TIME_UP,
    TURN,
    Notification,
)
from engine.core.adjudication import RULINGS, VOID
from engine.core.game import Seat
from engine.core.hours import MINUTE
from engine.core.record import CHOSEN_KINDS, Entry, Kind
from engine.core.table import Table
from engine.core.timekeeping import SYSTEM_KINDS

PRESENT_MS: Final = 2 * MINUTE
"""How long after a turn a person waits for a machine's reply."""


def played_seq(table: Table[Any, Any]) -> int:
    """Returns the number of entries up to the last one of a player or of the dice. It identifies a turn.

    The bot's own entries about absences do not count, as they change nothing for the awaited player.
    """
    entries = table.record.entries
    return next((number for number in range(len(entries), 0, -1) if entries[number - 1].kind not in SYSTEM_KINDS), 0)


def has_news(live: LiveGame) -> bool:
    """Returns whether anything has happened since the last board, besides the bot's own entries about time."""
    return live.shown_seq < 0 or any(entry.kind not in SYSTEM_KINDS for entry in live.unseen)


def is_present(live: LiveGame) -> bool:
    """Returns whether the person in a game against a machine has just acted, and so sees the reply without a ping."""
    seat = live.person_against_machine
    if seat is None:
        return False
    acted = (entry.at for entry in reversed(live.entries) if entry.seat == seat and entry.kind in CHOSEN_KINDS)
    last = live.entries[-1].at if live.entries else 0
    return last - next(acted, 0) < PRESENT_MS


def is_urgent(live: LiveGame) -> bool:
    """Returns whether both players have to be present. Quiet hours and digests then delay no notification."""
    return live.clock is not None and live.clock.spec.live


def events(after: LiveGame, entry: Entry) -> list[tuple[int, str, str]]:
    """Returns the notifications that an entry causes, beside the board: the seat, the kind and the text of each."""
    found: list[tuple[int, str, str]] = []
    first, second = after.players
    if entry.kind is Kind.TIMEOUT and after.clock is None and after.person_against_machine is not None:
        return []  # no machine claims a game from an absent player
    if entry.kind is Kind.TIMEOUT:
        late, other = (first, second) if entry.seat == 0 else (second, first)
        outcome = after.table.outcome
        if after.clock is None:
            found = [(late, TIME_UP, "absent_late"), (other, TIME_UP, "absent_claim")]
        elif outcome is None:
            found = [(late, TIME_UP, "time_late"), (other, TIME_UP, "time_claim")]
        elif outcome.winner is None:
            found = [(user, TIME_UP, "time_aborted") for user in after.players]
        else:
            found = [(late, TIME_UP, "time_lost"), (other, TIME_UP, "time_won")]
    elif entry.kind is Kind.ADJUDICATE:
        found = [(user, ADJUDICATED, ruling_text(entry, seat)) for seat, user in enumerate(after.players)]
    elif entry.seat in {0, 1}:
        other = after.players[1 - entry.seat]
        if entry.kind is Kind.LEAVE:
            found = [(other, LEFT, LEFT)]
        elif entry.kind is Kind.CLAIM:
            found = [(other, TIME_UP, "time_claimed" if after.clock is not None else "absent_claimed")]
        elif entry.kind is Kind.ASK_RESUME:
            found = [(other, RESUMED, "resume_asked")]
        elif entry.kind is Kind.ACCEPT and entry.body == "pause" and other != after.awaited:
            found = [(other, PAUSED, PAUSED)]
        elif entry.kind is Kind.RESUME and other != after.awaited:
            found = [(other, RESUMED, RESUMED)]
    elif entry.kind is Kind.RESUME:
        found = [(user, RESUMED, RESUMED) for user in after.players if user != after.awaited]
    return found


RULING_TEXTS: Final = {
    "end.adjudicated": ("adjudicated_lost", "adjudicated_won"),
    "end.forfeited": ("forfeited_lost", "forfeited_won"),
}
"""The texts for the loser and the winner, by the reason of the decision."""


def ruling_text(entry: Entry, seat: Seat) -> str:
    """Returns the key of the text that tells a player of a decision from outside."""
    if entry.body == VOID:
        return "voided"
    winner, reason = RULINGS[entry.body]
    if winner is None:
        return "adjudicated_drawn"
    lost, won = RULING_TEXTS[reason]
    return won if winner == seat else lost


def is_current(notification: Notification, live: LiveGame, now: int) -> bool:
    """Returns whether there is still a reason to send it; ``now`` in ms since 1970."""
    table = live.table
    if notification.body.get("text") == "resume_asked":
        return table.resuming is not None
    if notification.kind in {TURN, PING}:
        return live.awaited == notification.user_id and played_seq(table) == notification.seq and not table.paused
    if notification.kind == GONE:
        return table.outcome is None and live.place.channel_id == notification.channel_id
    if notification.kind == REMINDER:
        clock = table.clock
        if clock is None:
            same = live.to_act == notification.user_id and table.last_act // 1000 == notification.seq
            return same and table.outcome is None and table.overdue is None
        if clock.turn is None or table.deadline is None or table.outcome is not None:
            return False
        same = clock.turn.since // 1000 == notification.seq and live.to_act == notification.user_id
        return same and now < clock.started + table.deadline
    return True
