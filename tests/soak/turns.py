"""A user's turns: what they sent and were told, against the records of their games.

A turn that is tapped names its game. One that is typed goes to the game that runs in its channel: that may be the next
one, begun since the player looked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine.core.record import Entry, Kind
from soak.journal import ACKED, UNCERTAIN, Attempt

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bot.games.stored import StoredGame

ON_PURPOSE: Final = frozenset(
    {Kind.PLAY, Kind.OFFER, Kind.ACCEPT, Kind.DECLINE, Kind.WITHDRAW, Kind.RESIGN, Kind.GIVE, Kind.ASK_RESUME}
)
"""Entries that nobody but the seat's own player may cause."""
MOST: Final = 4
"""The attempts that are told of a turn that nobody acknowledged."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the user, the seat, and the channel that it is in."""

    stored: StoredGame
    seat: int
    channel_id: int

    @property
    def id(self) -> str:
        return self.stored.record.header.id

    @property
    def name(self) -> str:
        return f"{self.stored.record.header.game} {self.id}, seat {self.seat}"


@dataclass(frozen=True, slots=True)
class Turn:
    """An entry that is a turn of the user, and its place in the record."""

    played: Played
    at: int
    entry: Entry

    def is_of(self, attempt: Attempt) -> bool:
        """Returns whether the attempt may have been this turn, of the game that the player meant."""
        return self.played.id == attempt.game and attempt.seq <= self.at and attempt.body in {None, self.entry.body}

    def is_typed_by(self, attempt: Attempt) -> bool:
        """Returns whether the attempt may have been this turn, of another game in the channel where it was typed."""
        return (
            self.played.id != attempt.game
            and self.played.channel_id == attempt.channel_id
            and attempt.body in {None, self.entry.body}
        )


@dataclass
class Judgement:
    violations: list[str] = field(default_factory=list)
    facts: Counter[str] = field(default_factory=Counter)


def judge(played: Sequence[Played], tried: Sequence[Attempt], planned: Collection[tuple[str, int]]) -> Judgement:
    """Compares the turns of a user with the entries: each acknowledged turn is an entry; each chosen entry was sent.

    ``tried``: all that the user tried, in any game. ``planned``: the games with conditional moves, by game and user.
    """
    found = Judgement()
    names = {one.id: one.name for one in played}
    entries = [Turn(one, at, entry) for one in played for at, entry in enumerate(one.stored.record.entries)]
    free = [turn for turn in entries if turn.entry.kind is Kind.PLAY and turn.entry.seat == turn.played.seat]
    sent = [one for one in tried if one.turn]
    acked = [one for one in sent if one.status == ACKED]
    unsure = [one for one in sent if one.status == UNCERTAIN]
    found.facts.update({"turns": len(free), "turns acknowledged": len(acked), "turns of unknown fate": len(unsure)})
    for attempt in _claimed(acked, free):
        name = names.get(attempt.game, f"{attempt.game}, which is another's")
        found.violations.append(f"{name}: acknowledged and not in the record: {said(attempt)}")
    _claimed(unsure, free)
    for turn in free:
        user = turn.played.stored.players[turn.played.seat]
        alike = [one for one in sent if turn.is_of(one) or turn.is_typed_by(one)]
        told = "".join(f"; {one.status}: {said(one)}" for one in alike[:MOST])
        found.violations.append(
            f"{turn.played.name}: entry {turn.at} {turn.entry} (planned: {(turn.played.id, user) in planned})"
            f" was not acknowledged{told}"
        )
    for one in played:
        acts = {entry.kind for entry in one.stored.record.entries if entry.seat == one.seat} & ON_PURPOSE
        if acts and not any(x.game == one.id or x.channel_id == one.channel_id for x in tried):
            found.violations.append(f"{one.name}: {sorted(acts)} without any act of its player")
    return found


def _claimed(attempts: Sequence[Attempt], free: list[Turn]) -> list[Attempt]:
    """Takes from ``free`` a turn for each attempt, of the game that was meant if it has one; those that get none."""
    left = list(attempts)
    for fits in (Turn.is_of, Turn.is_typed_by):
        for attempt in list(left):
            turn = next((turn for turn in free if fits(turn, attempt)), None)
            if turn is not None:
                free.remove(turn)
                left.remove(attempt)
    return left


def said(attempt: Attempt) -> str:
    call = attempt.call
    more = (
        "" if call is None else f" at {call.sent:.2f}, {call.fault or 'no fault'}, twice: {call.doubled}, {call.said!r}"
    )
    return f"{attempt.what} {attempt.body or ''} from {attempt.seq}{more}"
