"""The hooks of a game's commands: time off, notifications, conditional moves."""

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
    """The player has changed the conditional moves that were being played. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a conditional move: the steps of a turn, or a resignation."""

    steps: tuple[Any, ...] = ()
    resign: bool = False


def apply_reply(table: Table[Any, Any], reply: Reply) -> Table[Any, Any]:
    """Returns the table after a conditional reply, which takes no time. Raises RuleError."""
    seat, at = table.to_act, table.record.entries[-1].at
    if seat is None:
        raise Refused("table.over")
    if reply.resign:
        return table.resign(seat, table.game.resign_values(table.state, seat)[-1], at)
    return apply_turn(table, seat, reply.steps, at, conditional=True)


def apply_turn(
    table: Table[Any, Any], seat: Seat, turn: str | Sequence[Any], at: int, *, conditional: bool = False
) -> Table[Any, Any]:
    """Returns the table after a whole turn, given by its steps or as typed text. Raises any kind of RuleError.

    Steps are formatted and appended as an entry; the engine parses its text once (``turns.turn``).
    """
    if isinstance(turn, str) or table.outcome is not None or table.to_act != seat:  # the engine raises the refusal
        return table.play(seat, turn if isinstance(turn, str) else "", at, conditional=conditional)
    kind = Kind.CONDITIONAL if conditional else Kind.PLAY
    return table.append(Entry(at, kind, seat, table.game.format(table.state, turn)))


class GameHook:
    """Called by ``GameService`` while it holds the game's lock. By default, its methods do nothing."""

    async def before_command(self, guild_id: int | None) -> None:
        """Called with the game's server before the time of a command is taken."""
        del guild_id

    async def entries(self, live: LiveGame, at: int) -> Sequence[Entry]:
        """Returns the entries that the record lacks up to ``at`` (ms since the game's start). They are appended
        first.
        """
        del live, at
        return ()

    async def reply(self, before: LiveGame, now: LiveGame) -> Reply | None:
        """Returns the conditional reply of the player to act, if its condition has occurred; ``before`` is the stored
        game.
        """
        del before, now
        return None

    async def following(self, before: LiveGame, after: LiveGame) -> LiveGame | None:
        """Returns the game that begins in the transaction that writes ``after``; None if there is none. Called before
        it.
        """
        del before, after
        return None

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        """Writes the hook's own data in the transaction of the change. ``before`` is None when the game begins.

        Raises ConditionalMovesChanged if the stored replies are no longer those that were played.
        """
        del connection, before, after

    async def on_relocate(
        self, connection: AsyncConnection, before: LiveGame, after: LiveGame, user_id: int | None
    ) -> None:
        """Writes the hook's own data when ``user_id`` relocates a game to another channel; None: the bot does, and
        tells both players.
        """
        del connection, before, after, user_id

    async def on_leave(self, connection: AsyncConnection, live: LiveGame, user_id: int, pseudonym: int) -> None:
        """Replaces ``user_id`` in the hook's own data about a game, in the transaction in which the user leaves it."""
        del connection, live, user_id, pseudonym
