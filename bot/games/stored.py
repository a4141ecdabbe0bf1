"""What is stored of a game, and where it is played."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.core.game import Outcome
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
