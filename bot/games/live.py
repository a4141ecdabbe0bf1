"""A game in play as the services know it: the table, who plays it, where."""

from dataclasses import dataclass, field
from typing import Any

from bot.games.stored import Place, StoredGame
from engine.core.chance import commitment
from engine.core.errors import Refused
from engine.core.game import CHANCE, Seat
from engine.core.record import Entry, Record
from engine.core.table import Table


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game in play with who plays it where."""

    id: str
    table: Table[Any, Any]
    players: tuple[int, int]
    place: Place
    locale: str
    shown_seq: int
    """How many entries the players have been shown; -1 when not even the start."""
    message_id: int | None
    """The message with the board."""
    commitment: str
    """To the secret of the next roll; "" in games without luck."""
    secret: str = field(repr=False, compare=False)
    """Of the next roll: for this service only."""

    def seats_of(self, user_id: int) -> tuple[Seat, ...]:
        """The seats of a user: one, or none for who does not play."""
        return tuple(seat for seat, player in enumerate(self.players) if player == user_id)

    def seats_playing(self, user_id: int) -> tuple[Seat, ...]:
        """The seats of a user in a game that goes on. Raises Refused for who does not play, or when it is over."""
        seats = self.seats_of(user_id)
        if not seats:
            raise Refused("table.not_a_player")
        if self.table.outcome is not None:
            raise Refused("table.over")
        return seats

    @property
    def seq(self) -> int:
        return self.table.seq

    @property
    def to_act(self) -> int | None:
        """The user whose turn it is; None when the game is over."""
        seat = self.table.to_act
        return None if seat is None or seat == CHANCE else self.players[seat]

    @property
    def awaited(self) -> int | None:
        """The user who has to do something: answer an offer, else take the turn; None when the game is over."""
        offer = self.table.offer
        return self.to_act if offer is None else self.players[1 - offer.seat]

    def elapsed(self, now: int) -> int:
        """``now``, in ms since 1970, as ms since the game's start; never before its last entry."""
        entries = self.table.record.entries
        return max(now - self.table.record.header.started, entries[-1].at if entries else 0)

    def may_claim(self, user_id: int, now: int) -> bool:
        """Whether the user may claim the game because the other stays away, as far as its record knows."""
        return any(self.table.may_claim(seat, self.elapsed(now)) for seat in self.seats_of(user_id))

    @property
    def unseen(self) -> tuple[Entry, ...]:
        """What has happened since the players were last shown the board."""
        return self.table.record.entries[max(self.shown_seq, 0) :]


def stored(live: LiveGame) -> StoredGame:
    """A game as the repository keeps it."""
    record: Record = live.table.record
    return StoredGame(record, live.players, live.place, live.locale, live.secret, live.shown_seq, live.message_id)


def live_game(table: Table[Any, Any], stored: StoredGame) -> LiveGame:
    """The game of a stored record that has been replayed."""
    header = table.record.header
    return LiveGame(
        id=header.id,
        table=table,
        players=stored.players,
        place=stored.place,
        locale=stored.locale,
        shown_seq=stored.shown_seq,
        message_id=stored.message_id,
        commitment=commitment(stored.secret) if header.commitment else "",
        secret=stored.secret,
    )
