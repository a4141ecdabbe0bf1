"""An act of an organiser: its name, its changes, its entry in the log."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import SimpleNamespace
from typing import Any, Final, cast

from bot.tournaments.rounds.steps.settling import BY_ORGANISER
from bot.tournaments.rows import pairing_of
from bot.tournaments.schedule import WARNED_BEFORE, game_time
from bot.tournaments.tournament import (
    PairingState,
    Plan,
    Player,
    PlayerStatus,
    StoredPairing,
    StoredRound,
    Tournament,
    TournamentSnapshot,
)
from engine.core.errors import Translated
from engine.tournament.model import IN_ROUNDS, Result


class Act(StrEnum):
    """The name of an act in the log."""

    ADJUDICATE = "adjudicate"
    CORRECT = "correct"
    REPAIR = "repair"
    PAUSE = "pause"
    RESUME = "resume"
    ADD_ASSISTANT = "assistant_add"
    REMOVE_ASSISTANT = "assistant_remove"
    EXPEL = "expel"
    CANCEL = "cancel"
    FINISH = "finish"
    EDIT = "edit"
    """Other settings, before the start."""
    UNDO = "undo"
    END_BREAK = "begin"
    """The log, the command and the texts name it after the next round, which begins then."""
    SERVER_GONE = "server_gone"
    """By the bot: the server has removed the bot, so the tournament is paused."""
    OWNER_GONE = "owner_gone"
    """By the bot: the owner has had their data deleted."""


OF_ORGANISERS: Final = frozenset(Act) - {Act.SERVER_GONE, Act.OWNER_GONE}


class Ruling(StrEnum):
    """An organiser's decision about a game without a result."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    BOTH_FORFEIT = "both"
    REPLAY = "replay"


PLAYED: Final = {
    Ruling.FIRST: Result.FIRST_WINS,
    Ruling.SECOND: Result.SECOND_WINS,
    Ruling.DRAW: Result.DRAW,
    Ruling.BOTH_FORFEIT: Result.BOTH_FORFEIT,
}
"""The results of rulings about a game that has begun."""
NOT_PLAYED: Final = {
    Ruling.FIRST: Result.FIRST_WINS_BY_FORFEIT,
    Ruling.SECOND: Result.SECOND_WINS_BY_FORFEIT,
    Ruling.BOTH_FORFEIT: Result.BOTH_FORFEIT,
}
"""The results of rulings about a pairing without a game."""
CORRECTIONS: Final = tuple(result for result in Result if not result.is_bye)
DECISION, FORFEIT, DRAW, VOID = "decision", "forfeit", "draw", "void"
"""The ways in which an act ends a game; see ``engine.core.adjudication``."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The changes by an act, and the content of its log entry."""

    act: Act
    detail: dict[str, object] = field(default_factory=dict)
    """The details, as JSON values. ``games`` are the games that the act ends (``ending``)."""
    subject: int | None = None
    """The user whom it concerns."""
    tournament: Tournament | None = None
    players: tuple[Player, ...] = ()
    pairings: tuple[StoredPairing, ...] = ()
    settles: bool = False
    """Whether ``pairings`` have just got their results, so that their players are free in an arena."""
    removed_round: int | None = None
    """The round that is taken back, with all its pairings."""
    ends: bool = False
    """Whether the tournament ends with its present standings."""
    restored: tuple[StoredPairing, ...] = ()
    restored_round: StoredRound | None = None
    assistant: bool | None = None
    """Whether ``subject`` becomes an assistant (True) or is no longer one (False)."""
    shift: int = 0
    """The ms by which the deadline of the current round moves."""
    new_messages: bool = False
    """Whether the announcement and the round's message are posted anew, in another channel."""
    undoes: int | None = None
    """The seq of the act that this one undoes."""
    told: tuple[int, ...] = ()
    """The players who get a notice, by number."""


def ending(stored: StoredPairing, winner: int | None, why: str) -> list[dict[str, object]]:
    """Returns the game of a pairing in the form of the log, for an act that ends it. ``winner``: an entrant."""
    return [] if stored.contest_id is None else [{"contest": stored.contest_id, "winner": winner, "why": why}]


def logged_pairing(row: object) -> StoredPairing:
    return pairing_of(cast("Any", SimpleNamespace(**cast("dict[str, Any]", row), attempts=0)))


def unplayed(stored: StoredPairing, now: int, plan: Plan) -> StoredPairing:
    """Returns the pairing for a new game, without a result and with the time of a new game."""
    lasts = game_time(plan)
    return replace(
        stored,
        pairing=replace(stored.pairing, result=None),
        state=PairingState.WAITING,
        decided_by="",
        contest_id=None,
        game_id=None,
        opened=None,
        ended=None,
        deadline=now + lasts if lasts else None,
        extended=False,
        warned=lasts <= WARNED_BEFORE or plan.format not in IN_ROUNDS,
        attempts=0,
    )


def decided(stored: StoredPairing, result: Result, now: int) -> StoredPairing:
    pairing = replace(stored.pairing, result=result)
    return replace(stored, pairing=pairing, state=PairingState.DONE, decided_by=BY_ORGANISER, ended=now)


def people(snapshot: TournamentSnapshot) -> tuple[int, ...]:
    """Returns the numbers of the people who are in or on the waiting list."""
    there = {PlayerStatus.IN, PlayerStatus.WAITING}
    return tuple(one.number for one in snapshot.players if one.status in there and not one.is_machine)


RESULT_KEYS: Final = {
    Result.FIRST_WINS: "first_wins",
    Result.SECOND_WINS: "second_wins",
    Result.DRAW: "draw",
    Result.FIRST_WINS_BY_FORFEIT: "first_by_forfeit",
    Result.SECOND_WINS_BY_FORFEIT: "second_by_forfeit",
    Result.BOTH_FORFEIT: "both_forfeit",
}


def result_key(result: Result | None) -> str:
    """Returns a result as a parameter of a message."""
    return Translated(f"@tournament.score.{RESULT_KEYS[result]}") if result in RESULT_KEYS else "?"
