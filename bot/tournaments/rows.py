"""Rows of the tables as values, and values as rows."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import Row

from bot.core.storage.faults.damage import DAMAGED, note_damage
from bot.core.storage.rows import from_row, to_row
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
DISPLACED: Final = ("displaced", "deleted_channel")
"""The fields of a pairing that are read from another table, and never written."""
_PLAN: Final = msgspec.json.Decoder(Plan)
_REASON: Final = msgspec.json.Decoder(Reason)


class UnreadableTournament(Refused):
    """A stored tournament, or a row that belongs to it, cannot be read."""

    def __init__(self, name: str) -> None:
        super().__init__("tournament.unreadable", name=name)


def read_tournament(row: Row[Any]) -> Tournament:
    """Reads the tournament of a row. Raises UnreadableTournament."""
    try:
        return tournament_of(row)
    except DAMAGED as error:
        note_damage("tournament", row.id, error)
        raise UnreadableTournament(row.name) from error


def read_all(
    kind: str, rows: Iterable[Row[Any]], read: Callable[[Row[Any]], T], name: Callable[[Row[Any]], str]
) -> tuple[T, ...]:
    """Reads all rows of a tournament. Raises UnreadableTournament if one cannot be read.

    An incomplete list could give wrong standings. ``name`` returns the name of a row in the bot's log.
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
    return f"{row.tournament_id}:{row.id}"


def entry_name(row: Row[Any]) -> str:
    return f"{row.tournament_id}:{row.seq}"


def number_name(row: Row[Any]) -> str:
    return f"{row.tournament_id}:{row.number}"


def plan_text(plan: Plan) -> str:
    """Returns the plan in JSON, with the settings that only a later version knows."""
    known = msgspec.to_builtins(plan)
    del known["unknown"]
    return msgspec.json.encode(_with(known, plan.unknown)).decode()


def _without(stored: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what is stored and not known, also inside of its parts."""
    found = {}
    for key, value in stored.items():
        if key not in known:
            found[key] = value
        elif isinstance(value, dict) and (inside := _without(value, known[key])):
            found[key] = inside
    return found


def _with(known: Mapping[str, Any], unknown: Mapping[str, Any]) -> dict[str, Any]:
    inside = {key: _with(known[key], value) for key, value in unknown.items() if key in known}
    return {**known, **unknown, **inside}


def read_plan(text: str) -> Plan:
    """Reads a plan. Raises ValueError for a text that is no plan, RuleError for an unknown game."""
    try:
        plan = _PLAN.decode(text)
    except msgspec.DecodeError as error:
        raise ValueError(f"not a plan: {error}") from error
    if not plan.stages:
        raise ValueError("a plan without stages")
    find(plan.game)
    unknown = _without(msgspec.json.decode(text), msgspec.to_builtins(plan))
    return replace(plan, unknown=unknown) if unknown else plan


def tournament_of(row: Row[Any]) -> Tournament:
    return from_row(Tournament, row, plan=read_plan(row.plan), status=Status(row.status))


def tournament_row(tournament: Tournament) -> dict[str, Any]:
    """Returns the columns that acts change: all but the leases and the state of the announcement."""
    aside = ("id", "version", "shown", "message_id", "closing_id")
    return to_row(tournament, *aside, plan=plan_text(tournament.plan), status=tournament.status.value)


def player_of(row: Row[Any]) -> Player:
    byes = frozenset(int(number) for number in row.byes.split(",") if number)
    return from_row(Player, row, status=PlayerStatus(row.status), byes=byes)


def player_row(player: Player) -> dict[str, Any]:
    byes = ",".join(str(number) for number in sorted(player.byes))
    return to_row(player, status=player.status.value, byes=byes)


def pairing_of(row: Row[Any]) -> StoredPairing:
    reason = _REASON.decode(row.reason) if row.reason else None
    result = Result(row.result) if row.result else None
    pairing = from_row(Pairing, row, reason=reason, result=result)
    displaced = {name: getattr(row, name, None) for name in DISPLACED}
    return from_row(StoredPairing, row, pairing=pairing, state=PairingState(row.state), **displaced)


def pairing_row(stored: StoredPairing) -> dict[str, Any]:
    """Returns the columns of a pairing, without those of the attempts to open it."""
    pairing = stored.pairing
    reason = msgspec.json.encode(pairing.reason).decode() if pairing.reason else ""
    result = pairing.result.value if pairing.result else None
    own = to_row(stored, "pairing", "attempts", *DISPLACED, state=stored.state.value)
    return own | to_row(pairing, reason=reason, result=result)


def round_of(row: Row[Any]) -> StoredRound:
    return from_row(StoredRound, row, more_ids=tuple(int(one) for one in row.more_ids.split(",") if one))


def log_entry_of(row: Row[Any]) -> LogEntry:
    return from_row(LogEntry, row, detail=json.loads(row.detail))
