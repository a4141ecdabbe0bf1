"""What an act of an organiser is: its name, what it changes, and what the log keeps of it."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import SimpleNamespace
from typing import Any, Final, cast

from bot.tournaments.rounds.steps.settling import BY_ORGANISER
from bot.tournaments.rows import pairing_of
from bot.tournaments.schedule import WARNED_BEFORE, game_time
from bot.tournaments.tournament import PairingState, Plan, Player, StoredPairing, StoredRound, Tournament
from engine.core.errors import Translated
from engine.tournament.model import IN_ROUNDS, Result


class Act(StrEnum):
    """What the log calls an act."""

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
    """The log, the command and the texts name it after the round that begins."""
    SERVER_GONE = "server_gone"
    """By the bot: the server has removed it, so the tournament is paused."""
    OWNER_GONE = "owner_gone"
    """By the bot: the owner has had their data deleted."""


OF_ORGANISERS: Final = frozenset(Act) - {Act.SERVER_GONE, Act.OWNER_GONE}


class Ruling(StrEnum):
    """How an organiser may decide a game that has no result."""

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
"""The result of a ruling about a game that was begun."""
NOT_PLAYED: Final = {
    Ruling.FIRST: Result.FIRST_WINS_BY_FORFEIT,
    Ruling.SECOND: Result.SECOND_WINS_BY_FORFEIT,
    Ruling.BOTH_FORFEIT: Result.BOTH_FORFEIT,
}
"""The result of a ruling about a pairing whose game the bot has not opened."""
CORRECTIONS: Final = tuple(result for result in Result if not result.is_bye)
DECISION, FORFEIT, DRAW, VOID = "decision", "forfeit", "draw", "void"
"""How an act ends a game; see ``engine.core.adjudication``."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What an act changes, and what the log keeps of it."""

    act: Act
    detail: dict[str, object] = field(default_factory=dict)
    """In JSON. ``games`` are those that the act ends (``ending``)."""
    subject: int | None = None
    """The user whom it concerns."""
    tournament: Tournament | None = None
    players: tuple[Player, ...] = ()
    pairings: tuple[StoredPairing, ...] = ()
    settles: bool = False
    """Whether ``pairings`` have just got their result: in an arena, for example, their players are then free."""
    removed_round: int | None = None
    """The round that is taken back, with all its pairings."""
    ends: bool = False
    """Whether the tournament is over, as it stands."""
    restored: tuple[StoredPairing, ...] = ()
    restored_round: StoredRound | None = None
    assistant: bool | None = None
    """Whether ``subject`` becomes an assistant or is one no longer."""
    shift: int = 0
    """By how many ms the deadline of the current round moves."""
    new_messages: bool = False
    """Whether the announcement and the round's message are posted anew, because the channel is another."""
    undoes: int | None = None
    """The seq of the act that this one undoes."""
    told: tuple[int, ...] = ()
    """The players who get a notice, by number."""


def ending(stored: StoredPairing, winner: int | None, why: str) -> list[dict[str, object]]:
    """The game of a pairing as the log keeps it, for an act that ends it. ``winner``: the number of an entrant."""
    return [] if stored.contest_id is None else [{"contest": stored.contest_id, "winner": winner, "why": why}]


def logged_pairing(row: object) -> StoredPairing:
    """A pairing of which the log has the row."""
    return pairing_of(cast("Any", SimpleNamespace(**cast("dict[str, Any]", row), attempts=0)))


def unplayed(stored: StoredPairing, now: int, plan: Plan) -> StoredPairing:
    """A pairing that gets a new game: without result, and with as much time as a new game has."""
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
    """A pairing with the result that an organiser gives."""
    pairing = replace(stored.pairing, result=result)
    return replace(stored, pairing=pairing, state=PairingState.DONE, decided_by=BY_ORGANISER, ended=now)


RESULT_KEYS: Final = {
    Result.FIRST_WINS: "first_wins",
    Result.SECOND_WINS: "second_wins",
    Result.DRAW: "draw",
    Result.FIRST_WINS_BY_FORFEIT: "first_by_forfeit",
    Result.SECOND_WINS_BY_FORFEIT: "second_by_forfeit",
    Result.BOTH_FORFEIT: "both_forfeit",
}


def result_key(result: Result | None) -> str:
    """A result as a parameter of a message."""
    return Translated(f"@tournament.score.{RESULT_KEYS[result]}") if result in RESULT_KEYS else "?"
