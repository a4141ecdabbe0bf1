"""The state of a board's delivery in this process."""

import asyncio
from dataclasses import dataclass


@dataclass(eq=False, slots=True)
class BoardTask:
    """The delivery of one game's board, until it is done. CONTRIBUTING.md has a diagram of the states."""

    game_id: str
    run: asyncio.Task[None] | None = None
    """Posts the board, with retries."""
    to_repeat: bool = False
    """Whether another run follows the present one."""
    waits: bool = False
    """Whether the board, the first of its game, waits for the card of the match's game before. It keeps its lease."""
    card: tuple[str, int] | None = None
    """The match and the number of the game, if it is over and its last board, the card, is at work."""
    followed_by: "BoardTask | None" = None
    """The task that waits for this card."""
    players: tuple[int, ...] = ()
    """The players, if this process has changed the game."""
    is_leased: bool = False
    """Whether the board is leased to this process."""
    lease: tuple[int, int] = 0, 0
    """The number of entries with which the board is leased, and the end of the lease (ms since 1970)."""
    is_slow: bool = False
    """Whether it was at work, or waited, when leases were last renewed."""
