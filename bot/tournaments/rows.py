"""Rows of the tables as values, and values as rows."""

import json
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import Row

from bot.core.storage.faults.damage import DAMAGED, note_damage
from bot.tournaments.tournament import (
    LogEntry,
    PairingState,
    Plan,
    Player,
    PlayerStatus,
    Status,
    StoredPairing,
    StoredRound,
    Tournament,
)
from engine.core.errors import Refused
from engine.registry import find
from engine.tournament.model import Pairing, Reason, Result

T = TypeVar("T")
_PLAN: Final = msgspec.json.Decoder(Plan)
_REASON: Final = msgspec.json.Decoder(Reason)


class UnreadableTournament(Refused):
    """A tournament is stored, but it cannot be read, or something that belongs to it."""

    def __init__(self, name: str) -> None:
        super().__init__("tournament.unreadable", name=name)


def read_tournament(row: Row[Any]) -> Tournament:
    """The tournament of a row. Raises UnreadableTournament."""
    try:
        return tournament_of(row)
    except DAMAGED as error:
        note_damage("tournament", row.id, error)
        raise UnreadableTournament(row.name) from error


def read_all(
    kind: str, rows: Iterable[Row[Any]], read: Callable[[Row[Any]], T], name: Callable[[Row[Any]], str]
) -> tuple[T, ...]:
    """What ``read`` makes of rows that belong to a tournament. Raises UnreadableTournament if it cannot read one.

    Without that one, what is said of the others could be wrong. ``name``: how a row is named in the log.
    """
    found = []
    for row in rows:
        try:
            found.append(read(row))
        except DAMAGED as error:
            note_damage(kind, name(row), error)
            raise UnreadableTournament(row.tournament_id) from error
    return tuple(found)


def pairing_name(row: Row[Any]) -> str:
    """How a pairing is named in the log."""
    return f"{row.tournament_id}:{row.id}"


def entry_name(row: Row[Any]) -> str:
    """How an entry of a tournament's log is named in the log."""
    return f"{row.tournament_id}:{row.seq}"


def number_name(row: Row[Any]) -> str:
    """How a player or a round is named in the log."""
    return f"{row.tournament_id}:{row.number}"


def plan_text(plan: Plan) -> str:
    return msgspec.json.encode(plan).decode()


def read_plan(text: str) -> Plan:
    """Raises ValueError for a text that is no plan, and RuleError if its game is not known."""
    try:
        plan = _PLAN.decode(text)
    except msgspec.DecodeError as error:
        raise ValueError(f"not a plan: {error}") from error
    if not plan.stages:
        raise ValueError("a plan without stages")
    find(plan.game)
    return plan


def tournament_of(row: Row[Any]) -> Tournament:
    return Tournament(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        owner=row.owner,
        name=row.name,
        locale=row.locale,
        plan=read_plan(row.plan),
        status=Status(row.status),
        created=row.created,
        paused=row.paused,
        round=row.round,
        started=row.started,
        ended=row.ended,
        version=row.version,
        shown=row.shown,
        message_id=row.message_id,
        next_at=row.next_at,
        credited_until=row.credited_until,
        closing_at=row.closing_at,
        closing_id=row.closing_id,
        break_until=row.break_until,
    )


def tournament_row(tournament: Tournament) -> dict[str, Any]:
    """What the organiser's or the bot's acts change: not how far its message is shown, nor what is leased."""
    return {
        "guild_id": tournament.guild_id,
        "channel_id": tournament.channel_id,
        "owner": tournament.owner,
        "name": tournament.name,
        "locale": tournament.locale,
        "plan": plan_text(tournament.plan),
        "status": tournament.status.value,
        "paused": tournament.paused,
        "round": tournament.round,
        "created": tournament.created,
        "started": tournament.started,
        "ended": tournament.ended,
        "next_at": tournament.next_at,
        "credited_until": tournament.credited_until,
        "closing_at": tournament.closing_at,
        "break_until": tournament.break_until,
    }


def player_of(row: Row[Any]) -> Player:
    return Player(
        number=row.number,
        user_id=row.user_id,
        status=PlayerStatus(row.status),
        rating=row.rating,
        joined=row.joined,
        seed=row.seed,
        section=row.section,
        first_round=row.first_round,
        last_round=row.last_round,
        byes=frozenset(int(number) for number in row.byes.split(",") if number),
        reason=row.reason,
        checked_in=row.checked_in,
        free_since=row.free_since,
        ladder_place=row.ladder_place,
        first_place=row.first_place,
        last_place=row.last_place,
    )


def player_row(player: Player) -> dict[str, Any]:
    return {
        "number": player.number,
        "user_id": player.user_id,
        "status": player.status.value,
        "reason": player.reason,
        "rating": player.rating,
        "seed": player.seed,
        "section": player.section,
        "first_round": player.first_round,
        "last_round": player.last_round,
        "byes": ",".join(str(number) for number in sorted(player.byes)),
        "joined": player.joined,
        "checked_in": player.checked_in,
        "free_since": player.free_since,
        "ladder_place": player.ladder_place,
        "first_place": player.first_place,
        "last_place": player.last_place,
    }


def pairing_of(row: Row[Any]) -> StoredPairing:
    pairing = Pairing(
        stage=row.stage,
        round=row.round,
        board=row.board,
        first=row.first,
        second=row.second,
        section=row.section,
        slot=row.slot,
        attempt=row.attempt,
        reason=_REASON.decode(row.reason) if row.reason else None,
        result=Result(row.result) if row.result else None,
    )
    return StoredPairing(
        id=row.id,
        pairing=pairing,
        state=PairingState(row.state),
        decided_by=row.decided_by,
        contest_id=row.contest_id,
        game_id=row.game_id,
        channel_id=row.channel_id,
        opened=row.opened,
        ended=row.ended,
        deadline=row.deadline,
        extended=row.extended,
        warned=row.warned,
        attempts=row.attempts,
    )


def pairing_row(stored: StoredPairing) -> dict[str, Any]:
    """All but the attempts to open it."""
    pairing = stored.pairing
    return {
        "id": stored.id,
        "stage": pairing.stage,
        "round": pairing.round,
        "section": pairing.section,
        "board": pairing.board,
        "slot": pairing.slot,
        "attempt": pairing.attempt,
        "first": pairing.first,
        "second": pairing.second,
        "reason": msgspec.json.encode(pairing.reason).decode() if pairing.reason else "",
        "state": stored.state.value,
        "result": pairing.result.value if pairing.result else None,
        "decided_by": stored.decided_by,
        "contest_id": stored.contest_id,
        "game_id": stored.game_id,
        "channel_id": stored.channel_id,
        "opened": stored.opened,
        "ended": stored.ended,
        "deadline": stored.deadline,
        "extended": stored.extended,
        "warned": stored.warned,
    }


def round_of(row: Row[Any]) -> StoredRound:
    return StoredRound(
        number=row.number,
        stage=row.stage,
        started=row.started,
        deadline=row.deadline,
        message_id=row.message_id,
        more_ids=tuple(int(one) for one in row.more_ids.split(",") if one),
        version=row.version,
        shown=row.shown,
        attempts=row.attempts,
    )


def log_entry_of(row: Row[Any]) -> LogEntry:
    return LogEntry(
        seq=row.seq,
        at=row.at,
        actor=row.actor,
        act=row.act,
        round=row.round,
        detail=json.loads(row.detail),
        reason=row.reason,
        undone=row.undone,
        subject=row.subject,
    )
