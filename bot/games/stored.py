"""The stored forms of a game (complete, as a row of a list, finished), and its place."""

from dataclasses import dataclass, field
from heapq import merge
from typing import Any, Final, NamedTuple

import structlog

from engine.core.clock import SECOND, spent
from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import Outcome
from engine.core.hours import Hours, Interval
from engine.core.record import Record
from engine.core.snapshot import UnfitSnapshot
from engine.core.table import Table
from engine.registry import find

log = structlog.get_logger(__name__)


class UnreadableGame(RuleError):
    """The record of a stored game does not replay."""

    def __init__(self, game_id: str) -> None:
        super().__init__("table.unreadable", game=game_id)
        self.game_id = game_id


@dataclass(frozen=True, slots=True)
class Place:
    """The channel or thread of a game; ``guild_id`` is None in direct messages."""

    guild_id: int | None
    channel_id: int


class BoardLease(NamedTuple):
    """A process's lease of a board: until ``until`` (ms since 1970), only the process ``owner`` may show it."""

    until: int = 0
    owner: int = 0


FREE: Final = BoardLease()
"""No process has leased the board."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored: its record, and the data outside of the record."""

    record: Record
    players: tuple[int, int]
    place: Place
    locale: str
    secret: str = field(repr=False)
    shown_seq: int = -1
    message_id: int | None = None
    edits: int = 0
    """The number of changes of its conditional moves."""
    attempts: int = 0
    """The failures in a row of its board."""
    snapshot: str | None = field(default=None, repr=False, compare=False)
    """The snapshot of its table (``Table.resume_from``), if there is one. It may not fit."""

    def table(self) -> Table[Any, Any]:
        """Returns the table after all entries, from the snapshot if that fits. Raises CorruptRecord, RuleError."""
        header = self.record.header
        rules = find(header.game, header.version)
        if self.snapshot is not None:
            try:
                return Table.resume_from(rules, self.record, self.snapshot)
            except (UnfitSnapshot, CorruptRecord) as error:  # the record is the truth, so it is replayed
                log.info("snapshot_not_used", game=header.id, reason=str(error))
        return Table.replay(rules, self.record)


class GameVersion(NamedTuple):
    """The data of a game that show whether a cached copy is the newest."""

    id: str
    seq: int
    shown_seq: int
    channel_id: int
    seat0: int
    seat1: int


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A running game as a row of a list, without its entries. Times in ms since 1970."""

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
    """The user who must answer an offer, or else take their turn."""
    offered: bool
    """Whether an offer waits for an answer."""
    paused: bool
    overdue: bool
    """Whether a player's time is up and the opponent may claim the game."""
    due: int | None
    """The moment at which the time of the user to act ends; None while no clock runs."""
    time_left: int | None
    """The ms that the user to act had left at the last entry; None without a clock."""
    hours: Hours
    """The recurring time off of the user whose clock runs; ``away`` has their vacations."""
    away: tuple[Interval, ...]
    claimable_at: int | None
    match_id: str = ""
    """The match that the game is part of; empty for a single game."""
    stands_still: bool = False
    """Whether it has neither board nor deadline: its channel was deleted, or its server has removed the bot."""

    def may_claim(self, user_id: int, now: int) -> bool:
        """Returns whether the user may claim the game from an absent or overdue opponent, according to the record."""
        waits = user_id in self.players and self.to_act not in {None, user_id}
        return waits and self.claimable_at is not None and max(now, self.last_entry_at) >= self.claimable_at

    def clock_stopped(self, now: int) -> bool:
        """Returns whether time off stops the clock of the player to act now."""
        if self.due is None or now >= self.due:
            return False
        off = merge(self.hours.intervals(now), self.away)
        return spent(now, now + SECOND, off) == 0


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game, without its entries. Times in ms since 1970."""

    id: str
    game: str
    players: tuple[int, int]
    place: Place
    outcome: Outcome
    started: int
    ended: int
    seq: int
