"""The rows of a game and its entries."""

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Row

from bot.core.storage.rows import from_row
from bot.games.derived import read_time_off
from bot.games.stored import FinishedGame, Place, RunningGame, StoredGame
from engine.core.errors import CorruptRecord
from engine.core.game import Outcome
from engine.core.record import Entry, Header, Kind, Record, load_banks
from engine.registry import GAMES

KINDS: Final = {str(kind): kind for kind in Kind}


def rows_of(game_id: str, seq: int, added: Iterable[Entry]) -> list[dict[str, Any]]:
    """Returns the rows of a game's entries from ``seq`` on."""
    return [
        {"game_id": game_id, "seq": number, "at": entry.at, "kind": entry.kind, "seat": entry.seat, "body": entry.body}
        for number, entry in enumerate(added, seq)
    ]


def stored_game(row: Row[Any], found: Sequence[Iterable[Any]]) -> StoredGame:
    """Returns the game of a row of ``games`` and its rows of ``entries``, in order. Raises CorruptRecord."""
    in_order: Sequence[Any] = (
        found  # the columns are read by position, as reading them by name takes three times as long
    )
    if [seq for _, seq, *_ in in_order] != list(range(len(found))):
        raise CorruptRecord(f"game {row.id} has a gap in its entries")
    header = from_row(
        Header,
        row,
        options=tuple(json.loads(row.options).items()),
        match=row.match_id or "",
        banks=load_banks(row.banks),
    )
    try:
        listed = tuple(Entry(at, KINDS[kind], seat, body) for _, _, at, kind, seat, body in in_order)
    except KeyError as error:  # a kind of a later release
        raise CorruptRecord(f"game {row.id} has an entry of an unknown kind: {error}") from error
    return from_row(
        StoredGame,
        row,
        record=Record(header, listed),
        players=(row.seat0, row.seat1),
        place=Place(row.guild_id, row.channel_id),
        snapshot=None,
    )


def packed(snapshot: str) -> bytes:
    """Compresses a snapshot for storage."""
    return zlib.compress(snapshot.encode())


def unpacked(stored: bytes | None) -> str | None:
    """Returns a stored snapshot, if there is one. A damaged one is returned as "", which fits no record."""
    try:
        return None if stored is None else zlib.decompress(stored).decode()
    except (zlib.error, UnicodeDecodeError):
        return ""


def running_game(row: Row[Any]) -> RunningGame:
    """Returns the game of a row with the columns of a list. Raises one of DAMAGED."""
    if row.game not in GAMES:
        raise CorruptRecord(f"there is no game {row.game}")
    players = (row.seat0, row.seat1)
    to_act, awaited = (players[seat] if seat in {0, 1} else None for seat in (row.to_act, row.awaited))
    hours, away = read_time_off(row.time_off)
    return from_row(
        RunningGame,
        row,
        players=players,
        place=Place(row.guild_id, row.channel_id),
        to_act=to_act,
        awaited=awaited,
        hours=hours,
        away=away,
        match_id=row.match_id or "",
        stands_still=row.server_gone,
    )


def finished_game(row: Row[Any]) -> FinishedGame:
    players, place = (row.seat0, row.seat1), Place(row.guild_id, row.channel_id)
    outcome = Outcome((row.points0, row.points1), row.reason)
    return FinishedGame(row.id, row.game, players, place, outcome, row.started, row.ended, row.seq)
