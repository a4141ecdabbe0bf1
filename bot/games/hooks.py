"""Who takes part whenever a game goes on: time off, notifications, conditional plays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.live import LiveGame
from engine.core.errors import Refused
from engine.core.game import Seat
from engine.core.record import Entry, Kind
from engine.core.table import Table


class ConditionalMovesChanged(Exception):
    """What had been laid down for this very case was changed meanwhile; nothing was written."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the player to act has laid down: the steps of a turn, or to resign."""

    steps: tuple[Any, ...] = ()
    resign: bool = False


def carried_out(table: Table[Any, Any], reply: Reply) -> Table[Any, Any]:
    """The table after a reply, which takes no time. Raises RuleError."""
    seat, at = table.to_act, table.record.entries[-1].at
    if seat is None:
        raise Refused("table.over")
    if reply.resign:
        return table.resign(seat, table.game.resign_values(table.state, seat)[-1], at)
    return played(table, seat, reply.steps, at, conditional=True)


def played(
    table: Table[Any, Any], seat: Seat, turn: str | Sequence[Any], at: int, *, conditional: bool = False
) -> Table[Any, Any]:
    """The table after a whole turn, by its steps or as it was typed. Raises RuleError, of whichever kind.

    Entries hold text, which the engine reads when it takes an entry in (``turns.turn``): steps are read that once.
    """
    if isinstance(turn, str) or table.outcome is not None or table.to_act != seat:  # the engine says why not
        return table.play(seat, turn if isinstance(turn, str) else "", at, conditional=conditional)
    kind = Kind.CONDITIONAL if conditional else Kind.PLAY
    return table.append(Entry(at, kind, seat, table.game.format(table.state, turn)))


class GameHook:
    """Called by ``GameService`` with the game's lock held. Each does nothing unless it is overridden."""

    async def before_command(self, guild_id: int | None) -> None:
        """Called before the time of a change is taken, for the server of its game."""
        del guild_id

    async def entries(self, live: LiveGame, at: int) -> Sequence[Entry]:
        """What the record lacks up to ``at`` (ms since the game's start), to be appended before anything else."""
        del live, at
        return ()

    async def reply(self, before: LiveGame, now: LiveGame) -> Reply | None:
        """What the player to act has laid down for this very case; ``before`` is the game as it is stored."""
        del before, now
        return None

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        """Writes what belongs to the change, in its transaction. ``before`` is None when the game begins.

        Raises ConditionalMovesChanged if what was laid down is not what was played.
        """
        del connection, before, after

    async def on_relocate(self, connection: AsyncConnection, before: LiveGame, after: LiveGame, user_id: int) -> None:
        """Writes what belongs to a game's going on in another place, where ``user_id`` has brought it."""
        del connection, before, after, user_id
