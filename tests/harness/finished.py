"""Rows of finished games, as many as wanted, written without playing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert

from bot.games.tables import entries, games

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

DAY: Final = 86_400_000
STARTED: Final = 1_700_000_000_000


def row(game_id: str, players: tuple[int, int], ended: int, **more: Any) -> dict[str, Any]:
    """Returns a finished game of two turns, which the first player won by resignation unless ``more`` says
    otherwise.
    """
    return {
        "id": game_id,
        "game": "abalone",
        "version": 1,
        "options": "{}",
        "position": "",
        "started": ended - 60_000,
        "commitment": "",
        "clock": "",
        "timeout_policy": "",
        "match_id": None,
        "match_game": 0,
        "rated": False,
        "seat0": players[0],
        "seat1": players[1],
        "guild_id": 1,
        "channel_id": 2,
        "locale": "en",
        "secret": "",
        "shown_seq": 3,
        "message_id": None,
        "seq": 3,
        "to_act": None,
        "status": "over",
        "last_entry_at": ended,
        "points0": 1,
        "points1": -1,
        "reason": "end.resigned",
        "ended": ended,
        "counts": True,
        **more,
    }


def entries_of(game_id: str, turns: Sequence[str] = ("a1b1", "g5g4"), points: int = 1) -> list[dict[str, Any]]:
    """Returns the turns of a game, and its end: the loser resigns, or a draw is agreed."""
    found = [("play", number % 2, body) for number, body in enumerate(turns)]
    found += [("resign", int(points > 0), "1")] if points else [("offer", 0, "draw"), ("accept", 1, "draw")]
    return [
        {"game_id": game_id, "seq": number, "at": number, "kind": kind, "seat": seat, "body": body}
        for number, (kind, seat, body) in enumerate(found)
    ]


async def store(connection: AsyncConnection, rows: Sequence[dict[str, Any]]) -> None:
    """Writes the games with their entries."""
    await connection.execute(insert(games), list(rows))
    await connection.execute(insert(entries), [entry for game in rows for entry in entries_of(game["id"])])
