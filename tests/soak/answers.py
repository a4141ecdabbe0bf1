"""What an answer tells whoever gets it: that a turn is played, that it is refused, or nothing certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness.bot import wired
from harness.discord import is_ephemeral, text

from bot.core.translations import language
from soak.journal import ACKED, REFUSED, UNCERTAIN

if TYPE_CHECKING:
    from bot.sandbox.interactions.interaction import Interaction

EN: Final = language("en")
OURS: Final = tuple(EN(key) for key in ("error.ours", "error.slow"))
"""What is said where nobody knows what has become of it."""


def told(sent: Interaction) -> str:
    """What somebody was told privately."""
    messages = [sent.message, *sent.followups]
    return " / ".join(text(one) for one in messages if one is not None and is_ephemeral(one))


def judged(sent: Interaction | None) -> str:
    """What somebody who typed a turn knows of it now."""
    if sent is None:
        return UNCERTAIN
    if sent.message is None and not sent.followups:
        return ACKED
    said = told(sent)
    if not said:
        return ACKED if sent.message is not None else UNCERTAIN
    if any(ours in said for ours in OURS) or sent.followups or goes_on(sent):
        return UNCERTAIN
    return REFUSED


def goes_on(sent: Interaction) -> bool:
    """Whether the next turn is asked for at once, as after a roll."""
    return any(x["custom_id"].startswith(("b:pick:", "m:pick:")) for x in wired(sent.message or {"components": []}))
