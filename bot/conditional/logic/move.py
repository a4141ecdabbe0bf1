"""A conditional move."""

from dataclasses import dataclass

from engine.core.game import Seat


@dataclass(frozen=True, slots=True)
class ConditionalMove:
    """If the other plays ``their``, then ``reply``. ``created`` in ms since 1970."""

    id: int
    """0 while it is not stored."""
    seat: Seat
    parent_id: int | None
    """The move after whose reply it comes; None for those of the very next turn."""
    condition: str
    reply: str | None
    """A turn, or ``resign``; None while it is not said."""
    persistent: bool
    """Whether it waits for its case however long that takes: the answer to a call."""
    created: int
