"""What is stored of a game, and where it is played."""

from dataclasses import dataclass
from heapq import merge
from typing import NamedTuple

from engine.core.clock import SECOND, spent
from engine.core.game import Outcome
from engine.core.hours import Hours, Interval
from engine.core.record import Record


@dataclass(frozen=True, slots=True)
class Place:
    """A channel or thread; ``guild_id`` is None in direct messages."""

    guild_id: int | None
    channel_id: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored: its record, and what the record does not say."""

    record: Record
    players: tuple[int, int]
    place: Place
    locale: str
    secret: str
    shown_seq: int = -1
    message_id: int | None = None


class GameVersion(NamedTuple):
    """Enough of a game to see whether a copy of it is still the newest."""

    id: str
    seq: int
    shown_seq: int
    channel_id: int


@dataclass(frozen=True, slots=True)
class RunningGame:
    """What the lists say of a game that is not over, without its entries. Times in ms since 1970."""

    id: str
    game: str
    players: tuple[int, int]
    place: Place
    locale: str
    message_id: int | None
    """The message with the board."""
    last_entry_at: int
    to_act: int | None
    """The user whose turn it is."""
    awaited: int | None
    """The user who has to do something: answer an offer, or else take the turn."""
    offered: bool
    """Whether there is an offer to be answered."""
    paused: bool
    overdue: bool
    """Whether somebody's time is up, and the other may claim the game."""
    due: int | None
    """When the time of the user to act is used up; None while no time runs out."""
    time_left: int | None
    """Of the user to act at the last entry, in ms; None without a clock."""
    hours: Hours
    """The recurring time off of the user whose clock runs."""
    away: tuple[Interval, ...]
    """Their vacations."""
    claimable_at: int | None

    def may_claim(self, user_id: int, now: int) -> bool:
        """Whether the user may claim the game because the other stays away, as far as its record knows."""
        waits = user_id in self.players and self.to_act not in {None, user_id}
        return waits and self.claimable_at is not None and max(now, self.last_entry_at) >= self.claimable_at

    def stands(self, now: int) -> bool:
        """Whether the clock that runs stands because of time off."""
        if self.due is None or now >= self.due:
            return False
        off = merge(self.hours.intervals(now), self.away)
        return spent(now, now + SECOND, off) == 0


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over, without its entries. Times in ms since 1970."""

    id: str
    game: str
    players: tuple[int, int]
    place: Place
    outcome: Outcome
    started: int
    ended: int
    seq: int
