"""Plays everything between two choices of the players: dice rolls, forced turns and automatic turns."""

from collections.abc import Awaitable, Callable
from typing import Any

from bot.core.randomness import Luck
from engine.core.chance import commitment
from engine.core.table import Table


async def always(_: int) -> bool:
    return True


async def never(_: int) -> bool:
    return False


class Settling:
    """``plays_forced`` says whether a user's forced turns are played for them; forced passes always are.

    ``rolls`` says whether dice are rolled for a user even when they could double.
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
        """The table at the next choice of a player, and the secret for the next roll."""
        # an offer lapses when the answerer plays, so no turn is played for a seat that still has to answer
        answerer = None if table.offer is None else 1 - table.offer.seat
        first, second = [seat != answerer and await self._plays_forced(players[seat]) for seat in (0, 1)]
        # the preference to roll automatically; a reply to the opponent's double is a conditional move (GameCommit)
        automatic = [seat != answerer and await self._rolls(players[seat]) for seat in (0, 1)]
        pending = secret

        def roll(rolling: Table[Any, Any]) -> str:
            nonlocal pending
            revealed, pending = pending, self._luck.secret()
            return self._luck.body(rolling, revealed, commitment(pending))

        return table.settle(at, roll, (first, second), (automatic[0], automatic[1])), pending
