"""A tournament as a value: its plan, its state, its players, pairings and rounds.

All of them are immutable. Times and durations in ms; times since 1970.
"""

import hashlib
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from bot.players.machines import is_machine
from engine.core.clock import TimeControl
from engine.core.game import OptionValue
from engine.core.hours import DAY, HOUR
from engine.match.match import Terms
from engine.tournament.model import KNOCKOUTS, Entrant, Format, Pairing, Result, Stage, Ties

NEVER: Final = 2**62
"""A time that never comes."""
ARENAS: Final = (HOUR // 2, HOUR, 3 * HOUR // 2, 2 * HOUR, 3 * HOUR, 6 * HOUR, DAY)
"""The possible lengths of an arena."""
NAME_LENGTH: Final = 64
REASON_LENGTH: Final = 300
DELETED: Final = "deleted"
"""``Player.reason`` of a player whose data were deleted."""


class Status(StrEnum):
    DRAFT = "draft"
    """Being set up: only its organiser sees it."""
    REGISTRATION = "registration"
    CHECK_IN = "check_in"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"

    @property
    def is_active(self) -> bool:
        return self in {Status.REGISTRATION, Status.CHECK_IN, Status.RUNNING}

    @property
    def is_open(self) -> bool:
        """Whether it has not begun yet."""
        return self in {Status.DRAFT, Status.REGISTRATION, Status.CHECK_IN}


class LateRule(StrEnum):
    """The treatment of a game that goes on at its round's deadline."""

    EXTEND = "extend"
    """It gets ``Plan.extension`` once; then the player on move forfeits."""
    ORGANISER = "organiser"
    """The organiser decides, and sees the position."""
    FORFEIT = "forfeit"
    """The player on move forfeits."""


class Repeat(StrEnum):
    """The interval at which a tournament is held again."""

    NONE = "none"
    WEEKLY = "weekly"
    MONTHLY = "monthly"


class Seeding(StrEnum):
    RATING = "rating"
    HAND = "hand"
    """In the order that the organiser has set. Players without a seed follow by rating."""
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Eligibility:
    """The conditions for joining."""

    role_id: int | None = None
    lowest: int | None = None
    """The lowest rating in the game; None for any. ``highest``: the highest."""
    highest: int | None = None
    games: int = 0
    """The least number of rated contests of the game that a player must have finished."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The rules of a ladder."""

    reach: int = 3
    """The most places between a challenger and a challenged player above."""
    again: int = 7 * DAY
    """The time after a game before the same two may play again."""
    answer: int = 3 * DAY
    """The time in which a challenged player has to begin. After that, the game's time control counts."""
    idle: int = 30 * DAY
    """The time without a game after which a player goes down one place."""


@dataclass(frozen=True, slots=True)
class Plan:
    game: str
    stages: tuple[Stage, ...]
    options: dict[str, OptionValue] = field(default_factory=dict)
    terms: Terms = Terms()  # noqa: RUF009 - immutable
    clock: str = ""
    """The time control's text; empty for none."""
    timeout_policy: str = ""
    rated: bool = True
    capacity: int = 64
    """The most players. Later ones are on the waiting list."""
    least: int = 2
    """The fewest players. With fewer at the start, the tournament is cancelled."""
    eligibility: Eligibility = Eligibility()
    registration_opens: int | None = None
    """The opening of the registration; None for the moment of the announcement."""
    registration_closes: int | None = None
    """The end of the registration; None for the start."""
    starts: int | None = None
    """The start; None if the organiser starts it."""
    check_in: int = 0
    """The length of the check-in, which ends at the start; 0: there is none."""
    seeding: Seeding = Seeding.RATING
    late_entries: int = 0
    """The last round in which a player may still enter a Swiss; 0: none."""
    round_length: int = 0
    """The length of a round; 0: as long as its games."""
    late_rule: LateRule = LateRule.FORFEIT
    extension: int = 2 * DAY
    round_break: int = 0
    """The time between a round and the pairing of the next one; 0: none."""
    byes: int = 0
    """The most half-point byes for which a player may ask."""
    threads: bool = True
    """Whether each pairing has a thread. Otherwise the games are played in the channel one after the other."""
    arena: int = HOUR
    """The length of an arena."""
    ladder: Ladder = Ladder()
    prizes: tuple[tuple[int, int], ...] = ()
    """Places and the roles that their players get."""
    repeat: Repeat = Repeat.NONE
    """The interval at which the bot announces another one like it."""
    month_day: int = 0
    """The day of a monthly tournament; in shorter months it is the last day. 0: the day of its start."""
    season: int = 0
    """The number of tournaments of the series whose points are added up; 0: there are no such points."""
    unknown: dict[str, Any] = field(default_factory=dict)
    """Settings that a later version has stored. They are written back as they are."""

    @property
    def format(self) -> Format:
        return self.stages[0].format

    def is_play_off(self, pairing: Pairing) -> bool:
        """Returns whether a pairing is one of a play-off, in a stage that is no knockout."""
        return bool(pairing.slot) and self.stages[pairing.stage - 1].format not in KNOCKOUTS

    @property
    def is_at_once(self) -> bool:
        """Whether all games of the first stage begin at once."""
        return self.stages[0].at_once

    def begins_at_once(self, pairing: Pairing) -> bool:
        """Returns whether a pairing belongs to a table whose games all begin at once."""
        return self.stages[pairing.stage - 1].at_once and not pairing.slot

    @property
    def repeats(self) -> bool:
        """Whether another tournament follows at a later date."""
        return self.repeat is not Repeat.NONE and self.starts is not None

    @property
    def is_live(self) -> bool:
        """Whether its players have to be present, so that their notifications cannot wait."""
        return self.format is Format.ARENA or bool(self.clock and TimeControl.parse(self.clock).live)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament without its players and pairings."""

    id: str
    guild_id: int
    channel_id: int
    owner: int
    name: str
    locale: str
    plan: Plan
    status: Status
    created: int
    paused: int | None = None
    round: int = 0
    """The last round that was paired, counted through all stages."""
    started: int | None = None
    ended: int | None = None
    version: int = 0
    shown: int = -1
    message_id: int | None = None
    next_at: int = NEVER
    credited_until: int = 0
    """The moment up to which outages of the bot have moved the deadlines."""
    closing_at: int | None = None
    """The time to send its last message, or to edit it after a correction; None if nothing is due."""
    closing_id: int | None = None
    """The id of its last message."""
    break_until: int | None = None
    """The end of the break after the last paired round; 0 if it is over or was ended early; None for no break yet."""
    series: str | None = None
    """The id of the first tournament of its series; None: it is the first itself, or there is no series."""
    edition: int = 1
    """Its number in its series."""
    repeat_at: int | None = None
    """The time at which the next one of its series is announced; None if it is announced already, or there is none."""

    @property
    def series_id(self) -> str:
        return self.series or self.id

    @property
    def is_draft(self) -> bool:
        return self.status is Status.DRAFT


class PlayerStatus(StrEnum):
    IN = "in"
    WAITING = "waiting"
    """On the waiting list."""
    WITHDRAWN = "withdrawn"
    EXPELLED = "expelled"


@dataclass(frozen=True, slots=True)
class Player:
    number: int
    user_id: int
    status: PlayerStatus
    rating: int
    joined: int
    seed: int = 0
    section: int = 0
    first_round: int = 1
    last_round: int | None = None
    byes: frozenset[int] = frozenset()
    reason: str = ""
    """The reason why the player is no longer in: ``withdrew``, ``left_server``, DELETED, ``no_show`` or
    ``expelled``.
    """
    checked_in: bool = False
    free_since: int | None = None
    ladder_place: int | None = None
    first_place: int | None = None
    last_place: int | None = None

    @property
    def is_in(self) -> bool:
        return self.status is PlayerStatus.IN

    @property
    def is_machine(self) -> bool:
        return is_machine(self.user_id)

    @property
    def entrant(self) -> Entrant:
        return Entrant(
            self.number,
            self.seed,
            self.rating,
            self.first_round,
            self.last_round,
            self.byes,
            self.section,
            expelled=self.status is PlayerStatus.EXPELLED,
        )


class PairingState(StrEnum):
    WAITING = "waiting"
    """Its game is not opened yet."""
    RUNNING = "running"
    LATE = "late"
    """Its game goes on after the deadline; the organiser must decide."""
    DONE = "done"


@dataclass(frozen=True, slots=True)
class StoredPairing:
    """A pairing with its game."""

    id: int
    """1 upwards in the tournament."""
    pairing: Pairing
    state: PairingState
    decided_by: str = ""
    """``game``, ``bye``, ``forfeit`` (no game was played) or ``organiser``; empty while it goes on."""
    contest_id: str | None = None
    """The id of the game or match; None before it is opened."""
    game_id: str | None = None
    """The game, or the first one of the match."""
    channel_id: int | None = None
    opened: int | None = None
    ended: int | None = None
    deadline: int | None = None
    extended: bool = False
    warned: bool = False
    attempts: int = 0
    displaced: int | None = None
    """Since when its channel is deleted and no board is shown elsewhere; known in snapshots alone."""
    deleted_channel: int | None = None
    """The channel that was deleted, if it is displaced."""

    @property
    def lacks_channel(self) -> bool:
        """Whether it is displaced and has no new place yet."""
        return self.displaced is not None and self.channel_id in {None, self.deleted_channel}

    @property
    def was_opened(self) -> bool:
        """Whether it has, or has had, a game: one that waits for another game keeps the channel of the former one."""
        return self.channel_id is not None

    @property
    def result(self) -> Result | None:
        return self.pairing.result


@dataclass(frozen=True, slots=True)
class StoredRound:
    number: int
    stage: int
    started: int
    deadline: int | None = None
    message_id: int | None = None
    more_ids: tuple[int, ...] = ()
    """The ids of the messages that continue the first one."""
    version: int = 0
    shown: int = -1
    attempts: int = 0

    @property
    def message_ids(self) -> tuple[int, ...]:
        return self.more_ids if self.message_id is None else (self.message_id, *self.more_ids)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An act of an organiser, or of the bot."""

    seq: int
    at: int
    actor: int | None
    act: str
    round: int
    detail: dict[str, object]
    reason: str = ""
    undone: int | None = None
    """The seq of the act that undid this one."""
    subject: int | None = None
    """The user whom it concerns. ``detail`` holds no ids of users, as a deletion would not find them there."""


def lot(tournament: Tournament, number: int) -> int:
    """Returns the lot of a player. It follows from the time of the start, so nobody knows it before."""
    drawn = hashlib.sha256(f"{tournament.id}:{tournament.started}:{number}".encode())
    return int.from_bytes(drawn.digest()[:8])


@dataclass(frozen=True, slots=True)
class TournamentSnapshot:
    """A tournament with its players and pairings, as read in one transaction."""

    tournament: Tournament
    players: tuple[Player, ...]
    """The players, by number."""
    pairings: tuple[StoredPairing, ...]
    """The pairings, by id."""

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The players with a seed: those who have played, or could have."""
        found = tuple(player.entrant for player in self.players if player.seed)
        if all(stage.ties is not Ties.LOTS for stage in self.tournament.plan.stages):
            return found
        return tuple(replace(entrant, lot=lot(self.tournament, entrant.id)) for entrant in found)

    @property
    def engine_pairings(self) -> tuple[Pairing, ...]:
        return tuple(stored.pairing for stored in self.pairings)

    def player(self, number: int) -> Player:
        """Returns the player of this number. Raises LookupError."""
        return next(player for player in self.players if player.number == number)

    def pairing(self, pairing_id: int) -> StoredPairing | None:
        """Returns the pairing, if it still exists: a round that is paired again loses its pairings."""
        return next((stored for stored in self.pairings if stored.id == pairing_id), None)

    def of_user(self, user_id: int) -> Player | None:
        return next((player for player in self.players if player.user_id == user_id), None)
