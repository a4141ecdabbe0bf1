"""A game in play: its table, its players and its place."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.games.stored import Place, StoredGame
from bot.players.machines import is_machine
from engine.core.chance import promise
from engine.core.clock import Clock
from engine.core.errors import Refused
from engine.core.game import CHANCE, Game, Outcome, Seat
from engine.core.progress import Offer, Resuming
from engine.core.record import TURN_KINDS, Entry, Kind, Record
from engine.core.table import Table
from engine.core.timekeeping import SYSTEM_KINDS

GAME: Final = 6_000
ENTRY: Final = 450
POSITION: Final = 170
"""The bytes of a game; of each of its entries, with its notes; and of each position that it holds."""


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game in play with its players and its place."""

    id: str
    table: Table[Any, Any]
    players: tuple[int, int]
    place: Place
    locale: str
    shown_seq: int
    """The number of entries that the players were shown; -1 before the start position was shown."""
    message_id: int | None
    """The message with the board."""
    commitment: str
    """The commitment to the secret of the next roll; "" in games without luck."""
    secret: str = field(repr=False, compare=False)
    """The secrets of the next rolls (``Luck.secret``). Never shown."""
    edits: int = field(default=0, compare=False)
    """The number of changes of its conditional moves when it was read. The database refuses an older number."""
    attempts: int = field(default=0, compare=False)
    """The failures in a row of its board, when the game was read or written."""

    # --- the game ------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game[Any, Any]:
        return self.table.game

    @property
    def state(self) -> Any:
        return self.table.state

    @property
    def record(self) -> Record:
        return self.table.record

    @property
    def entries(self) -> Sequence[Entry]:
        return self.table.record.entries

    @property
    def seq(self) -> int:
        """The number of entries."""
        return self.table.seq

    @property
    def unseen(self) -> Sequence[Entry]:
        """The entries since the players were last shown the board."""
        return self.entries[max(self.shown_seq, 0) :]

    @property
    def is_same_turn(self) -> bool:
        """Whether the last shown board belongs to the present turn: since then, only the seat to act or luck has acted.

        A roll with the cube in play leads to this.
        """
        seat = self.seat_to_act
        acted = [entry for entry in self.unseen if entry.kind not in SYSTEM_KINDS]
        own = any(entry.kind in TURN_KINDS for entry in acted)
        others = [entry for entry in acted if entry.kind is not Kind.CHANCE and entry.kind not in TURN_KINDS]
        alone = not others and all(entry.seat in {seat, CHANCE} for entry in acted)
        return self.shown_seq >= 0 and not self.is_over and own and alone

    def still_stands(self, seq: int) -> bool:
        """Returns whether the position and the offers that a user saw at ``seq`` entries are still the present ones.

        Entries about time change neither. This alone decides whether a press is stale.
        """
        return 0 <= seq <= self.seq and all(entry.kind in SYSTEM_KINDS for entry in self.entries[seq:])

    @property
    def outcome(self) -> Outcome | None:
        return self.table.outcome

    @property
    def is_over(self) -> bool:
        return self.table.outcome is not None

    @property
    def offer(self) -> Offer | None:
        """The unanswered offer."""
        return self.table.offer

    # --- players -------------------------------------------------------------------------------------------------

    def seats_of(self, user_id: int) -> tuple[Seat, ...]:
        return tuple(seat for seat, player in enumerate(self.players) if player == user_id)

    def seats_playing(self, user_id: int) -> tuple[Seat, ...]:
        """Returns the user's seat in a running game. Raises Refused if the user is not a player, or the game is
        over.
        """
        seats = self.seats_of(user_id)
        if not seats:
            raise Refused("table.not_a_player")
        if self.is_over:
            raise Refused("table.over")
        return seats

    @property
    def seat_to_act(self) -> Seat | None:
        """The seat whose turn it is; None when the game is over."""
        return self.table.to_act

    @property
    def to_act(self) -> int | None:
        """The user whose turn it is; None when the game is over."""
        seat = self.seat_to_act
        return None if seat is None or seat == CHANCE else self.players[seat]

    @property
    def has_machine(self) -> bool:
        return any(map(is_machine, self.players))

    @property
    def person_against_machine(self) -> Seat | None:
        """The seat of the person in a game against a machine; None in all other games."""
        first, second = map(is_machine, self.players)
        return None if first == second else int(first)

    def is_turn_of(self, user_id: int) -> bool:
        return self.seat_to_act in self.seats_of(user_id)

    @property
    def awaited_seat(self) -> Seat | None:
        """The seat that must answer an offer, or else take its turn; None when the game is over."""
        return self.seat_to_act if self.offer is None else 1 - self.offer.seat

    @property
    def awaited(self) -> int | None:
        """The user who must answer an offer, or else take their turn; None when the game is over."""
        return self.to_act if self.offer is None else self.players[1 - self.offer.seat]

    def may_answer(self, user_id: int) -> bool:
        return self.offer is not None and 1 - self.offer.seat in self.seats_of(user_id)

    def may_withdraw(self, user_id: int) -> bool:
        """Returns whether the user's own offer waits for an answer."""
        return self.offer is not None and self.offer.seat in self.seats_of(user_id)

    # --- time ----------------------------------------------------------------------------------------------------

    @property
    def started(self) -> int:
        """The game's start in ms since 1970. All times in the record count from it."""
        return self.table.record.header.started

    @property
    def clock(self) -> Clock | None:
        """The clock; None in a game without time control."""
        return self.table.clock

    @property
    def paused(self) -> bool:
        """Whether the clock is stopped by agreement."""
        return self.table.paused

    @property
    def resuming(self) -> Resuming | None:
        """A player's request to end the pause."""
        return self.table.resuming

    @property
    def overdue(self) -> Seat | None:
        """The seat whose time is up, if the opponent may claim the game for it."""
        return self.table.overdue

    def elapsed(self, now: int) -> int:
        """Converts ``now`` (ms since 1970) into ms since the game's start; never before the last entry."""
        return max(now - self.started, self.entries[-1].at if self.entries else 0)

    def may_claim(self, user_id: int, now: int) -> bool:
        """Returns whether the user may claim the game from an absent or overdue opponent, according to the record."""
        return any(self.table.may_claim(seat, self.elapsed(now)) for seat in self.seats_of(user_id))

    def outcome_of_claim(self, user_id: int, what: str, now: int) -> Outcome:
        """Returns the outcome if the user claimed ``win`` or ``draw`` now. Raises Refused."""
        seat, *_ = self.seats_playing(user_id)
        outcome = self.table.claim(seat, what, self.elapsed(now)).outcome
        if outcome is None:
            raise ValueError("a claim ends the game")
        return outcome


def size_of(live: LiveGame) -> int:
    """Estimates how many bytes a game takes in memory."""
    return GAME + ENTRY * live.seq + POSITION * len(live.table.history)


def stored(live: LiveGame) -> StoredGame:
    """Converts a live game into the form that the repository stores."""
    return StoredGame(
        live.record, live.players, live.place, live.locale, live.secret, live.shown_seq, live.message_id, live.edits
    )


def live_game(table: Table[Any, Any], stored: StoredGame) -> LiveGame:
    """Combines a stored game and its replayed table."""
    header = table.record.header
    return LiveGame(
        id=header.id,
        table=table,
        players=stored.players,
        place=stored.place,
        locale=stored.locale,
        shown_seq=stored.shown_seq,
        message_id=stored.message_id,
        commitment=promise(stored.secret) if header.commitment else "",
        secret=stored.secret,
        edits=stored.edits,
        attempts=stored.attempts,
    )


async def read_notes(table: Table[Any, Any]) -> None:
    """Computes the table's notes in a thread, as those of a long game that was just read take a while."""
    if not table.has_notes:
        await asyncio.to_thread(lambda: table.notes)
