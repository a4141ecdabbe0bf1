"""A conditional move."""

from dataclasses import dataclass

from engine.core.game import Seat


@dataclass(frozen=True, slots=True)
class ConditionalMove:
    """The player's ``reply`` if the opponent plays ``condition``. ``created`` in ms since 1970."""

    id: int
    """The id; 0 until it is stored."""
    seat: Seat
    parent_id: int | None
    """The move whose reply comes before this condition; None if the condition is the opponent's very next turn."""
    condition: str
    reply: str | None
    """A turn, or ``resign``; None while it is not set."""
    persistent: bool
    """Whether it waits any number of turns for its condition. Only an answer to a double does."""
    created: int
