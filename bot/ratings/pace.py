"""The pace of a game: its players are present, or play when they find time. Each pace has its own rating."""

from typing import Final

from engine.core.clock import TimeControl

LIVE: Final = "live"
CORRESPONDENCE: Final = "correspondence"


def pace_of(clock: str) -> str:
    """Returns the pace of a time control's text: ``live`` or ``correspondence``.
    A game without a clock is correspondence.

    Raises RuleError if the text is not a time control.
    """
    return LIVE if clock and TimeControl.parse(clock).live else CORRESPONDENCE
