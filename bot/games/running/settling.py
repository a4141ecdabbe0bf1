"""Plays everything between two choices of the players: dice rolls, forced turns and automatic turns."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

from bot.core.randomness import Luck
from engine.core.chance import RENEWED, next_secret, promise, secrets_left, without_next
from engine.core.record import Kind, Record
from engine.core.search import forced_turn
from engine.core.table import Table

RESERVE: Final = 64
"""The number of secrets left at which a new chain is announced: more than one commit ever needs."""


async def always(_: int) -> bool:
    return True


async def never(_: int) -> bool:
    return False


class Settling:
    """Plays rolls and turns without a choice.

    ``plays_forced`` says whether a user's forced turns are played; forced passes always are. ``rolls`` says whether
    dice are rolled for a user who could double.
    """

    def __init__(
        self,
        luck: Luck,
        plays_forced: Callable[[int], Awaitable[bool]] = always,
        rolls: Callable[[int], Awaitable[bool]] = never,
    ) -> None:
        self._luck = luck
        self._plays_forced = plays_forced
        self._rolls = rolls

    async def settle(
        self, table: Table[Any, Any], players: tuple[int, int], at: int, secret: str
    ) -> tuple[Table[Any, Any], str]:
        """Returns the table at the next choice of a player, and the secrets for the next rolls (``Luck.secret``)."""
        # an offer lapses when the other seat plays, so no turn is played for a seat that still has to answer
        answerer = None if table.offer is None else 1 - table.offer.seat
        first, second = [seat != answerer and await self._plays_forced(players[seat]) for seat in (0, 1)]
        # the preference to roll automatically; a reply to a double is a conditional move (GameCommit)
        automatic = [seat != answerer and await self._rolls(players[seat]) for seat in (0, 1)]
        pending = secret

        def roll(rolling: Table[Any, Any]) -> str:
            nonlocal pending
            revealed, following = next_secret(pending), without_next(pending)
            if following is not None:
                pending = following
                return self._luck.body(rolling, revealed, revealed)  # the secret is the commitment to the next one
            kind = f" {RENEWED}" if secrets_left(pending) else ""
            pending = self._luck.secret()
            return self._luck.body(rolling, revealed, promise(pending) + kind)

        return table.settle(at, roll, (first, second), (automatic[0], automatic[1])), pending

    def renew(self, table: Table[Any, Any], since: int, pending: str) -> tuple[Table[Any, Any], str]:
        """Announces a new chain of secrets with the last roll since entry ``since``, if few secrets are left.

        The table must stand at a choice of a player, so that the announcement is public before the next roll.
        Otherwise, or if there was no roll, nothing changes, and the next commit tries again.
        """
        if (
            not 0 < secrets_left(pending) <= RESERVE
            or table.outcome is not None
            or forced_turn(table.game, table.state)
        ):
            return table, pending
        entries = list(table.record.entries)
        rolled = [number for number in range(since, len(entries)) if entries[number].kind is Kind.CHANCE]
        if not rolled:
            return table, pending
        fresh = self._luck.secret()
        last = entries[rolled[-1]]
        outcome, secret, *_ = last.body.split(" ")
        entries[rolled[-1]] = replace(last, body=f"{outcome} {secret} {promise(fresh)} {RENEWED}")
        return Table.replay(table.game, Record(table.record.header, tuple(entries))), fresh
